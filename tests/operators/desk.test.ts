/** What operators set, publish and look up. */
import { describe, expect, test } from "vitest";
import { publishPolicies } from "../../src/gateway/policy/book.ts";
import { parsePolicy } from "../../src/gateway/policy/document.ts";
import { compilePolicy, evaluate } from "../../src/gateway/policy/evaluate.ts";
import { dateIn, dayAfter } from "../../src/kernel/calendar.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { lineChanges } from "../../src/operators/policies/difference.ts";
import { AREA_NAMES, AREAS, factsOf, INITIAL_SETTINGS } from "../../src/operators/settings/shape.ts";
import { facts as factsWith, sourceOf } from "../policy/facts.ts";
import { KESTREL, NORTHWIND, testTeam } from "./fixture.ts";
import { browser, serve } from "./http.ts";

const northwind = { kind: "tenant", tenantId: NORTHWIND } as const;
const kestrel = { kind: "tenant", tenantId: KESTREL } as const;

describe("settings", () => {
  test("every area's default is one that it would take", () => {
    for (const area of AREA_NAMES) {
      expect(AREAS[area].schema.safeParse(AREAS[area].initial).error, area).toBeUndefined();
    }
  });

  test("are changed by the version that was seen: of two at once one is first, and the log says what changed", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const page = browser(running, await team.signedIn("ada@northwind.example"));
    const change = (hosts: string[], version: number) =>
      page.call("POST", "/v1/operator/settings/answers", {
        body: { value: { ...AREAS.answers.initial, link_hosts: hosts }, version },
      });
    const answers = await Promise.all([change(["a.example"], 0), change(["b.example"], 0)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.json).toMatchObject({ code: "settings_changed", version: 1 });
    expect((await change(["c.example"], 1)).json).toMatchObject({
      version: 2,
      updated_by: "ada@northwind.example",
    });
    const { json } = await page.call("GET", "/v1/operator/audit/search?kind=settings.changed");
    expect(json.entries.map((entry: { body: { version: number } }) => entry.body.version)).toEqual([2, 1]);
    expect(json.entries[0].body).toMatchObject({
      by: "ada@northwind.example",
      to: { link_hosts: ["c.example"] },
    });
  });

  test("reach the rooms that use them at once, and no other tenant", async () => {
    const { operators } = await testTeam();
    const { settings } = operators;
    expect(settings.of(NORTHWIND)).toEqual(INITIAL_SETTINGS);
    await settings.change(northwind, {
      area: "hours",
      value: { opening: { week: { mon: [{ from: "09:00", to: "17:00" }] }, closed_on: ["2026-12-25"] } },
      version: 0,
      by: "test",
    });
    expect(factsOf(settings.of(NORTHWIND)).openingHours).toEqual({
      week: { mon: [{ from: "09:00", to: "17:00" }] },
      closedOn: ["2026-12-25"],
    });
    expect(factsOf(settings.of(KESTREL)).openingHours).toBeUndefined();
  });

  test.each([
    ["hours", { opening: { week: { mon: [{ from: "17:00", to: "09:00" }] } } }],
    [
      "hours",
      {
        opening: {
          week: {
            mon: [
              { from: "09:00", to: "12:00" },
              { from: "11:00", to: "13:00" },
            ],
          },
        },
      },
    ],
    ["hours", { opening: { week: { someday: [] } } }],
    ["answers", { ...AREAS.answers.initial, link_hosts: ["https://shop.example/x"] }],
    ["answers", { ...AREAS.answers.initial, contacts: ["a\nb"] }],
    ["reviews", { ...AREAS.reviews.initial, undo_seconds: -1 }],
    ["reviews", { ...AREAS.reviews.initial, second_limit: "a lot" }],
    ["reviews", { ...AREAS.reviews.initial, second_limit: "500.005" }],
    ["escalation", { ...AREAS.escalation.initial, extra: 1 }],
    ["sign_in", { second_factor: "sometimes" }],
  ] as const)("%s takes no nonsense: %j", async (area, value) => {
    const { operators } = await testTeam();
    await expect(
      operators.settings.change(northwind, { area, value, version: 0, by: "test" }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(body|amount)_invalid$/) });
  });

  test("what the configuration says counts until it is set, and for a field that was stored without", async () => {
    const { store, operators } = await testTeam({
      defaults: { escalation: { ...AREAS.escalation.initial, stalled_calls: 5, sentiment: -0.7 } },
    });
    const { settings } = operators;
    expect(factsOf(settings.of(NORTHWIND)).escalation).toMatchObject({ stalledCalls: 5, sentiment: -0.7 });
    const shown = async () => (await settings.list(northwind)).find(({ area }) => area === "escalation");
    expect(await shown()).toMatchObject({ version: 0, value: { stalled_calls: 5, sentiment: -0.7 } });
    const { stalled_calls: _, ...older } = AREAS.escalation.initial;
    await store.transact(northwind, (tx) =>
      tx
        .insertInto("tenant_settings")
        .values({
          tenant_id: NORTHWIND,
          area: "escalation",
          value: JSON.stringify(older),
          updated_at_ms: 1,
          updated_by: "x",
        })
        .execute(),
    );
    await settings.refresh(NORTHWIND);
    expect(settings.of(NORTHWIND).escalation).toMatchObject({ stalled_calls: 5, sentiment: -0.8 });
    await settings.change(northwind, {
      area: "escalation",
      value: { ...AREAS.escalation.initial, stalled_calls: 2 },
      version: 1,
      by: "test",
    });
    expect(await shown()).toMatchObject({ version: 2, value: { stalled_calls: 2 } });
  });

  test("what an older version stored and this one does not take counts as not set", async () => {
    const { operators, store } = await testTeam();
    await store.transact(northwind, (tx) =>
      tx
        .insertInto("tenant_settings")
        .values({
          tenant_id: NORTHWIND,
          area: "reviews",
          value: JSON.stringify({ old: true }),
          updated_at_ms: 1,
          updated_by: "x",
        })
        .execute(),
    );
    await operators.settings.refresh(NORTHWIND);
    expect(operators.settings.of(NORTHWIND).reviews).toEqual(AREAS.reviews.initial);
  });
});

const SOURCE = sourceOf("northwind-refunds-v2");
const today = dateIn("America/New_York", systemClock.now());
const inEffect = (source: string, version: string, from: string) =>
  source
    .replace(/^version:.*$/m, `version: "${version}"`)
    .replace(/^effective_from:.*$/m, `effective_from: ${from}`);

describe("policies", () => {
  async function desk() {
    const team = await testTeam();
    const published = parsePolicy(SOURCE);
    await team.store.transact(northwind, (tx) => publishPolicies(tx, [published], 1, "files"));
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const running = await serve(team);
    const page = browser(running, await team.signedIn("ada@northwind.example"));
    return { team, page, published };
  }

  test("a text is checked, published from today on, and then governs; the log names who did it", async () => {
    const { page, published } = await desk();
    const source = inEffect(SOURCE, "v9", today);
    expect((await page.call("POST", "/v1/operator/policies/check", { body: { source } })).json).toEqual({
      valid: true,
      faults: [],
      version: "v9",
      effective_from: today,
    });
    const made = await page.call("POST", "/v1/operator/policies", { body: { source } });
    expect([made.status, made.json.state, made.json.published_by]).toEqual([
      201,
      published.governedBy === "request_made" ? "current" : made.json.state,
      "ada@northwind.example",
    ]);
    const list = await page.call("GET", "/v1/operator/policies");
    expect(list.json.policies.map(({ version }: { version: string }) => version)).toEqual([
      "v9",
      published.version,
    ]);
    expect((await page.call("GET", "/v1/operator/policies/versions/v9")).json.source).toBe(source);
    expect((await page.call("GET", "/v1/operator/policies/versions/v404")).status).toBe(404);
    const log = await page.call(
      "GET",
      "/v1/operator/audit/search?kind=policy.published&by=ada%40northwind.example",
    );
    expect(log.json.entries.length).toBe(1);
  });

  test("what may not be published is said with its fix, by the check and by publishing", async () => {
    const { page, published } = await desk();
    const cases: [string, string, RegExp][] = [
      ["a past date", inEffect(SOURCE, "v9", "2020-01-01"), /before anybody could read it/],
      [
        "a version that is there",
        inEffect(SOURCE, published.version, today),
        /published already, with another text/,
      ],
      [
        "another tenant's",
        inEffect(SOURCE, "v9", today).replace(/^tenant:.*$/m, "tenant: kestrel"),
        /policy of kestrel/,
      ],
      ["not a policy", "hello", /front matter/],
      ["another policy", inEffect(SOURCE, "v9", today).replace(/^id:.*$/m, "id: other-policy"), /policy is/],
    ];
    for (const [name, source, why] of cases) {
      const check = await page.call("POST", "/v1/operator/policies/check", { body: { source } });
      expect(check.json.valid, name).toBe(false);
      expect(JSON.stringify(check.json.faults), name).toMatch(why);
      const publish = await page.call("POST", "/v1/operator/policies", { body: { source } });
      expect([publish.status, publish.json.code], name).toEqual([422, "policy_invalid"]);
    }
    expect((await page.call("GET", "/v1/operator/policies")).json.policies.length).toBe(1);
  });

  describe("by a lead", () => {
    const tomorrow = dateIn("America/New_York", systemClock.now() + 86_400_000);
    const leading = async () => {
      const { team, page, published } = await desk();
      await team.person("lea@northwind.example", { [NORTHWIND]: "lead" });
      await team.person("otto@northwind.example", { [NORTHWIND]: "agent" });
      const running = await serve(team);
      const as = async (name: string) => browser(running, await team.signedIn(`${name}@northwind.example`));
      const publish = (source: string, who: Awaited<ReturnType<typeof as>>) =>
        who.call("POST", "/v1/operator/policies", { body: { source } });
      const versions = async () =>
        (await page.call("GET", "/v1/operator/policies")).json.policies.map(
          ({ version }: { version: string }) => version,
        );
      const texts = () =>
        team.store.transact(northwind, (tx) =>
          tx
            .selectFrom("knowledge_documents")
            .select(["version", "superseded_from_ms"])
            .where("format", "=", "policy")
            .execute(),
        );
      return {
        team,
        page,
        published,
        publish,
        versions,
        texts,
        lea: await as("lea"),
        otto: await as("otto"),
      };
    };

    test("a version is published for a later day, and never for today", async () => {
      const { lea, otto, page, publish, versions, published } = await leading();
      const now = await publish(inEffect(SOURCE, "v9", today), lea);
      expect([now.status, now.json.code]).toEqual([403, "policy_needs_admin"]);
      expect((await publish(inEffect(SOURCE, "v9", tomorrow), otto)).json.code).toBe("forbidden");
      expect(await versions()).toEqual([published.version]);
      const freeDay = async () => (await lea.call("GET", "/v1/operator/policies")).json.next_free_day;
      expect(await freeDay()).toBe(tomorrow);
      const later = await publish(inEffect(SOURCE, "v9", tomorrow), lea);
      expect([later.status, later.json.state, later.json.published_by]).toEqual([
        201,
        "future",
        "lea@northwind.example",
      ]);
      expect(await freeDay()).toBe(dayAfter(tomorrow));
      expect((await publish(inEffect(SOURCE, "v10", today), page)).status).toBe(201);
    });

    test("and withdrawn by somebody else before its day, with what customers would have read", async () => {
      const { team, lea, page, publish, versions, texts, published } = await leading();
      await publish(inEffect(SOURCE, "v8", today), page);
      const before = await texts();
      await publish(inEffect(SOURCE, "v9", tomorrow), lea);
      expect((await texts()).map(({ version }) => version)).toContain("v9");
      const withdraw = (version: string, who = page) =>
        who.call("POST", `/v1/operator/policies/versions/${version}/withdraw`, { body: {} });
      expect((await withdraw("v9")).json).toEqual({ withdrawn: "v9" });
      expect((await withdraw("v9")).status).toBe(404);
      expect(await versions()).toEqual(["v8", published.version]);
      expect(await texts()).toEqual(before);
      // What counts stays, whoever asks.
      for (const version of ["v8", published.version]) {
        expect((await withdraw(version, lea)).json.code).toBe("policy_not_withdrawn");
      }
      const log = await team.store.transact(northwind, (tx) =>
        tx.selectFrom("audit").select(["kind", "body"]).where("kind", "=", "policy.withdrawn").execute(),
      );
      expect(log).toMatchObject([{ body: { by: "ada@northwind.example", effective_from: tomorrow } }]);
    });
  });

  test("two versions are compared by clause, limit and line", async () => {
    const { page, published } = await desk();
    const { unattendedMaxMinor } = published.limits;
    const source = inEffect(SOURCE, "v9", today).replace(/^(\s*return_window(?:_days)?:).*$/m, "$1 7");
    const made = await page.call("POST", "/v1/operator/policies", { body: { source } });
    expect(made.status, JSON.stringify(made.json)).toBe(201);
    const { json } = await page.call(
      "GET",
      `/v1/operator/policies/difference?from=${published.version}&to=v9`,
    );
    expect(json.limits).toContainEqual({
      limit: "returnWindowDays",
      before: published.limits.returnWindowDays,
      after: 7,
    });
    expect(json.limits.map(({ limit }: { limit: string }) => limit)).not.toContain(
      `unattendedMaxMinor.${Object.keys(unattendedMaxMinor)[0]}`,
    );
    expect(json.lines.filter(({ kind }: { kind: string }) => kind === "same").length).toBeGreaterThan(20);
    expect((await page.call("GET", "/v1/operator/policies/difference?from=v9&to=nothing")).status).toBe(404);
  });

  test("a preview names the decisions that would have gone the other way, and changes nothing", async () => {
    const { team, page, published } = await desk();
    const compiled = compilePolicy(published);
    await recordDecisions(team, compiled, [10, 25]);
    const source = inEffect(SOURCE, "v9", today).replace(/^(\s*return_window(?:_days)?:).*$/m, "$1 20");
    const { json } = await page.call("POST", "/v1/operator/policies/preview", { body: { source } });
    expect(json.decisions).toBe(2);
    expect(
      json.changed.map(({ order_number, was, would_be }: Record<string, string>) => [
        order_number,
        was,
        would_be,
      ]),
    ).toEqual([["25", evaluate(compiled, "refund", factsAfter(25)).decision, "deny"]]);
    expect((await page.call("GET", "/v1/operator/policies")).json.policies.length).toBe(1);
    const same = await page.call("POST", "/v1/operator/policies/preview", { body: { source: SOURCE } });
    expect(same.json.changed).toEqual([]);
    // And of the other tenant nothing is looked at.
    expect((await team.operators.policies.preview(kestrel, source, 100)).decisions).toBe(0);
  });
});

const factsAfter = (daysSinceDelivery: number) =>
  factsWith({ order: { daysSinceDelivery, daysSincePlaced: daysSinceDelivery + 3 } });

async function recordDecisions(
  team: Awaited<ReturnType<typeof testTeam>>,
  compiled: ReturnType<typeof compilePolicy>,
  days: readonly number[],
): Promise<void> {
  await team.store.transact(northwind, async (tx) => {
    await tx
      .insertInto("conversations")
      .values({
        tenant_id: NORTHWIND,
        id: "conv_1" as never,
        customer_id: "ada" as never,
        channel: "chat",
        assurance: "authenticated",
        status: "open",
        created_at_ms: 1,
        updated_at_ms: 1,
      } as never)
      .execute();
    for (const day of days) {
      const facts = factsAfter(day);
      const verdict = evaluate(compiled, "refund", facts);
      await tx
        .insertInto("actions")
        .values({
          tenant_id: NORTHWIND,
          id: `act_${day}` as never,
          customer_id: "ada" as never,
          conversation_id: "conv_1" as never,
          run_id: "run_1" as never,
          kind: "refund",
          state: "succeeded",
          order_id: `o${day}`,
          order_number: String(day),
          charge_id: null,
          amount_minor: 1_000,
          currency: "USD",
          args: "{}",
          args_hash: "h",
          items_text: "Socks",
          idempotency_key: `k${day}`,
          decision: JSON.stringify({ verdict, facts, action: "refund", evaluatedAt: day }),
          proposed_by: "agent:workflows",
          approved_by: null,
          first_attempt_ms: null,
          next_attempt_ms: null,
          lease_owner: null,
          lease_until_ms: null,
          provider_ref: null,
          evidence: null,
          told_state: null,
          created_at_ms: day,
          updated_at_ms: day,
        } as never)
        .execute();
    }
  });
}

describe("the audit log", () => {
  test("is searched by kind, subject, person and time, page by page, and exported as it is", async () => {
    const team = await testTeam();
    const running = await serve(team);
    await team.person("ada@northwind.example", { [NORTHWIND]: "admin" });
    const otto = await team.person("otto@northwind.example", { [NORTHWIND]: "agent" });
    await team.person("karl@kestrel.example", { [KESTREL]: "admin" });
    const page = browser(running, await team.signedIn("ada@northwind.example"));
    for (const role of ["lead", "auditor", "agent"]) {
      await page.call("POST", `/v1/operator/operators/${otto}/role`, { body: { role } });
    }
    const search = async (query: string) => {
      const { json } = await page.call("GET", `/v1/operator/audit/search?${query}`);
      return json;
    };
    expect((await search(`subject=${otto}&kind=operator.role_changed`)).entries.length).toBe(3);
    // Signing in is hers too.
    expect((await search("by=ada%40northwind.example")).entries.length).toBe(4);
    expect((await search("by=nobody")).entries).toEqual([]);
    expect((await search(`from=${new Date(systemClock.now() + 60_000).toISOString()}`)).entries).toEqual([]);
    const first = await search("kind=operator.&limit=2");
    expect([first.entries.length, first.more]).toEqual([2, true]);
    const rest = await search(`kind=operator.&before_n=${first.last_n}`);
    expect(rest.more).toBe(false);
    const numbers = [...first.entries, ...rest.entries].map(({ n }: { n: number }) => n);
    expect(numbers).toEqual([6, 5, 4, 3, 2, 1]);
    const exported = await page.get("/v1/operator/audit/export");
    const lines = exported.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(exported.headers.get("content-disposition")).toContain("audit-northwind-1-6.jsonl");
    expect(exported.text).not.toContain("kestrel");
  });
});

test("the fewest lines are told to have changed, in their order", () => {
  const told = (before: string, after: string) =>
    lineChanges(before, after)
      .map(({ kind, text }) => `${kind[0]}${text}`)
      .join(" ");
  expect(told("a\nb\nc", "a\nc\nd")).toBe("sa rb sc ad");
  expect(told("a", "a")).toBe("sa");
  expect(told("a\nb", "b\na")).toMatch(/^(ra sb aa|ab sa rb)$/);
});
