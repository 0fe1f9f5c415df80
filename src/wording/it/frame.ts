import type { FrameWords } from "../frame-words.ts";

const COLLEAGUE =
  "Passo la richiesta a un collega, che riceve tutta la conversazione, quindi non deve ripetere nulla. Le risponderà qui.";

export const frame: FrameWords = {
  disclosure: (shop) => `Sono l'assistente IA di ${shop}.`,
  hours: {
    open: (until) => `Il nostro team è presente oggi fino alle ${until}.`,
    later: (from) => `Il nostro team è di nuovo presente oggi dalle ${from}.`,
    opens: (when) => `Il nostro team non è presente in questo momento; torna ${when}.`,
    at: (day, time) => `${day} alle ${time}`,
  },
  waiting: "Grazie, è stato aggiunto alla conversazione. Un collega Le risponderà qui.",
  handoff: {
    asked_for_person: `Certamente. ${COLLEAGUE}`,
    not_understood: `Non sono sicuro di capire abbastanza bene per poter aiutare. ${COLLEAGUE}`,
    legal_or_safety: `Di questo deve occuparsi una persona. ${COLLEAGUE}`,
    policy_denied_contested: `Questo non posso deciderlo io. ${COLLEAGUE}`,
    complaint: `Mi dispiace. ${COLLEAGUE}`,
    no_progress: `Da solo non riesco ad andare avanti. ${COLLEAGUE}`,
    step_limit: `Da solo non riesco ad andare avanti. ${COLLEAGUE}`,
    deadline: `Sta richiedendo più tempo del dovuto. ${COLLEAGUE}`,
    agent_failed: `Qualcosa è andato storto da parte mia e non è stato fatto nulla. ${COLLEAGUE}`,
    outcome_uncertain: COLLEAGUE,
    outside_scope: `Questo va oltre ciò che posso fare. ${COLLEAGUE}`,
    low_confidence: `Non sono abbastanza sicuro della mia risposta per dargliela. ${COLLEAGUE}`,
    provider_unavailable: `Uno dei nostri sistemi non risponde e non è stato fatto nulla. ${COLLEAGUE}`,
    model_unavailable: `Al momento non posso rispondere da solo, e non è stato fatto nulla. ${COLLEAGUE}`,
    safety_filter: `Non ho trovato parole adatte da inviarle. ${COLLEAGUE}`,
    negative_sentiment: `Mi dispiace che sia così frustrante. ${COLLEAGUE}`,
  },
  rating: {
    ask: "Come ci siamo comportati?",
    scale: "1 è scarso, 5 è ottimo",
    comment: "Vuole aggiungere qualcosa? (facoltativo)",
    send: "Inviare",
    thanks: "Grazie per la valutazione.",
    given: "Questa conversazione è già stata valutata. Grazie.",
  },
  takingOver: "Grazie per l'attesa. Ho letto tutta la conversazione e me ne occupo subito.",
  anotherTry: "Un momento, per favore: sto verificando la mia risposta.",
  stopped: "Va bene, mi sono fermato. Non è stato fatto nulla di nuovo. Scriva qui quando vuole proseguire.",
  nothingConfirmed:
    "Non posso confermarlo: qui non risulta alcun rimborso o reso a Suo nome. Guardiamo insieme un ordine?",
  confirmed: (ledgerText) => `Ecco che cosa è confermato: ${ledgerText}`,
  signIn:
    "Consulto ordini e pagamenti solo per la persona a cui appartengono. Acceda al negozio: questa conversazione resta e Le risponderò subito.",
  confirmByLink: (minutes) =>
    `Consulto ordini e pagamenti solo per la persona a cui appartengono. Confermi con il link qui sotto che è Lei; funziona una sola volta, entro ${minutes} minuti. Poi risponderò alla Sua domanda.`,
  mail: {
    noSubject: (shop) => `Il Suo messaggio a ${shop}`,
    confirm: "Confermare che sono io",
    ask: (address) =>
      `Ci scrive da ${address}? Lo confermi, e risponderemo alla Sua domanda per e-mail. Se non ci ha scritto, chiuda questa pagina: non succederà nulla.`,
    confirmed: "Grazie. La risposta arriva per e-mail tra un momento; può chiudere questa pagina.",
    transcript: {
      subject: (shop) => `La Sua conversazione con ${shop}`,
      you: "Lei",
      assistant: "Assistente",
      asking: {
        subject: (shop) => `La Sua conversazione con ${shop}: gliela inviamo?`,
        text: (shop) =>
          `Qualcuno ha scritto in chat a ${shop} senza accedere e ha chiesto una copia a questo indirizzo. Se è stato Lei, apra il link e gliela invieremo. Altrimenti non faccia nulla: non verrà inviato nulla.`,
        confirm: "Inviatemi la copia",
        page: (address) => `Inviamo la copia della conversazione a ${address}?`,
        sent: "La copia è in arrivo. Può chiudere questa pagina.",
      },
    },
  },
  standing: {
    "no-clause-permits": "Le nostre condizioni non lo prevedono.",
    "evaluation-failed": "Non ho potuto verificarlo con le nostre condizioni, quindi qui non posso farlo.",
  },
  clauseQuoted: (text, inLanguage) => `Le nostre condizioni dicono (${inLanguage}): «${text}»`,
  inLanguage: {
    en: "in inglese",
    es: "in spagnolo",
    de: "in tedesco",
    fr: "in francese",
    pt: "in portoghese",
    it: "in italiano",
  },
};
