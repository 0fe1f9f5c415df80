/** Signing in on a PostgreSQL server: a pool of connections, and two processes on one database. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Database } from "../../src/store/database.ts";
import { checkRole, migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { until } from "../http/fixture.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";
import { appCode, cookieOf, NORTHWIND, PASSWORD, testTeam } from "../operators/fixture.ts";

let database: Database;
beforeAll(async () => {
  database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  await checkRole(database);
});
afterAll(() => database.close());
beforeEach(() => emptyServer(database));
// An app's code is good for half a minute: none of them may end between making a code and typing it.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterAll(() => void vi.useRealTimers());

test("a person signs in with password and code, changes both, and a stranger is locked out, from many connections", async () => {
  const team = await testTeam({}, database);
  const { signIn } = team.operators;
  await team.person("olivia@northwind.example", { [NORTHWIND]: "lead" });
  const cookies = await Promise.all(
    Array.from({ length: 8 }, () => team.signedIn("olivia@northwind.example")),
  );
  const sessions = await Promise.all(cookies.map((cookie) => signIn.session(cookie)));
  expect(new Set(sessions.map((session) => session?.sessionId)).size).toBe(8);
  const [cookie = ""] = cookies;
  const start = await signIn.startSecondFactor(cookie, PASSWORD);
  const on = cookieOf(
    await signIn.confirmSecondFactor(cookie, appCode(start.secret, systemClock.now() - 30_000)),
    cookie,
  );
  const code = appCode(start.secret, systemClock.now());
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const waiting = cookieOf((await signIn.signIn("olivia@northwind.example", PASSWORD)).cookies);
      return signIn.secondFactor(waiting, code).then(
        () => "in",
        () => "out",
      );
    }),
  );
  expect(answers.filter((answer) => answer === "in")).toEqual(["in"]);
  const next = cookieOf(await signIn.changePassword(on, PASSWORD, "four words of mine"), on);
  expect(
    (await Promise.all(cookies.map((each) => signIn.session(each)))).filter((each) => each !== null),
  ).toEqual([]);
  expect((await signIn.session(next))?.email).toBe("olivia@northwind.example");
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () =>
      signIn
        .signIn("nobody@northwind.example", "wrong password here")
        .catch((error: { code: string }) => error.code),
    ),
  );
  expect(guesses.filter((answer) => answer === "sign_in_failed").length).toBe(10);
}, 120_000);

test("a session, a role and a setting of one process count in another at once", async () => {
  const one = await testTeam({}, database);
  const other = one.again({});
  const otto = await one.person("otto@northwind.example", { [NORTHWIND]: "agent" });
  await one.person("ada@northwind.example", { [NORTHWIND]: "admin" });
  const cookie = await one.signedIn("otto@northwind.example");
  const role = async () => (await other.operators.access.bySession(cookie, undefined))?.operator.role;
  expect(await role()).toBe("agent");
  const scope = { kind: "tenant", tenantId: NORTHWIND } as const;
  await one.operators.team.setRole(scope, otto, "lead", "test");
  expect(await role()).toBe("lead");
  const stop = await other.operators.settings.start();
  await one.operators.settings.change(scope, {
    area: "sign_in",
    value: { second_factor: "required" },
    version: 0,
    by: "test",
  });
  await until(() => other.operators.settings.of(NORTHWIND).sign_in.second_factor === "required");
  await expect(role()).rejects.toMatchObject({ code: "second_factor_needed" });
  await stop();
  await one.operators.signIn.signOut(cookie);
  expect(await other.operators.access.bySession(cookie, undefined)).toBeNull();
}, 60_000);

test("of two admins who step down at the same moment one stays", async () => {
  const team = await testTeam({}, database);
  const ids = [
    await team.person("one@northwind.example", { [NORTHWIND]: "admin" }),
    await team.person("two@northwind.example", { [NORTHWIND]: "admin" }),
  ];
  const scope = { kind: "tenant", tenantId: NORTHWIND } as const;
  for (let round = 0; round < 10; round += 1) {
    for (const id of ids) await team.operators.team.setRole(scope, id, "admin", "test");
    await Promise.allSettled(ids.map((id) => team.operators.team.setRole(scope, id, "agent", "test")));
    const roles = (await team.operators.team.list(scope)).map((member) => member.role);
    expect(roles).toContain("admin");
  }
}, 60_000);
