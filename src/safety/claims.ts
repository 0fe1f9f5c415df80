/**
 * Room `safety`: what may leave. May import `kernel` and `tools/views`.
 * Promises: no text of an agent says that an effect happened unless the ledger's own words say so (G2).
 *
 * This file: claims of effects. Sentences that the ledger made (`ActionSummary.text`) are true and are
 * taken out first; what is left must not say that money moved or a return exists.
 */
import type { ActionSummary } from "../tools/views.ts";

/** Effects that only code may claim, as people say them. Questions, offers and negations are not claims. */
const CLAIMS: readonly RegExp[] = [
  /\b(?:i|we)(?:'ve| have|'ll have| just| already)*\s+(?:just |already |now |successfully )*(?:refunded|issued|processed|sent|initiated|completed|approved|credited|returned|reimbursed|paid)\b[^.?!\n]{0,80}/iu,
  /\b(?:refund|money|amount|payment|return|credit)\b[^.?!\n]{0,60}\b(?:has|have|had|was|were|is|are|been|got)\s+(?:now |just |already |been |successfully |fully )*(?:refunded|issued|processed|sent|initiated|completed|approved|confirmed|credited|returned|reimbursed|paid|done|complete|on (?:its|the) way)\b/iu,
  /\b(?:has|have) been (?:refunded|credited|reimbursed)\b/iu,
  /\bsuccessfully (?:refunded|processed|issued|returned|credited)\b/iu,
];

const NEGATED =
  /\b(?:not|no|never|cannot|can't|couldn't|haven't|hasn't|isn't|wasn't|until|once|when|if|whether|before|unless)\b/iu;

/** The first sentence that claims an effect without the ledger's backing, or null. Linear in the text. */
export function unconfirmedClaim(text: string, actions: readonly ActionSummary[]): string | null {
  let rest = text;
  for (const action of actions) rest = rest.replaceAll(action.text, " ");
  for (const sentence of rest.split(/(?<=[.?!])\s+|\n+/u)) {
    if (sentence.endsWith("?") || NEGATED.test(sentence)) continue;
    if (CLAIMS.some((claim) => claim.test(sentence))) return sentence.trim();
  }
  return null;
}

/** What is said instead: what the ledger knows, or that nothing is known. */
export function withoutClaims(actions: readonly ActionSummary[]): string {
  const latest = actions[0];
  return latest === undefined
    ? "I cannot confirm that: no refund or return of yours is recorded here. Shall I look at an order with you?"
    : `Here is what is confirmed: ${latest.text}`;
}
