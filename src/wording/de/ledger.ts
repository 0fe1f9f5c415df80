import type { LedgerWords, RefundSaid, ReturnSaid } from "../ledger-words.ts";

const refund = ({ amount, order }: RefundSaid) => `Erstattung von ${amount} für Bestellung ${order}`;
const goods = ({ items, order }: ReturnSaid) => `Rücksendung aus Bestellung ${order} (${items})`;
const after = (why: string | null) => (why === null ? "" : ` ${why}`);
const quoted = (note: string | null) => (note === null ? "" : ` Die Begründung: „${note}“`);

export const ledger: LedgerWords = {
  language: "de",
  refund: {
    denied: (it) =>
      `Die ${refund(it)} war nach unseren Bedingungen nicht möglich. Es wurde nichts ausgezahlt.`,
    awaitingApproval: (it) =>
      `Ihre ${refund(it)} (${it.items}) liegt unserem Team zur Freigabe vor. Es wurde noch nichts ausgezahlt; ich melde mich hier, sobald darüber entschieden ist.`,
    rejected: (it, note) =>
      `Unser Team hat Ihre ${refund(it)} geprüft und konnte sie nicht freigeben.${quoted(note)} Es wurde nichts ausgezahlt.`,
    expired: (it) =>
      `Über Ihre ${refund(it)} wurde nicht rechtzeitig entschieden, deshalb ist die Anfrage beendet. Es wurde nichts ausgezahlt. Wenn Sie sie noch möchten, schreiben Sie hier, dann beginne ich von vorn.`,
    underWay: (it) =>
      `Ihre ${refund(it)} wird gerade an den Zahlungsdienstleister übermittelt. Sie ist noch nicht bestätigt; ich melde mich hier, sobald sie es ist.`,
    cancelled: (it, why) =>
      `Ihre ${refund(it)} wurde abgebrochen, bevor etwas an den Zahlungsdienstleister gesendet wurde. Es wurde nichts ausgezahlt.${after(why)}`,
    unknown: (it) =>
      `Ihre ${refund(it)} wird noch geprüft: Der Zahlungsdienstleister hat uns noch keine klare Antwort gegeben. Sie kann nicht doppelt ausgezahlt werden, und ich melde mich hier, sobald wir mehr wissen.`,
    needsPerson: (it) =>
      `Ihre ${refund(it)} wird noch geprüft, inzwischen von unserem Team gemeinsam mit dem Zahlungsdienstleister. Sie kann nicht doppelt ausgezahlt werden, und wir melden uns hier, sobald wir mehr wissen.`,
    pending: (it) =>
      `Der Zahlungsdienstleister hat Ihre ${refund(it)} angenommen und bearbeitet sie. Sie ist noch nicht endgültig; ich melde mich hier, sobald sie es ist.`,
    succeeded: (it) =>
      `Der Zahlungsdienstleister hat Ihre ${refund(it)} (${it.items}) bestätigt. Das Geld geht auf demselben Weg zurück, auf dem Sie bezahlt haben, und erscheint meist innerhalb von 5 bis 10 Tagen auf Ihrem Kontoauszug.`,
    failed: (it, why) =>
      `Ihre ${refund(it)} hat nicht geklappt, und es wurde nichts ausgezahlt.${after(why)} Unser Team sieht sich das an.`,
    sentBackByBank: (it) =>
      `Der Zahlungsdienstleister hat uns mitgeteilt, dass die Bank Ihre ${refund(it)} zurückgeschickt hat; das Geld ist also nicht bei Ihnen angekommen. Unser Team meldet sich bei Ihnen, um einen anderen Weg zu finden.`,
  },
  return: {
    denied: (it) => `Die ${goods(it)} war nach unseren Bedingungen nicht möglich.`,
    awaitingApproval: (it) =>
      `Ihre ${goods(it)} liegt unserem Team zur Freigabe vor. Ich melde mich hier, sobald darüber entschieden ist.`,
    rejected: (it, note) =>
      `Unser Team hat Ihre ${goods(it)} geprüft und konnte sie nicht freigeben.${quoted(note)}`,
    expired: (it) =>
      `Über Ihre ${goods(it)} wurde nicht rechtzeitig entschieden, deshalb ist die Anfrage beendet. Schreiben Sie hier, wenn Sie sie noch möchten.`,
    underWay: (it) =>
      `Ihre ${goods(it)} wird gerade angelegt. Ich melde mich hier, sobald sie bestätigt ist.`,
    cancelled: (it, why) => `Ihre ${goods(it)} wurde abgebrochen, bevor sie angelegt wurde.${after(why)}`,
    unknown: (it) =>
      `Ihre ${goods(it)} wird noch geprüft: Das Shopsystem hat uns noch keine klare Antwort gegeben. Sie kann nicht doppelt angelegt werden, und ich melde mich hier, sobald wir mehr wissen.`,
    pending: (it) => `Ihre ${goods(it)} wurde angenommen und wird bearbeitet.`,
    succeeded: (it, instructions, labelUrl) =>
      `Ihre ${goods(it)} ist angelegt.${after(instructions)}${labelUrl === null ? "" : ` Ihr Rücksendeetikett: ${labelUrl}`} Über die Erstattung wird entschieden, sobald das Paket bei uns ist.`,
    failed: (it, why) =>
      `Ihre ${goods(it)} konnte nicht angelegt werden.${after(why)} Unser Team sieht sich das an.`,
  },
  cause: {
    refunded_elsewhere: "Die Bestellung wurde inzwischen auf anderem Weg erstattet.",
    declined: "Der Zahlungsdienstleister hat sie abgelehnt.",
    no_longer_permitted: "Die Bestellung oder unsere Bedingungen haben sich seit Ihrer Anfrage geändert.",
    customer_cancelled: "Darum hatten Sie gebeten.",
    amount_changed: "Ein Kollege hat stattdessen einen anderen Betrag genehmigt.",
    handed_back:
      "Ein Kollege hat es sich angesehen und an mich zurückgegeben: Sagen Sie mir, wie Sie fortfahren möchten.",
  },
  partOfAmount: "ein Teil des Betrags",
  restOfOrder: "der Rest der Bestellung",
  reasons: {
    Damaged: "beschädigt",
    "Not as described": "nicht wie beschrieben",
    "Too small": "zu klein",
    "Too big": "zu groß",
    "Does not fit": "passt nicht",
    "Arrived too late": "zu spät angekommen",
    "Changed my mind": "gefällt doch nicht",
    "No reason given": "keine Angabe",
  },
  offer: {
    changed: "Daran hat sich etwas geändert, deshalb hier noch einmal.",
    refund: ({ amount, order, items, shipping, needsApproval }) =>
      `Ich kann ${amount} für Bestellung ${order} (${items}) erstatten${shipping === null ? "" : `, einschließlich ${shipping} Versandkosten`}. Das Geld geht auf demselben Weg zurück, auf dem Sie bezahlt haben.${needsApproval ? " Unser Team muss das vorher freigeben. Soll ich es dorthin weitergeben?" : " Soll ich das so machen?"}`,
    return: ({ order, items, reason, needsApproval }) =>
      `Ich kann eine Rücksendung für Bestellung ${order} anlegen: ${items}${reason === null ? "" : ` (Grund: ${reason})`}. Sie bekommen eine Anleitung zum Zurückschicken.${needsApproval ? " Unser Team muss das vorher freigeben." : ""} Soll ich das so machen?`,
  },
};
