/** What a run did, drawn from its records; and decided anew from them. */
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { createWorkflowAgent } from "../../src/agents/router.ts";
import { traceLines } from "../../src/cli/runs/show.ts";
import { plainPaint } from "../../src/cli/terminal.ts";
import { publishPolicies } from "../../src/gateway/policy/book.ts";
import { parsePolicy } from "../../src/gateway/policy/document.ts";
import { newId } from "../../src/kernel/ids.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { type RunRecords, readRun } from "../../src/orchestrator/traces/reading.ts";
import { replay, type Today } from "../../src/orchestrator/traces/replay.ts";
import type { Span } from "../../src/orchestrator/traces/trace.ts";
import { RECOURSE_VERSION } from "../../src/version.ts";
import { codeOf } from "../actions/reviews-kit.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

const SCOPE = tenantScope(NORTHWIND);
let w: TestSystem;
afterEach(async () => {
  expect(w.errors).toEqual([]);
  await w.close();
});

/** Ben asks for #1044, 64.00 USD, and says yes: the policy lets it go out by itself. Oldest run first. */
async function refunded(options: TestOptions = {}) {
  w = await createTestSystem(options);
  const scope = w.scope("ben");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, "please refund order 1044");
  await w.say(scope, conversation, "yes");
  await w.settle();
  return runsOf();
}
const runsOf = async () =>
  (await w.system.traces.latest(SCOPE, 100)).map(({ run_id }): string => run_id).reverse() as [
    string,
    string,
  ];
const traceOf = async (runId: string) => (await w.system.traces.trace(SCOPE, runId)).spans;
const named = (spans: readonly Span[], name: string) => spans.find((span) => span.name === name);

describe("a run's trace", () => {
  test("of an offer shows claim, context, the tool with verdict, clause and version, the filter, and the end", async () => {
    const [offer] = await refunded();
    const spans = await traceOf(offer);
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["invoke_agent workflows", "claim", "context", "execute_tool process_refund"]),
    );
    const tool = named(spans, "execute_tool process_refund");
    expect(tool?.attributes).toMatchObject({
      "gen_ai.tool.name": "process_refund",
      "recourse.gateway.verdict": "offered",
      "recourse.policy.decision": "allow",
      "recourse.policy.id": "refunds",
      "recourse.policy.version": "3",
    });
    expect(tool?.attributes["recourse.policy.clauses"]).not.toEqual([]);
    expect(tool?.started_at).not.toBeNull();
    const filter = named(spans, "filter");
    expect(filter).toMatchObject({ parent: tool?.id, attributes: { "recourse.filter.verdict": "passed" } });
    expect(spans[0]?.attributes).toMatchObject({
      "recourse.run.state": "completed",
      "recourse.code.version": RECOURSE_VERSION,
    });
  });

  test("of a yes shows the provider's call below the tool's, with its outcome", async () => {
    const [, yes] = await refunded();
    const spans = await traceOf(yes);
    const tool = named(spans, "execute_tool process_refund");
    expect(tool?.attributes["recourse.gateway.verdict"]).toBe("recorded");
    expect(named(spans, "provider refund")).toMatchObject({
      parent: tool?.id,
      attributes: { "recourse.action.state": "succeeded", "recourse.action.attempts": 1 },
      error: null,
    });
    // Every parent is there, and stands before its children.
    for (const [index, span] of spans.entries()) {
      const before = spans.slice(0, index).map(({ id }) => id);
      if (span.parent !== null) expect(before).toContain(span.parent);
    }
  });

  test("of a denial shows the clause and the version that said no", async () => {
    w = await createTestSystem();
    const scope = w.scope("cleo");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, "refund order 1031");
    const spans = (await Promise.all((await runsOf()).map(traceOf))).flat();
    const denied = spans.find(({ attributes }) => attributes["recourse.gateway.verdict"] === "denied");
    expect(denied?.attributes).toMatchObject({
      "recourse.policy.decision": "deny",
      "recourse.policy.version": expect.any(String),
    });
    expect(denied?.attributes["recourse.policy.clauses"]).not.toEqual([]);
  });

  test("is of the tenant that asks: another's run is no run", async () => {
    const [offer] = await refunded();
    const other = tenantScope(KESTREL);
    expect(await w.system.traces.latest(other, 100)).toEqual([]);
    expect(await codeOf(w.system.traces.trace(other, offer))).toBe("run_not_found");
    expect(await codeOf(w.system.traces.replay(other, offer))).toBe("run_not_found");
    const unknown = newId("run", w.clock, w.random);
    expect(await codeOf(w.system.traces.trace(SCOPE, unknown))).toBe("run_not_found");
    expect(await codeOf(w.system.traces.trace(SCOPE, "run_1' or true"))).toBe("run_not_found");
  });

  test("holds no word of a message and nothing of the customer, not even what an agent made up as a tool", async () => {
    const secret = "Ben Carter, ben@example.com, 12 Elm Street";
    w = await createTestSystem({
      agent: {
        name: "loose",
        next: async (view) =>
          view.steps.length === 0
            ? { type: "call", tool: secret, args: { order_id: secret, note: view.focus.text } }
            : { type: "say", text: "Thanks for your message." },
      },
    });
    const scope = w.scope("ben");
    const conversation = await w.open(scope);
    await w.say(scope, conversation, "zebrawort is my word");
    const [id] = await runsOf();
    const trace = await w.system.traces.trace(SCOPE, id);
    const drawn = traceLines(trace, { paint: plainPaint, width: 90 }).join("\n");
    for (const text of [JSON.stringify(trace), drawn]) {
      for (const part of ["Carter", "ben@", "Elm", "zebrawort", "Thanks"]) expect(text).not.toContain(part);
      expect(text).toContain("execute_tool unknown");
      expect(text).toContain("tool_unknown");
    }
  });

  test("of an erased customer keeps what tells nothing of them, and cannot be replayed", async () => {
    const [offer] = await refunded();
    await w.system.privacy.erasures.erase(SCOPE, "ben", "olivia");
    const spans = await traceOf(offer);
    expect(named(spans, "claim")).toBeUndefined();
    expect(named(spans, "execute_tool process_refund")?.started_at).toBeNull();
    const trace = await w.system.traces.trace(SCOPE, offer);
    expect(traceLines(trace, { paint: plainPaint, width: 90 }).join()).toContain("time not recorded");
    expect(await codeOf(w.system.traces.replay(SCOPE, offer))).toBe("run_not_replayable");
  });
});

const recordsOf = (runId: string): Promise<RunRecords> => w.store.transact(SCOPE, (tx) => readRun(tx, runId));
const replayOf = (runId: string) => w.system.traces.replay(SCOPE, runId);

/** What every table holds that the product may read, as one text. */
const everything = () =>
  w.store.transact(SCOPE, async (tx) => {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema = 'recourse' and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')
       order by 1`.execute(tx);
    expect(tables.length).toBeGreaterThan(20);
    const held: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`
        select coalesce(string_agg(held::text, '|' order by held::text), '') as text from ${sql.raw(name)} held`.execute(
        tx,
      );
      held.push(`${name}: ${rows[0]?.text}`);
    }
    return held.join("\n");
  });

const today = (more: Partial<Today> = {}): Today => ({
  thresholds: { stalledCalls: 2 },
  code: RECOURSE_VERSION,
  asks: null,
  policyFor: () => null,
  ...more,
});

describe("a run decided anew", () => {
  test("comes out the same, step by step, while nothing has changed", async () => {
    for (const id of await refunded()) {
      const result = await replayOf(id);
      expect(result).toMatchObject({ same: true, differences: [] });
      expect(result.checks.map(({ what }) => what)).toEqual(
        expect.arrayContaining(["flow", "tool", "policy"]),
      );
      expect(result.not_replayed.join(" ")).toContain("agent was not asked again");
    }
  });

  test("says which clause of which version would decide differently today", async () => {
    const [offer, yes] = await refunded();
    const { source } = await w.store.transact(SCOPE, (tx) =>
      tx.selectFrom("policy_versions").select("source").where("version", "=", "3").executeTakeFirstOrThrow(),
    );
    const stricter = parsePolicy(
      source
        .replace('version: "3"', 'version: "4"')
        .replace("effective_from: 2026-10-01", "effective_from: 2026-10-02")
        .replaceAll("100.00", "50.00"),
    );
    await w.store.transact(SCOPE, (tx) => publishPolicies(tx, [stricter], w.clock.now(), "test"));
    for (const id of [offer, yes]) {
      const result = await replayOf(id);
      expect(result.same).toBe(false);
      const policy = result.checks.find(({ what }) => what === "policy");
      expect(policy).toMatchObject({ same: false, was: expect.stringMatching(/^allow/) });
      expect(policy?.would_be).toMatch(/^needs_approval/);
      expect(result.differences).toEqual([
        { what: "policy", was: "refunds version 3", now: "refunds version 4" },
      ]);
    }
  });

  test("asks nobody, sends nothing and writes nothing: not one row of any table changes", async () => {
    let asked = 0;
    const counting = <T extends object>(real: T): T =>
      new Proxy(real, {
        get(target, name, receiver) {
          const value = Reflect.get(target, name, receiver);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            asked += 1;
            return value.apply(target, args);
          };
        },
      });
    const ids = await refunded({ payments: counting, agent: counting(createWorkflowAgent()) });
    expect(asked).toBeGreaterThan(0);
    const shop = w.shop.app.fetch;
    w.shop.app.fetch = (...args) => {
      asked += 1;
      return shop(...args);
    };
    const [before, refunds, askedBefore] = [await everything(), await w.refunds("1044"), asked];
    for (const id of ids) expect((await replayOf(id)).checks.length).toBeGreaterThan(0);
    await w.drain();
    expect(asked).toBe(askedBefore);
    expect(await everything()).toBe(before);
    expect(await w.refunds("1044")).toEqual(refunds);
  });

  test("is refused by the database itself where it would write", async () => {
    w = await createTestSystem();
    const writing = w.store.transact(SCOPE, async (tx) => {
      await sql`set transaction read only`.execute(tx);
      await tx.updateTable("tenants").set({ name: "another" }).execute();
    });
    await expect(writing).rejects.toThrow(/read-only/);
  });

  test("says what was not recorded, of a run of an earlier version, and does not make it up", async () => {
    const [offer] = await refunded();
    const records = await recordsOf(offer);
    const older: RunRecords = {
      ...records,
      record: { answers: 1 },
      steps: records.steps.map(({ outcome: { decision: _, ...outcome }, ...step }) => ({ ...step, outcome })),
    };
    const result = replay(older, today());
    expect(result.same).toBe(true);
    expect(result.checks.map(({ what }) => what)).not.toContain("policy");
    expect(result.not_replayed).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/facts of the decision at step 10\d were not recorded/),
        "The code's version was not recorded.",
      ]),
    );
  });

  test("names another model, prompt and code, which is no other decision by itself", async () => {
    const [offer] = await refunded();
    const records = await recordsOf(offer);
    const asked: RunRecords = {
      ...records,
      steps: [],
      tier: "small",
      model: "compatible/one",
      promptVersion: "support.v1@00000000",
    };
    const asks = { prompt: "support.v2@11111111", models: { small: "compatible/two", large: null } };
    const result = replay(asked, today({ code: "9.9.9", asks }));
    expect(result.differences).toEqual([
      { what: "code", was: RECOURSE_VERSION, now: "9.9.9" },
      { what: "model", was: "compatible/one", now: "compatible/two" },
      { what: "prompt", was: "support.v1@00000000", now: "support.v2@11111111" },
    ]);
  });
});
