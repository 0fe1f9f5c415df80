/**
 * What makes a document one that a person should look at before it answers anybody: text that speaks to an
 * assistant instead of a customer, hidden text with instructions or links, limits on money that the policy does
 * not have. A document is data either way: nothing in it can allow an effect. Pure.
 */
import { limitsStated, type StatedLimit } from "../safety/policy-numbers.ts";
import { sentencesOf } from "./chunks.ts";
import { fold, numbersIn } from "./words.ts";

const SPEAKS_TO_ASSISTANT = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|rule|polic|prompt|guideline|above|previous|limit)/,
  /\b(?:ignora|ignoriere|ignorez|ignore|olvida|vergiss|oubliez|esqueca|dimentica)\b.{0,40}\b(?:instru|anweisung|regel|regle|regra|regol|politic|richtlin)/,
  /(?:^|[.!?\n"'>\]]\s*)(?:assistant|system|ai|chatbot|developer|user)\s*:/,
  /<\|?(?:im_start|system|endoftext|assistant)|\[(?:inst|system)\]|```(?:json|tool)/,
  /\b(?:you are now|you must now|from now on,? you|as an ai|dear ai|attention ai|note to (?:the )?(?:ai|assistant|agent|bot)|if you are an? (?:ai|assistant|language model|llm))\b/,
  /\b(?:tell|inform|ask|instruct|direct) (?:the |all |every )?(?:user|customer|client)s? (?:to|that)\b/,
  /\b(?:system prompt|tool call|process_refund|initiate_return|function call|approve (?:all|any|every) refunds?)\b/,
  /\b(?:verify|confirm|enter|send) (?:their|your) (?:card|credit card|password|cvv|pin|bank)/,
];

/** What was found, as short texts for a person; empty when there is nothing. */
export function suspicionsOf(
  texts: readonly string[],
  hidden: readonly string[],
  policyTexts: readonly string[],
): readonly string[] {
  const found: string[] = [];
  for (const text of texts) {
    for (const sentence of sentencesOf(text)) {
      const folded = fold(sentence);
      if (SPEAKS_TO_ASSISTANT.some((pattern) => pattern.test(folded))) {
        found.push(`speaks to an assistant: "${cut(sentence)}"`);
      }
    }
    for (const claim of contradictions(text, policyTexts)) {
      found.push(`names a limit that the policy does not have: "${cut(claim)}"`);
    }
  }
  for (const text of hidden) {
    const folded = fold(text);
    if (
      SPEAKS_TO_ASSISTANT.some((pattern) => pattern.test(folded)) ||
      /https?:|www\.|\b\w+\.(?:com|net|org|io|example)\b/.test(folded)
    ) {
      found.push(`hidden text: "${cut(text)}"`);
    }
  }
  return [...new Set(found)].slice(0, MOST);
}

const MOST = 20;
const cut = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`);

const ABOUT_MONEY_BACK =
  /\b(?:refund|return|money back|reembols|devol|erstatt|rueckgab|ruckgab|rembours|retour|rimbors|reso\b|resi\b)/;
const SETS_LIMIT =
  /\b(?:limit|maxim|up to|at most|no more than|above|over|without (?:a person|approval|asking)|window|within|deadline|automatic|hasta|maximo|limite|plazo|bis zu|hochst|frist|innerhalb|jusqu|delai|ate\b|prazo|fino a|massimo|entro)/;
const ABOUT_BANKS =
  /\b(?:bank|card|account|statement|appear|arriv|reach|process|credited|tarjeta|banco|karte|konto|carte|compte|cartao|conta|banca|carta|conto)\b/;

/** Whether a text sets a limit on money or goods going back; then the policy has to be read beside it. */
export const setsLimit = (text: string): boolean => sentencesOf(text).some((each) => limitIn(each) !== null);

/**
 * Sentences that set a limit on refunds or returns with a number that no clause of the policy in force has.
 * How long a bank takes is no limit of ours. Without a policy there is nothing to contradict.
 */
export function contradictions(text: string, policyTexts: readonly string[]): readonly string[] {
  if (policyTexts.length === 0) return [];
  const numbers = new Set(policyTexts.flatMap(numbersIn));
  const stated = policyTexts.flatMap(limitsStated);
  return sentencesOf(text).filter((sentence) => {
    const limit = limitIn(sentence);
    if (limit === null) return false;
    return (
      limit.numbers.some((number) => !numbers.has(number)) ||
      // 30 may be the policy's days and still not its dollars.
      limit.stated.some(({ kind, value }) => !stated.some((it) => it.kind === kind && it.value === value))
    );
  });
}

function limitIn(sentence: string): { numbers: readonly string[]; stated: readonly StatedLimit[] } | null {
  const folded = fold(sentence);
  if (!ABOUT_MONEY_BACK.test(folded) || ABOUT_BANKS.test(folded)) return null;
  const stated = limitsStated(sentence);
  const numbers = SETS_LIMIT.test(folded) ? numbersIn(sentence) : [];
  return numbers.length > 0 || stated.length > 0 ? { numbers, stated } : null;
}
