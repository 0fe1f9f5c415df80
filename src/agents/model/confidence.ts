/**
 * Whether an answer of a model is to be trusted with a customer. Where the provider tells the
 * log-probabilities of its tokens, their mean decides; and always, what an answer states is looked for in
 * what this conversation has read: an amount, a number of days, an order or an address that stands nowhere
 * is made up. Pure.
 */

import { formatOf } from "../../kernel/calendar.ts";
import type { Call, RunView } from "../agent.ts";
import type { MessageSignals } from "../understanding/signals.ts";
import { dataJson } from "./data.ts";
import { outcomeFor } from "./window.ts";

/** Why an answer is not trusted; for our records and the person who takes over. */
export type Doubt =
  | { readonly kind: "unlikely"; readonly mean: number; readonly least: number }
  | { readonly kind: "ungrounded"; readonly what: string }
  | { readonly kind: "disagrees"; readonly what: string }
  | { readonly kind: "unusable"; readonly what: string };

export function describeDoubt(doubt: Doubt): string {
  switch (doubt.kind) {
    case "unlikely":
      return `its words were unlikely to itself (mean log-probability ${doubt.mean.toFixed(2)}, at least ${doubt.least} is needed)`;
    case "ungrounded":
      return `it stated something that nothing it had read supports (${doubt.what})`;
    case "disagrees":
      return `it wanted something else than the message says (${doubt.what})`;
    case "unusable":
      return `its answers were not usable (${doubt.what})`;
  }
}

export function unlikely(mean: number | null, least: number): Doubt | null {
  return mean !== null && mean < least ? { kind: "unlikely", mean, least } : null;
}

/** Facts that a sentence can state and that must stand somewhere. */
const LINK = /\b(?:https?:\/\/|www\.)\S+|\b[\w.+-]+@[\w-]+\.[\w.-]+/giu;
const NUMBER = /(?<![\p{L}\d])\d+(?:[.,\u00a0\u202f’']\d+)*(?![\p{L}\d])/gu;
const AFTER =
  /^\s*(?:%|percent\b|prozent\b|(?:business |working |calendar )?(?:day|week|month|year|hour)s?\b|tage?n?\b|wochen?\b|monate?n?\b|días?\b|semanas?\b|meses\b|jours?\b|semaines?\b|mois\b|dias?\b|mês|giorni\b|settiman[ae]\b|mesi\b|usd\b|eur\b|gbp\b|dollars?\b|euros?\b|[$€£])/iu;
const BEFORE = /(?:[$€£]|\busd|\beur|\bgbp)\s*$/iu;
/** Numbers without a unit that people say without meaning a fact: "two or 3 sentences", "the 5th". */
const SMALL = 31;

/** The first statement of a text that nothing supports, or null. */
export function ungrounded(text: string, view: RunView): Doubt | null {
  const { read, known, spoken } = factsOf(view);
  for (const [link] of text.matchAll(LINK)) {
    const plain = link.replace(/[.,;:!?)\]]+$/, "");
    if (!read.includes(plain.toLowerCase())) return { kind: "ungrounded", what: plain };
  }
  const withoutLinks = text.replace(LINK, " ");
  for (const match of withoutLinks.matchAll(NUMBER)) {
    const [number] = match;
    const hasUnit =
      AFTER.test(withoutLinks.slice(match.index + number.length)) ||
      BEFORE.test(withoutLinks.slice(0, match.index));
    const value = canonical(number);
    // What the customer wrote proves a name, not a price or a period.
    if (hasUnit ? known.has(value) : spoken.has(value) || Number(value) <= SMALL) continue;
    return { kind: "ungrounded", what: number };
  }
  return null;
}

/** A call that names an order which nobody has named and no tool has shown. */
export function inventedOrder(call: Call, view: RunView): Doubt | null {
  const { order_id: order } = (call.args ?? {}) as { order_id?: unknown };
  if (typeof order !== "string") return null;
  return factsOf(view).said.includes(order.replace(/^#/, "").toLowerCase())
    ? null
    : { kind: "ungrounded", what: `order ${order.slice(0, 40)}` };
}

const LEAST_WISH = 0.1;

/** A refund or return that the reading of the message finds nothing of. */
export function disagreement(call: Call, signals: MessageSignals | null): Doubt | null {
  if (signals === null || !signals.isSure) return null;
  if (call.tool !== "process_refund" && call.tool !== "initiate_return") return null;
  const wish = signals.intents
    .filter(
      ({ intent }) => intent === "refund-request" || intent === "return-request" || intent === "complaint",
    )
    .reduce((sum, { confidence }) => sum + confidence, 0);
  return wish >= LEAST_WISH
    ? null
    : { kind: "disagrees", what: `${call.tool} for a message about something else` };
}

interface Facts {
  /** What code has put before the model, and that with all that anybody said; both in lower case. */
  readonly read: string;
  readonly said: string;
  readonly known: ReadonlySet<string>;
  readonly spoken: ReadonlySet<string>;
}

/** An answer is looked at sentence by sentence while it comes, and then as a whole: the facts stay the same. */
const FACTS = new WeakMap<RunView, Facts>();

function factsOf(view: RunView): Facts {
  const kept = FACTS.get(view);
  if (kept !== undefined) return kept;
  const read = factsRead(view).toLowerCase();
  const words = [view.focus.text, ...view.later, ...view.transcript.map(({ text }) => text)].join(" ");
  const said = `${read} ${words.toLowerCase()}`;
  const facts = { read, said, known: numbersIn(read), spoken: numbersIn(said) };
  FACTS.set(view, facts);
  return facts;
}

/** What code has put before the model: results of tools, actions, the offer, the shop's own words. */
function factsRead(view: RunView): string {
  return dataJson([
    view.steps.map(({ outcome }) => outcomeFor(outcome, view)),
    view.actions.map(({ text, orderNumber, items }) => [text, orderNumber, items]),
    view.offer?.summary ?? "",
    view.transcript.filter(({ author }) => author !== "customer").map(({ text }) => text),
    formatOf("en-GB", { dateStyle: "full", timeZone: view.tenant.timeZone }).format(view.now),
  ]);
}

const numbersIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/\d+(?:[.,\u00a0\u202f’']\d+)*/g)].flatMap(([number]) => [
      canonical(number),
      ...number.split(/[.,\u00a0\u202f’']/),
    ]),
  );

/** `1,234.50`, `1.234,50` and `1234.5` are one number; `24.00` is 24. */
function canonical(number: string): string {
  const [, whole = number, fraction = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(number) ?? [];
  const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const rest = fraction.replace(/0+$/, "");
  return rest === "" ? digits : `${digits}.${rest}`;
}
