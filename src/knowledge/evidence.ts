/**
 * Whether what was found is an answer. A near passage always exists; this decides whether to trust it, by more
 * than its nearness: how much of the question it covers, how far ahead of the next it is, and whether it has
 * what the question asks for (an amount, a time, the number that was named). Pure.
 */
import type { Ranked } from "./ranking.ts";
import { fold, numbersIn } from "./words.ts";

export interface Verdict {
  readonly answered: boolean;
  /** 0..1; what it is worth is measured in docs/quality.md. */
  readonly confidence: number;
  /** What spoke against it, in code words, heaviest first. */
  readonly doubts: readonly Doubt[];
}

export type Doubt =
  | "nothing_found"
  | "far"
  | "not_covered"
  | "no_amount"
  | "no_time"
  | "number_not_there"
  | "no_lead"
  /** The best passage set a limit that the policy does not have, and was left out. */
  | "contradicts_policy";

/** Below it, saying "I don't know" is better than the answer (precision at it is measured). */
export const ANSWER_THRESHOLD = 0.5;

const ASKS_AMOUNT =
  /\b(?:how much|what (?:does|do|is|are)(?: \S+){0,3} (?:cost|price|fee)|price of|cost of|costs?|cuanto (?:cuesta|vale|es)|cuesta|precio|wie ?viel|was kosten|was kostet|kostet|kosten|combien (?:coute|ca|est)|quel(?:s)? (?:est le prix|sont les frais)|prix|quanto (?:custa|costa|e)|custa|costa|preco|prezzo)\b/;
const ASKS_TIME =
  /\b(?:how (?:long|many days|soon|fast|late)|when|what time|until what|opening hours|cuanto (?:tiempo|tarda|tardan)|cuando|que hora|horario|wie lange|wann|ab wann|bis wann|offnungszeiten|combien de (?:temps|jours)|quand|quelle heure|horaires|quanto tempo|quando|que horas|quanti giorni|orari|horarios?)\b/;
/** A price is an amount of money, or none: the 30 of "30 °C" answers nobody who asks what it costs. */
const AMOUNT =
  /[$€£¥%]|\d\s*(?:usd|eur|gbp|chf|dollars?|euros?|cents?|percent|prozent)\b|\b(?:usd|eur|gbp|chf)\s*\d|\b(?:free|no charge|nothing|gratis|kostenlos|gratuit\w*|frei|sin coste|senza costi|sem custo)\b/;
const ASKS_WEIGHT =
  /\b(?:how heavy|what (?:does|do) (?:\S+ ){1,4}weigh|weighs?|weight|cuanto pesan?|peso|wie schwer|wiegt|wiegen|gewicht|combien (?:pese|pesent)|poids|quanto pesan?o?)\b/;
const WEIGHT = /\d\s*(?:kg|g|grams?|gramos?|gramm|grammes?|lbs?|pounds?|oz|ounces?|kilos?|pfund)\b/;
const TIME =
  /\d|\b(?:days?|weeks?|months?|years?|hours?|minutes?|tomorrow|today|same day|monday|friday|weekend|always|never|once|after|before|until|within|dias?|semanas?|horas?|tage?n?|wochen?|monate?n?|stunden|jours?|semaines?|mois|heures?|mes(?:es)?|giorn[oi]|settiman[ae]|mes[ie]|or[ae]|lunedi|lunes|montag|lundi|segunda)\b/;

export function judge(question: string, ranked: readonly Ranked[], contradicts: boolean = false): Verdict {
  const [first] = ranked;
  const besides: Doubt[] = contradicts ? ["contradicts_policy"] : [];
  if (first === undefined) {
    return { answered: false, confidence: 0, doubts: ["nothing_found", ...besides] };
  }
  const second = ranked.find(({ best }) => best.documentId !== first.best.documentId);
  const lead = Math.min(0.2, Math.max(0, first.score - (second?.score ?? 0)));
  const asked = fold(question);
  const text = fold(`${first.best.headings.join(" ")} ${first.best.text}`);
  const noAmount = ASKS_AMOUNT.test(asked) && !AMOUNT.test(text);
  const noTime = !ASKS_AMOUNT.test(asked) && ASKS_TIME.test(asked) && !TIME.test(text);
  const noWeight = ASKS_WEIGHT.test(asked) && !WEIGHT.test(text);
  const numbers = numbersIn(question);
  const there = new Set(numbersIn(`${first.best.headings.join(" ")} ${first.best.text}`));
  const strange = numbers.some((number) => !there.has(number));
  const z =
    WEIGHTS.bias +
    WEIGHTS.score * first.score +
    WEIGHTS.coverage * first.coverage.share +
    WEIGHTS.lead * lead +
    WEIGHTS.cosine * first.cosine +
    (noAmount || noWeight ? WEIGHTS.noAmount : 0) +
    (noTime ? WEIGHTS.noTime : 0) +
    (strange ? WEIGHTS.strange : 0);
  const confidence = 1 / (1 + Math.exp(-z));
  const doubts: Doubt[] = besides;
  if (first.score < 0.4) doubts.push("far");
  if (first.coverage.share < 0.5) doubts.push("not_covered");
  if (noAmount || noWeight) doubts.push("no_amount");
  if (noTime) doubts.push("no_time");
  if (strange) doubts.push("number_not_there");
  if (lead < 0.02) doubts.push("no_lead");
  return { answered: confidence >= ANSWER_THRESHOLD, confidence, doubts };
}

/** Of a logistic sum, set by hand: docs/adr/0010-retrieval.md. */
const WEIGHTS = {
  bias: -5.2,
  score: 7.5,
  coverage: 2.4,
  lead: 4,
  cosine: 1.5,
  noAmount: -3.6,
  noTime: -1.6,
  strange: -0.8,
};
