/**
 * The door for every text that leaves: from a workflow, a model or a person of the shop. Pure: what may be
 * said is decided from the text and from what is known of this conversation, in time linear in both.
 *
 * What is let through besides plain prose: the ledger's own words; contact details that the customer wrote
 * here or the merchant published; order numbers that the customer wrote or was shown; amounts of their own
 * orders; links to the merchant's hosts, and the tracking links of their own parcels.
 */
import type { ActionSummary } from "../tools/views.ts";
import { claimInPlain, withoutLedger } from "./claims.ts";
import { isNoProse, leadsTo, linksIn, markupIn } from "./links.ts";
import { type PersonalDataKind, personalDataIn } from "./personal-data.ts";
import {
  contradicts,
  limitsStated,
  type PolicyNumbers,
  plainDecimal,
  type StatedLimit,
} from "./policy-numbers.ts";
import { folded } from "./reading.ts";
import { secretsIn } from "./secrets.ts";
import { toxicIn } from "./toxicity.ts";

export type FindingKind =
  | PersonalDataKind
  | "foreign_order"
  | "secret"
  | "toxic"
  | "claim"
  | "promise"
  | "policy_number"
  | "link"
  | "markup"
  | "not_prose";

export interface Finding {
  readonly kind: FindingKind;
  /** What is wrong, for whoever has to write it again; data that must not be repeated is not in it. */
  readonly about: string;
}

export type Leave = { readonly ok: true } | { readonly ok: false; readonly findings: readonly Finding[] };

export interface LeaveContext {
  /**
   * A person answers for claims and promises of their own, and code words its offers and outcomes from what
   * is decided; for all else both are held to the same.
   */
  readonly author: "agent" | "code" | "operator";
  /** The customer's actions: their words may be said. */
  readonly actions: readonly ActionSummary[];
  /** The merchant's own words as code read them (policy clauses, denials): what quotes them is theirs. */
  readonly ownTexts: readonly string[];
  /** What the customer wrote in this conversation. */
  readonly customerTexts: readonly string[];
  /** What they were shown in it before: it passed this door. */
  readonly shownTexts: readonly string[];
  /** Orders and actions of this customer, as the tools of this run answered. */
  readonly facts: readonly unknown[];
  /** Null: not read; then limits are not compared. */
  readonly policy: PolicyNumbers | null;
  /** The merchant's: hosts that links may lead to, e-mail addresses and phone numbers it publishes. */
  readonly linkHosts: readonly string[];
  readonly contacts: readonly string[];
}

export const NOTHING_KNOWN: LeaveContext = {
  author: "agent",
  actions: [],
  ownTexts: [],
  customerTexts: [],
  shownTexts: [],
  facts: [],
  policy: null,
  linkHosts: [],
  contacts: [],
};

/** Kinds that nobody may write, whoever's they are. */
const NEVER: ReadonlySet<FindingKind> = new Set(["card", "cvv", "ssn"]);

export function mayLeave(text: string, context: LeaveContext): Leave {
  const findings: Finding[] = [];
  const rest = withoutOwnWords(withoutLedger(text, context.actions), context.ownTexts);
  const plain = folded(rest).text;
  const shown = shownIn(context.facts);

  const markup = markupIn(plain, rest);
  if (markup !== null) findings.push({ kind: "markup", about: "It has markup in it; write plain text." });
  if (context.author === "agent" && isNoProse(rest)) {
    findings.push({ kind: "not_prose", about: "It is no sentence for a customer; write plain prose." });
  }
  for (const { url } of linksIn(plain)) {
    if (shown.links.has(url) || leadsTo(url, context.linkHosts)) continue;
    if (shown.links.has(url.replace(/[)\]]+$/, ""))) continue;
    findings.push({ kind: "link", about: "It has a link that is neither the shop's nor a carrier's." });
  }
  // Numbers that a tool answered with as such are no phones or cards, whatever they look like.
  const bare = shown.references.reduce(
    (left, reference) => left.replaceAll(reference, " "),
    withoutLinks(plain),
  );
  for (const { kind, value } of personalDataIn(bare)) {
    if (!NEVER.has(kind) && isKnown(value, [...context.customerTexts, ...context.contacts])) continue;
    findings.push({ kind, about: `It has ${NAMES[kind]} in it.` });
  }
  if (secretsIn(plain).length > 0) {
    findings.push({ kind: "secret", about: "It has a key, a token or a password in it." });
  }
  const foreign = foreignOrder(bare, shown.orders, [...context.customerTexts, ...context.shownTexts]);
  if (foreign) {
    findings.push({
      kind: "foreign_order",
      about: "It names an order that this customer has not been shown.",
    });
  }
  const toxic = toxicIn(plain);
  if (toxic !== null) findings.push({ kind: "toxic", about: "It insults or threatens." });
  if (context.author === "agent") {
    const claim = claimInPlain(plain);
    if (claim !== null) {
      findings.push({
        kind: claim.kind,
        about:
          claim.kind === "claim"
            ? "It says that something happened which no confirmed action shows."
            : "It promises money or a return; say what is confirmed, or what may be asked for.",
      });
    }
    const wrong = wrongLimit(plain, context, shown.amounts);
    if (wrong !== null) {
      findings.push({
        kind: "policy_number",
        about: `It states a limit (${wrong.kind === "days" ? `${wrong.value} days` : wrong.value}) that the policy does not.`,
      });
    }
  }
  return findings.length === 0 ? { ok: true } : { ok: false, findings };
}

/** True when the policy has to be read to judge the text. */
export const statesLimit = (text: string): boolean => limitsStated(text).length > 0;

function wrongLimit(
  plain: string,
  { policy, ownTexts }: LeaveContext,
  amounts: ReadonlySet<string>,
): StatedLimit | null {
  if (policy === null) return null;
  const stated = limitsStated(plain);
  if (stated.length === 0) return null;
  // A paraphrase of what a clause says is no contradiction either.
  const own = ownTexts.flatMap(limitsStated);
  const other = stated.filter(({ kind, value }) => !own.some((it) => it.kind === kind && it.value === value));
  return contradicts(other, policy, amounts);
}

/** Shorter pieces stand in any text. */
const SHORTEST_QUOTE = 12;

/** Without the sentences that stand in the merchant's own texts, word for word. */
function withoutOwnWords(text: string, ownTexts: readonly string[]): string {
  if (ownTexts.length === 0) return text;
  const own = ownTexts.map((it) => it.replace(/\s+/g, " "));
  return ownTexts
    .reduce((left, it) => left.replaceAll(it, " "), text)
    .split(/(?<=[.!?:])(?=\s)/)
    .filter((sentence) => {
      const plain = sentence.replace(/\s+/g, " ").trim();
      return plain.length < SHORTEST_QUOTE || !own.some((it) => it.includes(plain));
    })
    .join("");
}

const NAMES: Readonly<Record<PersonalDataKind, string>> = {
  card: "a card number",
  cvv: "a card's security code",
  iban: "a bank account number that the customer did not write",
  ssn: "a social security number",
  national_id: "an identity number that the customer did not write",
  email: "an e-mail address that the customer did not write",
  phone: "a phone number that the customer did not write",
  address: "an address that the customer did not write",
};

/** Only digits and letters count: how a number is grouped says nothing. */
const bareOf = (text: string): string =>
  folded(text)
    .text.toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, "");
function isKnown(value: string, texts: readonly string[]): boolean {
  const wanted = bareOf(value);
  return wanted.length >= 5 && texts.some((text) => bareOf(text).includes(wanted));
}

const withoutLinks = (text: string): string =>
  linksIn(text)
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text);

// Orders

const ORDER_NUMBER =
  /(?<![\p{L}\p{N}&/])#\s?([A-Za-z]{0,3}-?\d{2,12})(?![\p{L}\p{N}])|(?<!\p{L})(?:orders?|order (?:number|no\.?)|bestellung(?:en)?|bestellnummer|auftrag(?:snummer)?|pedidos?|commandes?|encomendas?|ordin[ei])(?!\p{L})(?: (?:number|no\.?|n[ºo°]\.?|nummer|nr\.?|num[eé]ro|n[uú]mero|numero|and|und|et|y|e))?[ :]{1,3}#?([A-Za-z]{0,3}-?\d{3,12})(?![\p{L}\p{N}%]| ?(?:€|\$|usd|eur|days?|items?|times?|pieces?|tage?|jours?|d[ií]as?|giorni)(?!\p{L}))/giu;

function foreignOrder(plain: string, known: ReadonlySet<string>, texts: readonly string[]): boolean {
  const named = [...plain.matchAll(ORDER_NUMBER)].map((match) => (match[1] ?? match[2] ?? "").toLowerCase());
  const unknown = named.filter((number) => !known.has(number));
  if (unknown.length === 0) return false;
  return unknown.some((number) => {
    // Who writes "#W2702727" has named 2702727 too: a few letters before a number are its shop's.
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])(?:[a-z]{1,3}-?)?${number}(?![\\p{L}\\p{N}])`, "iu");
    return !texts.some((text) => whole.test(folded(text).text));
  });
}

/** The order numbers that a text names, without `#`. */
export const orderNumbersIn = (text: string): readonly string[] => [
  ...new Set([...folded(text).text.matchAll(ORDER_NUMBER)].map((match) => match[1] ?? match[2] ?? "")),
];

// What the tools of this run showed

interface Shown {
  readonly orders: ReadonlySet<string>;
  readonly links: ReadonlySet<string>;
  readonly references: readonly string[];
  readonly amounts: ReadonlySet<string>;
}

const MOST_FACTS = 20_000;

/** Numbers, links and amounts of the customer's own orders, by the names of their fields. */
function shownIn(facts: readonly unknown[]): Shown {
  const orders = new Set<string>();
  const links = new Set<string>();
  const references = new Set<string>();
  const amounts = new Set<string>();
  const open: unknown[] = [...facts];
  for (let seen = 0; open.length > 0 && seen < MOST_FACTS; seen += 1) {
    const value = open.pop();
    if (value === null || typeof value !== "object") continue;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string") {
        if (name === "number" || name === "orderNumber") orders.add(inner.toLowerCase());
        else if (name === "trackingUrl" || name === "labelUrl") links.add(inner);
        else if (name === "trackingNumber" && /^[A-Za-z0-9-]{4,40}$/.test(inner)) references.add(inner);
      } else if (typeof inner === "number" && name.endsWith("Minor")) {
        for (const decimals of [0, 2, 3]) {
          const plain = plainDecimal((inner / 10 ** decimals).toFixed(decimals));
          if (plain !== null) amounts.add(plain);
        }
      } else open.push(inner);
    }
  }
  return { orders, links, references: [...references], amounts };
}
