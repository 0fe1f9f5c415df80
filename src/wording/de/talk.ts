import type { TalkWords } from "../talk-words.ts";

const ABILITIES =
  "Ich kann Ihnen sagen, wo eine Bestellung ist, eine Rücksendung anlegen oder bei einer Erstattung helfen";
const withCarrier = (carrier: string | null) => (carrier === null ? "" : ` mit ${carrier}`);
/** After `: ` in a line about one parcel the subject is the line's own. */
const named = (order: string | null) => (order === null ? "" : `Bestellung ${order} `);

export const talk: TalkWords = {
  buttons: {
    whereIsMyOrder: "Wo ist meine Bestellung?",
    returnSomething: "Etwas zurückschicken",
    getRefund: "Geld zurück",
    person: "Mit einem Menschen sprechen",
    whereIsIt: "Wo ist sie?",
    sendItBack: "Zurückschicken",
    tryAgain: "Noch einmal versuchen",
    askColleague: "Das Team fragen",
    thatIsFine: "Ist in Ordnung",
    yes: "Ja",
    no: "Nein",
    yesPlease: "Ja, bitte",
    noThanks: "Nein, danke",
    everything: "Alles",
    only: (title) => `Nur: ${title}`,
    the: (title) => `Für: ${title}`,
    somethingElse: "Etwas anderes",
    justOne: "Nur eins",
    both: "Beide",
    all: (count) => `Alle ${count}`,
    neverMind: "Lieber nicht",
    lookIntoIt: "Ja, bitte nachforschen",
    foundIt: "Gefunden, danke",
    setUpReturn: "Rücksendung anlegen",
    tooSmall: "Zu klein",
    tooBig: "Zu groß",
    notAsDescribed: "Nicht wie beschrieben",
    damaged: "Beschädigt",
    changedMind: "Gefällt doch nicht",
  },
  where: {
    cancelled: (order) => `Bestellung ${order} wurde storniert, deshalb ist nichts unterwegs.`,
    delivered: (order) => `Bestellung ${order} wurde zugestellt.`,
    onItsWay: (order) => `Bestellung ${order} ist unterwegs. Eine Sendungsverfolgung habe ich noch nicht.`,
    preparing: (order) =>
      `Bestellung ${order} ist bestätigt und wird vorbereitet. Sie ist noch keinem Paketdienst übergeben, deshalb gibt es bisher keine Sendungsnummer.`,
    inParcels: (order, count) => `Bestellung ${order} kommt in ${count} Paketen.`,
    thatParcelHas: (items) => `In diesem Paket: ${items}.`,
    stillPreparing: (items) => `Noch in Vorbereitung: ${items}.`,
    parcel: {
      packed: (it, carrier) =>
        `${named(it)}ist gepackt und wartet auf die Abholung durch ${carrier ?? "den Paketdienst"}.`,
      inTransit: (it, carrier) => `${named(it)}ist unterwegs${withCarrier(carrier)}.`,
      outForDelivery: (it, carrier) =>
        `${named(it)}ist in Zustellung${withCarrier(carrier)} und sollte bald bei Ihnen sein.`,
      delivered: (it, carrier, day) =>
        `${named(it)}wurde${day === null ? "" : ` ${day}`}${carrier === null ? "" : ` von ${carrier}`} zugestellt.`,
      failed: (it, carrier) =>
        `${carrier ?? "Der Paketdienst"} konnte ${it === null ? "das Paket" : `Bestellung ${it}`} nicht zustellen.`,
    },
    howToGetIt:
      "Auf der Seite der Sendungsverfolgung steht, wie Sie eine neue Zustellung bekommen oder wo Sie das Paket abholen können.",
    shouldArrive: (day) => `Ankommen sollte die Sendung ${day}.`,
    late: (day) => `Erwartet war die Sendung ${day}, sie verspätet sich also. Das tut mir leid.`,
    lastUpdate: (day, what, where) => `Letzte Meldung ${day}: ${what}${where === null ? "" : `, ${where}`}.`,
    tracking: (number, url) =>
      number === null
        ? `Sendungsverfolgung: ${url}`
        : `Sendungsnummer: ${number}${url === null ? "" : ` (${url})`}.`,
  },

  greeting: (name) => `Guten Tag${name === null ? "" : `, ${name}`}! Wie kann ich helfen?`,
  welcome: "Gern geschehen. Kann ich noch etwas für Sie tun?",
  bye: "Alles Gute, und schreiben Sie jederzeit.",
  identity: (shop) =>
    `Ich bin der automatische Assistent von ${shop}. ${ABILITIES}, und ich kann einen Menschen dazuholen.`,
  help: `Natürlich. ${ABILITIES}. Was möchten Sie?`,
  noFurther: "In Ordnung. Ich bin da, wenn Sie etwas brauchen.",
  whatNext: `Gut. ${ABILITIES}. Was möchten Sie tun?`,
  leftAlone: {
    nothing: "In Ordnung, ich habe hier aufgehört. Es wurde nichts geändert.",
    refund: "In Ordnung, ich lasse die Erstattung. Es wurde nichts geändert.",
    return: "In Ordnung, ich lasse die Rücksendung. Es wurde nichts geändert.",
  },
  whatAboutOrder: (order) => `Worum geht es bei Bestellung ${order}?`,
  notUnderstood: `Ich bin nicht sicher, ob ich das verstanden habe. ${ABILITIES}. Was möchten Sie?`,
  whatHelps:
    "Das tut mir leid. Möchten Sie den Artikel zurückschicken oder lieber eine Erstattung? Unser Team kann es sich auch ansehen.",
  complaint: "Es tut mir leid, so sollte es nicht sein. Was würde Ihnen jetzt am meisten helfen?",
  sorry: "Die Umstände tun mir leid.",
  ordersUnreachable:
    "Ich erreiche unser Bestellsystem gerade nicht. Es wurde nichts geändert. Bitte versuchen Sie es in ein paar Minuten noch einmal, oder ich gebe es an unser Team weiter.",

  toldWhenConfirmed: "Ich melde mich hier, sobald das Ergebnis bestätigt ist.",
  contestHint: "Wenn Sie das anders sehen, kann ich unser Team bitten, es sich anzusehen.",
  orderBusy:
    "Für diese Bestellung wird gerade eine andere Anfrage bearbeitet. Bitte warten Sie einen Moment und schreiben Sie mir dann noch einmal.",
  alreadyRequested: {
    refund: "Für diese Artikel gibt es schon eine Anfrage, eine zweite Erstattung kann ich nicht hinzufügen.",
    return:
      "Für diese Artikel gibt es schon eine Anfrage, eine zweite Rücksendung kann ich nicht hinzufügen.",
  },
  systemUnreachable: {
    refund:
      "Ich erreiche eines unserer Systeme gerade nicht, deshalb ist zu Ihrer Erstattung noch nichts geschehen. Bitte versuchen Sie es in ein paar Minuten noch einmal, oder ich gebe es an unser Team weiter.",
    return:
      "Ich erreiche eines unserer Systeme gerade nicht, deshalb ist zu Ihrer Rücksendung noch nichts geschehen. Bitte versuchen Sie es in ein paar Minuten noch einmal, oder ich gebe es an unser Team weiter.",
  },
  orderGone:
    "Ich finde diese Bestellung in Ihrem Konto nicht mehr, deshalb ist nichts geschehen. Könnten Sie die Bestellnummer prüfen?",
  orderChanged: {
    refund:
      "Die Bestellung hat sich inzwischen geändert, deshalb habe ich die Erstattung gelassen. Soll ich noch einmal nachsehen und Ihnen sagen, was jetzt möglich ist?",
    return:
      "Die Bestellung hat sich inzwischen geändert, deshalb habe ich die Rücksendung gelassen. Soll ich noch einmal nachsehen und Ihnen sagen, was jetzt möglich ist?",
  },

  noOrders:
    "In Ihrem Konto sehe ich keine Bestellungen. Wenn Sie mit einer anderen E-Mail-Adresse oder als Gast bestellt haben, kann unser Team nachsehen.",
  notFound: (order) => `Eine Bestellung ${order} finde ich in Ihrem Konto nicht.`,
  whichOrderAgain: "Entschuldigung, ich habe nicht verstanden, welche Bestellung Sie meinen.",
  noOtherOrders:
    "Andere Bestellungen sehe ich dort auch nicht. Wenn sie mit einer anderen E-Mail-Adresse aufgegeben wurde, kann unser Team nachsehen.",
  thisOne: "Meinen Sie diese?",
  whichOrder: "Um welche Bestellung geht es?",
  olderOne: "Wenn es eine ältere ist, nennen Sie mir bitte ihre Nummer.",
  orderLine: (order, day, items, total) => `• ${order}, bestellt ${day}: ${items} (${total})`,

  item: "Artikel",
  everything: "alles",
  andMore: (items, count) => `${items} und ${count} weitere`,
  orderHas: (order) => `In Bestellung ${order} sind:`,
  refundAllOrSome: (amount, withShipping) =>
    `Geht es um die Erstattung von allem (${amount}${withShipping ? " mit Versand" : ""}) oder nur von einem Teil?`,
  returnAllOrSome: "Möchten Sie alles zurückschicken oder nur einen Teil?",
  onlySoMany: {
    refund: (count, what, order) =>
      `In ${order} ${count === 1 ? "ist" : "sind"} noch ${what} für eine Erstattung offen.`,
    return: (count, what, order) =>
      `Aus ${order} ${count === 1 ? "kann" : "können"} noch ${what} zurückgehen.`,
  },
  takeThatOne: "Soll ich diesen Artikel nehmen?",
  oneOrBoth: (what) => `Geht es um ${what === null ? "einen" : `einen von ${what}`} oder um beide?`,
  howMany: (what) => (what === null ? "Um wie viele geht es?" : `Um wie viele von ${what} geht es?`),
  whichOne: (names) => `Welchen Artikel meinen Sie: ${names}?`,
  notCaught: "Entschuldigung, das habe ich nicht verstanden.",

  backTo: { refund: "Zurück zur Erstattung:", return: "Zurück zur Rücksendung:" },
  backQuestion: {
    order: "Um welche Bestellung geht es?",
    items: "Geht es um alles oder nur um einen Teil?",
    quantity: "Um wie viele geht es?",
    reason: "Was ist der Grund?",
    amount: "Wofür ist der Betrag?",
    other: "Soll ich weitermachen?",
  },
  thanksForUnderstanding: "Danke für Ihr Verständnis. Kann ich sonst noch etwas tun?",
  goodToHear: "Das freut mich. Kann ich sonst noch etwas tun?",
  onlyBackTheWay: {
    refund:
      "Eine Erstattung kann ich nur auf dem Weg zurückschicken, auf dem Sie bezahlt haben. Für alles andere braucht es unser Team. Soll ich es wie beschrieben machen oder jemanden dazuholen?",
    return:
      "Dafür braucht es unser Team. Soll ich die Rücksendung wie beschrieben anlegen oder jemanden dazuholen?",
  },
  wroteMore: {
    refund:
      "Ich sehe, dass Sie danach noch etwas geschrieben haben, deshalb habe ich mit der Erstattung noch nicht begonnen. Ich lese es zuerst.",
    return:
      "Ich sehe, dass Sie danach noch etwas geschrieben haben, deshalb habe ich mit der Rücksendung noch nicht begonnen. Ich lese es zuerst.",
  },
  comeBack: {
    refund: "Soll ich auf die Erstattung zurückkommen?",
    return: "Soll ich auf die Rücksendung zurückkommen?",
  },
  notStarted:
    "Die Erstattung hat noch nicht begonnen. Sobald sie bestätigt ist, melde ich mich hier; Ihre Bank braucht dann vielleicht noch ein paar Tage, bis das Geld zu sehen ist.",
  prepareNow: {
    refund:
      "Zur Erstattung: Soll ich sie jetzt vorbereiten? Sie sehen alle Einzelheiten, bevor etwas geschieht.",
    return:
      "Zur Rücksendung: Soll ich sie jetzt vorbereiten? Sie sehen alle Einzelheiten, bevor etwas geschieht.",
  },
  restNeedsColleague: "Für den Rest Ihrer Frage braucht es unser Team. Soll ich jemanden dazuholen?",

  policySays: (inLanguage) =>
    `Das steht in unseren Bedingungen${inLanguage === null ? "" : ` (${inLanguage})`}:`,
  onlyHaveIt: (inLanguage) => `Das habe ich nur ${inLanguage}:`,
  noPolicyAtHand: "Unsere Bedingungen habe ich gerade nicht zur Hand. Unser Team kann Ihnen sagen, was gilt.",

  noSuchOrder: {
    refund: (order) =>
      `Eine Bestellung ${order} finde ich in Ihrem Konto nicht und deshalb auch keine Erstattung dazu. Könnten Sie die Nummer prüfen?`,
    return: (order) =>
      `Eine Bestellung ${order} finde ich in Ihrem Konto nicht und deshalb auch keine Rücksendung dazu. Könnten Sie die Nummer prüfen?`,
  },
  noOrdersNoRefund: "In Ihrem Konto sehe ich keine Bestellungen und deshalb auch keine Erstattung.",
  noRefundNothingLeft: (order) =>
    `Zu Bestellung ${order} sehe ich keine Erstattung, und es ist auch nichts mehr zu erstatten.`,
  noRefundSoFar: (order) =>
    `Bisher sehe ich keine Erstattung${order === null ? "" : ` zu Bestellung ${order}`}. Soll ich eine beginnen?`,
  providerConfirms: (order, amount) =>
    `Laut Zahlungsdienstleister sind zu Bestellung ${order} ${amount} an Sie zurückgegangen. Ihre Bank zeigt das vielleicht erst nach ein paar Tagen an.`,
  refundUnderWay: (order, amount) => `Zu Bestellung ${order} läuft noch eine Erstattung von ${amount}.`,
  returnStates: {
    open: "angemeldet, wir warten auf Ihr Paket",
    in_transit: "auf dem Weg zu uns",
    received: "bei uns",
    closed: "abgeschlossen",
    cancelled: "abgesagt",
    other: "in Bearbeitung",
  },
  noReturn: (order) =>
    `Ich sehe keine Rücksendung${order === null ? "" : ` zu Bestellung ${order}`}. Falls Sie schon etwas zurückgeschickt haben, kann unser Team nach dem Paket suchen; sonst kann ich eine Rücksendung anlegen.`,
  yourReturns: (count) => `Das sehe ich zu ${count === 1 ? "Ihrer Rücksendung" : "Ihren Rücksendungen"}:`,

  sorryNotThereYet: "Es tut mir leid, dass die Sendung noch nicht bei Ihnen ist.",
  latestOrders: "Das sind Ihre letzten Bestellungen:",
  whichCanIHelpWith: "Bei welcher kann ich helfen?",
  alsoOnTheWay: (orders, andMore) => `Ebenfalls unterwegs: ${orders}${andMore ? " und weitere" : ""}.`,
  noneOnTheWay: "Im Moment ist keine Ihrer Bestellungen unterwegs. Zu Ihrer letzten:",
  saysDelivered: (record) =>
    `Es tut mir leid, dass die Sendung nicht bei Ihnen ist. Der Paketdienst meldet etwas anderes: ${record} Vielleicht liegt sie bei einem Nachbarn oder an einem sicheren Ort. Wenn Sie dort schon nachgesehen haben, kann unser Team beim Paketdienst nachfragen. Soll ich das weitergeben?`,

  priceOrWanted: (order, items, price, wanted) =>
    `In Bestellung ${order} kostet ${items} zusammen ${price}. Soll die Erstattung ${price} sein oder ${wanted}?`,
  whatIsItFor: (wanted, order) =>
    `Wofür sind die ${wanted} bei Bestellung ${order}? Wenn es um einen Artikel geht, sagen Sie mir, um welchen; sonst genügt ein kurzer Grund.`,
  atMost: (order, most, wanted) =>
    `Bei Bestellung ${order} ist eine Erstattung von höchstens ${most} möglich, ${wanted} geht also nicht.`,
  nothingPaid: (order) =>
    `Für diesen Teil von Bestellung ${order} wurde nichts bezahlt, deshalb gibt es dafür kein Geld zurück. Wenn Sie möchten, kann unser Team es sich ansehen.`,
  onlyLeft: (order, items, price, left) =>
    `In Bestellung ${order} kostet ${items} zusammen ${price}, es können aber nur noch ${left} erstattet werden. Soll es um diese ${left} gehen?`,
  lineSpent: (title, order) =>
    `Für den Artikel „${title}“ in Bestellung ${order} ist nichts mehr zu erstatten.`,
  underWayNothingLeft: (order, amount) =>
    `Zu Bestellung ${order} läuft noch eine Erstattung von ${amount}, deshalb ist nichts mehr zu erstatten.`,
  confirmedNothingLeft: (order, amount) =>
    `Laut Zahlungsdienstleister sind zu Bestellung ${order} ${amount} an Sie zurückgegangen, deshalb ist nichts mehr zu erstatten.`,
  noPayment: (order) =>
    `Zu Bestellung ${order} sehe ich keine Zahlung, die erstattet werden könnte. Wenn Sie möchten, kann unser Team es sich ansehen.`,

  whatReason: (what) => `Ich helfe Ihnen gern beim Zurückschicken: ${what}. Was ist der Grund?`,
  wholeOrder: (order) => `Bestellung ${order}`,
  lineCannotGoBack: (title) => `„${title}“ kann nicht (noch einmal) zurückgeschickt werden.`,
  cancelledNothingToSend: (order) =>
    `Bestellung ${order} wurde storniert, deshalb gibt es nichts zurückzuschicken.`,
  nothingToSend: (order) =>
    `Aus Bestellung ${order} kann nichts mehr zurückgeschickt werden. Wenn Sie glauben, dass das nicht stimmt, kann unser Team es sich ansehen.`,
  notShippedNothingToSend: (order) =>
    `Bestellung ${order} ist noch nicht versandt, deshalb gibt es bisher nichts zurückzuschicken. Unser Team kann sehen, ob sie sich noch anhalten lässt.`,
  onceItIsThere: "Sobald die Sendung bei Ihnen ist, kann ich die Rücksendung anlegen.",
};
