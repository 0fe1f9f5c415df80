/**
 * Two versions at once on one server: the oldest one that may still run beside this one, as it stands in the history,
 * and this one. Both start on the schema of this version and of one to come, work for the same customers, and end.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  agentTexts,
  Customer,
  freePort,
  type LogEvent,
  type Running,
  refundsAt,
  start,
  startSandbox,
  stop,
} from "../../bench/processes.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { migrate } from "../../src/store/migrate.ts";
import { migrationOf, readMigrations } from "../../src/store/migration-files.ts";
import { openServer } from "../../src/store/server.ts";
import { ROOT } from "../house/imports.ts";
import { SERVER_URL, scripts } from "../kit/server-database.ts";

const SUPER_URL = process.env.RECOURSE_BACKUP_DATABASE_URL as string;
const NAME = "recourse_rolling";
const inDatabase = (url: string): string => Object.assign(new URL(url), { pathname: `/${NAME}` }).href;
const git = (...args: readonly string[]): Buffer =>
  execFileSync("git", args, { cwd: ROOT, maxBuffer: 256 * 1_048_576 });

const folder = mkdtempSync(join(tmpdir(), "recourse-rolling-"));
const before = join(folder, "before");
const running: Running[] = [];

beforeAll(async () => {
  await scripts(
    SUPER_URL,
    `drop database if exists ${NAME} with (force)`,
    `create database ${NAME} owner recourse_login`,
  );
  await scripts(inDatabase(SUPER_URL), "create extension vector");
  // The commit that brought what the newest `contract` needs; without one, the commit that brought the rule.
  const needed = (await readMigrations()).findLast(({ needs }) => needs !== null)?.needs;
  const file = needed === undefined ? "src/store/migration-files.ts" : `src/store/migrations/${needed}`;
  const commit = String(git("log", "-1", "--format=%H", "--diff-filter=A", "--", file)).trim();
  expect(commit, "the history is needed here").toMatch(/^[0-9a-f]{40}$/);
  mkdirSync(before);
  const paths = ["package.json", "src", "sandbox", "policies", "prompts", "knowledge"];
  execFileSync("tar", ["-x", "-C", before], { input: git("archive", commit, ...paths) });
  symlinkSync(join(ROOT, "node_modules"), join(before, "node_modules"));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => stop(each)));
});
afterAll(async () => {
  await scripts(SUPER_URL, `drop database if exists ${NAME} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

const says = (said: string) => (events: readonly LogEvent[]) =>
  agentTexts(events).some((text) => text.includes(said));

test("the version before starts on this one's schema and on the next one's, and both refund once beside each other", {
  timeout: 180_000,
}, async () => {
  const known = await readMigrations();
  const database = openServer(inDatabase(SERVER_URL), systemClock, 2);
  await migrate(database, {
    migrations: [
      ...known,
      migrationOf(
        "0999_to_come.sql",
        "-- phase: expand\nset local search_path = recourse;\nalter table events add column to_come text;\ncreate index events_to_come on events (tenant_id, to_come) where to_come is not null;",
      ),
    ],
  });
  await database.close();

  const [sandboxPort, oldPort, newPort] = [await freePort(), await freePort(), await freePort()];
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const oldUrl = `http://127.0.0.1:${oldPort}`;
  running.push(await startSandbox(folder, sandboxPort));
  const launch = async (root: string, role: string, port: number): Promise<Running> => {
    const launched = await start(
      join(relative(ROOT, root), "src/main.ts"),
      {
        PORT: String(port),
        DATABASE_URL: inDatabase(SERVER_URL),
        RECOURSE_ROLE: role,
        RECOURSE_DATA_DIR: folder,
        RECOURSE_SANDBOX: sandboxUrl,
        RECOURSE_PUBLIC_URL: oldUrl,
        RECOURSE_LOG_LEVEL: "warn",
      },
      /^Ready\./m,
    );
    running.push(launched);
    return launched;
  };
  await launch(before, "serve", oldPort);
  const oldWorker = await launch(before, "work", 0);

  // Asked of the old ones, agreed to with both at work, told by whoever of them it was.
  const ben = await Customer.enter(oldUrl, "ben");
  const conversation = await ben.open();
  await ben.send(conversation, "I want a refund for order 1044", "m1");
  await ben.until(conversation, says("Shall I go ahead?"));
  await launch(ROOT, "work", 0);
  await launch(ROOT, "serve", newPort);
  await ben.send(conversation, "yes", "m2");
  const log = await ben.until(conversation, says("has confirmed your refund"));
  expect(agentTexts(log).filter((said) => said.includes("has confirmed your refund"))).toHaveLength(1);
  expect(await refundsAt(sandboxUrl, "ch_nw_1044")).toMatchObject([{ amount: 6400, status: "succeeded" }]);

  // The old worker goes; a customer of the new server is served by the new worker, and one of the old server too.
  oldWorker.child.kill("SIGTERM");
  expect(await oldWorker.exited).toEqual({ code: 0, signal: null });
  const ada = await Customer.enter(`http://127.0.0.1:${newPort}`, "ada");
  const hers = await ada.open();
  await ada.send(hers, "refund the socks from order 1042", "m1");
  await ada.until(hers, says("Shall I go ahead?"));
  await ada.send(hers, "yes", "m2");
  await ada.until(hers, says("has confirmed your refund"));
  await ben.send(conversation, "where is my order 1044?", "m3");
  await ben.until(conversation, (events) => agentTexts(events).length > agentTexts(log).length);
  for (const each of running) expect(each.output()).not.toMatch(/"level":[56]0/);
});
