/**
 * Before any test: one embedded database with the product's migrations, kept as a file from which each test file's
 * own one starts. Initialising and migrating one takes two to four seconds of processor time, starting from the file
 * a third of that (measured).
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { openEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { TEMPLATE, temporaryFolder } from "./database.ts";

export default async function makeTemplate(): Promise<() => void> {
  // Whoever starts many runs after each other makes one for all.
  if (process.env[TEMPLATE] !== undefined) return () => {};
  const folder = temporaryFolder();
  const data = join(folder.path, "data");
  const database = await openEmbedded(data);
  await migrate(database);
  await database.close();
  const pglite = await PGlite.create({ dataDir: data, extensions: { vector } });
  const dump = await pglite.dumpDataDir("none");
  await pglite.close();
  rmSync(data, { recursive: true });
  const path = join(folder.path, "template.tar");
  writeFileSync(path, Buffer.from(await dump.arrayBuffer()));
  process.env[TEMPLATE] = path;
  return folder.remove;
}
