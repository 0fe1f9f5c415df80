import type { LedgerWords, RefundSaid, ReturnSaid } from "../ledger-words.ts";

const refund = ({ amount, order }: RefundSaid) => `reembolso de ${amount} da encomenda ${order}`;
const goods = ({ items, order }: ReturnSaid) => `devolução da encomenda ${order} (${items})`;
const after = (why: string | null) => (why === null ? "" : ` ${why}`);
const quoted = (note: string | null) => (note === null ? "" : ` A explicação: «${note}»`);

export const ledger: LedgerWords = {
  language: "pt",
  refund: {
    denied: (it) => `O ${refund(it)} não era possível segundo as nossas condições. Não foi pago nada.`,
    awaitingApproval: (it) =>
      `O seu ${refund(it)} (${it.items}) aguarda a aprovação de um colega. Ainda não foi pago nada; escrevo aqui assim que houver uma decisão.`,
    rejected: (it, note) =>
      `Um colega analisou o seu ${refund(it)} e não o pôde aprovar.${quoted(note)} Não foi pago nada.`,
    expired: (it) =>
      `Não houve decisão a tempo sobre o seu ${refund(it)}, por isso o pedido terminou. Não foi pago nada. Se ainda o quiser, escreva aqui e começo de novo.`,
    underWay: (it) =>
      `O seu ${refund(it)} está a ser enviado ao prestador de pagamentos. Ainda não está confirmado; escrevo aqui assim que estiver.`,
    cancelled: (it, why) =>
      `O seu ${refund(it)} foi cancelado antes de algo ser enviado ao prestador de pagamentos. Não foi pago nada.${after(why)}`,
    unknown: (it) =>
      `O seu ${refund(it)} ainda está a ser verificado: o prestador de pagamentos ainda não nos deu uma resposta clara. Não pode ser pago duas vezes, e escrevo aqui assim que soubermos.`,
    needsPerson: (it) =>
      `O seu ${refund(it)} ainda está a ser verificado, agora por um colega em conjunto com o prestador de pagamentos. Não pode ser pago duas vezes, e escrevemos aqui assim que soubermos.`,
    pending: (it) =>
      `O prestador de pagamentos aceitou o seu ${refund(it)} e está a processá-lo. Ainda não é definitivo; escrevo aqui quando for.`,
    succeeded: (it) =>
      `O prestador de pagamentos confirmou o seu ${refund(it)} (${it.items}). O dinheiro volta pelo meio com que pagou e costuma aparecer no extrato num prazo de 5 a 10 dias.`,
    failed: (it, why) =>
      `O seu ${refund(it)} não foi concluído e não foi pago nada.${after(why)} Um colega vai analisar o caso.`,
    sentBackByBank: (it) =>
      `O prestador de pagamentos informou-nos de que o banco devolveu o seu ${refund(it)}, por isso o dinheiro não chegou até si. Um colega entrará em contacto para encontrar outra solução.`,
  },
  return: {
    denied: (it) => `A ${goods(it)} não era possível segundo as nossas condições.`,
    awaitingApproval: (it) =>
      `A sua ${goods(it)} aguarda a aprovação de um colega. Escrevo aqui assim que houver uma decisão.`,
    rejected: (it, note) => `Um colega analisou a sua ${goods(it)} e não a pôde aprovar.${quoted(note)}`,
    expired: (it) =>
      `Não houve decisão a tempo sobre a sua ${goods(it)}, por isso o pedido terminou. Escreva aqui se ainda a quiser.`,
    underWay: (it) => `A sua ${goods(it)} está a ser registada. Escrevo aqui assim que estiver confirmada.`,
    cancelled: (it, why) => `A sua ${goods(it)} foi cancelada antes de ser registada.${after(why)}`,
    unknown: (it) =>
      `A sua ${goods(it)} ainda está a ser verificada: o sistema da loja ainda não nos deu uma resposta clara. Não pode ser registada duas vezes, e escrevo aqui assim que soubermos.`,
    pending: (it) => `A sua ${goods(it)} foi aceite e está a ser processada.`,
    succeeded: (it, instructions, labelUrl) =>
      `A sua ${goods(it)} está registada.${after(instructions)}${labelUrl === null ? "" : ` A sua etiqueta de devolução: ${labelUrl}`} O reembolso é decidido quando os artigos tiverem chegado.`,
    failed: (it, why) =>
      `A sua ${goods(it)} não pôde ser registada.${after(why)} Um colega vai analisar o caso.`,
  },
  cause: {
    refunded_elsewhere: "Entretanto, a encomenda foi reembolsada por outro meio.",
    declined: "O prestador de pagamentos recusou-o.",
    no_longer_permitted: "A encomenda ou as condições mudaram desde o seu pedido.",
    customer_cancelled: "Foi o que pediu.",
    amount_changed: "Um colega aprovou outro montante em vez deste.",
    handed_back: "Um colega analisou e devolveu-me o pedido: diga-me como quer continuar.",
  },
  partOfAmount: "uma parte do valor",
  restOfOrder: "o resto da encomenda",
  reasons: {
    Damaged: "danificado",
    "Not as described": "diferente da descrição",
    "Too small": "demasiado pequeno",
    "Too big": "demasiado grande",
    "Does not fit": "não serve",
    "Arrived too late": "chegou demasiado tarde",
    "Changed my mind": "mudei de ideias",
    "No reason given": "não indicado",
  },
  offer: {
    changed: "Algo mudou, por isso aqui está de novo.",
    refund: ({ amount, order, items, shipping, needsApproval }) =>
      `Posso reembolsar ${amount} da encomenda ${order} (${items})${shipping === null ? "" : `, incluindo ${shipping} de portes`}. O dinheiro volta pelo meio com que pagou.${needsApproval ? " Um colega tem de aprovar primeiro. Envio-lhe o pedido?" : " Posso avançar?"}`,
    return: ({ order, items, reason, needsApproval }) =>
      `Posso registar uma devolução da encomenda ${order}: ${items}${reason === null ? "" : ` (motivo: ${reason})`}. Receberá instruções para o envio.${needsApproval ? " Um colega tem de aprovar primeiro." : ""} Posso avançar?`,
  },
};
