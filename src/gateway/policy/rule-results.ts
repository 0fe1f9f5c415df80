/**
 * Every clause that had a say in a decision, with what its rules read and what came of it: for the person who
 * decides after the policy. Pure: from the decision's record and the version that it names.
 */
import { contextOf } from "./evaluate.ts";
import { type DecisionRecord, readsOf } from "./explain.ts";
import type { PolicyVersion } from "./policy.ts";

export interface RuleResult {
  readonly clause_id: string;
  readonly title: string;
  /** The clause as it stands in the document; of a rule that stands in code, what customers are told. */
  readonly text: string;
  /** `permits`, `forbids`, `needs_person`: it decided. `no_objection`: it was asked and had nothing against it. */
  readonly result: "permits" | "forbids" | "needs_person" | "no_objection";
  /** Facts and limits, by name, with their values; minor units where the name says so. */
  readonly inputs: readonly { readonly name: string; readonly value: unknown }[];
}

const DECIDES = { allow: "permits", deny: "forbids", needs_approval: "needs_person" } as const;

/** Those that decided first, then in document order. */
export function ruleResults(record: DecisionRecord, policy: PolicyVersion): readonly RuleResult[] {
  const { verdict, action } = record;
  const asked = verdict.decision === "deny" ? [action] : [action, `${action}.unattended`];
  const context = contextOf(policy, record.facts) as unknown as Readonly<
    Record<string, Readonly<Record<string, unknown>> | undefined>
  >;
  const inputsOf = (clauseId: string) =>
    readsOf(policy, clauseId, asked).map((name) => {
      const [group = "", member = ""] = name.split(".");
      return { name, value: context[group]?.[member] ?? null };
    });
  const deciding = verdict.clauses.map((clause): RuleResult => {
    const inDocument = policy.clauses.find(({ id }) => id === clause.clauseId);
    return {
      clause_id: clause.clauseId,
      title: clause.title,
      text: inDocument?.prose ?? clause.customerText,
      result: DECIDES[verdict.decision],
      inputs: inDocument === undefined ? [] : inputsOf(clause.clauseId),
    };
  });
  // A denial ends at what forbids: the others were not what mattered.
  if (verdict.decision === "deny") return deciding;
  const others = policy.clauses
    .filter(({ id }) => !verdict.clauses.some(({ clauseId }) => clauseId === id))
    .map(
      (clause): RuleResult => ({
        clause_id: clause.id,
        title: clause.title,
        text: clause.prose,
        result: "no_objection",
        inputs: inputsOf(clause.id),
      }),
    )
    .filter(({ inputs }) => inputs.length > 0);
  return [...deciding, ...others];
}
