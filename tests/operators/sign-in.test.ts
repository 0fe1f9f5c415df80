import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ErrorCode } from "../../src/kernel/errors.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { until } from "../http/fixture.ts";
import { appCode, cookieOf, KESTREL, NORTHWIND, PASSWORD, testTeam } from "./fixture.ts";

const codeOf = (promise: Promise<unknown>): Promise<ErrorCode | "none"> =>
  promise.then(
    () => "none" as const,
    (error: { code: ErrorCode }) => error.code,
  );

describe("a password opens a session", () => {
  test("whose cookie is for this server's pages only, and is whoever signed in", async () => {
    const { operators, person } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const { next, cookies } = await operators.signIn.signIn(" Olivia@Northwind.example ", PASSWORD);
    expect(next).toBe("done");
    const [session] = cookies.filter((cookie) => cookie.includes("session_token"));
    expect(session).toMatch(/; HttpOnly/i);
    expect(session).toMatch(/; SameSite=Lax/i);
    expect(session).toMatch(/; Path=\//i);
    const found = await operators.signIn.session(cookieOf(cookies));
    expect(found?.email).toBe("olivia@northwind.example");
  });

  test("and behind TLS the cookie is Secure", async () => {
    const { operators, person } = await testTeam({ baseUrl: () => "https://support.example" });
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const { cookies } = await operators.signIn.signIn("olivia@northwind.example", PASSWORD);
    expect(cookies.find((cookie) => cookie.includes("session_token"))).toMatch(/^__Secure-.*; Secure/);
  });

  test("an unknown address and a wrong password get the same answer in the same time class", async () => {
    const { operators, person } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    await operators.signIn.signIn("olivia@northwind.example", PASSWORD);
    const tell = async (email: string) => {
      const startedMs = systemClock.now();
      const error = await operators.signIn.signIn(email, "wrong password entirely").catch((e: unknown) => e);
      const { code, message, next } = error as { code: string; message: string; next: string };
      return { answer: { code, message, next }, ms: systemClock.now() - startedMs };
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const one = await tell("olivia@northwind.example");
      const other = await tell(`nobody${round}@northwind.example`);
      expect(one.answer).toEqual(other.answer);
      known.push(one.ms);
      unknown.push(other.ms);
    }
    const quickest = (values: number[]) => Math.min(...values);
    // Both hash a password; without that an unknown address would be answered in a few milliseconds.
    expect(quickest(unknown)).toBeGreaterThan(quickest(known) / 3);
    expect(quickest(known)).toBeGreaterThan(quickest(unknown) / 3);
  });

  test("after ten failures an address is locked, known or not, also for the right password, and not for good", async () => {
    const { operators, person, clock } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    for (const email of ["olivia@northwind.example", "nobody@northwind.example"]) {
      const answers = await Promise.all(
        Array.from({ length: LIMITS.signInFailures + 5 }, () =>
          codeOf(operators.signIn.signIn(email, "wrong password entirely")),
        ),
      );
      expect(answers.filter((code) => code === "sign_in_failed").length).toBe(LIMITS.signInFailures);
      expect(answers.filter((code) => code === "sign_in_locked").length).toBe(5);
      expect(await codeOf(operators.signIn.signIn(email, PASSWORD))).toBe("sign_in_locked");
    }
    clock.ahead(LIMITS.signInLockMs + 1_000);
    expect((await operators.signIn.signIn("olivia@northwind.example", PASSWORD)).next).toBe("done");
  });

  test("a session that was there before is not the one that signing in opens (fixation)", async () => {
    const { operators, person, signedIn } = await testTeam();
    await person("mallory@northwind.example", { [NORTHWIND]: "agent" });
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const planted = await signedIn("mallory@northwind.example");
    const own = cookieOf(
      (await operators.signIn.signIn("olivia@northwind.example", PASSWORD)).cookies,
      planted,
    );
    expect(own).not.toBe(planted);
    expect((await operators.signIn.session(own))?.email).toBe("olivia@northwind.example");
    expect((await operators.signIn.session(planted))?.email).toBe("mallory@northwind.example");
  });

  test("a stolen cookie is worth nothing after its owner signed out", async () => {
    const { operators, person, signedIn } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const cookie = await signedIn("olivia@northwind.example");
    expect(await operators.signIn.session(cookie)).not.toBeNull();
    await operators.signIn.signOut(cookie);
    expect(await operators.signIn.session(cookie)).toBeNull();
  });

  test("a cookie with another signature, or a session's token from the database, is nobody", async () => {
    const { operators, person, signedIn, store } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const cookie = await signedIn("olivia@northwind.example");
    const { token } = await store.identify((tx) =>
      tx.selectFrom("identity_sessions").select("token").executeTakeFirstOrThrow(),
    );
    for (const forged of [
      cookie.replace(/.{8}$/, "AAAAAAA%3D"),
      `recourse.session_token=${token}`,
      `recourse.session_token=${token}.${Buffer.alloc(32).toString("base64")}`,
      "recourse.session_token=",
    ]) {
      expect(await operators.signIn.session(forged), forged).toBeNull();
    }
  });

  test("a session ends a week after it began, however much it is used", async () => {
    const { operators, person, signedIn, clock } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const cookie = await signedIn("olivia@northwind.example");
    clock.ahead(LIMITS.sessionMaxMs + 1_000);
    expect(await operators.signIn.session(cookie)).toBeNull();
  });

  test("a new password needs the old one, is not weak, and ends all other sessions", async () => {
    const { operators, person, signedIn } = await testTeam();
    await person("olivia@northwind.example", { [NORTHWIND]: "lead" });
    const [here, elsewhere] = [
      await signedIn("olivia@northwind.example"),
      await signedIn("olivia@northwind.example"),
    ];
    const { signIn } = operators;
    const next = "four words of mine";
    expect(await codeOf(signIn.changePassword(here, "not the old one at all", next))).toBe("sign_in_failed");
    for (const weak of ["short", "aaaaaaaaaaaaaaaa", "olivia@northwind", "x".repeat(300)]) {
      expect(await codeOf(signIn.changePassword(here, PASSWORD, weak)), weak).toBe("password_weak");
    }
    const renewed = cookieOf(await signIn.changePassword(here, PASSWORD, next), here);
    expect(await signIn.session(elsewhere)).toBeNull();
    expect(await signIn.session(here)).toBeNull();
    expect((await signIn.session(renewed))?.email).toBe("olivia@northwind.example");
    expect(await codeOf(signIn.signIn("olivia@northwind.example", PASSWORD))).toBe("sign_in_failed");
    expect((await signIn.signIn("olivia@northwind.example", next)).next).toBe("done");
  });
});

describe("a second factor", () => {
  // An app's code is good for half a minute: none of them may end between making a code and typing it.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
  afterAll(() => void vi.useRealTimers());

  async function enrolled() {
    const team = await testTeam();
    await team.person("olivia@northwind.example", { [NORTHWIND]: "lead", [KESTREL]: "agent" });
    const { signIn } = team.operators;
    const cookie = await team.signedIn("olivia@northwind.example");
    const start = await signIn.startSecondFactor(cookie, PASSWORD);
    const confirmed = cookieOf(
      await signIn.confirmSecondFactor(cookie, appCode(start.secret, systemClock.now() - 30_000)),
      cookie,
    );
    const begin = async () => cookieOf((await signIn.signIn("olivia@northwind.example", PASSWORD)).cookies);
    return { ...team, signIn, start, confirmed, begin };
  }

  test("is needed once it is confirmed: the password alone opens nothing", async () => {
    const { signIn, begin, start } = await enrolled();
    const { next, cookies } = await signIn.signIn("olivia@northwind.example", PASSWORD);
    expect(next).toBe("second_factor");
    expect(await signIn.session(cookieOf(cookies))).toBeNull();
    const waiting = await begin();
    expect(await codeOf(signIn.secondFactor(waiting, "000000"))).toBe("sign_in_failed");
    const done = cookieOf(await signIn.secondFactor(waiting, appCode(start.secret, systemClock.now())));
    expect((await signIn.session(done))?.hasSecondFactor).toBe(true);
  });

  test("a code opens one session: the same code again is refused, at once or in parallel", async () => {
    const { signIn, begin, start, store } = await enrolled();
    const code = appCode(start.secret, systemClock.now());
    const waiting = [await begin(), await begin(), await begin()];
    const answers = await Promise.all(waiting.map((cookie) => codeOf(signIn.secondFactor(cookie, code))));
    expect(answers.toSorted()).toEqual(["none", "sign_in_failed", "sign_in_failed"]);
    expect(await codeOf(signIn.secondFactor(await begin(), code))).toBe("sign_in_failed");
    const sessions = await store.identify((tx) => tx.selectFrom("identity_sessions").select("id").execute());
    // The one that enrolled and the one that the code opened.
    expect(sessions.length).toBe(2);
  });

  test("the code that confirmed it opens no session either", async () => {
    const { signIn, begin, start } = await enrolled();
    const used = appCode(start.secret, systemClock.now() - 30_000);
    expect(await codeOf(signIn.secondFactor(await begin(), used))).toBe("sign_in_failed");
  });

  test("a recovery code works once", async () => {
    const { signIn, begin, start } = await enrolled();
    const [code = ""] = start.recoveryCodes;
    expect(start.recoveryCodes.length).toBe(10);
    expect(await codeOf(signIn.secondFactor(await begin(), code))).toBe("none");
    expect(await codeOf(signIn.secondFactor(await begin(), code))).toBe("sign_in_failed");
  });

  test("guessing codes is locked, across new starts with the password", async () => {
    const { signIn, begin } = await enrolled();
    const answers: string[] = [];
    for (let n = 0; n < LIMITS.signInFailures + 2; n += 1) {
      answers.push(await codeOf(begin().then((waiting) => signIn.secondFactor(waiting, "000000"))));
    }
    expect(answers.at(-1)).toBe("sign_in_locked");
  });

  test("secret, recovery codes and passwords are not in the database in the clear", async () => {
    const { start, store } = await enrolled();
    const session = await store.database.acquire();
    const dump: string[] = [];
    try {
      for (const table of ["identity_second_factors", "identity_accounts", "identity_used_codes"]) {
        const { rows } = await session.script(`select * from recourse.${table}`);
        dump.push(JSON.stringify(rows));
      }
    } finally {
      session.release();
    }
    expect(dump.join("")).not.toContain(PASSWORD);
    expect(dump.join("")).not.toContain(start.secret);
    for (const code of start.recoveryCodes) expect(dump.join("")).not.toContain(code);
  });

  test("is removed by its owner with the password, and then no code is asked", async () => {
    const { signIn, confirmed } = await enrolled();
    expect(await codeOf(signIn.removeSecondFactor(confirmed, "not the password"))).toBe("sign_in_failed");
    await signIn.removeSecondFactor(confirmed, PASSWORD);
    expect((await signIn.signIn("olivia@northwind.example", PASSWORD)).next).toBe("done");
  });
});

test("what people do with their account is in the log of each tenant they work for, and nothing that they typed", async () => {
  const { operators, person, signedIn, store } = await testTeam();
  await person("olivia@example.com", { [NORTHWIND]: "lead", [KESTREL]: "agent" });
  const { signIn } = operators;
  const cookie = await signedIn("olivia@example.com");
  const start = await signIn.startSecondFactor(cookie, PASSWORD);
  const confirmed = cookieOf(
    await signIn.confirmSecondFactor(cookie, appCode(start.secret, systemClock.now())),
    cookie,
  );
  const renewed = cookieOf(await signIn.changePassword(confirmed, PASSWORD, "four words of mine"), confirmed);
  const bare = cookieOf(await signIn.removeSecondFactor(renewed, "four words of mine"), renewed);
  await signIn.signOut(bare);
  for (let n = 0; n < LIMITS.signInFailures + 3; n += 1) {
    await codeOf(signIn.signIn("olivia@example.com", "canary and more"));
  }
  const kinds = async (tenantId: TenantId) => {
    const rows = await store.transact(tenantScope(tenantId), (tx) =>
      tx.selectFrom("audit").select(["kind", "body"]).orderBy("n").execute(),
    );
    expect(JSON.stringify(rows)).not.toMatch(/canary|four words|correct horse/);
    return rows.map(({ kind }) => kind);
  };
  // The lock is recorded beside the answer, not before it.
  await until(async () => (await kinds(NORTHWIND)).includes("operator.sign_in_locked"));
  for (const tenant of [NORTHWIND, KESTREL]) {
    expect(await kinds(tenant)).toEqual([
      "operator.joined",
      "operator.signed_in",
      "operator.second_factor_set",
      "operator.password_changed",
      "operator.second_factor_removed",
      "operator.signed_out",
      "operator.sign_in_locked",
    ]);
  }
});
