import type { LedgerWords, RefundSaid, ReturnSaid } from "../ledger-words.ts";

const refund = ({ amount, order }: RefundSaid) => `reembolso de ${amount} del pedido ${order}`;
const goods = ({ items, order }: ReturnSaid) => `devolución del pedido ${order} (${items})`;
const after = (why: string | null) => (why === null ? "" : ` ${why}`);
const quoted = (note: string | null) => (note === null ? "" : ` Su explicación: «${note}»`);

export const ledger: LedgerWords = {
  language: "es",
  refund: {
    denied: (it) => `El ${refund(it)} no era posible según nuestras condiciones. No se ha pagado nada.`,
    awaitingApproval: (it) =>
      `Su ${refund(it)} (${it.items}) está pendiente de que un compañero lo apruebe. Todavía no se ha pagado nada; le escribiré aquí en cuanto se decida.`,
    rejected: (it, note) =>
      `Un compañero ha revisado su ${refund(it)} y no ha podido aprobarlo.${quoted(note)} No se ha pagado nada.`,
    expired: (it) =>
      `No se decidió a tiempo sobre su ${refund(it)}, así que la solicitud ha terminado. No se ha pagado nada. Si todavía lo desea, escríbame aquí y empiezo de nuevo.`,
    underWay: (it) =>
      `Su ${refund(it)} se está enviando al proveedor de pagos. Todavía no está confirmado; le escribiré aquí en cuanto lo esté.`,
    cancelled: (it, why) =>
      `Su ${refund(it)} se canceló antes de enviar nada al proveedor de pagos. No se ha pagado nada.${after(why)}`,
    unknown: (it) =>
      `Su ${refund(it)} todavía se está comprobando: el proveedor de pagos aún no nos ha dado una respuesta clara. No se puede pagar dos veces, y le escribiré aquí en cuanto lo sepamos.`,
    needsPerson: (it) =>
      `Su ${refund(it)} todavía se está comprobando, ahora por un compañero junto con el proveedor de pagos. No se puede pagar dos veces, y le escribiremos aquí en cuanto lo sepamos.`,
    pending: (it) =>
      `El proveedor de pagos ha aceptado su ${refund(it)} y lo está tramitando. Todavía no es definitivo; le escribiré aquí cuando lo sea.`,
    succeeded: (it) =>
      `El proveedor de pagos ha confirmado su ${refund(it)} (${it.items}). El dinero vuelve por el mismo medio con el que pagó y suele aparecer en su extracto en un plazo de 5 a 10 días.`,
    failed: (it, why) =>
      `Su ${refund(it)} no se ha podido realizar y no se ha pagado nada.${after(why)} Un compañero lo revisará.`,
    sentBackByBank: (it) =>
      `El proveedor de pagos nos ha informado de que el banco devolvió su ${refund(it)}, así que el dinero no le ha llegado. Un compañero se pondrá en contacto con usted para buscar otra vía.`,
  },
  return: {
    denied: (it) => `La ${goods(it)} no era posible según nuestras condiciones.`,
    awaitingApproval: (it) =>
      `Su ${goods(it)} está pendiente de que un compañero la apruebe. Le escribiré aquí en cuanto se decida.`,
    rejected: (it, note) =>
      `Un compañero ha revisado su ${goods(it)} y no ha podido aprobarla.${quoted(note)}`,
    expired: (it) =>
      `No se decidió a tiempo sobre su ${goods(it)}, así que la solicitud ha terminado. Escríbame aquí si todavía la desea.`,
    underWay: (it) => `Su ${goods(it)} se está registrando. Le escribiré aquí en cuanto esté confirmada.`,
    cancelled: (it, why) => `Su ${goods(it)} se canceló antes de registrarse.${after(why)}`,
    unknown: (it) =>
      `Su ${goods(it)} todavía se está comprobando: el sistema de la tienda aún no nos ha dado una respuesta clara. No se puede registrar dos veces, y le escribiré aquí en cuanto lo sepamos.`,
    pending: (it) => `Su ${goods(it)} se ha aceptado y se está tramitando.`,
    succeeded: (it, instructions, labelUrl) =>
      `Su ${goods(it)} está registrada.${after(instructions)}${labelUrl === null ? "" : ` Su etiqueta de devolución: ${labelUrl}`} El reembolso se decide cuando haya llegado el paquete.`,
    failed: (it, why) => `Su ${goods(it)} no se ha podido registrar.${after(why)} Un compañero lo revisará.`,
  },
  cause: {
    refunded_elsewhere: "Entretanto, el pedido se ha reembolsado por otra vía.",
    declined: "El proveedor de pagos lo rechazó.",
    no_longer_permitted: "El pedido o las condiciones han cambiado desde que lo solicitó.",
    customer_cancelled: "Así lo ha pedido.",
    amount_changed: "Un compañero ha aprobado otro importe en su lugar.",
    handed_back: "Un compañero lo ha revisado y me lo ha devuelto: dígame cómo quiere continuar.",
  },
  partOfAmount: "una parte del importe",
  restOfOrder: "el resto del pedido",
  reasons: {
    Damaged: "dañado",
    "Not as described": "no es como se describe",
    "Too small": "demasiado pequeño",
    "Too big": "demasiado grande",
    "Does not fit": "no me queda bien",
    "Arrived too late": "llegó demasiado tarde",
    "Changed my mind": "he cambiado de opinión",
    "No reason given": "sin indicar",
  },
  offer: {
    changed: "Algo ha cambiado, así que aquí lo tiene de nuevo.",
    refund: ({ amount, order, items, shipping, needsApproval }) =>
      `Puedo reembolsarle ${amount} del pedido ${order} (${items})${shipping === null ? "" : `, incluidos ${shipping} de gastos de envío`}. El dinero vuelve por el mismo medio con el que pagó.${needsApproval ? " Antes tiene que aprobarlo un compañero. ¿Se lo envío?" : " ¿Lo hago así?"}`,
    return: ({ order, items, reason, needsApproval }) =>
      `Puedo registrar una devolución del pedido ${order}: ${items}${reason === null ? "" : ` (motivo: ${reason})`}. Recibirá instrucciones para enviarlo de vuelta.${needsApproval ? " Antes tiene que aprobarlo un compañero." : ""} ¿Lo hago así?`,
  },
};
