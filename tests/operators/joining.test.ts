import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { appCode, KESTREL, NORTHWIND, PASSWORD, testTeam } from "./fixture.ts";
import { browser, serve } from "./http.ts";

const northwind = { kind: "tenant", tenantId: NORTHWIND } as const;

describe("an invitation", () => {
  test("makes a person with the role that it names, who is signed in and recorded", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const admin = browser(running, await team.signedIn("ada@northwind.example"));
    const invited = await admin.call("POST", "/v1/operator/invitations", {
      body: { email: "Nora@Northwind.example", role: "agent" },
    });
    const { pathname, searchParams } = new URL(invited.json.link);
    const code = searchParams.get("code") ?? "";
    const nora = browser(running);
    const page = await nora.get(`${pathname}?code=${encodeURIComponent(code)}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("nora@northwind.example");
    const weak = await nora.post("/invitation", { code, name: "Nora", password: "short" });
    expect([weak.status, weak.text.includes("5 characters")]).toEqual([422, true]);
    const joined = await nora.post("/invitation", { code, name: "Nora Ek", password: PASSWORD });
    expect([joined.status, joined.headers.get("location")]).toEqual([303, "/account?done=joined"]);
    expect((await nora.call("GET", "/v1/operator/me")).json).toMatchObject({
      operator: "nora@northwind.example",
      role: "agent",
      tenant: NORTHWIND,
    });
    const log = await admin.call("GET", "/v1/operator/audit/search?kind=operator.");
    expect(log.json.entries.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(["operator.joined", "operator.invited"]),
    );
    expect(JSON.stringify(log.json)).not.toContain(code.split(".")[2]);
  });

  test("works once, also for two at the same time; not after its time, nor withdrawn or replaced", async () => {
    const team = await testTeam();
    const { invitations } = team.operators;
    const invite = (email: string) => invitations.invite(northwind, { email, role: "agent", by: "test" });
    const accept = (code: string) =>
      invitations
        .accept(code, { name: "Nora", password: PASSWORD, signedIn: null })
        .then(() => "joined")
        .catch((error: { code: string }) => error.code);
    const first = await invite("nora@northwind.example");
    const answers = await Promise.all([1, 2, 3].map(() => accept(first.code)));
    expect(answers.toSorted()).toEqual(["invitation_invalid", "invitation_invalid", "joined"]);
    const late = await invite("late@northwind.example");
    const replaced = await invite("other@northwind.example");
    await invite("other@northwind.example");
    const withdrawn = await invite("gone@northwind.example");
    await invitations.withdraw(northwind, withdrawn.invitation.invitation_id, "test");
    expect(await accept(replaced.code)).toBe("invitation_invalid");
    expect(await accept(withdrawn.code)).toBe("invitation_invalid");
    team.clock.ahead(LIMITS.invitationTtlMs);
    expect(await accept(late.code)).toBe("invitation_invalid");
    for (const wrong of [
      "",
      "x",
      first.code.replace("northwind", "kestrel"),
      `${late.code}x`,
      late.code.slice(0, -1),
    ]) {
      expect(await accept(wrong), wrong).toBe("invitation_invalid");
    }
  });

  test("to somebody who has an account is accepted by them only: inviting an address takes nobody over", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("karl@example.com", { [KESTREL]: "admin" });
    await team.person("mallory@northwind.example", { [NORTHWIND]: "admin" });
    const { code } = await team.operators.invitations.invite(northwind, {
      email: "karl@example.com",
      role: "agent",
      by: "mallory@northwind.example",
    });
    const stranger = browser(running);
    expect((await stranger.get(`/invitation?code=${code}`)).text).toContain("has an account here already");
    const taken = await stranger.post("/invitation", { code, name: "Karl", password: "my very own words" });
    expect(taken.status).toBe(401);
    const mallory = browser(running, await team.signedIn("mallory@northwind.example"));
    expect((await mallory.get(`/invitation?code=${code}`)).text).toContain("you are signed in as mallory");
    expect(
      (await mallory.post("/invitation", { code, name: "-", password: "my very own words" })).status,
    ).toBe(401);
    const karl = browser(running, await team.signedIn("karl@example.com"));
    expect((await karl.post("/invitation", { code, name: "-" })).status).toBe(303);
    const me = await karl.call("GET", "/v1/operator/me", { tenant: NORTHWIND });
    expect(me.json.workplaces.map(({ tenant }: { tenant: string }) => tenant)).toEqual([KESTREL, NORTHWIND]);
    expect((await team.operators.signIn.signIn("karl@example.com", PASSWORD)).next).toBe("done");
  });
});

describe("a lost password", () => {
  test("is set anew by an admin's link, which ends sessions and the second factor", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const otto = await team.person("otto@northwind.example", { [NORTHWIND]: "agent" });
    const old = await team.signedIn("otto@northwind.example");
    const start = await team.operators.signIn.startSecondFactor(old, PASSWORD);
    await team.operators.signIn.confirmSecondFactor(old, appCode(start.secret, systemClock.now()));
    const admin = browser(running, await team.signedIn("ada@northwind.example"));
    const reset = await admin.call("POST", `/v1/operator/operators/${otto}/reset-password`, { body: {} });
    const code = new URL(reset.json.link).searchParams.get("code") ?? "";
    const page = browser(running);
    const set = await page.post("/invitation", { code, name: "-", password: "four new words here" });
    expect([set.status, set.headers.get("location")]).toEqual([303, "/account?done=password"]);
    expect((await page.call("GET", "/v1/operator/me")).json.operator).toBe("otto@northwind.example");
    expect(await team.operators.signIn.session(old)).toBeNull();
    expect(
      (await page.post("/invitation", { code, name: "-", password: "four more words here" })).status,
    ).toBe(410);
  });

  test("of somebody who works for another tenant too is not one team's to reset", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const both = await team.person("olivia@example.com", { [NORTHWIND]: "agent", [KESTREL]: "admin" });
    const admin = browser(running, await team.signedIn("ada@northwind.example"));
    for (const what of ["reset-password", "reset-second-factor"]) {
      const answer = await admin.call("POST", `/v1/operator/operators/${both}/${what}`, { body: {} });
      expect([answer.status, answer.json.code], what).toEqual([403, "forbidden"]);
    }
  });
});

describe("the first person", () => {
  test("is whoever has the terminal's code, once, and becomes admin of every tenant", async () => {
    const team = await testTeam();
    const running = await serve(team);
    const { firstAdmin } = team.operators;
    const code = firstAdmin?.code ?? "";
    expect(code).toMatch(/^([a-z2-9]{4}-){4}[a-z2-9]{4}$/);
    const page = browser(running);
    expect((await page.get("/sign-in")).text).toContain("/setup");
    const fields = { name: "Ada Min", email: "ada@example.com", password: PASSWORD };
    const wrong = await page.post("/setup", {
      ...fields,
      code: code.replace(/^./, (char) => (char === "a" ? "b" : "a")),
    });
    expect(wrong.status).toBe(403);
    const answers = await Promise.all([
      browser(running).post("/setup", { ...fields, code }),
      browser(running).post("/setup", { ...fields, email: "eve@example.com", code }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403]);
    const people = await team.store.identify((tx) =>
      tx.selectFrom("operators").select(["tenant_id", "role", "email"]).orderBy("tenant_id").execute(),
    );
    expect(people.map(({ tenant_id, role }) => [tenant_id, role])).toEqual([
      [KESTREL, "admin"],
      [NORTHWIND, "admin"],
    ]);
    expect((await page.get("/setup")).status).toBe(403);
    expect((await page.post("/setup", { ...fields, email: "late@example.com", code })).status).toBe(403);
  });

  test("cannot be guessed: wrong codes lock the page, and then the right one too", async () => {
    const team = await testTeam();
    const { firstAdmin } = team.operators;
    const person = { name: "Eve", email: "eve@example.com", password: PASSWORD };
    for (let n = 0; n < LIMITS.signInFailures; n += 1) {
      await expect(firstAdmin?.make("wrong", person)).rejects.toMatchObject({ code: "setup_unavailable" });
    }
    await expect(firstAdmin?.make(firstAdmin.code, person)).rejects.toMatchObject({ code: "sign_in_locked" });
  });
});

describe("the demo's people", () => {
  test("sign in with one click, each in their role and tenant", async () => {
    const team = await testTeam({ demoSecret: "d".repeat(64) });
    await team.operators.demoTeam?.seed();
    const running = await serve(team);
    for (const [person, tenant, role] of [
      ["olivia@northwind", NORTHWIND, "lead"],
      ["otto@northwind", NORTHWIND, "agent"],
      ["ada@northwind", NORTHWIND, "admin"],
      ["aude@kestrel", KESTREL, "auditor"],
    ] as const) {
      const page = browser(running);
      expect((await page.post("/demo/sign-in", { person })).status).toBe(303);
      const { json } = await page.call("GET", "/v1/operator/me");
      expect([json.tenant, json.role]).toEqual([tenant, role]);
    }
    expect((await browser(running).post("/demo/sign-in", { person: "nobody@northwind" })).status).toBe(404);
    expect(running.server.specs.map(({ path }) => path)).not.toContain("/setup");
  });

  test("outside it there is no route, and their rows, passwords and open sessions are nobody's", async () => {
    const secret = "d".repeat(64);
    const demo = await testTeam({ demoSecret: secret });
    await demo.operators.demoTeam?.seed();
    const cookie = await demo.operators.demoTeam?.signIn("ada@northwind");
    expect(cookie).not.toBeNull();
    // The same database, now for real.
    const real = demo.again({});
    expect(real.operators.demoTeam).toBeNull();
    const running = await serve(real);
    const paths = running.server.specs.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith("/demo"))).toEqual([]);
    const page = browser(running);
    expect((await page.post("/demo/sign-in", { person: "ada@northwind" })).status).toBe(404);
    const ada = await real.store.identify((tx) =>
      tx
        .selectFrom("operators")
        .select("id")
        .where("email", "=", "ada@northwind.example")
        .executeTakeFirstOrThrow(),
    );
    expect(await real.operators.access.workplaces(ada.id as never)).toEqual([]);
    const still = browser(running, (cookie ?? []).map((each) => each.split(";")[0]).join("; "));
    expect((await still.call("GET", "/v1/operator/me")).status).toBe(403);
    // And the first real person can be set up.
    expect(await real.operators.firstAdmin?.needed()).toBe(true);
    expect((await page.get("/sign-in")).text).not.toContain("Ada Min");
  });
});

const providers: Server[] = [];
afterEach(() => {
  for (const provider of providers.splice(0)) provider.close();
});

/** An OpenID provider that says whatever a test wants it to say. */
async function identityProvider() {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const other = await generateKeyPair("RS256");
  const says = { email: "nora@northwind.example", sub: "u1", verified: true, forged: false, nonce: "" };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer());
    const json = (value: unknown) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(value));
    };
    if (url.pathname === "/.well-known/openid-configuration") {
      return json({
        issuer: issuer(),
        authorization_endpoint: `${issuer()}/authorize`,
        token_endpoint: `${issuer()}/token`,
        jwks_uri: `${issuer()}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (url.pathname === "/keys") {
      return json({ keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: "RS256", use: "sig" }] });
    }
    const nowS = Math.floor(systemClock.now() / 1_000);
    const idToken = await new SignJWT({
      email: says.email,
      email_verified: says.verified,
      name: "Nora Ek",
      nonce: says.nonce,
    })
      .setProtectedHeader({ alg: "RS256", kid: "k" })
      .setIssuer(issuer())
      .setAudience("recourse")
      .setSubject(says.sub)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + 300)
      .sign(says.forged ? other.privateKey : privateKey);
    json({ access_token: "at", token_type: "Bearer", expires_in: 300, id_token: idToken });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  providers.push(server);
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer: issuer(), says };
}

describe("single sign-on", () => {
  async function company() {
    const provider = await identityProvider();
    const team = await testTeam({
      singleSignOn: {
        name: "Northwind login",
        issuer: provider.issuer,
        clientId: "recourse",
        clientSecret: "secret-of-the-client",
      },
    });
    const running = await serve(team);
    const page = browser(running);
    /** To the provider and back, as a browser goes. */
    const through = async (change: (back: URL) => unknown = () => {}) => {
      const begun = await page.get("/sign-in/company");
      const to = new URL(begun.headers.get("location") ?? "");
      provider.says.nonce = to.searchParams.get("nonce") ?? "";
      const back = new URL("/auth/callback/sso", running.url);
      back.searchParams.set("code", "c");
      back.searchParams.set("state", to.searchParams.get("state") ?? "");
      change(back);
      return page.get(back.pathname + back.search);
    };
    return { ...provider, team, running, page, through };
  }
  const invited = async ({ team, page }: Awaited<ReturnType<typeof company>>) => {
    const { code } = await team.operators.invitations.invite(northwind, {
      email: "nora@northwind.example",
      role: "lead",
      by: "test",
    });
    const joined = await page.post("/invitation", { code, name: "Nora Ek", way: "company" });
    expect(joined.headers.get("location")).toBe("/sign-in/company");
  };

  test("opens a session for whoever was invited, without a password here", async () => {
    const at = await company();
    await invited(at);
    const back = await at.through();
    expect([back.status, back.headers.get("location")]).toEqual([303, "/account"]);
    const { json } = await at.page.call("GET", "/v1/operator/me");
    expect([json.operator, json.role]).toEqual(["nora@northwind.example", "lead"]);
    // Again: the account is known now, by the provider's subject.
    at.page.cookie = "";
    expect((await at.through()).status).toBe(303);
    await expect(at.team.operators.signIn.signIn("nora@northwind.example", PASSWORD)).rejects.toMatchObject({
      code: "sign_in_failed",
    });
  });

  test("nobody comes in who was not invited", async () => {
    const at = await company();
    const back = await at.through();
    expect([back.status, back.text.includes("Ask an admin of your team")]).toEqual([401, true]);
    expect((await at.page.call("GET", "/v1/operator/me")).status).toBe(401);
  });

  test("a token that is forged, another's nonce, a state of another browser or none: no session", async () => {
    const at = await company();
    await invited(at);
    at.says.forged = true;
    expect((await at.through()).status).toBe(401);
    at.says.forged = false;
    expect((await at.through(() => Object.assign(at.says, { nonce: "another" }))).status).toBe(401);
    expect((await at.through((back) => back.searchParams.delete("state"))).status).toBe(401);
    expect((await at.through((back) => back.searchParams.set("state", "x".repeat(32)))).status).toBe(401);
    expect((await at.through(() => Object.assign(at.page, { cookie: "" }))).status).toBe(401);
    expect((await at.page.call("GET", "/v1/operator/me")).status).toBe(401);
    expect((await at.through()).status).toBe(303);
  });

  test("a provider that is down is said, and tried again", async () => {
    const team = await testTeam({
      singleSignOn: {
        name: "Northwind login",
        issuer: "http://127.0.0.1:9",
        clientId: "recourse",
        clientSecret: "secret-of-the-client",
      },
    });
    const running = await serve(team);
    const answer = await browser(running).get("/sign-in/company");
    expect([answer.status, answer.text.includes("Northwind login")]).toEqual([503, true]);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    expect((await team.operators.signIn.signIn("ada@northwind.example", PASSWORD)).next).toBe("done");
  });
});

describe("a team that asks for a second factor", () => {
  test("gets it: without one nothing but one's own account is reached", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const page = browser(running, await team.signedIn("ada@northwind.example"));
    await team.operators.settings.change(northwind, {
      area: "sign_in",
      value: { second_factor: "required" },
      version: 0,
      by: "test",
    });
    const refused = await page.call("GET", "/v1/operator/operators");
    expect([refused.status, refused.json.code]).toEqual([403, "second_factor_needed"]);
    expect((await page.get("/account")).status).toBe(200);
    const start = await team.operators.signIn.startSecondFactor(page.cookie, PASSWORD);
    const done = await page.post("/account/second-factor/confirm", {
      code: appCode(start.secret, systemClock.now()),
    });
    expect(done.headers.get("location")).toBe("/account?done=factor");
    expect((await page.call("GET", "/v1/operator/operators")).status).toBe(200);
  });
});

test("pages have no inline script or style that the policy does not name, and are in no frame", async () => {
  const team = await testTeam({ demoSecret: "d".repeat(64) });
  await team.operators.demoTeam?.seed();
  const running = await serve(team);
  const page = browser(running);
  await page.post("/demo/sign-in", { person: "ada@northwind" });
  for (const path of ["/sign-in/code", "/account", "/invitation?code=x"]) {
    const { headers, text } = await page.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'; style-src 'sha256-[^']+'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(text).not.toMatch(/<script|javascript:| on\w+=|style="/i);
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("what people type is text on every page", async () => {
  const team = await testTeam();
  const running = await serve(team);
  const evil = `"><img src=x onerror=alert(1)>`;
  const answers = [
    await browser(running).post("/sign-in", { email: evil, password: "x", to: evil }),
    await browser(running).get(`/sign-in?to=${encodeURIComponent(evil)}`),
    await browser(running).post("/setup", { code: evil, name: evil, email: evil, password: "x" }),
    await browser(running).get(`/invitation?code=${encodeURIComponent(evil)}`),
  ];
  for (const { text } of answers) expect(text).not.toContain("<img");
});

test("after signing in, the browser goes to a page of this server only", async () => {
  const team = await testTeam();
  const running = await serve(team);
  await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
  for (const to of [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/a\nb",
  ]) {
    const page = await browser(running).post("/sign-in", {
      email: "ada@northwind.example",
      password: PASSWORD,
      to,
    });
    expect(page.headers.get("location"), to).toBe("/account");
  }
  const page = await browser(running).post("/sign-in", {
    email: "ada@northwind.example",
    password: PASSWORD,
    to: "/console/queue?state=open",
  });
  expect(page.headers.get("location")).toBe("/console/queue?state=open");
});
