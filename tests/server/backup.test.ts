/** Backup of a PostgreSQL server while it works, restored into an empty database beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Database } from "../../src/store/database.ts";
import { checkRole, migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { waiting } from "../actions/reviews-kit.ts";
import { run } from "../cli/io.ts";
import { temporaryFolder } from "../kit/database.ts";
import { emptyServer, SERVER_URL, scripts } from "../kit/server-database.ts";

const OWNER_URL = process.env.RECOURSE_BACKUP_DATABASE_URL as string;
const NAME = "recourse_restored";
const inRestored = (url: string) => Object.assign(new URL(url), { pathname: `/${NAME}` }).href;

let folder: ReturnType<typeof temporaryFolder>;
let database: Database;
const env = (data: string, more: Record<string, string> = {}) => ({
  DATABASE_URL: SERVER_URL,
  RECOURSE_BACKUP_DATABASE_URL: OWNER_URL,
  RECOURSE_DATA_DIR: join(folder.path, data),
  ...more,
});
const restoredEnv = (data: string) =>
  env(data, { DATABASE_URL: inRestored(SERVER_URL), RECOURSE_BACKUP_DATABASE_URL: inRestored(OWNER_URL) });

beforeAll(async () => {
  folder = temporaryFolder();
  database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  await emptyServer(database);
});
afterAll(async () => {
  await database.close();
  await scripts(OWNER_URL, `drop database if exists ${NAME}`);
  folder.remove();
});

test("a backup of a server is refused for a role that would see no row, and leaves nothing behind", async () => {
  const refused = await run(
    ["backup", join(folder.path, "blind")],
    "",
    env("a", { RECOURSE_BACKUP_DATABASE_URL: "" }),
  );
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("may not read all rows") });
});

test("taken while it works, it restores every row, the audit checked, under roles that row-level security holds", async () => {
  const { w } = await waiting(undefined, { store: createStore(database) });
  const kept = join(folder.path, "kept");
  const made = await run(["backup", kept], "", env("a"));
  await w.close();
  expect(made.err).toBe("");
  expect(made.code).toBe(0);

  await scripts(OWNER_URL, `drop database if exists ${NAME}`, `create database ${NAME} owner recourse_login`);
  await scripts(inRestored(OWNER_URL), "create extension vector");
  const restored = await run(["restore", kept], "", restoredEnv("b"));
  expect(restored.err).toBe("");
  expect(restored.out).toContain("every link holds");
  expect(restored.code).toBe(0);
  for (const table of ["actions", "reviews", "events", "audit"]) {
    const count = `select count(*) as n, md5(string_agg(t::text, '|' order by t::text)) as content from recourse.${table} t`;
    const [before] = await scripts(OWNER_URL, count);
    expect(before?.n, table).toBeGreaterThan(0);
    expect(await scripts(inRestored(OWNER_URL), count), table).toEqual([before]);
  }

  const again = openServer(inRestored(SERVER_URL), systemClock, 2);
  try {
    expect(await migrate(again), "nothing is left to migrate").toEqual([]);
    await checkRole(again);
    const session = await again.acquire();
    const { rows } = await session.script(
      "begin; select set_config('role', 'recourse_app', true); select count(*) as n from recourse.audit; commit",
    );
    session.release();
    expect(rows.find((row) => "n" in row)?.n, "without a scope, no row is seen").toBe(0);
  } finally {
    await again.close();
  }

  const over = await run(["restore", kept], "", restoredEnv("c"));
  expect(over).toMatchObject({ code: 1, err: expect.stringContaining("has the schema `recourse` already") });
  const wrongKind = await run(["restore", kept], "", { RECOURSE_DATA_DIR: join(folder.path, "d") });
  expect(wrongKind).toMatchObject({ code: 2, err: expect.stringContaining("Set DATABASE_URL") });
});

test("an entry of the audit log that was changed in the dump's source is found by restoring", async () => {
  const forged = join(folder.path, "forged");
  await scripts(
    OWNER_URL,
    "set session_replication_role = replica; update recourse.audit set kind = 'forged' where n = 1",
  );
  expect((await run(["backup", forged], "", env("a"))).code).toBe(0);
  await scripts(OWNER_URL, `drop database if exists ${NAME}`, `create database ${NAME} owner recourse_login`);
  await scripts(inRestored(OWNER_URL), "create extension vector");
  const restored = await run(["restore", forged], "", restoredEnv("e"));
  expect(restored).toMatchObject({ code: 1, out: expect.stringContaining("is broken at entry 1") });
  const manifest = readFileSync(join(forged, "manifest.json"), "utf8");
  expect(manifest).not.toContain("recourse_owner");
  writeFileSync(join(forged, "manifest.json"), manifest.replace('"format": 1', '"format": 2'));
  expect(await run(["restore", forged], "", restoredEnv("f"))).toMatchObject({
    code: 1,
    err: expect.stringContaining("not one that this version reads"),
  });
});
