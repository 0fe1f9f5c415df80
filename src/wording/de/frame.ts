import type { FrameWords } from "../frame-words.ts";

const COLLEAGUE =
  "Ich gebe das an unser Team weiter. Dort liegt das ganze Gespräch vor, Sie müssen also nichts wiederholen. Die Antwort kommt hier.";

export const frame: FrameWords = {
  disclosure: (shop) => `Ich bin der KI-Assistent von ${shop}.`,
  hours: {
    open: (until) => `Unser Team ist heute bis ${until} Uhr da.`,
    later: (from) => `Unser Team ist heute ab ${from} Uhr wieder da.`,
    opens: (when) => `Unser Team ist gerade nicht da; es ist ${when} Uhr wieder erreichbar.`,
    at: (day, time) => `${day} ab ${time}`,
  },
  waiting: "Danke, das ist im Gespräch vermerkt. Eine Kollegin oder ein Kollege antwortet Ihnen hier.",
  handoff: {
    asked_for_person: `Gern. ${COLLEAGUE}`,
    not_understood: `Ich bin nicht sicher, ob ich das gut genug verstehe, um zu helfen. ${COLLEAGUE}`,
    legal_or_safety: `Das sollte sich ein Mensch ansehen. ${COLLEAGUE}`,
    policy_denied_contested: `Das kann ich nicht selbst entscheiden. ${COLLEAGUE}`,
    complaint: `Das tut mir leid. ${COLLEAGUE}`,
    no_progress: `Hier komme ich allein nicht weiter. ${COLLEAGUE}`,
    step_limit: `Hier komme ich allein nicht weiter. ${COLLEAGUE}`,
    deadline: `Das dauert länger, als es sollte. ${COLLEAGUE}`,
    agent_failed: `Bei mir ist etwas schiefgegangen, und es wurde nichts veranlasst. ${COLLEAGUE}`,
    outcome_uncertain: COLLEAGUE,
    outside_scope: `Das liegt außerhalb dessen, was ich tun kann. ${COLLEAGUE}`,
    low_confidence: `Ich bin mir meiner Antwort nicht sicher genug, um sie Ihnen zu geben. ${COLLEAGUE}`,
    provider_unavailable: `Eines unserer Systeme antwortet gerade nicht, und es wurde nichts veranlasst. ${COLLEAGUE}`,
    model_unavailable: `Das kann ich im Moment nicht allein beantworten, und es wurde nichts veranlasst. ${COLLEAGUE}`,
    safety_filter: `Dafür habe ich keine Worte gefunden, die ich Ihnen schicken darf. ${COLLEAGUE}`,
    negative_sentiment: `Es tut mir leid, dass das so ärgerlich ist. ${COLLEAGUE}`,
  },
  rating: {
    ask: "Wie waren wir?",
    scale: "1 ist schlecht, 5 ist sehr gut",
    comment: "Möchten Sie etwas hinzufügen? (freiwillig)",
    send: "Senden",
    thanks: "Danke für Ihre Bewertung.",
    given: "Dieses Gespräch wurde schon bewertet. Danke.",
  },
  takingOver: "Danke für Ihre Geduld. Ich habe das ganze Gespräch gelesen und kümmere mich jetzt darum.",
  anotherTry: "Einen Moment bitte, ich prüfe meine Antwort noch einmal.",
  stopped:
    "In Ordnung, ich habe aufgehört. Es wurde nichts Neues veranlasst. Schreiben Sie hier, wann immer Sie weitermachen möchten.",
  nothingConfirmed:
    "Das kann ich nicht bestätigen: Hier ist keine Erstattung oder Rücksendung von Ihnen vermerkt. Soll ich mir eine Bestellung mit Ihnen ansehen?",
  confirmed: (ledgerText) => `Bestätigt ist Folgendes: ${ledgerText}`,
  signIn:
    "Bestellungen und Zahlungen sehe ich nur für die Person an, der sie gehören. Bitte melden Sie sich im Shop an: Dieses Gespräch bleibt erhalten, und ich antworte Ihnen sofort.",
  confirmByLink: (minutes) =>
    `Bestellungen und Zahlungen sehe ich nur für die Person an, der sie gehören. Bitte bestätigen Sie über den Link unten, dass Sie es sind; er gilt einmal und ${minutes} Minuten lang. Dann beantworte ich Ihre Frage.`,
  mail: {
    noSubject: (shop) => `Ihre Nachricht an ${shop}`,
    confirm: "Bestätigen, dass ich es bin",
    ask: (address) =>
      `Schreiben Sie uns von ${address}? Bestätigen Sie es, und Ihre Frage wird per E-Mail beantwortet. Wenn Sie uns nicht geschrieben haben, schließen Sie diese Seite: Dann geschieht nichts.`,
    confirmed: "Vielen Dank. Ihre Antwort kommt gleich per E-Mail; Sie können diese Seite schließen.",
    transcript: {
      subject: (shop) => `Ihre Unterhaltung mit ${shop}`,
      you: "Sie",
      assistant: "Assistent",
      asking: {
        subject: (shop) => `Ihre Unterhaltung mit ${shop}: Sollen wir sie senden?`,
        text: (shop) =>
          `Jemand hat ohne Anmeldung mit ${shop} gechattet und eine Kopie an diese Adresse erbeten. Wenn Sie es waren, öffnen Sie den Link, und wir senden sie Ihnen. Wenn nicht, tun Sie nichts: Dann wird nichts gesendet.`,
        confirm: "Kopie an mich senden",
        page: (address) => `Sollen wir die Kopie der Unterhaltung an ${address} senden?`,
        sent: "Die Kopie ist unterwegs. Sie können diese Seite schließen.",
      },
    },
  },
  standing: {
    "no-clause-permits": "Das sehen unsere Bedingungen nicht vor.",
    "evaluation-failed":
      "Ich konnte das nicht mit unseren Bedingungen abgleichen, deshalb kann ich es hier nicht tun.",
  },
  clauseQuoted: (text, inLanguage) => `Dazu steht in unseren Bedingungen (${inLanguage}): „${text}“`,
  inLanguage: {
    en: "auf Englisch",
    es: "auf Spanisch",
    de: "auf Deutsch",
    fr: "auf Französisch",
    pt: "auf Portugiesisch",
    it: "auf Italienisch",
  },
};
