import type { FrameWords } from "../frame-words.ts";

const COLLEAGUE =
  "I am passing this to a colleague, who gets the whole conversation, so you need not repeat anything. They will answer you here.";

export const frame: FrameWords = {
  disclosure: (shop) => `I'm the AI assistant of ${shop}.`,
  hours: {
    open: (until) => `Our team is here today until ${until}.`,
    later: (from) => `Our team is here again today from ${from}.`,
    opens: (when) => `Our team is not here right now; it is back ${when}.`,
    at: (day, time) => `${day} at ${time}`,
  },
  waiting: "Thank you, that is added to the conversation. A colleague will answer you here.",
  handoff: {
    asked_for_person: `Of course. ${COLLEAGUE}`,
    not_understood: `I am not sure that I understand this well enough to help. ${COLLEAGUE}`,
    legal_or_safety: `This needs a person's attention. ${COLLEAGUE}`,
    policy_denied_contested: `I cannot decide that myself. ${COLLEAGUE}`,
    complaint: `I am sorry about this. ${COLLEAGUE}`,
    no_progress: `I am not getting any further with this by myself. ${COLLEAGUE}`,
    step_limit: `I am not getting any further with this by myself. ${COLLEAGUE}`,
    deadline: `This takes longer than it should. ${COLLEAGUE}`,
    agent_failed: `Something went wrong on my side, and nothing was done. ${COLLEAGUE}`,
    outcome_uncertain: COLLEAGUE,
    outside_scope: `This is outside what I can do. ${COLLEAGUE}`,
    low_confidence: `I am not sure enough of my answer to give it to you. ${COLLEAGUE}`,
    provider_unavailable: `I cannot reach one of our systems, and nothing was done. ${COLLEAGUE}`,
    model_unavailable: `I cannot answer this by myself at the moment, and nothing was done. ${COLLEAGUE}`,
    safety_filter: `I could not find words for this that I may send to you. ${COLLEAGUE}`,
    negative_sentiment: `I am sorry that this has been so frustrating. ${COLLEAGUE}`,
  },
  rating: {
    ask: "How did we do?",
    scale: "1 is poor, 5 is very good",
    comment: "Anything to add? (optional)",
    send: "Send",
    thanks: "Thank you for your rating.",
    given: "This conversation was rated already. Thank you.",
  },
  takingOver: "Thank you for waiting. I have read the whole conversation and am looking into it now.",
  anotherTry: "One moment, please: I am checking my answer.",
  stopped: "All right, I have stopped. Nothing new was done. Write here whenever you want to go on.",
  nothingConfirmed:
    "I cannot confirm that: no refund or return of yours is recorded here. Shall I look at an order with you?",
  confirmed: (ledgerText) => `Here is what is confirmed: ${ledgerText}`,
  signIn:
    "I look into orders and money only for the person they belong to. Please sign in to the shop: this conversation stays, and I will answer you right away.",
  confirmByLink: (minutes) =>
    `I look into orders and money only for the person they belong to. Please confirm with the link below that it is you; it works once, within ${minutes} minutes. I will then answer what you asked.`,
  mail: {
    noSubject: (shop) => `Your message to ${shop}`,
    confirm: "Confirm that it is you",
    ask: (address) =>
      `Do you write to us from ${address}? Confirm it, and your question is answered by mail. If you did not write to us, close this page: nothing happens then.`,
    confirmed: "Thank you. Your answer comes by mail in a moment; you can close this page.",
    transcript: {
      subject: (shop) => `Your conversation with ${shop}`,
      you: "You",
      assistant: "Assistant",
      asking: {
        subject: (shop) => `Your conversation with ${shop}: shall we send it?`,
        text: (shop) =>
          `Somebody who chatted with ${shop} without signing in asked for a copy at this address. If it was you, open the link, and it is sent to you. If it was not, do nothing: nothing is sent then.`,
        confirm: "Send me the copy",
        page: (address) => `Shall we send the copy of the conversation to ${address}?`,
        sent: "The copy is on its way. You can close this page.",
      },
    },
  },
  standing: {
    "no-clause-permits": "Our policy does not provide for this.",
    "evaluation-failed": "I could not check this against our policy, so I cannot do it here.",
  },
  clauseQuoted: (text, inLanguage) => `Our policy says (${inLanguage}): “${text}”`,
  inLanguage: {
    en: "in English",
    es: "in Spanish",
    de: "in German",
    fr: "in French",
    pt: "in Portuguese",
    it: "in Italian",
  },
};
