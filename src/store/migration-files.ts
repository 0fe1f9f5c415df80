/**
 * The migrations that this version knows: `migrations/NNNN_name.sql`, in order, each with what it says of itself in
 * its first lines:
 *
 *     -- phase: expand                         the versions before it go on working on the schema that it makes
 *     -- phase: contract, needs 0050_name.sql  so do those that know the migration named; older ones do not
 *
 * One that says nothing counts as `contract` that no other version can work with.
 */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly phase: "expand" | "contract";
  /** Of `contract`: versions that know this migration can work with the schema; null: none but those that know it itself. */
  readonly needs: string | null;
}

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
const NAME = /^\d{4}_\w+\.sql$/;
const PHASE = /^-- phase: (expand|contract)(?:, needs (\d{4}_\w+\.sql))?$/m;

export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => NAME.test(name)).sort();
  return Promise.all(names.map(async (name) => migrationOf(name, await readFile(FOLDER + name, "utf8"))));
}

/** What a migration's text says of itself. Pure. */
export function migrationOf(name: string, sql: string): Migration {
  const [, phase = "contract", needs = null] = PHASE.exec(sql) ?? [];
  return { name, sql, phase: phase === "expand" ? "expand" : "contract", needs };
}
