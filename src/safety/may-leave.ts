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
import { strayLinkIn, withoutLinks } from "./links.ts";
import { isNoProse, markupIn } from "./markup.ts";
import { knownIn, namesForeignOrder, shownIn } from "./own.ts";
import { type PersonalDataKind, personalDataIn } from "./personal-data.ts";
import { contradicts, limitsStated, type PolicyNumbers, type StatedLimit } from "./policy-numbers.ts";
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

/** What may leave, or each kind of thing that keeps it back, once. */
export function mayLeave(text: string, context: LeaveContext): Leave {
  const findings = new Map<FindingKind, Finding>();
  const add = (kind: FindingKind, about: string) => {
    if (!findings.has(kind)) findings.set(kind, { kind, about });
  };
  const rest = withoutOwnWords(withoutLedger(text, context.actions), context.ownTexts);
  const plain = folded(rest).text;
  const shown = shownIn(context.facts);

  if (markupIn(plain, rest) !== null) add("markup", "It has markup in it; write plain text.");
  if (context.author === "agent" && isNoProse(rest)) {
    add("not_prose", "It is no sentence for a customer; write plain prose.");
  }
  if (strayLinkIn(rest, { links: shown.links, hosts: context.linkHosts }) !== null) {
    add("link", "It has a link that is neither the shop's nor a carrier's.");
  }
  // Numbers that a tool answered with as such are no phones or cards, whatever they look like.
  const bare = shown.references.reduce(
    (left, reference) => left.replaceAll(reference, " "),
    withoutLinks(plain),
  );
  const isKnown = knownIn([...context.customerTexts, ...context.contacts]);
  for (const found of personalDataIn(bare)) {
    if (NEVER.has(found.kind) || !isKnown(found)) add(found.kind, `It has ${NAMES[found.kind]} in it.`);
  }
  if (secretsIn(plain).length > 0) add("secret", "It has a key, a token or a password in it.");
  if (namesForeignOrder(bare, shown.orders, [...context.customerTexts, ...context.shownTexts])) {
    add("foreign_order", "It names an order that this customer has not been shown.");
  }
  if (toxicIn(plain) !== null) add("toxic", "It insults or threatens.");
  if (context.author === "agent") {
    const claim = claimInPlain(plain, shown);
    if (claim?.kind === "claim") {
      add("claim", "It says that something happened which no confirmed action shows.");
    } else if (claim?.kind === "promise") {
      add("promise", "It promises money or a return; say what is confirmed, or what may be asked for.");
    }
    const wrong = wrongLimit(plain, context, shown.amounts);
    if (wrong !== null) {
      const limit = wrong.kind === "days" ? `${wrong.value} days` : wrong.value;
      add("policy_number", `It states a limit (${limit}) that the policy does not.`);
    }
  }
  return findings.size === 0 ? { ok: true } : { ok: false, findings: [...findings.values()] };
}

/** True when the policy has to be read to judge the text. */
export const statesLimit = (text: string): boolean => limitsStated(text).length > 0;

function wrongLimit(
  plain: string,
  { policy, ownTexts }: LeaveContext,
  amounts: () => ReadonlySet<string>,
): StatedLimit | null {
  if (policy === null) return null;
  const stated = limitsStated(plain);
  if (stated.length === 0) return null;
  // A paraphrase of what a clause says is no contradiction either.
  const own = ownTexts.flatMap(limitsStated);
  const other = stated.filter(({ kind, value }) => !own.some((it) => it.kind === kind && it.value === value));
  return contradicts(other, policy, amounts());
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
