import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfiguration } from "../../src/configuration.ts";
import { startServer } from "../../src/server.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { temporaryFolder } from "../kit/database.ts";
import { run } from "./io.ts";

let folder: ReturnType<typeof temporaryFolder>;
const at = (name: string) => join(folder.path, name);
const env = (data: string) => ({ PORT: "0", RECOURSE_SANDBOX_PORT: "0", RECOURSE_DATA_DIR: at(data) });
const start = (data: string) =>
  startServer(loadConfiguration(env(data), folder.path), pino({ level: "silent" }));
/** Runs SQL in a data folder's database, of which no process runs. */
async function sql(data: string, text: string) {
  const database = await openEmbedded(join(at(data), "database"));
  const session = await database.acquire();
  const { rows } = await session.script(text);
  session.release();
  await database.close();
  return rows;
}
async function refundsAtProvider(sandboxUrl: string): Promise<number> {
  const response = await fetch(`${sandboxUrl}/v1/refunds?charge=ch_nw_1044`, {
    headers: { authorization: "Bearer sk_test_sandbox" },
  });
  return ((await response.json()) as { data: unknown[] }).data.length;
}

/** Refusals while the server runs, then one backup of it stopped: all tests read these. */
let whileRunning: Awaited<ReturnType<typeof run>>;
let made: Awaited<ReturnType<typeof run>>;
beforeAll(async () => {
  folder = temporaryFolder();
  const server = await start("first");
  await run(["chat", "--as", "ben", "--url", server.url], "please refund order 1044\nyes\nyes\n");
  whileRunning = await run(["backup", at("early")], "", env("first"));
  await server.stop();
  made = await run(["backup", at("kept")], "", env("first"));
}, 90_000);
afterAll(() => folder.remove());

describe("a backup of the embedded store", () => {
  test("is refused while a process holds the data folder, and leaves nothing behind", () => {
    expect(whileRunning.code).not.toBe(0);
    expect(whileRunning.err).toContain("Another process uses the data folder");
    expect(existsSync(at("early"))).toBe(false);
  });

  test("is readable by its owner only", () => {
    expect(made.err).toBe("");
    expect(made.code).toBe(0);
    expect(statSync(at("kept")).mode & 0o077).toBe(0);
    for (const file of ["database.tar.gz", "manifest.json", "files/sign-in-secret"])
      expect(statSync(join(at("kept"), file)).mode & 0o077, file).toBe(0);
  });

  test("restores to the same rows and secrets, the audit checked, and the refund still happened once", async () => {
    const restored = await run(["restore", at("kept")], "", env("second"));
    expect(restored.err).toBe("");
    expect(restored.code).toBe(0);
    expect(restored.out).toContain("every link holds");
    for (const table of ["actions", "events", "audit", "allocations"]) {
      const count = `select count(*) as n from recourse.${table}`;
      const [before] = await sql("first", count);
      expect(await sql("second", count), table).toEqual([before]);
      expect(before?.n, table).toBeGreaterThan(0);
    }
    const secret = (data: string) => readFileSync(join(at(data), "sign-in-secret"), "utf8");
    expect(secret("second")).toBe(secret("first"));
    const server = await start("second");
    try {
      await run(["chat", "--as", "ben", "--url", server.url], "please refund order 1044\nyes\nyes\n");
      expect(await refundsAtProvider(server.sandboxUrl as string)).toBe(1);
    } finally {
      await server.stop();
    }
  });

  test("replaces nothing: neither a backup nor a data folder that has anything in it", async () => {
    const again = await run(["backup", at("kept")], "", env("first"));
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining("exists already") });
    const over = await run(["restore", at("kept")], "", env("first"));
    expect(over).toMatchObject({ code: 1, err: expect.stringContaining("is not empty") });
  });

  test("whose archive was changed, or that was cut off before its manifest, is not restored", async () => {
    expect(spawnSync("cp", ["-r", at("kept"), at("changed")]).status).toBe(0);
    const archive = join(at("changed"), "database.tar.gz");
    const bytes = readFileSync(archive);
    bytes.writeUInt8(bytes.readUInt8(1_000) ^ 1, 1_000);
    writeFileSync(archive, bytes);
    const changed = await run(["restore", at("changed")], "", env("third"));
    expect(changed).toMatchObject({ code: 1, err: expect.stringContaining("SHA-256") });
    const none = await run(["restore", folder.path], "", env("third"));
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("not a whole backup") });
    expect(existsSync(join(at("third"), "database"))).toBe(false);
  });

  test("that was taken of a log without its end is told apart from the one before", async () => {
    expect(spawnSync("cp", ["-r", at("kept"), at("cut")]).status).toBe(0);
    const path = join(at("cut"), "manifest.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    manifest.audit[0].entries += 1;
    writeFileSync(path, JSON.stringify(manifest));
    const restored = await run(["restore", at("cut")], "", env("fourth"));
    expect(restored).toMatchObject({ code: 1, out: expect.stringContaining("has lost its end") });
  });
});
