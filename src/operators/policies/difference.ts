/** What changed between two texts, line by line, and between two policies, clause by clause. Pure. */
import type { PolicyVersion } from "../../gateway/policy/policy.ts";

export interface LineChange {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Longer texts are compared as wholes: the table of a comparison grows with the product of both. */
const LINES_MAX = 2_000;

/** The fewest lines removed and added, in reading order. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const a = before.split(/\r?\n/);
  const b = after.split(/\r?\n/);
  if (a.length > LINES_MAX || b.length > LINES_MAX) {
    return [
      ...a.map((text): LineChange => ({ kind: "removed", text })),
      ...b.map((text): LineChange => ({ kind: "added", text })),
    ];
  }
  const width = b.length + 1;
  // The longest common subsequence of the rest of both, from the end.
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ kind: "same", text: a[i] as string });
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    ) {
      changes.push({ kind: "removed", text: a[i] as string });
      i += 1;
    } else {
      changes.push({ kind: "added", text: b[j] as string });
      j += 1;
    }
  }
  return changes;
}

export interface ClauseChange {
  readonly clause_id: string;
  readonly kind: "added" | "removed" | "changed";
  readonly title: string;
  /** What of it changed: its words, what customers are told, its rules. */
  readonly parts: readonly ("title" | "prose" | "customer" | "rules")[];
}

export interface LimitChange {
  /** `returnWindowDays`, `unattendedMaxMinor.USD` */
  readonly limit: string;
  readonly before: number | null;
  readonly after: number | null;
}

export function clauseChanges(before: PolicyVersion, after: PolicyVersion): readonly ClauseChange[] {
  const rulesOf = (policy: PolicyVersion, id: string): string =>
    policy.statements
      .filter(({ clauseId }) => clauseId === id)
      .map(({ text }) => text.replace(/\s+/g, " ").trim())
      .join("\n");
  const ids = [...new Set([...before.clauses, ...after.clauses].map(({ id }) => id))];
  return ids.flatMap((id): ClauseChange[] => {
    const was = before.clauses.find((clause) => clause.id === id);
    const is = after.clauses.find((clause) => clause.id === id);
    if (was === undefined || is === undefined) {
      const title = (was ?? is)?.title ?? id;
      return [{ clause_id: id, kind: was === undefined ? "added" : "removed", title, parts: [] }];
    }
    const parts = [
      ...(was.title === is.title ? [] : ["title" as const]),
      ...(was.prose === is.prose ? [] : ["prose" as const]),
      ...(was.customerText === is.customerText &&
      JSON.stringify(was.translations) === JSON.stringify(is.translations)
        ? []
        : ["customer" as const]),
      ...(rulesOf(before, id) === rulesOf(after, id) ? [] : ["rules" as const]),
    ];
    return parts.length === 0 ? [] : [{ clause_id: id, kind: "changed", title: is.title, parts }];
  });
}

export function limitChanges(before: PolicyVersion, after: PolicyVersion): readonly LimitChange[] {
  const was = flat(before.limits);
  const is = flat(after.limits);
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((limit) => was.get(limit) !== is.get(limit))
    .map((limit) => ({ limit, before: was.get(limit) ?? null, after: is.get(limit) ?? null }));
}

function flat(value: object, path = ""): Map<string, number> {
  return new Map(
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === "number"
        ? [[path + name, inner] as const]
        : [...flat(inner as object, `${path}${name}.`)],
    ),
  );
}
