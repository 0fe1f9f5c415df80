/**
 * Whether what a person saw still holds, pure. Facts change all the time (a day passes); what matters is whether
 * it is still permitted, by which version of the policy, and for which clauses it needs a person.
 */
import type { FieldChange } from "./reviews.ts";

/** A decision of the gateway as it is kept with an action. */
interface StoredEvaluation {
  readonly verdict?: {
    readonly decision: string;
    readonly policyId: string;
    readonly policyVersion: string;
    readonly clauses: readonly { readonly clauseId: string; readonly title: string }[];
  };
  readonly facts?: unknown;
  readonly stop?: { readonly code?: string; readonly message?: string; readonly explanation?: string };
  readonly reason?: string;
}

const FACTS_LISTED = 50;

/** Empty when a decision on what was seen can stand. */
export function materialChanges(
  seen: unknown,
  now: { readonly permitted: boolean; readonly decision: unknown },
): readonly FieldChange[] {
  const before = (seen ?? {}) as StoredEvaluation;
  const after = (now.decision ?? {}) as StoredEvaluation;
  if (!now.permitted) {
    const why = after.stop?.explanation ?? after.stop?.message ?? after.reason ?? "";
    return [
      { field: "permitted", seen: true, now: false },
      { field: "explanation", seen: null, now: why },
      ...(after.stop?.code === undefined ? [] : [{ field: "code", seen: null, now: after.stop.code }]),
    ];
  }
  const policy = (it: StoredEvaluation) =>
    it.verdict === undefined ? null : `${it.verdict.policyId}@${it.verdict.policyVersion}`;
  const clauses = (it: StoredEvaluation) =>
    (it.verdict?.clauses ?? []).map(({ clauseId }) => clauseId).sort();
  const changes: FieldChange[] = [];
  if (policy(before) !== policy(after)) {
    changes.push({ field: "policy", seen: policy(before), now: policy(after) });
  }
  const known = clauses(before);
  const isStricter =
    after.verdict?.decision !== "allow" && clauses(after).some((clause) => !known.includes(clause));
  if (isStricter) {
    changes.push({ field: "clauses", seen: known, now: clauses(after) });
  }
  return changes.length === 0 ? [] : [...changes, ...factChanges(before.facts, after.facts)];
}

/** Leaves of the facts that differ, by their path. */
function factChanges(seen: unknown, now: unknown): FieldChange[] {
  const before = leavesOf(seen);
  const after = leavesOf(now);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .slice(0, FACTS_LISTED)
    .map((path) => ({
      field: `facts.${path}`,
      seen: before.get(path) ?? null,
      now: after.get(path) ?? null,
    }));
}

function leavesOf(value: unknown, path = "", leaves = new Map<string, unknown>()): Map<string, unknown> {
  if (value !== null && typeof value === "object") {
    for (const [name, inner] of Object.entries(value)) {
      leavesOf(inner, path === "" ? name : `${path}.${name}`, leaves);
    }
  } else if (path !== "") leaves.set(path, value);
  return leaves;
}
