import { describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import {
  PERMISSION_NAMES,
  PERMISSIONS,
  permissionsOf,
  ROLES,
  type Role,
} from "../../src/operators/permissions.ts";
import { KESTREL, NORTHWIND, testTeam } from "./fixture.ts";
import { browser, type RouteSpec, serve } from "./http.ts";

const ID_OF: Record<string, string> = {
  ...Object.fromEntries(
    (["conv", "run", "act", "rev", "opr", "inv", "key"] as const).map((prefix) => [
      prefix,
      newId(prefix, systemClock, systemRandom),
    ]),
  ),
};
const PREFIX_OF: Record<string, string> = {
  conversation_id: "conv",
  run_id: "run",
  action_id: "act",
  review_id: "rev",
  operator_id: "opr",
  invitation_id: "inv",
  key_id: "key",
};
const TEXT_OF: Record<string, string> = { area: "reviews" };
const filled = (path: string) =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => ID_OF[PREFIX_OF[name] ?? ""] ?? TEXT_OF[name] ?? "something",
  );

describe("roles", () => {
  test("every operator's route × every role: what the table says, and nothing else", async () => {
    const team = await testTeam();
    const running = await serve(team);
    const routes = running.server.specs.filter(
      (spec): spec is Extract<RouteSpec, { access: "operator" }> => spec.access === "operator",
    );
    expect(routes.length).toBeGreaterThan(50);
    const wrong: string[] = [];
    for (const role of ROLES) {
      await team.person(`${role}@northwind.example`, { [NORTHWIND]: role });
      const cookie = await team.signedIn(`${role}@northwind.example`);
      const allowed = permissionsOf(role);
      for (const spec of routes) {
        const page = browser(running, cookie);
        const { status, json } = await page.call(spec.method.toUpperCase(), filled(spec.path), {
          ...(spec.method === "post" ? { body: spec.bodyExample ?? {} } : {}),
        });
        const refused = status === 403 && json.permission === spec.permission;
        if (status === 401 || refused === allowed.has(spec.permission)) {
          wrong.push(`${role} ${spec.method} ${spec.path}: ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  test("every permission opens something", async () => {
    const running = await serve(await testTeam());
    const named = new Set(
      running.server.specs.flatMap((spec) => (spec.access === "operator" ? [spec.permission] : [])),
    );
    // What depends on what is decided, or on whom it concerns, is asked in the handler.
    const asked = ["reviews.decide_large", "conversations.assign", "policies.publish_today"];
    expect(PERMISSION_NAMES.filter((name) => !named.has(name))).toEqual(asked);
  });

  test("an auditor changes nothing, and only an admin makes people, keys, policies and settings", () => {
    const ofRole = (role: Role) =>
      Object.entries(PERMISSIONS)
        .filter(([, entry]) => (entry.roles as readonly Role[]).includes(role))
        .map(([name]) => name);
    expect(ofRole("auditor").filter((name) => !/\.(read|try)$/.test(name))).toEqual([]);
    for (const name of [
      "operators.manage",
      "api_keys.manage",
      "policies.publish_today",
      "settings.edit",
    ] as const) {
      expect(PERMISSIONS[name].roles).toEqual(["admin"]);
    }
  });

  test("a role that changes, and access that ends, count with the next request of an open session", async () => {
    const team = await testTeam();
    const running = await serve(team);
    const otto = await team.person("otto@northwind.example", { [NORTHWIND]: "agent" });
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const own = browser(running, await team.signedIn("otto@northwind.example"));
    const admin = browser(running, await team.signedIn("ada@northwind.example"));
    expect((await own.call("GET", "/v1/operator/audit/search")).status).toBe(403);
    await admin.call("POST", `/v1/operator/operators/${otto}/role`, { body: { role: "lead" } });
    expect((await own.call("GET", "/v1/operator/audit/search")).status).toBe(200);
    await admin.call("POST", `/v1/operator/operators/${otto}/role`, { body: { role: "agent" } });
    expect((await own.call("GET", "/v1/operator/audit/search")).status).toBe(403);
    expect((await own.call("GET", "/v1/operator/me")).json.role).toBe("agent");
    await admin.call("POST", `/v1/operator/operators/${otto}/disable`, { body: {} });
    expect((await own.call("GET", "/v1/operator/me")).status).toBe(403);
    await admin.call("POST", `/v1/operator/operators/${otto}/enable`, { body: {} });
    expect((await own.call("GET", "/v1/operator/me")).status).toBe(200);
  });

  test("a tenant keeps an admin, whoever steps down at once", async () => {
    const team = await testTeam();
    const [one, two] = [
      await team.person("one@northwind.example", { [NORTHWIND]: "admin" }),
      await team.person("two@northwind.example", { [NORTHWIND]: "admin" }),
    ];
    const running = await serve(team);
    const page = browser(running, await team.signedIn("one@northwind.example"));
    const answers = await Promise.all(
      [one, two].map((id) =>
        page.call("POST", `/v1/operator/operators/${id}/role`, { body: { role: "agent" } }),
      ),
    );
    const codes = answers.map(({ status, json }) => json.code ?? status);
    expect(codes.filter((code) => code === 200).length).toBeLessThanOrEqual(1);
    const { json } = await browser(running, await team.signedIn("two@northwind.example")).call(
      "GET",
      "/v1/operator/me",
    );
    const other = await browser(running, await team.signedIn("one@northwind.example")).call(
      "GET",
      "/v1/operator/me",
    );
    expect([json.role, other.json.role]).toContain("admin");
  });
});

describe("the tenant in use", () => {
  test("is named by whoever works for several, and is only ever one of theirs", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("olivia@example.com", { [NORTHWIND]: "lead", [KESTREL]: "auditor" });
    await team.person("otto@northwind.example", { [NORTHWIND]: "agent" });
    const olivia = browser(running, await team.signedIn("olivia@example.com"));
    const unnamed = await olivia.call("GET", "/v1/operator/me");
    expect([unnamed.status, unnamed.json.code, unnamed.json.tenants]).toEqual([
      400,
      "tenant_needed",
      [KESTREL, NORTHWIND],
    ]);
    const at = async (tenant: string) => (await olivia.call("GET", "/v1/operator/me", { tenant })).json.role;
    expect([await at(NORTHWIND), await at(KESTREL)]).toEqual(["lead", "auditor"]);
    const otto = browser(running, await team.signedIn("otto@northwind.example"));
    expect((await otto.call("GET", "/v1/operator/me")).json.tenant).toBe(NORTHWIND);
    for (const tenant of [KESTREL, "nobody", "*", "northwind,kestrel"]) {
      expect((await otto.call("GET", "/v1/operator/me", { tenant })).status, tenant).toBe(403);
    }
  });

  test("an ID of another tenant is not found, in every route that takes one", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const foreigner = await team.person("karl@kestrel.example", { [KESTREL]: "admin" });
    const kestrel = browser(running, await team.signedIn("karl@kestrel.example"));
    const invited = await kestrel.call("POST", "/v1/operator/invitations", {
      body: { email: "new@kestrel.example", role: "agent" },
    });
    const made = await kestrel.call("POST", "/v1/operator/keys", {
      body: { name: "script", scopes: ["audit.read"] },
    });
    const page = browser(running, await team.signedIn("ada@northwind.example"));
    for (const path of [
      `operators/${foreigner}/disable`,
      `operators/${foreigner}/enable`,
      `operators/${foreigner}/reset-second-factor`,
      `operators/${foreigner}/reset-password`,
      `invitations/${invited.json.invitation.invitation_id}/withdraw`,
      `keys/${made.json.api_key.key_id}/revoke`,
    ]) {
      const { status, json } = await page.call("POST", `/v1/operator/${path}`, { body: {} });
      expect([status, json.code], path).toEqual([404, "not_found"]);
    }
    expect(
      (await page.call("POST", `/v1/operator/operators/${foreigner}/role`, { body: { role: "agent" } }))
        .status,
    ).toBe(404);
    for (const [path, list] of [
      ["operators", "operators"],
      ["invitations", "invitations"],
      ["keys", "keys"],
    ] as const) {
      const { json } = await page.call("GET", `/v1/operator/${path}`);
      expect(JSON.stringify(json[list])).not.toContain("kestrel");
    }
  });

  test("the database itself shows an operator's rows to nobody outside the tenant's scope", async () => {
    const team = await testTeam();
    await team.person("karl@kestrel.example", { [KESTREL]: "admin" });
    const seen = async (scope: Parameters<typeof team.store.transact>[0]) =>
      (await team.store.transact(scope, (tx) => tx.selectFrom("operators").selectAll().execute())).length;
    expect(await seen({ kind: "tenant", tenantId: KESTREL })).toBe(1);
    expect(await seen({ kind: "tenant", tenantId: NORTHWIND })).toBe(0);
    expect(await seen({ kind: "customer", tenantId: KESTREL, customerId: "karl" as never })).toBe(0);
    // And the application's role sees no password or session at all.
    for (const table of ["identity_users", "identity_accounts", "identity_sessions"]) {
      await expect(
        team.store.transact({ kind: "tenant", tenantId: KESTREL }, (tx) =>
          tx
            .selectFrom(table as never)
            .selectAll()
            .execute(),
        ),
      ).rejects.toThrow(/permission denied/);
    }
    // Nor does the role of identity see what tenants do.
    await expect(
      team.store.identify((tx) =>
        tx
          .selectFrom("conversations" as never)
          .selectAll()
          .execute(),
      ),
    ).rejects.toThrow(/permission denied/);
  });
});

describe("a cookie is not enough (CSRF)", () => {
  test("what changes something must come from a page of this server", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const cookie = await team.signedIn("ada@northwind.example");
    const invite = async (headers: Record<string, string>) => {
      const response = await fetch(`${running.url}/v1/operator/invitations`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json", ...headers },
        body: JSON.stringify({ email: "mallory@evil.example", role: "admin" }),
      });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    const refused = [403, "origin_refused"];
    // fetch here sends neither of the two headers unless it is told to.
    expect(await invite({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })).toEqual(refused);
    expect(await invite({ "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" })).toEqual(refused);
    expect(await invite({ "sec-fetch-mode": "cors", origin: "https://evil.example" })).toEqual(refused);
    expect(await invite({ "sec-fetch-site": "cross-site", origin: running.url })).toEqual(refused);
    expect((await team.operators.invitations.list({ kind: "tenant", tenantId: NORTHWIND })).length).toBe(0);
    const own = await browser(running, cookie).call("POST", "/v1/operator/invitations", {
      body: { email: "nora@northwind.example", role: "agent" },
    });
    expect(own.status).toBe(201);
  });

  test("a form that another page sends is refused, signing in among them", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("mallory@northwind.example", { [NORTHWIND]: "agent" });
    const forms: [string, Record<string, string>][] = [
      ["/sign-in", { email: "mallory@northwind.example", password: "correct horse battery" }],
      ["/sign-in/code", { code: "123456" }],
      ["/sign-out", {}],
      ["/account/password", { current: "a", next: "b" }],
      ["/invitation", { code: "x" }],
      ["/setup", { code: "x", name: "x", email: "x", password: "x" }],
    ];
    for (const [path, fields] of forms) {
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }] as Record<
        string,
        string
      >[]) {
        const page = await browser(running).post(path, fields, headers);
        expect([page.status, page.headers.getSetCookie()], path).toEqual([403, []]);
      }
    }
  });
});

describe("keys for scripts", () => {
  test("do what their scopes say and nothing else, until they are revoked or their time is over", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const admin = browser(running, await team.signedIn("ada@northwind.example"));
    const made = await admin.call("POST", "/v1/operator/keys", {
      body: { name: "report", scopes: ["audit.read"], expires_in_days: 1 },
    });
    expect(made.status).toBe(201);
    const { key } = made.json;
    expect(key).toMatch(/^rck_[0-9a-f]{32}_[\w-]{43}$/);
    const withKey = (path: string, token = key) => running.call("GET", path, { token });
    expect((await withKey("/v1/operator/audit/search")).status).toBe(200);
    expect((await withKey("/v1/operator/operators")).json.permission).toBe("operators.read");
    expect((await withKey("/v1/conversations/x/events")).status).toBe(403);
    for (const wrong of [
      `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`,
      key.replace(/_[\w-]{43}$/, `_${"A".repeat(43)}`),
      "rck_x",
    ]) {
      expect((await withKey("/v1/operator/audit/search", wrong)).json.code).toBe("token_invalid");
    }
    const listed = await admin.call("GET", "/v1/operator/keys");
    expect(listed.json.keys[0]).toMatchObject({ name: "report", state: "active" });
    expect(listed.json.keys[0].last_used_at).not.toBeNull();
    expect(JSON.stringify(listed.json)).not.toContain(key.slice(-43));
    await admin.call("POST", `/v1/operator/keys/${listed.json.keys[0].key_id}/revoke`, { body: {} });
    expect((await withKey("/v1/operator/audit/search")).status).toBe(401);
    const second = await admin.call("POST", "/v1/operator/keys", {
      body: { name: "report", scopes: ["audit.read"], expires_in_days: 1 },
    });
    expect((await withKey("/v1/operator/audit/search", second.json.key)).status).toBe(200);
    team.clock.ahead(86_400_000);
    expect((await withKey("/v1/operator/audit/search", second.json.key)).status).toBe(401);
  });

  test("are not given what makes people or keys, and nobody gives more than they have", async () => {
    const team = await testTeam();
    const scope = { kind: "tenant", tenantId: NORTHWIND } as const;
    const make = (scopes: string[], role: Role) =>
      team.operators.keys.create(scope, {
        name: "x",
        scopes: scopes as never,
        expiresInMs: null,
        by: "test",
        having: permissionsOf(role),
      });
    await expect(make(["operators.manage"], "admin")).rejects.toMatchObject({ code: "forbidden" });
    await expect(make(["api_keys.manage"], "admin")).rejects.toMatchObject({ code: "forbidden" });
    await expect(make(["policies.publish_today"], "lead")).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a key with a cookie beside it is the key: the cookie lends it nothing", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const cookie = await team.signedIn("ada@northwind.example");
    const { key } = await team.operators.keys.create(
      { kind: "tenant", tenantId: NORTHWIND },
      {
        name: "x",
        scopes: ["audit.read"],
        expiresInMs: null,
        by: "test",
        having: permissionsOf("admin"),
      },
    );
    const answer = await running.call("GET", "/v1/operator/operators", { token: key, headers: { cookie } });
    expect(answer.status).toBe(403);
  });
});

test("nothing secret is in a log line or in an answer to what went wrong", async () => {
  const team = await testTeam();
  const running = await serve(team);
  await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
  const page = browser(running);
  const answers = [
    await page.post("/sign-in", { email: "ada@northwind.example", password: "canary password one" }),
    await page.post("/sign-in", { email: "ada@northwind.example", password: "correct horse battery" }),
    await page.post("/account/password", { current: "canary password two", next: "canary password three" }),
    await page.get("/invitation?code=northwind.canary"),
    await page.post("/sign-in/code", { code: "canary" }),
  ];
  const { key } = await team.operators.keys.create(
    { kind: "tenant", tenantId: NORTHWIND },
    { name: "x", scopes: ["audit.read"], expiresInMs: null, by: "t", having: permissionsOf("admin") },
  );
  await running.call("GET", "/v1/operator/operators", { token: key });
  const token = page.cookie.split("session_token=")[1]?.split(".")[0] ?? "none";
  const said = [
    ...answers.map(({ text }) => text),
    JSON.stringify(running.log.lines),
    JSON.stringify(team.errors.map(String)),
  ].join("\n");
  expect(token.length).toBeGreaterThan(20);
  for (const secret of ["canary", token, key.slice(-43), "correct horse"]) expect(said).not.toContain(secret);
});
