import type { LedgerWords, RefundSaid, ReturnSaid } from "../ledger-words.ts";

const refund = ({ amount, order }: RefundSaid) => `rimborso di ${amount} per l'ordine ${order}`;
const goods = ({ items, order }: ReturnSaid) => `reso dell'ordine ${order} (${items})`;
const after = (why: string | null) => (why === null ? "" : ` ${why}`);
const quoted = (note: string | null) => (note === null ? "" : ` La spiegazione: «${note}»`);

export const ledger: LedgerWords = {
  language: "it",
  refund: {
    denied: (it) =>
      `Il ${refund(it)} non era possibile secondo le nostre condizioni. Non è stato pagato nulla.`,
    awaitingApproval: (it) =>
      `Il Suo ${refund(it)} (${it.items}) attende l'approvazione di un collega. Non è stato ancora pagato nulla; Le scriverò qui non appena sarà deciso.`,
    rejected: (it, note) =>
      `Un collega ha esaminato il Suo ${refund(it)} e non ha potuto approvarlo.${quoted(note)} Non è stato pagato nulla.`,
    expired: (it) =>
      `Sul Suo ${refund(it)} non si è deciso in tempo, quindi la richiesta è terminata. Non è stato pagato nulla. Se lo desidera ancora, scriva qui e ricomincio da capo.`,
    underWay: (it) =>
      `Il Suo ${refund(it)} è in corso di invio al fornitore di pagamenti. Non è ancora confermato; Le scriverò qui non appena lo sarà.`,
    cancelled: (it, why) =>
      `Il Suo ${refund(it)} è stato annullato prima di inviare qualsiasi cosa al fornitore di pagamenti. Non è stato pagato nulla.${after(why)}`,
    unknown: (it) =>
      `Il Suo ${refund(it)} è ancora in fase di verifica: il fornitore di pagamenti non ci ha ancora dato una risposta chiara. Non può essere pagato due volte, e Le scriverò qui non appena lo sapremo.`,
    needsPerson: (it) =>
      `Il Suo ${refund(it)} è ancora in fase di verifica, ora da parte di un collega insieme al fornitore di pagamenti. Non può essere pagato due volte, e Le scriveremo qui non appena lo sapremo.`,
    pending: (it) =>
      `Il fornitore di pagamenti ha accettato il Suo ${refund(it)} e lo sta elaborando. Non è ancora definitivo; Le scriverò qui quando lo sarà.`,
    succeeded: (it) =>
      `Il fornitore di pagamenti ha confermato il Suo ${refund(it)} (${it.items}). Il denaro torna con lo stesso metodo con cui ha pagato e di solito compare sull'estratto conto entro 5-10 giorni.`,
    failed: (it, why) =>
      `Il Suo ${refund(it)} non è andato a buon fine e non è stato pagato nulla.${after(why)} Se ne occuperà un collega.`,
    sentBackByBank: (it) =>
      `Il fornitore di pagamenti ci ha comunicato che la banca ha respinto il Suo ${refund(it)}, quindi il denaro non Le è arrivato. Un collega La contatterà per trovare un'altra soluzione.`,
  },
  return: {
    denied: (it) => `Il ${goods(it)} non era possibile secondo le nostre condizioni.`,
    awaitingApproval: (it) =>
      `Il Suo ${goods(it)} attende l'approvazione di un collega. Le scriverò qui non appena sarà deciso.`,
    rejected: (it, note) =>
      `Un collega ha esaminato il Suo ${goods(it)} e non ha potuto approvarlo.${quoted(note)}`,
    expired: (it) =>
      `Sul Suo ${goods(it)} non si è deciso in tempo, quindi la richiesta è terminata. Scriva qui se lo desidera ancora.`,
    underWay: (it) =>
      `Il Suo ${goods(it)} è in corso di registrazione. Le scriverò qui non appena sarà confermato.`,
    cancelled: (it, why) => `Il Suo ${goods(it)} è stato annullato prima di essere registrato.${after(why)}`,
    unknown: (it) =>
      `Il Suo ${goods(it)} è ancora in fase di verifica: il sistema del negozio non ci ha ancora dato una risposta chiara. Non può essere registrato due volte, e Le scriverò qui non appena lo sapremo.`,
    pending: (it) => `Il Suo ${goods(it)} è stato accettato ed è in lavorazione.`,
    succeeded: (it, instructions, labelUrl) =>
      `Il Suo ${goods(it)} è registrato.${after(instructions)}${labelUrl === null ? "" : ` La Sua etichetta di reso: ${labelUrl}`} Sul rimborso si decide quando il pacco sarà arrivato.`,
    failed: (it, why) =>
      `Non è stato possibile registrare il Suo ${goods(it)}.${after(why)} Se ne occuperà un collega.`,
  },
  cause: {
    refunded_elsewhere: "Nel frattempo l'ordine è stato rimborsato per altra via.",
    declined: "Il fornitore di pagamenti lo ha rifiutato.",
    no_longer_permitted: "L'ordine o le condizioni sono cambiati dopo la Sua richiesta.",
    customer_cancelled: "È quello che ha chiesto.",
    amount_changed: "Un collega ha approvato un altro importo al suo posto.",
    handed_back: "Un collega l'ha esaminato e me l'ha restituito: mi dica come desidera proseguire.",
  },
  partOfAmount: "una parte dell'importo",
  restOfOrder: "il resto dell'ordine",
  reasons: {
    Damaged: "danneggiato",
    "Not as described": "non conforme alla descrizione",
    "Too small": "troppo piccolo",
    "Too big": "troppo grande",
    "Does not fit": "non va bene",
    "Arrived too late": "arrivato troppo tardi",
    "Changed my mind": "ho cambiato idea",
    "No reason given": "non indicato",
  },
  offer: {
    changed: "Qualcosa è cambiato, quindi ecco di nuovo la proposta.",
    refund: ({ amount, order, items, shipping, needsApproval }) =>
      `Posso rimborsare ${amount} per l'ordine ${order} (${items})${shipping === null ? "" : `, compresi ${shipping} di spedizione`}. Il denaro torna con lo stesso metodo con cui ha pagato.${needsApproval ? " Prima deve approvarlo un collega. Gli invio la richiesta?" : " Procedo?"}`,
    return: ({ order, items, reason, needsApproval }) =>
      `Posso registrare un reso per l'ordine ${order}: ${items}${reason === null ? "" : ` (motivo: ${reason})`}. Riceverà le istruzioni per la spedizione.${needsApproval ? " Prima deve approvarlo un collega." : ""} Procedo?`,
  },
};
