import { beforeEach, describe, expect, test } from "vitest";
import { appendAudit } from "../../src/evidence/audit.ts";
import type { BrokerFigures } from "../../src/evidence/metrics/broker-gauges.ts";
import { type Figure, METRIC_NAMES, METRICS } from "../../src/evidence/metrics/definitions.ts";
import { createMetrics } from "../../src/evidence/metrics/metrics.ts";
import { createExposition, seriesOf } from "../../src/evidence/metrics/prometheus.ts";
import {
  boundedLabels,
  LABELS_MAX,
  REOPENED_WITHIN_MS,
  readMetrics,
} from "../../src/evidence/metrics/reading.ts";
import { type Random, seededRandom, systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createStore, type Store, type Tx } from "../../src/store/store.ts";
import { emptiedDatabase, KESTREL, NORTHWIND } from "../kit/database.ts";

const SEED = Math.trunc(Number(process.env.SEED ?? 20261203));
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-12-03T12:00:00Z");
const FROM_MS = NOW_MS - 20 * DAY_MS;
const TO_MS = NOW_MS - 2 * DAY_MS;
let store: Store;

beforeEach(async () => {
  store = createStore(await emptiedDatabase());
  for (const tenant_id of [NORTHWIND, KESTREL]) {
    await store.transact(tenantScope(tenant_id), (tx) =>
      tx
        .insertInto("tenants")
        .values({ tenant_id, name: tenant_id, currency: "USD", time_zone: "UTC" })
        .execute(),
    );
  }
});

/** What happened, as plain rows: what is stored is read back and counted from these. */
interface World {
  readonly conversations: {
    id: string;
    channel: "chat" | "email";
    createdMs: number;
    events: { seq: number; atMs: number; type: string; author: string | null; status?: string }[];
  }[];
  readonly reviews: {
    id: string;
    conversation: string;
    kind: string;
    reason: string;
    state: string;
    resolved: boolean;
    createdMs: number;
    updatedMs: number;
  }[];
  readonly ratings: { solvedBy: string; score: number; atMs: number }[];
  readonly steps: { tool: string | null; kind: string; code: string | null; atMs: number }[];
  readonly calls: { micros: number; atMs: number }[];
  readonly denials: { clause: string; atMs: number }[];
  readonly actions: { id: string; atMs: number }[];
  readonly audit: { kind: string; subject: string; atMs: number }[];
}

function chance(random: Random): World {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random.fraction() * all.length)] as T;
  const at = () => Math.floor(FROM_MS - 5 * DAY_MS + random.fraction() * (NOW_MS - FROM_MS + 5 * DAY_MS));
  const many = <T>(max: number, make: (index: number) => T): T[] =>
    Array.from({ length: Math.floor(random.fraction() * max) }, (_, index) => make(index));
  const conversations = many(12, (index) => {
    const createdMs = at();
    let atMs = createdMs;
    const events = many(14, (seq) => {
      atMs = Math.min(NOW_MS, atMs + Math.floor(random.fraction() ** 4 * 9 * DAY_MS));
      const isStatus = random.fraction() < 0.25;
      return {
        seq: seq + 1,
        atMs,
        type: isStatus ? "status" : "message",
        author: isStatus ? null : pick(["customer", "customer", "agent", "operator", "system"]),
        ...(isStatus ? { status: pick(["resolved", "resolved", "open", "with_person"]) } : {}),
      };
    });
    return { id: `c${index}`, channel: pick(["chat", "email"] as const), createdMs, events };
  });
  const actions = many(8, (index) => ({ id: `a${index}`, atMs: at() }));
  return {
    conversations,
    reviews:
      conversations.length === 0
        ? []
        : many(10, (index) => {
            const createdMs = at();
            const state = pick(["open", "decided", "withdrawn"]);
            return {
              id: `r${index}`,
              conversation: pick(conversations).id,
              kind: pick(["handoff", "handoff", "approval"]),
              reason: pick(["asked_for_person", "legal", "sentiment"]),
              state,
              resolved: state === "decided" && random.fraction() < 0.6,
              createdMs,
              updatedMs: Math.min(NOW_MS, createdMs + Math.floor(random.fraction() * 3 * DAY_MS)),
            };
          }),
    ratings: many(10, () => ({
      solvedBy: pick(["agent", "person"]),
      score: pick([1, 2, 3, 4, 5]),
      atMs: at(),
    })),
    steps: many(20, () => ({
      tool: pick(["process_refund", "initiate_return", "get_order_status", null]),
      kind: pick(["result", "conflict", "unavailable", "invalid", "withheld"]),
      code: pick(["units_unavailable", "shop_unavailable", "order_not_found", null]),
      atMs: at(),
    })),
    calls: many(10, () => ({ micros: Math.floor(random.fraction() * 1e6), atMs: at() })),
    denials: many(8, () => ({ clause: pick(["window", "final-sale"]), atMs: at() })),
    actions,
    audit: many(14, () => ({
      kind: pick([
        "action.executing",
        "action.unknown",
        "action.succeeded",
        "action.failed",
        "action.needs_person",
      ]),
      subject: pick(["a1", "a2", "a3", "a4"]),
      atMs: at(),
    })),
  };
}

async function keep(tx: Tx, world: World): Promise<void> {
  const tenant_id = tx.scope.tenantId;
  const customer_id = "ada" as never;
  for (const { id, channel, createdMs, events } of world.conversations) {
    await tx
      .insertInto("conversations")
      .values({
        tenant_id,
        id: id as never,
        customer_id,
        channel,
        assurance: "authenticated",
        status: "open",
        created_at_ms: createdMs,
        updated_at_ms: Math.max(createdMs, ...events.map(({ atMs }) => atMs)),
      })
      .execute();
    for (const event of events) {
      await tx
        .insertInto("events")
        .values({
          tenant_id,
          conversation_id: id as never,
          seq: event.seq,
          customer_id,
          at_ms: event.atMs,
          type: event.type as never,
          author: event.author as never,
          payload: JSON.stringify(event.status === undefined ? { text: "x" } : { status: event.status }),
          internal: null,
          client_message_id: null,
        })
        .execute();
    }
  }
  for (const review of world.reviews) {
    await tx
      .insertInto("reviews")
      .values({
        tenant_id,
        id: review.id as never,
        customer_id,
        conversation_id: review.conversation as never,
        kind: review.kind as never,
        state: review.state as never,
        reason: review.reason,
        action_id: null,
        args_hash: null,
        packet: "{}",
        decision: review.resolved ? JSON.stringify({ decision: "resolve" }) : null,
        created_at_ms: review.createdMs,
        updated_at_ms: review.updatedMs,
        expires_at_ms: null,
      })
      .execute();
  }
  for (const [index, { solvedBy, score, atMs }] of world.ratings.entries()) {
    await tx
      .insertInto("csat")
      .values({
        tenant_id,
        conversation_id: `rated${index}` as never,
        since_seq: 0,
        customer_id,
        score,
        comment: null,
        solved_by: solvedBy as never,
        given_by: "chat",
        at_ms: atMs,
      })
      .execute();
  }
  if (world.steps.length > 0) {
    await tx
      .insertInto("conversations")
      .values({
        tenant_id,
        id: "steps" as never,
        customer_id,
        channel: "chat",
        assurance: "authenticated",
        status: "open",
        created_at_ms: NOW_MS,
        updated_at_ms: NOW_MS,
      })
      .execute();
    await tx
      .insertInto("runs")
      .values({
        tenant_id,
        id: "run" as never,
        conversation_id: "steps" as never,
        customer_id,
        cause: "message",
        state: "completed",
        lease_owner: null,
        lease_until_ms: null,
        deadline_ms: NOW_MS,
        outcome: null,
        created_at_ms: NOW_MS,
        updated_at_ms: NOW_MS,
      })
      .execute();
  }
  for (const [n, { tool, kind, code, atMs }] of world.steps.entries()) {
    await tx
      .insertInto("steps")
      .values({
        tenant_id,
        run_id: "run" as never,
        n,
        customer_id,
        at_ms: atMs,
        proposal: JSON.stringify(tool === null ? { type: "say" } : { type: "call", tool }),
        outcome: JSON.stringify({ kind, ...(code === null ? {} : { code }) }),
      })
      .execute();
  }
  for (const [index, call] of world.calls.entries())
    await tx
      .insertInto("model_calls")
      .values(callRow(tx, `m${index}`, call))
      .execute();
  for (const [index, { clause, atMs }] of world.denials.entries()) {
    await tx
      .insertInto("denials")
      .values({
        tenant_id,
        id: `d${index}`,
        customer_id,
        conversation_id: "c0" as never,
        run_id: "run" as never,
        kind: "refund",
        order_number: "1",
        amount_minor: 1,
        currency: "USD",
        decision: JSON.stringify({ verdict: { clauses: [{ clauseId: clause }] } }),
        at_ms: atMs,
      })
      .execute();
  }
  for (const { kind, subject, atMs } of world.audit) {
    await appendAudit(tx, atMs, [{ kind, subject, customerId: "ada", body: {} }]);
  }
}

const callRow = (tx: Tx, id: string, { micros, atMs }: World["calls"][number]) => ({
  tenant_id: tx.scope.tenantId,
  id,
  run_id: "run" as never,
  at_ms: atMs,
  tier: "small" as const,
  model: "m",
  prompt_version: "1",
  input_tokens: 1,
  cached_tokens: 0,
  output_tokens: 1,
  cost_micros: micros,
  outcome: "answered",
  took_ms: 1,
});

/** Each metric as its definition says, row by row. */
function recount(world: World): readonly Figure[] {
  const inPeriod = ({ atMs }: { atMs: number }) => atMs >= FROM_MS && atMs < TO_MS;
  const figures: Figure[] = [];
  const put = (
    metric: Figure["metric"],
    label: string | null,
    numerator: number,
    denominator: number | null,
  ) => figures.push({ metric, label, numerator, denominator });
  const endings = world.conversations.flatMap((conversation) => {
    const ends = conversation.events.filter(({ status }) => status === "resolved");
    return ends.map((end, index) => {
      const before = ends[index - 1] ?? { seq: 0, atMs: -1 };
      const wrote = conversation.events.some(
        ({ author, seq }) => author === "operator" && seq > before.seq && seq < end.seq,
      );
      const byHand = world.reviews.some(
        (review) =>
          review.conversation === conversation.id &&
          review.kind === "handoff" &&
          review.resolved &&
          review.updatedMs > before.atMs &&
          review.updatedMs <= end.atMs,
      );
      const reopened = conversation.events.some(
        ({ author, seq, atMs }) =>
          author === "customer" && seq > end.seq && atMs <= end.atMs + REOPENED_WITHIN_MS,
      );
      return { atMs: end.atMs, byPerson: wrote || byHand, reopened, isFirst: index === 0, conversation };
    });
  });
  const counted = endings.filter(inPeriod);
  put("autonomous_resolutions", null, counted.filter(({ byPerson }) => !byPerson).length, counted.length);
  const old = counted.filter(({ atMs }) => atMs <= NOW_MS - REOPENED_WITHIN_MS);
  put("reopened", null, old.filter(({ reopened }) => reopened).length, old.length);
  for (const who of ["agent", "person"]) {
    const own = world.ratings.filter(inPeriod).filter(({ solvedBy }) => solvedBy === who);
    if (own.length > 0) put("satisfied", who, own.filter(({ score }) => score >= 4).length, own.length);
  }
  const spoke = world.conversations.filter(({ events }) =>
    events.some((event) => event.author === "customer" && inPeriod(event)),
  ).length;
  const handoffs = world.reviews.filter(
    ({ kind, createdMs }) => kind === "handoff" && inPeriod({ atMs: createdMs }),
  );
  for (const [reason, own] of Map.groupBy(handoffs, (review) => review.reason))
    put("escalations", reason, own.length, spoke);
  for (const channel of ["chat", "email"]) {
    const waits = world.conversations
      .filter((conversation) => conversation.channel === channel)
      .flatMap(({ events }) => {
        const asked = events.find(({ author }) => author === "customer");
        if (asked === undefined || !inPeriod(asked)) return [];
        const answer = events.find(
          ({ author, seq }) => (author === "agent" || author === "operator") && seq > asked.seq,
        );
        return answer === undefined ? [] : [answer.atMs - asked.atMs];
      });
    if (waits.length > 0)
      put("first_answer", channel, waits.reduce((a, b) => a + b, 0) / 1_000, waits.length);
    const firsts = counted.filter(({ isFirst, conversation }) => isFirst && conversation.channel === channel);
    const took = firsts.reduce((sum, { atMs, conversation }) => sum + atMs - conversation.createdMs, 0);
    if (firsts.length > 0) put("resolution", channel, took / 1_000, firsts.length);
  }
  const cost = world.calls.filter(inPeriod).reduce((sum, { micros }) => sum + micros, 0);
  put("model_cost", null, cost / 1e6, counted.length);
  const steps = world.steps.filter(inPeriod);
  const effects = steps.filter(({ tool }) => tool === "process_refund" || tool === "initiate_return");
  const twice = effects.filter(({ kind, code }) => kind === "conflict" && code === "units_unavailable");
  put("duplicates_prevented", null, twice.length, effects.length);
  const unknown = world.audit.filter(({ kind }) => kind === "action.unknown").filter(inPeriod);
  const sent = world.audit.filter(({ kind }) => kind === "action.executing").filter(inPeriod);
  const subjects = new Set(unknown.map(({ subject }) => subject));
  put("unknown_outcomes", null, subjects.size, new Set(sent.map(({ subject }) => subject)).size);
  const settled = [...subjects].flatMap((subject) => {
    const sinceMs = Math.min(...unknown.filter((entry) => entry.subject === subject).map(({ atMs }) => atMs));
    const known = world.audit
      .filter((entry) => entry.subject === subject && entry.atMs >= sinceMs)
      .filter(({ kind }) => ["action.succeeded", "action.failed", "action.needs_person"].includes(kind))
      .map(({ atMs }) => atMs);
    return known.length === 0 ? [] : [Math.min(...known) - sinceMs];
  });
  put("unknown_settling", null, settled.reduce((a, b) => a + b, 0) / 1_000, settled.length);
  const called = steps.filter(({ tool }) => tool !== null);
  const failed = called.filter(({ kind }) => kind === "unavailable" || kind === "invalid");
  for (const [code, own] of Map.groupBy(failed, ({ code, kind }) => code ?? kind))
    put("tool_errors", code, own.length, called.length);
  const denied = world.denials.filter(inPeriod);
  for (const [clause, own] of Map.groupBy(denied, (each) => each.clause))
    put("denials", clause, own.length, denied.length);
  const held = steps.filter(({ kind }) => kind === "withheld").length;
  const told = world.conversations
    .flatMap(({ events }) => events)
    .filter((event) => event.author === "agent" && inPeriod(event));
  put("withheld", null, held, held + told.length);
  const open = world.reviews.filter(({ state }) => state === "open");
  for (const [kind, own] of Map.groupBy(open, (review) => review.kind)) {
    put("queue", kind, own.length, null);
    put("queue_age", kind, (NOW_MS - Math.min(...own.map(({ createdMs }) => createdMs))) / 1_000, null);
  }
  return figures;
}

const sorted = (figures: readonly Figure[]) =>
  figures
    .map(({ metric, label, numerator, denominator }) => [
      metric,
      label,
      Math.round(numerator * 1e6) / 1e6,
      denominator,
    ])
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

test("metrics agree with a slow recount from the raw rows (60 worlds)", async () => {
  const random = seededRandom(SEED);
  for (let trial = 0; trial < 60; trial += 1) {
    const world = chance(random);
    const scope = tenantScope(NORTHWIND);
    const undo = new Error("undo");
    let counted: readonly Figure[] = [];
    await store
      .transact(scope, async (tx) => {
        await keep(tx, world);
        counted = await readMetrics(tx, { fromMs: FROM_MS, toMs: TO_MS }, NOW_MS);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    expect(sorted(counted), `seed ${SEED}, world ${trial}`).toEqual(sorted(recount(world)));
  }
}, 120_000);

test("[90] a model's answer that is recorded twice costs once", async () => {
  const scope = tenantScope(NORTHWIND);
  const call = { micros: 250_000, atMs: FROM_MS + 1 };
  await store.transact(scope, (tx) =>
    tx
      .insertInto("model_calls")
      .values(callRow(tx, "m1", call))
      .execute(),
  );
  await expect(
    // The same answer with a time in another unit: its ID tells.
    store.transact(scope, (tx) =>
      tx
        .insertInto("model_calls")
        .values(callRow(tx, "m1", { ...call, atMs: call.atMs * 1_000 }))
        .execute(),
    ),
  ).rejects.toThrow(/duplicate key/);
  const figures = await store.transact(scope, (tx) =>
    readMetrics(tx, { fromMs: FROM_MS, toMs: TO_MS }, NOW_MS),
  );
  expect(figures.find(({ metric }) => metric === "model_cost")?.numerator).toBe(0.25);
});

describe("the text for Prometheus", () => {
  test("has every series with its help, and no tenant sees another's in the figures", async () => {
    await store.transact(tenantScope(KESTREL), (tx) =>
      tx
        .insertInto("model_calls")
        .values(callRow(tx, "m1", { micros: 1_000_000, atMs: systemClock.now() - 1_000 }))
        .execute(),
    );
    const metrics = createMetrics({
      store,
      clock: systemClock,
      tenants: [NORTHWIND, KESTREL],
      freshMs: 10_000,
      broker: null,
    });
    const { text, contentType } = await metrics.prometheus();
    expect(contentType).toContain("text/plain");
    for (const metric of METRIC_NAMES) {
      const { numerator, denominator } = seriesOf(metric);
      expect(text).toContain(`# HELP ${numerator} ${METRICS[metric].title}: `);
      if (denominator !== null) expect(text).toContain(`# TYPE ${denominator} gauge`);
    }
    expect(text).toContain('recourse_model_cost_usd{tenant="kestrel"} 1');
    expect(text).toContain('recourse_model_cost_usd{tenant="northwind"} 0');
    expect(text).toContain("recourse_process_");
    expect((await metrics.prometheus()).text).toBe(text);
  });

  test("a broker that answers has its lag, outbox and dead letters; one that is away is said to be, and nothing old of it", async () => {
    const outbox = { rows: 7, oldestAgeMs: 2_500 };
    const render = (broker: BrokerFigures | null) => createExposition().render([], broker);
    const there = await render({ lag: { chat: 3, email: 0 }, outbox, deadLetters: 1 });
    for (const line of [
      "recourse_kafka_up 1",
      'recourse_kafka_lag{channel="chat"} 3',
      'recourse_kafka_lag{channel="email"} 0',
      "recourse_kafka_outbox 7",
      "recourse_kafka_outbox_age_seconds 2.5",
      "recourse_kafka_dead_letters 1",
    ])
      expect(there.split("\n")).toContain(line);
    const away = await render({ lag: null, outbox, deadLetters: null });
    expect(away.split("\n")).toEqual(
      expect.arrayContaining(["recourse_kafka_up 0", "recourse_kafka_outbox 7"]),
    );
    expect(away).not.toMatch(/kafka_(?:lag|dead)/);
    expect(await render(null)).not.toContain("kafka");
  });

  test("labels are bounded: the largest by themselves, the rest as one", async () => {
    const many = Array.from(
      { length: 500 },
      (_, n): Figure => ({ metric: "denials", label: `clause-${n}`, numerator: n, denominator: 9 }),
    );
    const bounded = boundedLabels(many);
    expect(bounded).toHaveLength(LABELS_MAX);
    expect(bounded[0]).toMatchObject({ label: "clause-499" });
    expect(bounded.at(-1)).toMatchObject({ label: "other", denominator: 9 });
    expect(bounded.reduce((sum, { numerator }) => sum + numerator, 0)).toBe((499 * 500) / 2);
    const text = await createExposition().render([{ tenant: 'a"b\n', figures: bounded }], null);
    expect(text).toContain('tenant="a\\"b\\n",clause="other"');
  });
});
