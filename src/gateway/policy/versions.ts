/** Which version of a policy governs a request; pure. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startOfDateMs } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { parsePolicy } from "./document.ts";
import type { PolicyVersion } from "./policy.ts";

/**
 * The version that governs: of those in effect on the date that the policy itself names (when the
 * order was placed, or now), the latest. Its own rule counts, so the candidates are asked from the
 * newest to the oldest.
 *
 * @throws ProblemError `policy_missing`
 */
export function governingVersion(
  versions: readonly PolicyVersion[],
  when: { orderPlacedAt: number; requestedAt: number; timeZone: string },
): PolicyVersion {
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

/** Versions of one policy whose effective dates collide: which of the two would govern? */
export function collisions(versions: readonly PolicyVersion[]): string[] {
  const seen = new Map<string, PolicyVersion>();
  const found: string[] = [];
  for (const version of versions) {
    for (const key of [
      `${version.tenant}/${version.id}@${version.version}`,
      `${version.tenant}/${version.id} from ${version.effectiveFrom}`,
    ]) {
      if (seen.has(key)) found.push(`two versions are ${key}`);
      seen.set(key, version);
    }
  }
  return found;
}

/**
 * Every policy document of a folder.
 * @throws ProblemError `policy_invalid` with all faults of all documents
 */
export async function loadPolicyFiles(folder: string): Promise<readonly PolicyVersion[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  const versions = await Promise.all(
    names.map(async (name) => parsePolicy(await readFile(join(folder, name), "utf8"), name)),
  );
  const colliding = collisions(versions);
  if (colliding.length > 0) throw new ProblemError("policy_invalid", `${folder}: ${colliding.join("; ")}.`);
  return versions;
}
