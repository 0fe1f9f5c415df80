import type { TalkWords } from "../talk-words.ts";

const ABILITIES = "Puedo decirle dónde está un pedido, preparar una devolución o ayudarle con un reembolso";
const withCarrier = (carrier: string | null) => (carrier === null ? "" : ` con ${carrier}`);
const started = (order: string | null) => (order === null ? "" : `El pedido ${order} `);

export const talk: TalkWords = {
  buttons: {
    whereIsMyOrder: "¿Dónde está mi pedido?",
    returnSomething: "Devolver algo",
    getRefund: "Pedir un reembolso",
    person: "Hablar con una persona",
    whereIsIt: "¿Dónde está?",
    sendItBack: "Devolverlo",
    tryAgain: "Intentarlo de nuevo",
    askColleague: "Preguntar a un compañero",
    thatIsFine: "Está bien",
    yes: "Sí",
    no: "No",
    yesPlease: "Sí, por favor",
    noThanks: "No, gracias",
    everything: "Todo",
    only: (title) => `Solo: ${title}`,
    the: (title) => `Es por: ${title}`,
    somethingElse: "Otra cosa",
    justOne: "Solo uno",
    both: "Los dos",
    all: (count) => `Los ${count}`,
    neverMind: "Mejor no",
    lookIntoIt: "Sí, revísenlo, por favor",
    foundIt: "Ya lo encontré, gracias",
    setUpReturn: "Preparar una devolución",
    tooSmall: "Demasiado pequeño",
    tooBig: "Demasiado grande",
    notAsDescribed: "No es como se describe",
    damaged: "Dañado",
    changedMind: "He cambiado de opinión",
  },
  where: {
    cancelled: (order) => `El pedido ${order} se canceló, así que no hay nada en camino.`,
    delivered: (order) => `El pedido ${order} se entregó.`,
    onItsWay: (order) => `El pedido ${order} está en camino. Todavía no tengo datos de seguimiento.`,
    preparing: (order) =>
      `El pedido ${order} está confirmado y se está preparando. Todavía no se ha entregado al transportista, así que aún no hay número de seguimiento.`,
    inParcels: (order, count) => `El pedido ${order} llega en ${count} paquetes.`,
    thatParcelHas: (items) => `Ese paquete contiene: ${items}.`,
    stillPreparing: (items) => `Todavía en preparación: ${items}.`,
    parcel: {
      packed: (it, carrier) =>
        `${started(it)}está preparado y a la espera de que lo recoja ${carrier ?? "el transportista"}.`,
      inTransit: (it, carrier) => `${started(it)}está en camino${withCarrier(carrier)}.`,
      outForDelivery: (it, carrier) =>
        `${started(it)}está en reparto${withCarrier(carrier)} y debería llegar pronto.`,
      delivered: (it, carrier, day) =>
        `${started(it)}se entregó${day === null ? "" : ` ${day}`}${withCarrier(carrier)}.`,
      failed: (it, carrier) =>
        `${carrier ?? "El transportista"} intentó entregar ${it === null ? "el paquete" : `el pedido ${it}`} y no pudo.`,
    },
    howToGetIt: "En la página de seguimiento se indica cómo pedir una nueva entrega o dónde recogerlo.",
    shouldArrive: (day) => `Debería llegar ${day}.`,
    late: (day) => `Se esperaba ${day}, así que va con retraso. Lo siento.`,
    lastUpdate: (day, what, where) =>
      `Última actualización ${day}: ${what}${where === null ? "" : `, ${where}`}.`,
    tracking: (number, url) =>
      number === null
        ? `Seguimiento: ${url}`
        : `Número de seguimiento: ${number}${url === null ? "" : ` (${url})`}.`,
  },

  greeting: (name) => `Hola${name === null ? "" : `, ${name}`}. ¿En qué puedo ayudarle?`,
  welcome: "De nada. ¿Puedo hacer algo más por usted?",
  bye: "Cuídese, y escríbame cuando quiera.",
  identity: (shop) => `Soy el asistente automático de ${shop}. ${ABILITIES}, y también avisar a una persona.`,
  help: `Por supuesto. ${ABILITIES}. ¿Qué desea?`,
  noFurther: "De acuerdo. Aquí estoy si necesita algo.",
  whatNext: `Bien. ${ABILITIES}. ¿Qué desea hacer?`,
  leftAlone: {
    nothing: "De acuerdo, lo dejo aquí. No se ha cambiado nada.",
    refund: "De acuerdo, dejo el reembolso. No se ha cambiado nada.",
    return: "De acuerdo, dejo la devolución. No se ha cambiado nada.",
  },
  whatAboutOrder: (order) => `¿Qué desea hacer con el pedido ${order}?`,
  notUnderstood: `No estoy seguro de haberlo entendido. ${ABILITIES}. ¿Qué desea?`,
  whatHelps: "Lo siento. ¿Quiere devolverlo o prefiere un reembolso? Un compañero también puede revisarlo.",
  complaint: "Lo siento, no debería ser así. ¿Qué es lo que más le ayudaría ahora?",
  sorry: "Siento las molestias.",
  ordersUnreachable:
    "Ahora mismo no puedo acceder a nuestro sistema de pedidos. No se ha cambiado nada. Inténtelo de nuevo en unos minutos o, si lo prefiere, se lo paso a un compañero.",

  toldWhenConfirmed: "Le escribiré aquí en cuanto se confirme el resultado.",
  contestHint: "Si no está de acuerdo, puedo pedir a un compañero que lo revise.",
  orderBusy:
    "En este momento se está tramitando otra solicitud de este pedido. Espere un momento y vuelva a escribirme.",
  alreadyRequested: {
    refund: "Ya hay una solicitud para estos artículos, así que no puedo añadir un segundo reembolso.",
    return: "Ya hay una solicitud para estos artículos, así que no puedo añadir una segunda devolución.",
  },
  systemUnreachable: {
    refund:
      "Ahora mismo no puedo acceder a uno de nuestros sistemas, así que todavía no se ha hecho nada con su reembolso. Inténtelo de nuevo en unos minutos o, si lo prefiere, se lo paso a un compañero.",
    return:
      "Ahora mismo no puedo acceder a uno de nuestros sistemas, así que todavía no se ha hecho nada con su devolución. Inténtelo de nuevo en unos minutos o, si lo prefiere, se lo paso a un compañero.",
  },
  orderGone:
    "Ya no encuentro ese pedido en su cuenta, así que no se ha hecho nada. ¿Podría comprobar el número de pedido?",
  orderChanged: {
    refund:
      "El pedido ha cambiado desde que lo consulté, así que no he seguido con el reembolso. ¿Lo consulto de nuevo y le digo qué es posible ahora?",
    return:
      "El pedido ha cambiado desde que lo consulté, así que no he seguido con la devolución. ¿Lo consulto de nuevo y le digo qué es posible ahora?",
  },

  noOrders:
    "No veo ningún pedido en su cuenta. Si compró con otra dirección de correo o como invitado, un compañero puede buscarlo.",
  notFound: (order) => `No encuentro un pedido ${order} en su cuenta.`,
  whichOrderAgain: "Disculpe, no he entendido a qué pedido se refiere.",
  noOtherOrders:
    "Tampoco veo otros pedidos. Si lo hizo con otra dirección de correo, un compañero puede buscarlo.",
  thisOne: "¿Se refiere a este?",
  whichOrder: "¿De qué pedido se trata?",
  olderOne: "Si es uno más antiguo, dígame su número.",
  orderLine: (order, day, items, total) => `• ${order}, pedido ${day}: ${items} (${total})`,

  item: "artículo",
  everything: "todo",
  andMore: (items, count) => `${items} y ${count} más`,
  orderHas: (order) => `El pedido ${order} contiene:`,
  refundAllOrSome: (amount, withShipping) =>
    `¿El reembolso es de todo (${amount}${withShipping ? " con el envío" : ""}) o solo de una parte?`,
  returnAllOrSome: "¿Quiere devolver todo o solo una parte?",
  onlySoMany: {
    refund: (count, what, order) =>
      `En ${order} ${count === 1 ? "queda" : "quedan"} ${what} con posibilidad de reembolso.`,
    return: (count, what, order) => `En ${order} ${count === 1 ? "queda" : "quedan"} ${what} por devolver.`,
  },
  takeThatOne: "¿Tomo ese?",
  oneOrBoth: (what) => `¿Es por uno${what === null ? "" : ` de ${what}`} o por los dos?`,
  howMany: (what) => `¿Por cuántos${what === null ? "" : ` de ${what}`} es?`,
  whichOne: (names) => `¿A cuál se refiere: ${names}?`,
  notCaught: "Disculpe, no lo he entendido.",

  backTo: { refund: "Volviendo al reembolso:", return: "Volviendo a la devolución:" },
  backQuestion: {
    order: "¿de qué pedido se trata?",
    items: "¿es de todo o solo de una parte?",
    quantity: "¿por cuántos es?",
    reason: "¿cuál es el motivo?",
    amount: "¿a qué corresponde el importe?",
    other: "¿sigo adelante?",
  },
  thanksForUnderstanding: "Gracias por su comprensión. ¿Puedo hacer algo más?",
  goodToHear: "Me alegro. ¿Puedo hacer algo más?",
  onlyBackTheWay: {
    refund:
      "Solo puedo enviar un reembolso por el mismo medio con el que pagó. Para cualquier otra cosa hace falta un compañero. ¿Sigo como le he descrito o aviso a alguien?",
    return:
      "Para esa parte hace falta un compañero. ¿Sigo con la devolución como le he descrito o aviso a alguien?",
  },
  wroteMore: {
    refund:
      "Veo que ha escrito algo más después, así que no he seguido con el reembolso. Déjeme leerlo primero.",
    return:
      "Veo que ha escrito algo más después, así que no he seguido con la devolución. Déjeme leerlo primero.",
  },
  comeBack: { refund: "¿Vuelvo al reembolso?", return: "¿Vuelvo a la devolución?" },
  notStarted:
    "El reembolso todavía no ha empezado. Cuando se confirme, le escribiré aquí; después, su banco puede tardar unos días en mostrar el dinero.",
  prepareNow: {
    refund: "Sobre el reembolso: ¿lo preparo ahora? Verá los detalles antes de que ocurra nada.",
    return: "Sobre la devolución: ¿la preparo ahora? Verá los detalles antes de que ocurra nada.",
  },
  restNeedsColleague: "Para el resto de lo que pide hace falta un compañero. ¿Aviso a alguien?",

  policySays: (inLanguage) =>
    `Esto es lo que dicen nuestras condiciones${inLanguage === null ? "" : ` (${inLanguage})`}:`,
  onlyHaveIt: (inLanguage) => `Esto solo lo tengo ${inLanguage}:`,
  noPolicyAtHand: "No tengo las condiciones a mano. Un compañero puede decirle qué se aplica.",

  noSuchOrder: {
    refund: (order) =>
      `No encuentro un pedido ${order} en su cuenta, así que tampoco veo un reembolso. ¿Podría comprobar el número?`,
    return: (order) =>
      `No encuentro un pedido ${order} en su cuenta, así que tampoco veo una devolución. ¿Podría comprobar el número?`,
  },
  noOrdersNoRefund: "No veo ningún pedido en su cuenta, así que tampoco hay ningún reembolso.",
  noRefundNothingLeft: (order) =>
    `No veo ningún reembolso del pedido ${order}, y no queda nada por reembolsar.`,
  noRefundSoFar: (order) =>
    `Por ahora no veo ningún reembolso${order === null ? "" : ` del pedido ${order}`}. ¿Quiere que empiece uno?`,
  providerConfirms: (order, amount) =>
    `Pedido ${order}: al proveedor de pagos le consta un envío de ${amount} a su favor. Su banco puede tardar unos días en mostrarlo.`,
  refundUnderWay: (order, amount) => `Pedido ${order}: un reembolso de ${amount} sigue en trámite.`,
  returnStates: {
    open: "a la espera de su paquete",
    in_transit: "de vuelta hacia nosotros",
    received: "ya la tenemos",
    closed: "cerrada",
    cancelled: "anulada",
    other: "en trámite",
  },
  noReturn: (order) =>
    `No me consta ninguna devolución${order === null ? "" : ` del pedido ${order}`}. Si ya ha enviado algo de vuelta, un compañero puede buscar el paquete; si no, puedo preparar una devolución.`,
  yourReturns: (count) => `Esto es lo que veo de ${count === 1 ? "su devolución" : "sus devoluciones"}:`,

  sorryNotThereYet: "Siento que todavía no le haya llegado.",
  latestOrders: "Estos son sus últimos pedidos:",
  whichCanIHelpWith: "¿Con cuál puedo ayudarle?",
  alsoOnTheWay: (orders, andMore) => `También en camino: ${orders}${andMore ? " y más" : ""}.`,
  noneOnTheWay: "En este momento no tiene ningún pedido en camino. Sobre el último:",
  saysDelivered: (record) =>
    `Siento que no le haya llegado. El registro del transportista dice otra cosa: ${record} Puede que lo tenga un vecino o que esté en un lugar seguro. Si ya lo ha buscado, un compañero puede reclamarlo al transportista. ¿Se lo paso?`,

  priceOrWanted: (order, items, price, wanted) =>
    `En el pedido ${order}, ${items} suma ${price}. ¿El reembolso debe ser de ${price} o de ${wanted}?`,
  whatIsItFor: (wanted, order) =>
    `¿A qué corresponden los ${wanted} del pedido ${order}? Si es por un artículo, dígame cuál; si no, basta con un motivo breve.`,
  atMost: (order, most, wanted) =>
    `En el pedido ${order} el reembolso puede ser como máximo de ${most}, así que ${wanted} no es posible.`,
  nothingPaid: (order) =>
    `Por esa parte del pedido ${order} no se pagó nada, así que no hay dinero que devolver. Si lo desea, un compañero puede revisarlo.`,
  onlyLeft: (order, items, price, left) =>
    `En el pedido ${order}, ${items} suma ${price}, pero solo quedan ${left} por reembolsar. ¿Lo hacemos por ${left}?`,
  lineSpent: (title, order) => `Para «${title}», del pedido ${order}, no queda nada por reembolsar.`,
  underWayNothingLeft: (order, amount) =>
    `Pedido ${order}: un reembolso de ${amount} sigue en trámite, así que no queda nada por reembolsar.`,
  confirmedNothingLeft: (order, amount) =>
    `Pedido ${order}: al proveedor de pagos le consta un envío de ${amount} a su favor, así que no queda nada por reembolsar.`,
  noPayment: (order) =>
    `No veo ningún pago que devolver en el pedido ${order}. Si lo desea, un compañero puede revisarlo.`,

  whatReason: (what) => `Con mucho gusto le ayudo a devolver: ${what}. ¿Cuál es el motivo?`,
  wholeOrder: (order) => `el pedido ${order}`,
  lineCannotGoBack: (title) => `«${title}» no se puede devolver (otra vez).`,
  cancelledNothingToSend: (order) => `El pedido ${order} se canceló, así que no hay nada que devolver.`,
  nothingToSend: (order) =>
    `En el pedido ${order} no queda nada por devolver. Si cree que no es correcto, un compañero puede revisarlo.`,
  notShippedNothingToSend: (order) =>
    `El pedido ${order} todavía no se ha enviado, así que por ahora no hay nada que devolver. Un compañero puede ver si aún se puede detener.`,
  onceItIsThere: "Cuando lo tenga, puedo preparar la devolución.",
};
