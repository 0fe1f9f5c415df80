import type { TalkWords } from "../talk-words.ts";

const ABILITIES =
  "Posso dizer-lhe onde está uma encomenda, preparar uma devolução ou ajudar com um reembolso";
const withCarrier = (carrier: string | null) => (carrier === null ? "" : ` com ${carrier}`);
const started = (order: string | null) => (order === null ? "" : `A encomenda ${order} `);

export const talk: TalkWords = {
  buttons: {
    whereIsMyOrder: "Onde está a minha encomenda?",
    returnSomething: "Devolver algo",
    getRefund: "Pedir um reembolso",
    person: "Falar com uma pessoa",
    whereIsIt: "Onde está?",
    sendItBack: "Devolver",
    tryAgain: "Tentar de novo",
    askColleague: "Perguntar a um colega",
    thatIsFine: "Está bem assim",
    yes: "Sim",
    no: "Não",
    yesPlease: "Sim, por favor",
    noThanks: "Não, obrigado",
    everything: "Tudo",
    only: (title) => `Só: ${title}`,
    the: (title) => `É por: ${title}`,
    somethingElse: "Outra coisa",
    justOne: "Só um",
    both: "Os dois",
    all: (count) => `Os ${count}`,
    neverMind: "Deixe estar",
    lookIntoIt: "Sim, verifiquem, por favor",
    foundIt: "Já encontrei, obrigado",
    setUpReturn: "Preparar uma devolução",
    tooSmall: "Demasiado pequeno",
    tooBig: "Demasiado grande",
    notAsDescribed: "Diferente da descrição",
    damaged: "Danificado",
    changedMind: "Mudei de ideias",
  },
  where: {
    cancelled: (order) => `A encomenda ${order} foi cancelada, por isso não há nada a caminho.`,
    delivered: (order) => `A encomenda ${order} foi entregue.`,
    onItsWay: (order) => `A encomenda ${order} está a caminho. Ainda não tenho dados de seguimento.`,
    preparing: (order) =>
      `A encomenda ${order} está confirmada e em preparação. Ainda não foi entregue à transportadora, por isso ainda não há número de seguimento.`,
    inParcels: (order, count) => `A encomenda ${order} chega em ${count} volumes.`,
    thatParcelHas: (items) => `Esse volume contém: ${items}.`,
    stillPreparing: (items) => `Ainda em preparação: ${items}.`,
    parcel: {
      packed: (it, carrier) =>
        `${it === null ? "pronto" : `${started(it)}está pronta`} e à espera da recolha por ${carrier ?? "uma transportadora"}.`,
      inTransit: (it, carrier) => `${started(it)}está a caminho${withCarrier(carrier)}.`,
      outForDelivery: (it, carrier) =>
        `${started(it)}está em distribuição${withCarrier(carrier)} e deve chegar em breve.`,
      delivered: (it, carrier, day) =>
        `${it === null ? "entregue" : `${started(it)}foi entregue`}${day === null ? "" : ` ${day}`}${carrier === null ? "" : ` por ${carrier}`}.`,
      failed: (it, carrier) =>
        `${carrier ?? "A transportadora"} tentou entregar ${it === null ? "o volume" : `a encomenda ${it}`} e não conseguiu.`,
    },
    howToGetIt:
      "Na página de seguimento está indicado como pedir uma nova entrega ou onde fazer o levantamento.",
    shouldArrive: (day) => `A chegada está prevista para ${day.replace(/^n[ao] /, "")}.`,
    late: (day) =>
      `A chegada estava prevista para ${day.replace(/^n[ao] /, "")}, por isso há um atraso. Lamento.`,
    lastUpdate: (day, what, where) =>
      `Última atualização ${day}: ${what}${where === null ? "" : `, ${where}`}.`,
    tracking: (number, url) =>
      number === null
        ? `Seguimento: ${url}`
        : `Número de seguimento: ${number}${url === null ? "" : ` (${url})`}.`,
  },

  greeting: (name) => `Olá${name === null ? "" : `, ${name}`}! Como posso ajudar?`,
  welcome: "De nada. Posso ajudar em mais alguma coisa?",
  bye: "Fique bem, e escreva quando quiser.",
  identity: (shop) => `Sou o assistente automático da ${shop}. ${ABILITIES}, e também chamar uma pessoa.`,
  help: `Com certeza. ${ABILITIES}. O que deseja?`,
  noFurther: "Está bem. Estou aqui se precisar de alguma coisa.",
  whatNext: `Muito bem. ${ABILITIES}. O que deseja fazer?`,
  leftAlone: {
    nothing: "Está bem, fico por aqui. Não foi alterado nada.",
    refund: "Está bem, deixo o reembolso. Não foi alterado nada.",
    return: "Está bem, deixo a devolução. Não foi alterado nada.",
  },
  whatAboutOrder: (order) => `O que deseja fazer com a encomenda ${order}?`,
  notUnderstood: `Não tenho a certeza de ter compreendido. ${ABILITIES}. O que deseja?`,
  whatHelps: "Lamento. Quer devolver o artigo ou prefere um reembolso? Um colega também pode ver o caso.",
  complaint: "Lamento, não devia ser assim. O que mais ajudaria agora?",
  sorry: "Lamento o incómodo.",
  ordersUnreachable:
    "De momento não consigo aceder ao nosso sistema de encomendas. Não foi alterado nada. Tente de novo dentro de alguns minutos, ou posso passar isto a um colega.",

  toldWhenConfirmed: "Escrevo aqui assim que o resultado estiver confirmado.",
  contestHint: "Se não concordar, posso pedir a um colega que veja o caso.",
  orderBusy:
    "Neste momento está a ser tratado outro pedido sobre esta encomenda. Aguarde um momento e volte a escrever-me.",
  alreadyRequested: {
    refund: "Já existe um pedido para estes artigos, por isso não posso juntar um segundo reembolso.",
    return: "Já existe um pedido para estes artigos, por isso não posso juntar uma segunda devolução.",
  },
  systemUnreachable: {
    refund:
      "De momento não consigo aceder a um dos nossos sistemas, por isso ainda não foi feito nada quanto ao seu reembolso. Tente de novo dentro de alguns minutos, ou posso passar isto a um colega.",
    return:
      "De momento não consigo aceder a um dos nossos sistemas, por isso ainda não foi feito nada quanto à sua devolução. Tente de novo dentro de alguns minutos, ou posso passar isto a um colega.",
  },
  orderGone:
    "Já não encontro essa encomenda na sua conta, por isso não foi feito nada. Pode verificar o número da encomenda?",
  orderChanged: {
    refund:
      "A encomenda mudou desde que a consultei, por isso não avancei com o reembolso. Consulto de novo e digo-lhe o que é possível agora?",
    return:
      "A encomenda mudou desde que a consultei, por isso não avancei com a devolução. Consulto de novo e digo-lhe o que é possível agora?",
  },

  noOrders:
    "Não vejo encomendas na sua conta. Se encomendou com outro endereço de e-mail ou sem conta, um colega pode procurar.",
  notFound: (order) => `Não encontro uma encomenda ${order} na sua conta.`,
  whichOrderAgain: "Desculpe, não percebi a que encomenda se refere.",
  noOtherOrders:
    "Também não vejo outras encomendas. Se foi feita com outro endereço de e-mail, um colega pode procurar.",
  thisOne: "Refere-se a esta?",
  whichOrder: "De que encomenda se trata?",
  olderOne: "Se for uma mais antiga, diga-me o número.",
  orderLine: (order, day, items, total) => `• ${order}, feita ${day}: ${items} (${total})`,

  item: "artigo",
  everything: "tudo",
  andMore: (items, count) => `${items} e mais ${count}`,
  orderHas: (order) => `A encomenda ${order} contém:`,
  refundAllOrSome: (amount, withShipping) =>
    `O reembolso é de tudo (${amount}${withShipping ? " com portes" : ""}) ou só de uma parte?`,
  returnAllOrSome: "Quer devolver tudo ou só uma parte?",
  onlySoMany: {
    refund: (count, what, order) =>
      `Em ${order} ${count === 1 ? "resta" : "restam"} ${what} para um possível reembolso.`,
    return: (count, what, order) => `Em ${order} ${count === 1 ? "resta" : "restam"} ${what} para devolver.`,
  },
  takeThatOne: "Fico com esse?",
  oneOrBoth: (what) => `É por um${what === null ? "" : ` de ${what}`} ou pelos dois?`,
  howMany: (what) => `É por quantos${what === null ? "" : ` de ${what}`}?`,
  whichOne: (names) => `A qual se refere: ${names}?`,
  notCaught: "Desculpe, não percebi.",

  backTo: { refund: "Voltando ao reembolso:", return: "Voltando à devolução:" },
  backQuestion: {
    order: "de que encomenda se trata?",
    items: "é de tudo ou só de uma parte?",
    quantity: "é por quantos?",
    reason: "qual é o motivo?",
    amount: "a que corresponde o valor?",
    other: "continuo?",
  },
  thanksForUnderstanding: "Obrigado pela compreensão. Posso ajudar em mais alguma coisa?",
  goodToHear: "Ainda bem. Posso ajudar em mais alguma coisa?",
  onlyBackTheWay: {
    refund:
      "Só posso enviar um reembolso pelo meio com que pagou. Para outra coisa é preciso um colega. Avanço como descrito ou chamo alguém?",
    return: "Para essa parte é preciso um colega. Avanço com a devolução como descrito ou chamo alguém?",
  },
  wroteMore: {
    refund:
      "Vejo que escreveu mais depois disso, por isso não avancei com o reembolso. Deixe-me ler primeiro.",
    return:
      "Vejo que escreveu mais depois disso, por isso não avancei com a devolução. Deixe-me ler primeiro.",
  },
  comeBack: { refund: "Volto ao reembolso?", return: "Volto à devolução?" },
  notStarted:
    "O reembolso ainda não começou. Quando estiver confirmado, escrevo aqui; depois, o seu banco pode demorar alguns dias a mostrar o dinheiro.",
  prepareNow: {
    refund: "Sobre o reembolso: preparo agora? Verá os pormenores antes de acontecer alguma coisa.",
    return: "Sobre a devolução: preparo agora? Verá os pormenores antes de acontecer alguma coisa.",
  },
  restNeedsColleague: "Para o resto do que pede é preciso um colega. Chamo alguém?",

  policySays: (inLanguage) =>
    `É isto que dizem as nossas condições${inLanguage === null ? "" : ` (${inLanguage})`}:`,
  onlyHaveIt: (inLanguage) => `Só tenho isto ${inLanguage}:`,
  noPolicyAtHand: "Não tenho as condições à mão. Um colega pode dizer-lhe o que se aplica.",

  noSuchOrder: {
    refund: (order) =>
      `Não encontro uma encomenda ${order} na sua conta, por isso também não vejo um reembolso. Pode verificar o número?`,
    return: (order) =>
      `Não encontro uma encomenda ${order} na sua conta, por isso também não vejo uma devolução. Pode verificar o número?`,
  },
  noOrdersNoRefund: "Não vejo encomendas na sua conta, por isso também não há reembolso.",
  noRefundNothingLeft: (order) =>
    `Não vejo nenhum reembolso da encomenda ${order}, e não resta nada para reembolsar.`,
  noRefundSoFar: (order) =>
    `Por agora não vejo nenhum reembolso${order === null ? "" : ` da encomenda ${order}`}. Quer que inicie um?`,
  providerConfirms: (order, amount) =>
    `Encomenda ${order}: segundo o prestador de pagamentos, seguiram ${amount} para si. O seu banco pode demorar alguns dias a mostrar.`,
  refundUnderWay: (order, amount) => `Encomenda ${order}: um reembolso de ${amount} ainda está em curso.`,
  returnStates: {
    open: "à espera do seu envio",
    in_transit: "de volta para nós",
    received: "já connosco",
    closed: "encerrada",
    cancelled: "anulada",
    other: "em curso",
  },
  noReturn: (order) =>
    `Não vejo nenhuma devolução${order === null ? "" : ` da encomenda ${order}`}. Se já enviou algo de volta, um colega pode procurar o envio; caso contrário, posso preparar uma devolução.`,
  yourReturns: (count) => `É isto que vejo ${count === 1 ? "da sua devolução" : "das suas devoluções"}:`,

  sorryNotThereYet: "Lamento que ainda não tenha chegado.",
  latestOrders: "Estas são as suas últimas encomendas:",
  whichCanIHelpWith: "Em qual posso ajudar?",
  alsoOnTheWay: (orders, andMore) => `Também a caminho: ${orders}${andMore ? " e mais" : ""}.`,
  noneOnTheWay: "Neste momento nenhuma das suas encomendas está a caminho. Sobre a última:",
  saysDelivered: (record) =>
    `Lamento que não tenha chegado. O registo da transportadora diz outra coisa: ${record} Pode estar com um vizinho ou num lugar seguro. Se já procurou, um colega pode tratar disso com a transportadora. Passo-lhe o caso?`,

  priceOrWanted: (order, items, price, wanted) =>
    `Na encomenda ${order}, ${items} soma ${price}. O reembolso deve ser de ${price} ou de ${wanted}?`,
  whatIsItFor: (wanted, order) =>
    `A que correspondem os ${wanted} da encomenda ${order}? Se for por um artigo, diga-me qual; caso contrário, basta um motivo breve.`,
  atMost: (order, most, wanted) =>
    `Na encomenda ${order} o reembolso pode ser no máximo de ${most}, por isso ${wanted} não é possível.`,
  nothingPaid: (order) =>
    `Por essa parte da encomenda ${order} não foi pago nada, por isso não há dinheiro a devolver. Se quiser, um colega pode ver o caso.`,
  onlyLeft: (order, items, price, left) =>
    `Na encomenda ${order}, ${items} soma ${price}, mas só restam ${left} para reembolsar. Fazemos por ${left}?`,
  lineSpent: (title, order) => `Para «${title}», da encomenda ${order}, não resta nada para reembolsar.`,
  underWayNothingLeft: (order, amount) =>
    `Encomenda ${order}: um reembolso de ${amount} ainda está em curso, por isso não resta nada para reembolsar.`,
  confirmedNothingLeft: (order, amount) =>
    `Encomenda ${order}: segundo o prestador de pagamentos, seguiram ${amount} para si, por isso não resta nada para reembolsar.`,
  noPayment: (order) =>
    `Não vejo nenhum pagamento a devolver na encomenda ${order}. Se quiser, um colega pode ver o caso.`,

  whatReason: (what) => `Com todo o gosto ajudo a devolver: ${what}. Qual é o motivo?`,
  wholeOrder: (order) => `a encomenda ${order}`,
  lineCannotGoBack: (title) => `«${title}» não pode ser devolvido (de novo).`,
  cancelledNothingToSend: (order) => `A encomenda ${order} foi cancelada, por isso não há nada a devolver.`,
  nothingToSend: (order) =>
    `Na encomenda ${order} não resta nada para devolver. Se acha que não está certo, um colega pode ver o caso.`,
  notShippedNothingToSend: (order) =>
    `A encomenda ${order} ainda não foi enviada, por isso para já não há nada a devolver. Um colega pode ver se ainda é possível pará-la.`,
  onceItIsThere: "Quando a tiver consigo, posso preparar a devolução.",
};
