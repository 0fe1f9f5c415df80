/** G5: every run ends, and the customer hears, whatever the agent, the customer or the machine does. */
import { afterEach, describe, expect, test } from "vitest";
import type { Agent, Proposal, RunView } from "../../src/agents/agent.ts";
import { DEFAULT_THRESHOLDS } from "../../src/agents/escalation.ts";
import { createWorkflowAgent } from "../../src/agents/router.ts";
import { ProblemError } from "../../src/kernel/errors.ts";
import type { ConversationId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { BOUNDARY_NAMES, SimulatedCrash } from "../../src/kernel/ports.ts";
import { type CustomerScope, tenantScope } from "../../src/kernel/scope.ts";
import { createStore } from "../../src/store/store.ts";
import { emptiedDatabase, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";
import { turns } from "../kit/virtual-clock.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(options: TestOptions = {}) {
  const w = await createTestSystem(options);
  world = w;
  const scope = w.scope("ada");
  return { w, scope, conversation: await w.open(scope) };
}

const agentOf = (next: (view: RunView, signal: AbortSignal) => Promise<Proposal> | Proposal): Agent => ({
  name: "scripted",
  next: async (view, signal) => next(view, signal),
});
const say = (text: string): Proposal => ({ type: "say", text });

const runsOf = (w: TestSystem, conversation: ConversationId) =>
  w.store.transact(tenantScope(NORTHWIND), (tx) =>
    tx
      .selectFrom("runs")
      .selectAll()
      .where("conversation_id", "=", conversation)
      .orderBy("created_at_ms")
      .orderBy("id")
      .execute(),
  );
const stepsOf = (w: TestSystem, runId: string) =>
  w.store.transact(tenantScope(NORTHWIND), (tx) =>
    tx
      .selectFrom("steps")
      .selectAll()
      .where("run_id", "=", runId as never)
      .orderBy("n")
      .execute(),
  );
const send = (w: TestSystem, scope: CustomerScope, conversation: ConversationId, text: string, id = text) =>
  w.system.conversations.accept(scope, conversation, { clientMessageId: id, text });
const stateOf = async (w: TestSystem, scope: CustomerScope, conversation: ConversationId) =>
  (await w.system.conversations.view(scope, conversation)).status;
const handoffs = async (w: TestSystem) =>
  (await w.reviews()).filter(({ kind }) => kind === "handoff").map(({ reason }) => reason);

/** An agent that is asked and answers only when told to. */
function held(answer: (view: RunView) => Proposal) {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let asked = 0;
  const agent = agentOf(async (view) => {
    asked += 1;
    await gate;
    return answer(view);
  });
  return {
    agent,
    open,
    async untilAsked() {
      while (asked === 0) await turns();
    },
  };
}

describe("a run is bounded", () => {
  test("an agent that only ever looks things up is stopped at the step limit: a person, one message", async () => {
    let asked = 0;
    const { w, scope, conversation } = await start({
      agent: agentOf(() => {
        asked += 1;
        return { type: "call", tool: "get_policy", args: { topic: `t${asked}` } };
      }),
    });
    await w.say(scope, conversation, "hello");
    expect(asked).toBe(LIMITS.stepsPerRun + 1);
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "handed_off" }]);
    expect(await handoffs(w)).toEqual(["step_limit"]);
    expect(await w.told(scope, conversation)).toHaveLength(1);
    expect(await stateOf(w, scope, conversation)).toBe("with_person");
  });

  test("calls that bring nothing new end it sooner", async () => {
    let asked = 0;
    const { w, scope, conversation } = await start({
      agent: agentOf(() => {
        asked += 1;
        return { type: "call", tool: "list_orders", args: {} };
      }),
    });
    await w.say(scope, conversation, "hello");
    expect(asked).toBe(2 + DEFAULT_THRESHOLDS.stalledCalls);
    expect(await handoffs(w)).toEqual(["no_progress"]);
    expect(await w.told(scope, conversation)).toHaveLength(1);
  });

  test("the deadline ends it, though the agent never answers and ignores its signal", async () => {
    const { agent, untilAsked } = held(() => say("never"));
    const { w, scope, conversation } = await start({ agent });
    await send(w, scope, conversation, "hello");
    const running = w.queue.run();
    await untilAsked();
    await w.clock.advance(LIMITS.chatDeadlineMs);
    await running;
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "handed_off", attempts: 1 }]);
    expect(await handoffs(w)).toEqual(["deadline"]);
    expect(await w.told(scope, conversation)).toHaveLength(1);
  });

  test("an agent that throws: a person takes over, and nothing of the error reaches the customer", async () => {
    const { w, scope, conversation } = await start({
      agent: agentOf(() => {
        throw new Error("canary-5512: sk_live_secret");
      }),
    });
    await w.say(scope, conversation, "hello");
    expect(await handoffs(w)).toEqual(["agent_failed"]);
    expect(w.errors.map(({ error }) => (error as Error).message)).toEqual(["canary-5512: sk_live_secret"]);
    expect(JSON.stringify(await w.events(scope, conversation))).not.toContain("canary");
    expect(await w.told(scope, conversation)).toHaveLength(1);
  });

  test("a run that kills its worker each time goes to a person", async () => {
    const { w, scope, conversation } = await start();
    let crashes = 0;
    w.setBoundary((name) => {
      if (name !== "run.before-agent") return;
      crashes += 1;
      throw new SimulatedCrash(name);
    });
    await w.say(scope, conversation, "hello");
    for (let i = 0; i < 10; i += 1) await w.pass(LIMITS.leaseMs + 1);
    expect(crashes).toBe(LIMITS.runAttempts);
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "handed_off" }]);
    expect(await w.told(scope, conversation)).toHaveLength(1);
  });
});

describe("an answer that is no proposal", () => {
  const cycle: Record<string, unknown> = { type: "call", tool: "list_orders" };
  cycle.args = cycle;
  const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown;
  const bad: readonly [string, unknown][] = [
    ["nothing", undefined],
    ["null", null],
    ["text", "I have refunded you"],
    ["an unknown type", { type: "refund", amount: 500 }],
    ["empty text", { type: "say", text: "" }],
    ["text of spaces and zero-width characters", { type: "say", text: " \u200b\n\t\u2060 " }],
    ["text that is a number", { type: "say", text: 42 }],
    ["text past the limit", { type: "say", text: "x".repeat(LIMITS.messageChars + 1) }],
    ["a call without a tool", { type: "call", args: {} }],
    ["a call of a tool that is an object", { type: "call", tool: {}, args: {} }],
    ["arguments that are a cycle", cycle],
    ["arguments with a BigInt", { type: "call", tool: "list_orders", args: { n: 1n } }],
    ["arguments nested without end", { type: "call", tool: "list_orders", args: deep }],
    ["arguments of a megabyte", { type: "call", tool: "list_orders", args: { x: "y".repeat(1_000_000) } }],
    ["a handoff for a reason that is none", { type: "escalate", reason: "toString", summary: "x" }],
    [
      "a getter that throws",
      {
        type: "say",
        get text() {
          throw new Error("no");
        },
      },
    ],
  ];
  test("[39] is asked again, then handed over: nothing empty or broken is ever said", async () => {
    let answer: unknown;
    let asked = 0;
    const { w, scope } = await start({
      agent: agentOf(() => {
        asked += 1;
        return answer as Proposal;
      }),
    });
    for (const [what, proposal] of bad) {
      answer = proposal;
      asked = 0;
      const conversation = await w.open(scope);
      await w.say(scope, conversation, "hello");
      expect(asked, what).toBe(LIMITS.unusableAnswersPerMessage);
      expect(await runsOf(w, conversation), what).toMatchObject([{ state: "handed_off", attempts: 1 }]);
      const told = await w.told(scope, conversation);
      expect(told, what).toHaveLength(1);
      expect(told[0], what).toMatch(/colleague/);
    }
    expect(new Set(await handoffs(w))).toEqual(new Set(["agent_failed"]));
    expect(await w.actions()).toEqual([]);
    expect(w.errors).toEqual([]);
  });

  test("[118] once, then a good one: the customer sees only the good one", async () => {
    const answers = [null, say("Hello Ada.")];
    const { w, scope, conversation } = await start({ agent: agentOf(() => answers.shift() as Proposal) });
    await w.say(scope, conversation, "hello");
    expect(await w.told(scope, conversation)).toEqual(["Hello Ada."]);
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "completed" }]);
  });

  test("text that the database cannot keep is mended, not lost", async () => {
    const answers: Proposal[] = [
      { type: "call", tool: "get_policy", args: { topic: "nul \0 and half a pair \ud83d and \\u0000" } },
      say("Hello \0\ud83d Ada."),
    ];
    const { w, scope, conversation } = await start({ agent: agentOf(() => answers.shift() as Proposal) });
    const { runId } = await w.say(scope, conversation, "hello");
    expect(await w.told(scope, conversation)).toEqual(["Hello \ufffd Ada."]);
    const [call] = await stepsOf(w, runId ?? "");
    expect(call?.proposal).toMatchObject({ args: { topic: "nul  and half a pair \ufffd and \\u0000" } });
    expect(w.errors).toEqual([]);
  });

  test("cards show only what the ledger or a tool of this run answered with", async () => {
    const forged = { actionId: "act_x", state: "succeeded", amountMinor: 50_000, text: "You got 500.00" };
    const answers = (view: RunView): Proposal => {
      const [listed] = view.steps;
      if (listed === undefined) return { type: "call", tool: "list_orders", args: {} };
      const { orders } = (listed.outcome as { value: { orders: { orderId: string }[] } }).value;
      return {
        type: "say",
        text: "Here you are.",
        cards: [
          { type: "order", order: orders[0] },
          { type: "order", order: { ...orders[0], refundedMinor: 11_300 } },
          { type: "action", action: forged },
        ] as never,
      };
    };
    const { w, scope, conversation } = await start({ agent: agentOf(answers) });
    await w.say(scope, conversation, "hello");
    const messages = (await w.events(scope, conversation)).filter(({ author }) => author === "agent");
    expect(messages).toHaveLength(1);
    expect(messages[0]?.cards).toMatchObject([
      { type: "order", order: { number: "1042", refundedMinor: 0 } },
    ]);
    expect(messages[0]?.cards).toHaveLength(1);
  });
});

describe("cancellation", () => {
  test("[147] before a worker has it, and while the agent thinks: stopped, said once, and the late answer is not used", async () => {
    const { agent, open, untilAsked } = held(() => say("too late"));
    const { w, scope, conversation } = await start({ agent });
    const first = await send(w, scope, conversation, "one");
    await w.system.runs.cancel(scope, first.runId ?? "");
    await w.drain();
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "cancelled" }]);
    expect(await w.told(scope, conversation)).toHaveLength(1);

    const second = await send(w, scope, conversation, "two");
    const running = w.queue.run();
    await untilAsked();
    await w.system.runs.cancel(scope, second.runId ?? "");
    await running;
    open();
    await w.drain();
    expect((await runsOf(w, conversation)).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
    const told = await w.told(scope, conversation);
    expect(told).toHaveLength(2);
    expect(told).not.toContain("too late");
    await expect(w.system.runs.cancel(scope, second.runId ?? "")).rejects.toMatchObject({
      code: "run_already_ended",
    });
  });

  test.each(["run.after-claim-commit", "run.before-agent"] as const)(
    "asked for through another process at %s, before the action is recorded: no action",
    async (boundary) => {
      const { w, scope, conversation } = await start();
      await w.say(scope, conversation, "refund the socks from order 1042");
      const other = w.another();
      const { runId } = await send(w, scope, conversation, "yes");
      w.setBoundary(async (name) => {
        if (name !== boundary) return;
        w.setBoundary(() => {});
        await other.runs.cancel(scope, runId ?? "");
      });
      await w.drain();
      expect(await w.actions()).toEqual([]);
      expect(await w.refunds("1042")).toEqual([]);
      expect((await runsOf(w, conversation)).at(-1)).toMatchObject({ state: "cancelled" });
      expect(await w.told(scope, conversation)).toHaveLength(2);
    },
  );

  test("after the action is recorded the run has ended: the refund goes on, once", async () => {
    const { w, scope, conversation } = await start();
    await w.say(scope, conversation, "refund the socks from order 1042");
    const { runId } = await send(w, scope, conversation, "yes");
    let answer: unknown;
    w.setBoundary(async (name) => {
      if (name !== "action.after-record-commit") return;
      answer = await w.system.runs.cancel(scope, runId ?? "").catch((error: unknown) => error);
    });
    await w.drain();
    expect(answer).toMatchObject({ code: "run_already_ended" });
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2400 }]);
  });

  test("of somebody else's run is the same as of none", async () => {
    const { w, scope, conversation } = await start();
    const { runId } = await send(w, scope, conversation, "hello");
    await expect(w.system.runs.cancel(w.scope("ben"), runId ?? "")).rejects.toMatchObject({
      code: "not_found",
    });
    await w.drain();
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "completed" }]);
  });
});

describe("messages that arrive while a run is live", () => {
  test("25 of them are answered each, in order, by as few runs as their limits allow", async () => {
    const { agent, open, untilAsked } = held(({ focus }) => say(`re: ${focus.text}`));
    const { w, scope, conversation } = await start({ agent });
    const texts = Array.from({ length: 25 }, (_, i) => `message ${i}`);
    await send(w, scope, conversation, texts[0] as string);
    const running = w.queue.run();
    await untilAsked();
    for (const text of texts.slice(1)) await send(w, scope, conversation, text);
    open();
    await running;
    await w.drain();
    expect(await w.told(scope, conversation)).toEqual(texts.map((text) => `re: ${text}`));
    const runs = await runsOf(w, conversation);
    expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(["completed"]));
    expect(runs).toHaveLength(4);
    expect(await handoffs(w)).toEqual([]);
  });

  test("slow answers: each run keeps to its own deadline and the rest is answered by the next", async () => {
    let clock: TestSystem["clock"] | undefined;
    const { w, scope, conversation } = await start({
      agent: agentOf(({ focus }) => {
        clock?.jump(8_000);
        return say(`re: ${focus.text}`);
      }),
    });
    clock = w.clock;
    for (const text of ["a1", "a2", "a3", "a4", "a5"]) await send(w, scope, conversation, text);
    await w.drain();
    expect(await w.told(scope, conversation)).toEqual(["a1", "a2", "a3", "a4", "a5"].map((t) => `re: ${t}`));
    expect(await handoffs(w)).toEqual([]);
  });

  test("a stop that arrives before the action is recorded prevents it; both messages are answered", async () => {
    const { w, scope, conversation } = await start();
    await w.say(scope, conversation, "refund the socks from order 1042");
    await send(w, scope, conversation, "yes");
    w.setBoundary(async (name) => {
      if (name !== "run.before-agent") return;
      w.setBoundary(() => {});
      await send(w, scope, conversation, "stop, don't do it");
    });
    await w.drain();
    expect(await w.actions()).toEqual([]);
    expect(await w.refunds("1042")).toEqual([]);
    const events = await w.events(scope, conversation);
    const last = events.findLast(({ author }) => author === "customer")?.seq ?? 0;
    expect(events.some(({ author, seq }) => author === "agent" && seq > last)).toBe(true);
  });

  test("an offer that the agent has talked past in this very run is withdrawn: the yes after it confirms nothing", async () => {
    const terms = {
      order_id: "1042",
      amount: "24.00",
      items: [{ line_item_id: "li_nw_1042_2", quantity: 2 }],
    };
    const { w, scope, conversation } = await start({
      agent: agentOf(({ focus }) =>
        focus.text === "please"
          ? say("Actually, let me tell you about our socks.")
          : { type: "call", tool: "process_refund", args: terms },
      ),
    });
    await w.say(scope, conversation, "refund the socks");
    await send(w, scope, conversation, "please");
    await send(w, scope, conversation, "yes");
    await w.drain();
    expect(await w.actions()).toEqual([]);
    const events = await w.events(scope, conversation);
    expect(events.filter(({ quick_replies }) => quick_replies !== undefined)).toHaveLength(2);
    // Asked again, the same yes confirms what was asked last.
    await w.say(scope, conversation, "yes", "again");
    expect(await w.refunds("1042")).toMatchObject([{ amount: 2400 }]);
  });

  test("while a person has the conversation no run is started; after it is resolved the next message has one", async () => {
    const { w, scope, conversation } = await start();
    await w.say(scope, conversation, "I want to talk to a person");
    expect(await stateOf(w, scope, conversation)).toBe("with_person");
    const waiting = await w.say(scope, conversation, "are you there?");
    expect(waiting.runId).toBeNull();
    const [review] = await w.reviews();
    await w.system.reviews.decide(tenantScope(NORTHWIND), review?.review_id ?? "", {
      decision: "resolve",
      argsHash: null,
      version: review?.version ?? 0,
      note: "Hello, this is Olivia.",
      operator: "olivia",
    });
    const next = await w.say(scope, conversation, "where is order 1042?");
    expect(next.runId).not.toBeNull();
    const told = await w.told(scope, conversation);
    expect(told.filter((text) => text.includes("Olivia"))).toHaveLength(1);
    expect((await runsOf(w, conversation)).map(({ state }) => state)).toEqual(["handed_off", "completed"]);
  });
});

describe("workers that are lost", () => {
  test("[83] a run that nobody woke is found by the sweep", async () => {
    const { w, scope, conversation } = await start({ agent: agentOf(() => say("found")) });
    await send(w, scope, conversation, "hello");
    w.queue.items.splice(0);
    await w.pass(LIMITS.sweepMs);
    expect(await w.told(scope, conversation)).toEqual(["found"]);
  });

  test("one wake-up that reaches two workers at once, and again later, is one answer", async () => {
    const { w, scope, conversation } = await start({ agent: agentOf(() => say("once")) });
    await send(w, scope, conversation, "hello");
    const [item] = w.queue.items.splice(0);
    if (item === undefined) throw new Error("nobody was woken");
    const other = w.another();
    await Promise.all([w.system.worker.handle(item), other.worker.handle(item)]);
    await other.worker.handle(item);
    expect(await w.told(scope, conversation)).toEqual(["once"]);
    expect(await runsOf(w, conversation)).toMatchObject([{ attempts: 1 }]);
  });

  test("[84] a worker that lost its lease writes nothing: not its answer, not its steps, not its action", async () => {
    const workflow = createWorkflowAgent();
    let hold: Promise<void> | null = null;
    let open = () => {};
    let asked = 0;
    const agent = agentOf(async (view, signal) => {
      asked += 1;
      const proposal = await workflow.next(view, signal);
      if (asked === 1 || hold === null) return proposal;
      const waiting = hold;
      hold = null;
      await waiting;
      return proposal;
    });
    const { w, scope, conversation } = await start({ agent });
    await w.say(scope, conversation, "refund the socks from order 1042");
    hold = new Promise((resolve) => {
      open = resolve;
    });
    const before = asked;
    await send(w, scope, conversation, "yes");
    const stale = w.queue.run();
    while (asked === before) await turns();
    // The process is frozen: no timer of it runs, and its lease ends.
    w.clock.jump(LIMITS.leaseMs + 1);
    const other = w.another();
    expect(await other.recovery.sweep()).toBe(1);
    await other.executor.idle();
    const events = await w.events(scope, conversation);
    const [action] = await w.actions();
    open();
    await stale;
    await w.drain();
    expect(await w.events(scope, conversation)).toEqual(events);
    expect(await w.actions()).toEqual([action]);
    expect(await w.refunds("1042")).toHaveLength(1);
    const run = (await runsOf(w, conversation)).at(-1);
    expect(run).toMatchObject({ state: "completed", attempts: 2, version: 4 });
    const steps = await stepsOf(w, run?.id ?? "");
    expect(new Set(steps.map(({ n }) => Math.floor(n / 100)))).toEqual(new Set([2]));
    expect(w.errors).toEqual([]);
  });

  test.each(BOUNDARY_NAMES.filter((name) => name.startsWith("run.")))(
    "a crash at %s leaves one answer, told once",
    async (boundary) => {
      const { w, scope, conversation } = await start({
        agent: agentOf(({ focus }) => say(`re: ${focus.text}`)),
      });
      w.setBoundary((name) => {
        if (name !== boundary) return;
        w.setBoundary(() => {});
        throw new SimulatedCrash(name);
      });
      await w.say(scope, conversation, "hello").catch(() => {});
      w.restart();
      await w.queue.work((item) => w.system.worker.handle(item));
      await w.pass(LIMITS.leaseMs + 1);
      expect(await w.told(scope, conversation)).toEqual(["re: hello"]);
      expect((await runsOf(w, conversation)).map(({ state }) => state)).toEqual(["completed"]);
    },
  );

  test("[144] the database goes away while a run is in hand and comes back: one answer", async () => {
    const real = createStore(await emptiedDatabase());
    let away = false;
    let asked = 0;
    const { w, scope, conversation } = await start({
      agent: agentOf(() => {
        asked += 1;
        away = asked === 1;
        return say("here again");
      }),
      store: {
        ...real,
        transact: (scope, fn) =>
          away ? Promise.reject(new ProblemError("database_unavailable")) : real.transact(scope, fn),
      },
    });
    await w.say(scope, conversation, "hello");
    expect(w.errors).toHaveLength(1);
    away = false;
    expect(await w.told(scope, conversation)).toEqual([]);
    await w.pass(LIMITS.leaseMs + 1);
    expect(await w.told(scope, conversation)).toEqual(["here again"]);
    expect(await runsOf(w, conversation)).toMatchObject([{ state: "completed", attempts: 2 }]);
  });

  test("[95] a tool that fails with a defect is told as a code, and the run goes on", async () => {
    const seen: unknown[] = [];
    const { w, scope, conversation } = await start({
      agent: agentOf(({ steps }) => {
        seen.push(...steps.map(({ outcome }) => outcome));
        return steps.length === 0
          ? { type: "call", tool: "get_order_status", args: { order_id: "1042" } }
          : say("One of our systems is silent.");
      }),
      payments: (payments) => ({
        ...payments,
        charge: async () => {
          throw new TypeError("canary-8841 of undefined");
        },
      }),
    });
    await w.say(scope, conversation, "hello");
    expect(seen).toMatchObject([{ kind: "unavailable", code: "internal" }]);
    expect(JSON.stringify(seen)).not.toContain("canary");
    expect(await w.told(scope, conversation)).toEqual(["One of our systems is silent."]);
    expect(w.errors.map(({ about }) => about)).toEqual([
      "tool get_order_status, once more",
      "tool get_order_status",
    ]);
  });
});
