/**
 * Why a decision was what it was, as text for an operator: the clauses with their prose and place in the
 * document, the facts and limits that their rules read with the values they had, version and hash (G7).
 * Pure: everything comes from the decision's record and the policy version that it names.
 */
import { isoInstant } from "../../kernel/calendar.ts";
import { type Currency, formatMoney } from "../../kernel/money.ts";
import { contextOf } from "./evaluate.ts";
import type { PolicyFacts } from "./facts.ts";
import type { DecidingClause, PolicyAction, PolicyClause, PolicyVersion, Verdict } from "./policy.ts";
import { aboutRule } from "./rules.ts";

/** A decision as it is stored with its action: plain JSON. */
export interface DecisionRecord {
  readonly verdict: Verdict;
  readonly facts: PolicyFacts;
  readonly action: PolicyAction;
  /** Epoch milliseconds. */
  readonly evaluatedAt: number;
}

const DECISIONS: Readonly<Record<Verdict["decision"], string>> = {
  allow: "allowed without a person",
  needs_approval: "needs a person's approval",
  deny: "not allowed",
};

/** `policy` is the version that the verdict names; another one is said to be another one. */
export function explainDecision(record: DecisionRecord, policy: PolicyVersion): string {
  const { verdict, facts, action } = record;
  const deciding = new Set(verdict.clauses.map(({ clauseId }) => clauseId));
  const others = verdict.decision === "deny" ? [] : policy.clauses.filter(({ id }) => !deciding.has(id));
  const checked = others.filter((clause) => readsOf(policy, clause.id, actionsAsked(record)).length > 0);
  return [
    `A ${action}${amountOf(record)}: ${DECISIONS[verdict.decision]}`,
    `  policy ${verdict.policyId} version ${verdict.policyVersion} of ${policy.tenant}, in effect from ${policy.effectiveFrom} (${governs(policy)})`,
    `  SHA-256 ${verdict.policyHash}`,
    `  decided at ${isoInstant(record.evaluatedAt)}`,
    ...(verdict.policyHash === policy.hash
      ? []
      : [
          `  Attention: the document at hand is version ${policy.version} with SHA-256 ${policy.hash}, not the one that decided. Its clauses below may read differently.`,
        ]),
    ...verdict.errors.flatMap((error, index) => [...(index === 0 ? ["", "Errors"] : []), `  ${error}`]),
    "",
    verdict.decision === "allow" ? "Clauses that permit it" : "Clauses that decided",
    ...verdict.clauses.flatMap((clause) => decidingLines(record, policy, clause)),
    ...(checked.length === 0 ? [] : ["", "Clauses that had nothing against it"]),
    ...checked.flatMap((clause) => [titleLine(clause), ...factLines(record, policy, clause.id)]),
    ...(verdict.decision === "deny" && verdict.errors.length > 0 ? ["", ...allFacts(facts)] : []),
  ].join("\n");
}

const titleLine = (clause: PolicyClause): string => `  § ${clause.title} (${clause.id}, line ${clause.line})`;

function decidingLines(record: DecisionRecord, policy: PolicyVersion, deciding: DecidingClause): string[] {
  const clause = policy.clauses.find(({ id }) => id === deciding.clauseId);
  if (clause === undefined)
    return [`  § ${deciding.title} (${deciding.clauseId}, in no document)`, `    ${deciding.customerText}`];
  return [
    titleLine(clause),
    ...clause.prose.split("\n").map((line) => `    ${line}`.trimEnd()),
    `    Customer: ${deciding.customerText}`,
    ...factLines(record, policy, clause.id),
  ];
}

/** Rules of a clause that speak of what was asked, and the facts they read. */
export function readsOf(policy: PolicyVersion, clauseId: string, actions: readonly string[]): string[] {
  const rules = policy.statements.filter((statement) => statement.clauseId === clauseId);
  return [
    ...new Set(
      rules
        .map(({ text }) => aboutRule(text))
        .filter((rule) => rule.actions?.some((action) => actions.includes(action)) ?? true)
        .flatMap((rule) => rule.reads),
    ),
  ];
}

/** A deny answered the first question; anything else was asked both. */
const actionsAsked = ({ action, verdict }: DecisionRecord): string[] =>
  verdict.decision === "deny" ? [action] : [action, `${action}.unattended`];

function factLines(record: DecisionRecord, policy: PolicyVersion, clauseId: string): string[] {
  const context: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = contextOf(
    policy,
    record.facts,
  ) as never;
  return readsOf(policy, clauseId, actionsAsked(record)).map((fact) => {
    const [group = "", name = ""] = fact.split(".");
    return `    ${fact} = ${valueText(fact, context[group]?.[name], record.facts.order.currency, policy.currency)}`;
  });
}

function valueText(fact: string, value: unknown, ofOrder: Currency, ofTenant: Currency): string {
  if (value === undefined) return `none in ${ofOrder}`;
  if (typeof value !== "number" || !fact.endsWith("Minor")) return String(value);
  const currency = /lifetimeSpend/i.test(fact) ? ofTenant : ofOrder;
  return `${value} (${formatMoney({ amountMinor: value, currency })})`;
}

function allFacts(facts: PolicyFacts): string[] {
  const lines = Object.entries(facts).flatMap(([group, members]) =>
    Object.entries(members ?? {}).map(([name, value]) => `  ${group}.${name} = ${String(value)}`),
  );
  return ["Facts", ...lines];
}

/** Facts that could not be evaluated may lack anything. */
function amountOf({ action, facts }: DecisionRecord): string {
  const { amountMinor } = (facts as Partial<PolicyFacts>).request ?? {};
  const { currency } = (facts as Partial<PolicyFacts>).order ?? {};
  if (action !== "refund" || !Number.isSafeInteger(amountMinor) || currency === undefined) return "";
  return ` of ${formatMoney({ amountMinor: amountMinor as number, currency })}`;
}

const governs = ({ governedBy }: PolicyVersion): string =>
  governedBy === "order_placed" ? "the date of the order counts" : "the date of the request counts";
