/** Migrations by the schema's owner, processes under a login role that owns nothing and may create nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  agentTexts,
  Customer,
  freePort,
  type Running,
  refundsAt,
  start,
  startSandbox,
  stop,
} from "../../bench/processes.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { prepareSchema } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { run } from "../cli/io.ts";
import { SERVER_URL, scripts } from "../kit/server-database.ts";

const SUPER_URL = process.env.RECOURSE_BACKUP_DATABASE_URL as string;
const NAME = "recourse_least";
const LOGIN = "recourse_worker";
const urlOf = (url: string, user?: string): string =>
  Object.assign(new URL(url), { pathname: `/${NAME}`, ...(user === undefined ? {} : { username: user }) })
    .href;
const OWNER_URL = urlOf(SERVER_URL);
const LOGIN_URL = urlOf(SERVER_URL, LOGIN);

const folder = mkdtempSync(join(tmpdir(), "recourse-least-"));
const running: Running[] = [];

const remove = () =>
  scripts(SUPER_URL, `drop database if exists ${NAME} with (force)`, `drop role if exists ${LOGIN}`);

beforeAll(async () => {
  await remove();
  await scripts(SUPER_URL, `create role ${LOGIN} login`, `create database ${NAME} owner recourse_login`);
  await scripts(urlOf(SUPER_URL), "create extension vector");
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => stop(each)));
});
afterAll(async () => {
  await remove();
  rmSync(folder, { recursive: true, force: true });
});

test("before the owner has migrated, a process that may not says so and what to do, and has made nothing", async () => {
  const database = openServer(LOGIN_URL, systemClock, 1);
  await expect(prepareSchema(database)).rejects.toMatchObject({
    code: "schema_older",
    next: expect.stringContaining("recourse migrate --login"),
  });
  await database.close();
  const { out } = await run(["doctor", "--json"], "", { DATABASE_URL: LOGIN_URL, RECOURSE_DATA_DIR: folder });
  expect(out).toContain("empty; the schema is made at the first start");
  expect(await scripts(OWNER_URL, "select to_regnamespace('recourse') as schema")).toEqual([
    { schema: null },
  ]);
});

test("a login role that the server does not have is refused", async () => {
  const refused = await run(["migrate", "--login", "nobody_here"], "", { DATABASE_URL: OWNER_URL });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("login_role_missing") });
});

test("after `recourse migrate --login`, a server and a worker that own nothing refund once; they cannot change the schema", async () => {
  const made = await run(["migrate", "--login", LOGIN], "", { DATABASE_URL: OWNER_URL });
  expect(made.err).toBe("");
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining(`${LOGIN} may work on it`) });
  const again = await run(["migrate", "--login", LOGIN, "--json"], "", { DATABASE_URL: OWNER_URL });
  expect(JSON.parse(again.out)).toEqual({ ran: [], login: LOGIN, made: [], dropped: [] });

  const looked = await run(["doctor", "--json"], "", {
    DATABASE_URL: LOGIN_URL,
    RECOURSE_DATA_DIR: folder,
    RECOURSE_ROLE: "work",
    RECOURSE_SANDBOX: "http://127.0.0.1:1",
    RECOURSE_PUBLIC_URL: "https://support.shop.example",
  });
  const findings = (
    JSON.parse(looked.out) as { findings: { check: string; status: string; detail: string }[] }
  ).findings;
  expect(findings.find(({ check }) => check === "Configuration")?.detail).toContain("works only");
  for (const [check, detail] of [
    ["Database", "schema up to date"],
    ["Database role", "cannot bypass"],
    ["Notices", "come through"],
  ]) {
    expect(findings.find((each) => each.check === check)).toMatchObject({
      status: "ok",
      detail: expect.stringContaining(detail as string),
    });
  }

  const [sandboxPort, port] = [await freePort(), await freePort()];
  const [sandboxUrl, url] = [`http://127.0.0.1:${sandboxPort}`, `http://127.0.0.1:${port}`];
  running.push(await startSandbox(folder, sandboxPort));
  const env = {
    DATABASE_URL: LOGIN_URL,
    RECOURSE_DATA_DIR: folder,
    RECOURSE_SANDBOX: sandboxUrl,
    RECOURSE_PUBLIC_URL: url,
    RECOURSE_LOG_LEVEL: "warn",
  };
  for (const [role, at] of [
    ["serve", port],
    ["work", 0],
  ] as const) {
    running.push(await start("src/main.ts", { ...env, RECOURSE_ROLE: role, PORT: String(at) }, /^Ready\./m));
  }
  const ben = await Customer.enter(url, "ben");
  const conversation = await ben.open();
  await ben.send(conversation, "I want a refund for order 1044", "m1");
  await ben.until(conversation, (events) =>
    agentTexts(events).some((said) => said.includes("Shall I go ahead?")),
  );
  await ben.send(conversation, "yes", "m2");
  await ben.until(conversation, (events) =>
    agentTexts(events).some((said) => said.includes("has confirmed your refund")),
  );
  expect(await refundsAt(sandboxUrl, "ch_nw_1044")).toMatchObject([{ amount: 6400, status: "succeeded" }]);
  for (const process of running) expect(process.output()).not.toMatch(/permission denied|"level":[56]0/);

  const owned = await scripts(
    OWNER_URL,
    `select count(*) as n from pg_class where pg_get_userbyid(relowner) = '${LOGIN}'`,
  );
  expect(owned).toEqual([{ n: 0 }]);
  for (const forbidden of [
    "create table public.mine (a int)",
    "create schema mine",
    "alter table recourse.audit disable row level security",
    "drop table recourse.events",
  ]) {
    await expect(scripts(LOGIN_URL, forbidden), forbidden).rejects.toThrow(/permission denied|must be owner/);
  }
  expect(await scripts(LOGIN_URL, "select * from recourse.audit"), "without a scope, no row is seen").toEqual(
    [],
  );
});
