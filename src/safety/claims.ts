/**
 * Room `safety`: what may leave. May import `kernel` and `tools/views`.
 * Promises: no text of an agent says that an effect happened unless the ledger's own words say so (G2).
 *
 * This file: claims of effects. Sentences that the ledger made (`ActionSummary.text`) are true and are
 * taken out first; what is left must not say that money moved or a return exists. A sentence too many
 * costs an answer its words; a sentence too few costs a customer their trust: when in doubt, it is a claim.
 */
import type { ActionSummary } from "../tools/views.ts";

const DONE =
  "refunded|issued|processed|sent|initiated|completed|approved|credited|returned|reimbursed|paid|transferred|registered|released";
const LATELY =
  "(?:(?:now|just|already|also|then|gladly|happily|successfully|fully|gone ahead and|went ahead and)\\s+)*";
const MONEY = "refund|money|funds|amount|payment|return|credit|reimbursement";

/** Effects that only code may claim, as people say them. */
const CLAIMS: readonly RegExp[] = [
  `\\b(?:i|we)(?:'ve|'d|'ll have)?(?:\\s+(?:have|had))?\\s+${LATELY}(?:${DONE})\\b`,
  `\\b(?:i'm|i am|we're|we are)\\s+${LATELY}(?:refunding|crediting|reimbursing|(?:issuing|processing|sending)\\s+(?:you\\s+)?(?:a|the|your)\\s+(?:refund|money|return))\\b`,
  `\\b(?:${MONEY})\\b.{0,60}\\b(?:has|have|had|was|were|is|are|been|got)\\s+${LATELY}(?:been\\s+)?${LATELY}(?:${DONE}|confirmed|done|complete|through|successful|on (?:its|the|their) way|back (?:on|in|with)\\b|in your (?:bank )?account)\\b`,
  `\\b(?:${MONEY})\\s+(?:of\\s+.{1,40}\\s+)?(?:went through|${DONE}|confirmed|successful|complete)\\b`,
  `(?:'ve|'s|\\b(?:has|have|is|are|was|were|got))\\s+${LATELY}(?:been\\s+)?${LATELY}(?:refunded|credited|reimbursed)\\b`,
  `\\b(?:successfully|fully)\\s+(?:refunded|processed|issued|returned|credited|reimbursed)\\b`,
  `\\b(?:refunded|processed|issued|credited|reimbursed)\\s+successfully\\b`,
  `^\\W*(?:(?:all )?done\\W+)?(?:refunded|reimbursed|credited)\\b`,
  `\\b(?:usd|eur|dollars?|euros?)\\b.{0,20}\\b(?:is|are)\\s+${LATELY}(?:back (?:on|in|with)|on (?:its|their|the) way|in your (?:bank )?account)\\b`,
  // What a model may say in the customer's language.
  `(?<!\\p{L})(?:habe[n]?|wurden?|ist|sind)(?!\\p{L}).{0,60}(?<!\\p{L})(?:zurück)?(?:erstattet|überwiesen|gutgeschrieben)(?!\\p{L})`,
  `(?<!\\p{L})(?:ai|avons|été|est)(?!\\p{L}).{0,30}(?<!\\p{L})rembours[ée]`,
  `(?<!\\p{L})(?:he|hemos|ha|han)(?!\\p{L}).{0,30}(?<!\\p{L})(?:reembolsad|devuelto)`,
].map((source) => new RegExp(source, "giu"));

/** Said of the claim itself, in its own clause. */
const DENIED =
  /\b(?:not|no|never|nothing|cannot|can't|couldn't|haven't|hasn't|isn't|aren't|wasn't|weren't|nicht|kein\w*|pas|until|once|when|if|whether|before|unless|after|as soon as)\b/iu;
/** A whole sentence about what may come. */
const CONDITIONAL = /^\W*(?:if|once|when|unless|until|before|after|as soon as|whether)\b/iu;
const FIRST_PERSON = /^(?:i|we)\b/iu;
const ASKED =
  /^\W*(?:(?:and|or|so|but|ok|okay)\W+)?(?:have|has|had|did|do|does|is|are|was|were|would|could|can|shall|should|will|may|what|which|where|how|why|who|when|if)\b/iu;

/** The first sentence that claims an effect without the ledger's backing, or null. Linear in the text. */
export function unconfirmedClaim(text: string, actions: readonly ActionSummary[]): string | null {
  let rest = text;
  for (const action of actions) rest = rest.replaceAll(action.text, " ");
  const plain = rest
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[’ʼ`]/g, "'");
  for (const sentence of plain.split(/(?<=[.?!])\s+|\n+/u)) {
    if (sentence.trimEnd().endsWith("?") && ASKED.test(sentence)) continue;
    if (claims(sentence)) return sentence.trim();
  }
  return null;
}

function claims(sentence: string): boolean {
  const supposed = CONDITIONAL.test(sentence);
  for (const claim of CLAIMS) {
    for (const match of sentence.matchAll(claim)) {
      if (supposed && !FIRST_PERSON.test(match[0])) continue;
      const before = sentence.slice(0, match.index);
      const clause = before.slice(before.search(/[^,;:()–—]*$/u)) + match[0];
      if (!DENIED.test(clause)) return true;
    }
  }
  return false;
}

/** What is said instead: what the ledger knows, or that nothing is known. */
export function withoutClaims(actions: readonly ActionSummary[]): string {
  const latest = actions[0];
  return latest === undefined
    ? "I cannot confirm that: no refund or return of yours is recorded here. Shall I look at an order with you?"
    : `Here is what is confirmed: ${latest.text}`;
}
