/**
 * The baseline: a list of patterns as a team would write it in an afternoon, one a subject, that knows
 * nothing of the conversation. English claims only, as such lists are.
 */
const PATTERNS = {
  card: /\b(?:\d[ -]?){12,18}\d\b/,
  iban: /\b[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4}\b/,
  id: /\b\d{3}-\d{2}-\d{4}\b/,
  email: /\b[\w.+-]+@[\w-]+\.[\w.]+\b/,
  phone: /\+?\(?\d{1,4}\)?[-. ]\(?\d{2,4}\)?[-. ]\d{3,4}(?:[-. ]?\d{2,4})?/,
  order: /#\d{3,}/,
  secret: /\b(?:password|passwd|secret|api[_-]?key|token)\b\s*(?:is|[:=])\s*\S+|\bsk_[a-z]+_\w+/i,
  rude: /\b(?:idiots?|stupid|dumb|moron|fuck\w*|shit|bitch|asshole|shut up|liar|crap)\b/i,
  effect:
    /\b(?:i|we)(?:'ve| have)? (?:refunded|credited|cancelled|issued|processed)\b|\brefund (?:has been|was|is) (?:issued|processed|approved|sent)\b|\bwill (?:be refunded|refund you)\b/i,
  limit: /\b(?!30\b)\d+[- ]days?\b/i,
  link: /https?:\/\/|www\./i,
  markup: /<[a-z!/]|javascript:/i,
} as const;

export type Subject = keyof typeof PATTERNS;

export const plainListFinds = (subject: Subject, text: string): boolean => PATTERNS[subject].test(text);

/** Any of them: what the list as a whole would hold back. */
export const plainListHolds = (text: string): boolean =>
  Object.values(PATTERNS).some((pattern) => pattern.test(text));
