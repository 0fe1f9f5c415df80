/** Which version of a policy governs a request (pure), and the documents of a folder. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startOfDateMs } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { faultLines, hashOfText, readPolicy } from "./document.ts";
import type { PolicyVersion } from "./policy.ts";

/**
 * The version that governs: of those in effect on the date that the policy itself names (when the
 * order was placed, or now), the latest. Its own rule counts, so the candidates are asked from the
 * newest to the oldest.
 *
 * @throws ProblemError `policy_missing`; `policy_invalid` when the versions do not say which of two governs
 */
export function governingVersion(
  versions: readonly PolicyVersion[],
  when: { orderPlacedAt: number; requestedAt: number; timeZone: string },
): PolicyVersion {
  const ambiguous = collisions(versions);
  if (ambiguous.length > 0) throw new ProblemError("policy_invalid", `${ambiguous.join("; ")}.`);
  const newestFirst = [...versions].sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1));
  const governing = newestFirst.find((version) => {
    const at = version.governedBy === "order_placed" ? when.orderPlacedAt : when.requestedAt;
    return startOfDateMs(when.timeZone, version.effectiveFrom) <= at;
  });
  // An order from before the first version is governed by the first: there was no other text.
  const oldest = newestFirst.at(-1);
  if (governing !== undefined) return governing;
  if (oldest !== undefined && startOfDateMs(when.timeZone, oldest.effectiveFrom) <= when.requestedAt)
    return oldest;
  throw new ProblemError("policy_missing");
}

/** What tells versions apart; a row of the database has it too. */
export type VersionKey = Pick<PolicyVersion, "tenant" | "id" | "version" | "effectiveFrom">;

/**
 * Versions of one tenant that leave open which of them would govern: the same version or effective date
 * twice, or policies with different IDs. In words, without a full stop.
 */
export function collisions(versions: readonly VersionKey[]): string[] {
  const seen = new Set<string>();
  const idOf = new Map<string, string>();
  const found = new Set<string>();
  for (const { tenant, id, version, effectiveFrom } of versions) {
    const first = idOf.get(tenant) ?? id;
    idOf.set(tenant, first);
    if (first !== id)
      found.add(`two policies, ${first} and ${id}, are of ${tenant}: neither governs the other`);
    for (const key of [`${tenant}/${id}@${version}`, `${tenant}/${id} from ${effectiveFrom}`]) {
      if (seen.has(key)) found.add(`two versions are ${key}`);
      seen.add(key);
    }
  }
  return [...found];
}

/**
 * Every policy document of a folder, by name of its file; without those whose hash is in `published`, which
 * were validated when they were published and never change.
 * @throws ProblemError `policy_invalid` with all faults of all documents
 */
export async function loadPolicyFiles(
  folder: string,
  published: ReadonlySet<string> = new Set(),
): Promise<readonly PolicyVersion[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    throw new ProblemError("policy_invalid", `The folder ${folder} cannot be read (${cause.code}).`, {
      cause,
    });
  });
  const names = entries
    .filter((entry) => entry.name.endsWith(".md") && !entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const versions: PolicyVersion[] = [];
  const wrong: string[] = [];
  for (const name of names) {
    const source = await readFile(join(folder, name), "utf8");
    if (published.has(hashOfText(source))) continue;
    const parsed = readPolicy(source);
    if (parsed.ok) versions.push(parsed.policy);
    else wrong.push(...faultLines(name, parsed.faults));
  }
  wrong.push(...collisions(versions).map((text) => `${folder}: ${text}.`));
  if (wrong.length > 0) throw new ProblemError("policy_invalid", wrong.join("\n"));
  return versions;
}
