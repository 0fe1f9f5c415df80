import type { TalkWords } from "../talk-words.ts";

const ABILITIES = "Posso dirle dove si trova un ordine, preparare un reso o aiutare con un rimborso";
const withCarrier = (carrier: string | null) => (carrier === null ? "" : ` con ${carrier}`);
const started = (order: string | null) => (order === null ? "" : `L'ordine ${order} `);

export const talk: TalkWords = {
  buttons: {
    whereIsMyOrder: "Dov'è il mio ordine?",
    returnSomething: "Restituire qualcosa",
    getRefund: "Chiedere un rimborso",
    person: "Parlare con una persona",
    whereIsIt: "Dov'è?",
    sendItBack: "Restituirlo",
    tryAgain: "Riprovare",
    askColleague: "Chiedere a un collega",
    thatIsFine: "Va bene così",
    yes: "Sì",
    no: "No",
    yesPlease: "Sì, grazie",
    noThanks: "No, grazie",
    everything: "Tutto",
    only: (title) => `Solo: ${title}`,
    the: (title) => `È per: ${title}`,
    somethingElse: "Altro",
    justOne: "Solo uno",
    both: "Entrambi",
    all: (count) => `Tutti e ${count}`,
    neverMind: "Lasci stare",
    lookIntoIt: "Sì, verificate per favore",
    foundIt: "L'ho trovato, grazie",
    setUpReturn: "Preparare un reso",
    tooSmall: "Troppo piccolo",
    tooBig: "Troppo grande",
    notAsDescribed: "Non conforme alla descrizione",
    damaged: "Danneggiato",
    changedMind: "Ho cambiato idea",
  },
  where: {
    cancelled: (order) => `L'ordine ${order} è stato annullato, quindi non c'è nulla in viaggio.`,
    delivered: (order) => `L'ordine ${order} è stato consegnato.`,
    onItsWay: (order) => `L'ordine ${order} è in viaggio. Non ho ancora dati di tracciamento.`,
    preparing: (order) =>
      `L'ordine ${order} è confermato e in preparazione. Non è ancora stato affidato a un corriere, quindi non c'è ancora un numero di tracciamento.`,
    inParcels: (order, count) => `L'ordine ${order} arriva in ${count} pacchi.`,
    thatParcelHas: (items) => `Quel pacco contiene: ${items}.`,
    stillPreparing: (items) => `Ancora in preparazione: ${items}.`,
    parcel: {
      packed: (it, carrier) =>
        `${started(it)}è pronto e in attesa del ritiro da parte di ${carrier ?? "un corriere"}.`,
      inTransit: (it, carrier) => `${started(it)}è in viaggio${withCarrier(carrier)}.`,
      outForDelivery: (it, carrier) =>
        `${started(it)}è in consegna${withCarrier(carrier)} e dovrebbe arrivare presto.`,
      delivered: (it, carrier, day) =>
        `${started(it)}è stato consegnato${day === null ? "" : ` ${day}`}${carrier === null ? "" : ` da ${carrier}`}.`,
      failed: (it, carrier) =>
        `${carrier ?? "Il corriere"} ha provato a consegnare ${it === null ? "il pacco" : `l'ordine ${it}`} e non ci è riuscito.`,
    },
    howToGetIt: "La pagina di tracciamento indica come chiedere una nuova consegna o dove ritirare il pacco.",
    shouldArrive: (day) => `Dovrebbe arrivare ${day}.`,
    late: (day) => `L'arrivo era previsto ${day}, quindi è in ritardo. Mi dispiace.`,
    lastUpdate: (day, what, where) =>
      `Ultimo aggiornamento ${day}: ${what}${where === null ? "" : `, ${where}`}.`,
    tracking: (number, url) =>
      number === null
        ? `Tracciamento: ${url}`
        : `Numero di tracciamento: ${number}${url === null ? "" : ` (${url})`}.`,
  },

  greeting: (name) => `Buongiorno${name === null ? "" : ` ${name}`}, come posso aiutare?`,
  welcome: "Prego. Posso fare altro per Lei?",
  bye: "Stia bene, e scriva quando vuole.",
  identity: (shop) => `Sono l'assistente automatico di ${shop}. ${ABILITIES}, e anche chiamare una persona.`,
  help: `Certamente. ${ABILITIES}. Che cosa desidera?`,
  noFurther: "Va bene. Sono qui se ha bisogno di qualcosa.",
  whatNext: `Bene. ${ABILITIES}. Che cosa desidera fare?`,
  leftAlone: {
    nothing: "Va bene, mi fermo qui. Non è stato modificato nulla.",
    refund: "Va bene, lascio stare il rimborso. Non è stato modificato nulla.",
    return: "Va bene, lascio stare il reso. Non è stato modificato nulla.",
  },
  whatAboutOrder: (order) => `Che cosa desidera fare con l'ordine ${order}?`,
  notUnderstood: `Non sono sicuro di aver capito. ${ABILITIES}. Che cosa desidera?`,
  whatHelps: "Mi dispiace. Desidera restituirlo o preferisce un rimborso? Può occuparsene anche un collega.",
  complaint: "Mi dispiace, non dovrebbe andare così. Che cosa aiuterebbe di più adesso?",
  sorry: "Mi scuso per il disagio.",
  ordersUnreachable:
    "Al momento non riesco a raggiungere il nostro sistema degli ordini. Non è stato modificato nulla. Riprovi tra qualche minuto, oppure posso passare la richiesta a un collega.",

  toldWhenConfirmed: "Le scriverò qui non appena l'esito sarà confermato.",
  contestHint: "Se non è d'accordo, posso chiedere a un collega di valutare il caso.",
  orderBusy:
    "In questo momento è in lavorazione un'altra richiesta per questo ordine. Attenda un momento e poi mi scriva di nuovo.",
  alreadyRequested: {
    refund: "C'è già una richiesta per questi articoli, quindi non posso aggiungere un secondo rimborso.",
    return: "C'è già una richiesta per questi articoli, quindi non posso aggiungere un secondo reso.",
  },
  systemUnreachable: {
    refund:
      "Al momento non riesco a raggiungere uno dei nostri sistemi, quindi per il Suo rimborso non è stato ancora fatto nulla. Riprovi tra qualche minuto, oppure posso passare la richiesta a un collega.",
    return:
      "Al momento non riesco a raggiungere uno dei nostri sistemi, quindi per il Suo reso non è stato ancora fatto nulla. Riprovi tra qualche minuto, oppure posso passare la richiesta a un collega.",
  },
  orderGone:
    "Non trovo più quell'ordine nel Suo account, quindi non è stato fatto nulla. Può controllare il numero dell'ordine?",
  orderChanged: {
    refund:
      "L'ordine è cambiato da quando l'ho consultato, quindi non ho proseguito con il rimborso. Ricontrollo e Le dico che cosa è possibile adesso?",
    return:
      "L'ordine è cambiato da quando l'ho consultato, quindi non ho proseguito con il reso. Ricontrollo e Le dico che cosa è possibile adesso?",
  },

  noOrders:
    "Non vedo ordini nel Suo account. Se ha ordinato con un altro indirizzo e-mail o come ospite, un collega può cercarlo.",
  notFound: (order) => `Non trovo un ordine ${order} nel Suo account.`,
  whichOrderAgain: "Mi scusi, non ho capito a quale ordine si riferisce.",
  noOtherOrders:
    "Non vedo nemmeno altri ordini. Se è stato fatto con un altro indirizzo e-mail, un collega può cercarlo.",
  thisOne: "Si riferisce a questo?",
  whichOrder: "Di quale ordine si tratta?",
  olderOne: "Se è uno più vecchio, mi indichi il numero.",
  orderLine: (order, day, items, total) => `• ${order}, effettuato ${day}: ${items} (${total})`,

  item: "articolo",
  everything: "tutto",
  andMore: (items, count) => `${items} e altri ${count}`,
  orderHas: (order) => `L'ordine ${order} contiene:`,
  refundAllOrSome: (amount, withShipping) =>
    `Il rimborso è per tutto (${amount}${withShipping ? " con la spedizione" : ""}) o solo per una parte?`,
  returnAllOrSome: "Desidera restituire tutto o solo una parte?",
  onlySoMany: {
    refund: (count, what, order) =>
      `In ${order} ${count === 1 ? "resta" : "restano"} ${what} per un possibile rimborso.`,
    return: (count, what, order) => `In ${order} ${count === 1 ? "resta" : "restano"} ${what} da restituire.`,
  },
  takeThatOne: "Prendo quello?",
  oneOrBoth: (what) => `È per uno${what === null ? "" : ` di ${what}`} o per entrambi?`,
  howMany: (what) => `Per quanti${what === null ? "" : ` di ${what}`} è?`,
  whichOne: (names) => `A quale si riferisce: ${names}?`,
  notCaught: "Mi scusi, non ho capito.",

  backTo: { refund: "Tornando al rimborso:", return: "Tornando al reso:" },
  backQuestion: {
    order: "di quale ordine si tratta?",
    items: "è per tutto o solo per una parte?",
    quantity: "per quanti è?",
    reason: "qual è il motivo?",
    amount: "a che cosa corrisponde l'importo?",
    other: "proseguo?",
  },
  thanksForUnderstanding: "Grazie per la comprensione. Posso fare altro?",
  goodToHear: "Mi fa piacere. Posso fare altro?",
  onlyBackTheWay: {
    refund:
      "Posso inviare un rimborso solo con lo stesso metodo con cui ha pagato. Per altro serve un collega. Procedo come descritto o chiamo qualcuno?",
    return: "Per questa parte serve un collega. Procedo con il reso come descritto o chiamo qualcuno?",
  },
  wroteMore: {
    refund: "Vedo che poi ha scritto altro, quindi non ho proseguito con il rimborso. Prima lo leggo.",
    return: "Vedo che poi ha scritto altro, quindi non ho proseguito con il reso. Prima lo leggo.",
  },
  comeBack: { refund: "Torno al rimborso?", return: "Torno al reso?" },
  notStarted:
    "Il rimborso non è ancora iniziato. Quando sarà confermato, Le scriverò qui; poi la Sua banca potrebbe impiegare qualche giorno a mostrare il denaro.",
  prepareNow: {
    refund: "Quanto al rimborso: lo preparo adesso? Vedrà i dettagli prima che succeda qualcosa.",
    return: "Quanto al reso: lo preparo adesso? Vedrà i dettagli prima che succeda qualcosa.",
  },
  restNeedsColleague: "Per il resto della Sua richiesta serve un collega. Chiamo qualcuno?",

  policySays: (inLanguage) =>
    `Ecco che cosa dicono le nostre condizioni${inLanguage === null ? "" : ` (${inLanguage})`}:`,
  onlyHaveIt: (inLanguage) => `Questo ce l'ho solo ${inLanguage}:`,
  noPolicyAtHand: "Non ho le condizioni a portata di mano. Un collega può dirle che cosa vale.",

  noSuchOrder: {
    refund: (order) =>
      `Non trovo un ordine ${order} nel Suo account, quindi non vedo nemmeno un rimborso. Può controllare il numero?`,
    return: (order) =>
      `Non trovo un ordine ${order} nel Suo account, quindi non vedo nemmeno un reso. Può controllare il numero?`,
  },
  noOrdersNoRefund: "Non vedo ordini nel Suo account, quindi non c'è nemmeno un rimborso.",
  noRefundNothingLeft: (order) =>
    `Non vedo alcun rimborso per l'ordine ${order}, e non resta nulla da rimborsare.`,
  noRefundSoFar: (order) =>
    `Per ora non vedo alcun rimborso${order === null ? "" : ` per l'ordine ${order}`}. Desidera che ne avvii uno?`,
  providerConfirms: (order, amount) =>
    `Ordine ${order}: al fornitore di pagamenti risultano ${amount} tornati a Lei. La Sua banca potrebbe impiegare qualche giorno a mostrarli.`,
  refundUnderWay: (order, amount) => `Ordine ${order}: un rimborso di ${amount} è ancora in corso.`,
  returnStates: {
    open: "in attesa del Suo pacco",
    in_transit: "in viaggio verso di noi",
    received: "presso di noi",
    closed: "chiuso",
    cancelled: "annullato",
    other: "in corso",
  },
  noReturn: (order) =>
    `Non vedo alcun reso${order === null ? "" : ` per l'ordine ${order}`}. Se ha già rispedito qualcosa, un collega può cercare il pacco; altrimenti posso preparare un reso.`,
  yourReturns: (count) => `Ecco che cosa vedo ${count === 1 ? "del Suo reso" : "dei Suoi resi"}:`,

  sorryNotThereYet: "Mi dispiace che non sia ancora arrivato.",
  latestOrders: "Questi sono i Suoi ultimi ordini:",
  whichCanIHelpWith: "Con quale posso aiutare?",
  alsoOnTheWay: (orders, andMore) => `In viaggio anche: ${orders}${andMore ? " e altri" : ""}.`,
  noneOnTheWay: "In questo momento nessuno dei Suoi ordini è in viaggio. Quanto all'ultimo:",
  saysDelivered: (record) =>
    `Mi dispiace che non sia arrivato. Il corriere riporta altro: ${record} Potrebbe essere da un vicino o in un luogo sicuro. Se ha già controllato, un collega può rivolgersi al corriere. Gli passo il caso?`,

  priceOrWanted: (order, items, price, wanted) =>
    `Nell'ordine ${order}, ${items} ammonta a ${price}. Il rimborso deve essere di ${price} o di ${wanted}?`,
  whatIsItFor: (wanted, order) =>
    `A che cosa corrispondono i ${wanted} dell'ordine ${order}? Se è per un articolo, mi dica quale; altrimenti basta un breve motivo.`,
  atMost: (order, most, wanted) =>
    `Per l'ordine ${order} il rimborso può essere al massimo di ${most}, quindi ${wanted} non è possibile.`,
  nothingPaid: (order) =>
    `Per quella parte dell'ordine ${order} non è stato pagato nulla, quindi non c'è denaro da restituire. Se lo desidera, un collega può valutare il caso.`,
  onlyLeft: (order, items, price, left) =>
    `Nell'ordine ${order}, ${items} ammonta a ${price}, ma restano solo ${left} da rimborsare. Facciamo ${left}?`,
  lineSpent: (title, order) => `Per «${title}», nell'ordine ${order}, non resta nulla da rimborsare.`,
  underWayNothingLeft: (order, amount) =>
    `Ordine ${order}: un rimborso di ${amount} è ancora in corso, quindi non resta nulla da rimborsare.`,
  confirmedNothingLeft: (order, amount) =>
    `Ordine ${order}: al fornitore di pagamenti risultano ${amount} tornati a Lei, quindi non resta nulla da rimborsare.`,
  noPayment: (order) =>
    `Non vedo un pagamento da restituire per l'ordine ${order}. Se lo desidera, un collega può valutare il caso.`,

  whatReason: (what) => `Volentieri La aiuto a restituire: ${what}. Qual è il motivo?`,
  wholeOrder: (order) => `l'ordine ${order}`,
  lineCannotGoBack: (title) => `«${title}» non può essere restituito (di nuovo).`,
  cancelledNothingToSend: (order) =>
    `L'ordine ${order} è stato annullato, quindi non c'è nulla da restituire.`,
  nothingToSend: (order) =>
    `Nell'ordine ${order} non resta nulla da restituire. Se pensa che non sia corretto, un collega può valutare il caso.`,
  notShippedNothingToSend: (order) =>
    `L'ordine ${order} non è ancora stato spedito, quindi per ora non c'è nulla da restituire. Un collega può vedere se è ancora possibile fermarlo.`,
  onceItIsThere: "Quando lo avrà ricevuto, potrò preparare il reso.",
};
