import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelSandbox } from "../../sandbox/model/server.ts";
import type { CustomerId } from "../../src/kernel/ids.ts";
import { systemRandom } from "../../src/kernel/ports.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import { createModels, type ModelFault, type ModelQuestion, type Models } from "../../src/models/models.ts";
import type { ModelSettings } from "../../src/models/settings.ts";
import { createSpending } from "../../src/models/spending.ts";
import type { ModelUse } from "../../src/models/use.ts";
import type { Store } from "../../src/store/store.ts";
import { freshStore, KESTREL, NORTHWIND } from "../kit/database.ts";
import { hastenedClock, settingsFor, startModel } from "../kit/model.ts";

let model: ModelSandbox;
let store: Store;
beforeAll(async () => {
  model = await startModel();
  store = await freshStore();
});
afterAll(async () => {
  await model.stop();
  await store.close();
});
/** Each `make` is a process of its own on the same database; what one writes late must not meet the next test. */
const made: Models[] = [];
beforeEach(async () => {
  for (const models of made.splice(0)) await models.settled();
  model.reset();
  model.script("", { text: "An answer in words." });
});

const question: ModelQuestion = {
  instructions: "Be brief.",
  messages: [{ role: "user", content: "hello" }],
  tools: [],
  maxOutputTokens: 100,
};

function make(more: Partial<ModelSettings> = {}, reach?: typeof fetch) {
  const uses: ModelUse[] = [];
  const errors: string[] = [];
  const clock = hastenedClock();
  const random = systemRandom;
  const onError = (error: unknown) => void errors.push(String(error));
  const spending = createSpending({ store, clock, random, onError });
  const models = createModels({
    settings: settingsFor(model.url, more),
    spending,
    clock,
    random,
    onError,
    ...(reach === undefined ? {} : { fetch: reach }),
  });
  made.push(models);
  const ask = (with_: Models = models, tenantId = NORTHWIND, signal = new AbortController().signal) =>
    with_.ask("small", question, {
      tenantId,
      runId: "run_x",
      promptVersion: "p.v1",
      signal,
      usedSoFar: [],
      onUse: (use) => uses.push(use),
    });
  return { models, spending, uses, errors, ask };
}
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error: ModelFault) => error.kind,
  );

describe("retries", () => {
  test("are bounded, and only of what may pass", async () => {
    for (const [fault, asked] of [
      ["error_500", 3],
      ["truncated", 3],
      ["bad_key", 1],
      ["huge", 1],
    ] as const) {
      model.reset();
      model.script("", { text: "An answer in words, long enough to be cut in two." });
      model.fault(fault, 100);
      await kindOf(make({ large: null }).ask());
      expect([fault, model.requests.length]).toEqual([fault, asked]);
    }
  });

  test("wait for a short Retry-After, and ask another model instead of waiting for a long one", async () => {
    model.fault("rate_limit", 1, "1");
    const short = make({ large: null });
    expect(await kindOf(short.ask())).toBe("answered");
    expect(model.requests).toHaveLength(2);
    model.reset();
    model.script("", { text: "An answer in words." });
    model.fault("rate_limit", 1, "30");
    const other = make({
      large: null,
      fallback: { ...settingsFor(model.url).small, provider: "openai", id: "other" },
    });
    expect((await other.ask()).model).toBe("openai/other");
    expect(model.requests).toHaveLength(2);
  });

  test("[43] one Retry-After keeps all conversations of the process from asking; none is lost, each hears at once", async () => {
    const { ask } = make({ large: null });
    model.fault("rate_limit", 1_000, "10");
    const kinds = await Promise.all(Array.from({ length: 20 }, () => kindOf(ask())));
    expect(new Set([...kinds, await kindOf(ask())])).toEqual(new Set(["rate_limited", "left_alone"]));
    const first = model.requests.length;
    expect(first).toBeLessThanOrEqual(20);
    await Promise.all(Array.from({ length: 20 }, () => kindOf(ask())));
    expect(model.requests).toHaveLength(first);
  });

  test("end when the breaker opens: a provider that is down is left alone", async () => {
    const { ask } = make({ large: null });
    model.fault("error_500", 1_000);
    for (let n = 0; n < 6; n += 1) await kindOf(ask());
    expect(model.requests).toHaveLength(5);
  });

  test("end at once when the asker gives up, also in the middle of an answer", async () => {
    const { ask, uses } = make({ large: null, timeoutMs: 18_000 });
    model.fault("stall", 1);
    const giveUp = new AbortController();
    const asked = ask(undefined, NORTHWIND, giveUp.signal);
    while (model.open === 0) await new Promise((resolve) => setImmediate(resolve));
    giveUp.abort("cancelled");
    await expect(asked).rejects.toBe("cancelled");
    while (model.open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(uses.every(({ outcome }) => outcome === "aborted")).toBe(true);
  });
});

describe("providers", () => {
  test("OpenAI's own library is asked for log-probabilities, and their mean is the confidence", async () => {
    model.script("", { text: "An answer in words.", logprob: -0.75 });
    const { ask } = make({ small: { ...settingsFor(model.url).small, provider: "openai", id: "gpt-x" } });
    const answer = await ask();
    expect(answer).toMatchObject({ model: "openai/gpt-x", text: "An answer in words." });
    expect(answer.confidence).toBeCloseTo(-0.75);
  });

  test("OpenAI's Responses interface is spoken: text, calls, log-probabilities, and nothing is kept there", async () => {
    const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
    const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "get_policy", arguments: "" };
    const delta = (text: string, logprob: number) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: text,
      logprobs: [{ token: text, logprob, top_logprobs: [] }],
    });
    const events = [
      { type: "response.created", response: { id: "resp_1", created_at: 1_764_600_000, model: "gpt-x" } },
      { type: "response.output_item.added", output_index: 0, item },
      delta("Let me ", -0.5),
      delta("look.", -1.5),
      { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed" } },
      { type: "response.output_item.added", output_index: 1, item: call },
      {
        type: "response.output_item.done",
        output_index: 1,
        item: { ...call, arguments: "{}", status: "completed" },
      },
      {
        type: "response.completed",
        response: {
          usage: {
            input_tokens: 100,
            input_tokens_details: { cached_tokens: 60 },
            output_tokens: 12,
            output_tokens_details: { reasoning_tokens: 0 },
          },
        },
      },
    ];
    const bodies: Record<string, unknown>[] = [];
    const reach: typeof fetch = async (input, init) => {
      expect(String(input)).toMatch(/\/responses$/);
      bodies.push(JSON.parse(String(init?.body)));
      return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
        headers: { "content-type": "text/event-stream" },
      });
    };
    const { ask, uses } = make(
      {
        openaiInterface: "responses",
        reasoning: "low",
        small: { ...settingsFor(model.url).small, provider: "openai", id: "gpt-5.5" },
      },
      reach,
    );
    const answer = await ask();
    expect(answer).toMatchObject({ text: "Let me look.", calls: [{ tool: "get_policy", args: {} }] });
    expect(answer.confidence).toBeCloseTo(-1);
    expect(uses[0]).toMatchObject({ inputTokens: 100, cachedTokens: 60, outputTokens: 12 });
    expect(bodies[0]).toMatchObject({ store: false, max_output_tokens: 100, reasoning: { effort: "low" } });
  });

  test("a model that thinks until its tokens are used up is not asked the same again", async () => {
    model.script("", { text: "", finish: "length" });
    const { ask } = make({ large: null });
    expect(await kindOf(ask())).toBe("too_long");
    expect(model.requests).toHaveLength(1);
  });

  test("a compatible server's log-probabilities are read, and a server without them gives none", async () => {
    model.script("", { text: "An answer in words.", logprob: -1.5 });
    expect((await make().ask()).confidence).toBeCloseTo(-1.5);
    model.script("", { text: "An answer in words.", logprob: null });
    expect((await make().ask()).confidence).toBeNull();
  });

  test("a server that refuses log-probabilities is asked without them, at once and from then on", async () => {
    model.fault("no_logprobs", 100);
    const { ask, errors } = make({ large: null });
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ confidence }) => confidence)).toEqual([null, null, null]);
    expect(model.requests.map(({ logprobs }) => logprobs ?? false)).toEqual([true, false, false, false]);
    expect(errors).toEqual([expect.stringContaining("no_logprobs")]);
  });

  test("Anthropic's protocol is spoken: text, usage with cache, no log-probabilities", async () => {
    const events = [
      [
        "message_start",
        {
          message: {
            id: "m",
            type: "message",
            role: "assistant",
            model: "claude",
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: {
              input_tokens: 40,
              cache_read_input_tokens: 60,
              cache_creation_input_tokens: 0,
              output_tokens: 1,
            },
          },
        },
      ],
      ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
      ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello from there." } }],
      ["content_block_stop", { index: 0 }],
      [
        "message_delta",
        { delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 12 } },
      ],
      ["message_stop", {}],
    ] as const;
    const bodies: string[] = [];
    const reach: typeof fetch = async (_input, init) => {
      bodies.push(String(init?.body));
      return new Response(
        events
          .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
          .join(""),
        { headers: { "content-type": "text/event-stream" } },
      );
    };
    const { ask, uses } = make(
      {
        small: {
          provider: "anthropic",
          id: "claude-x",
          price: { inputMicros: 1_000_000, cachedMicros: 100_000, outputMicros: 5_000_000 },
        },
      },
      reach,
    );
    expect(await ask()).toMatchObject({ text: "Hello from there.", confidence: null });
    expect(uses[0]).toMatchObject({ inputTokens: 100, cachedTokens: 60, outputTokens: 12, costMicros: 106 });
    expect(bodies[0]).toContain("Be brief.");
  });

  test("a provider's words never reach the asker whole: no key in a fault's text", async () => {
    model.fault("bad_key", 10);
    const { ask } = make({ large: null });
    const fault = (await ask().catch((error: unknown) => error)) as ModelFault;
    expect(fault.kind).toBe("refused");
    expect(fault.message.length).toBeLessThan(400);
  });
});

describe("spending", () => {
  test("is kept call by call, unusable answers too, and belongs to one tenant", async () => {
    const { ask, spending, uses, models } = make({ large: null });
    const before = await spending.today(NORTHWIND);
    await ask();
    model.fault("endless", 1);
    await kindOf(ask());
    await models.settled();
    const cost = uses.reduce((sum, use) => sum + use.costMicros, 0);
    expect(uses.map(({ outcome }) => outcome)).toEqual(["answered", "repetitive"]);
    expect(uses[1]?.costMicros).toBeGreaterThan(0);
    expect(await spending.today(NORTHWIND)).toBe(before + cost);
    // Another process reads the same from the database.
    expect(await make().spending.today(NORTHWIND)).toBe(before + cost);
    expect(await make().spending.today(KESTREL)).toBe(0);
  });

  test("never passes the day's budget, however many ask at once", async () => {
    const price = { inputMicros: 0, cachedMicros: 0, outputMicros: 1_000_000 };
    const { spending } = make();
    const start = await spending.today(KESTREL);
    // Room for three answers of at most 100 micros each.
    const { ask, uses } = make({
      small: { provider: "compatible", id: "m", price },
      large: null,
      dayBudgetMicros: start + 300,
    });
    const kinds = await Promise.all(Array.from({ length: 12 }, () => kindOf(ask(undefined, KESTREL))));
    expect(kinds.filter((kind) => kind === "over_budget").length).toBeGreaterThanOrEqual(9);
    expect(uses.reduce((sum, use) => sum + use.costMicros, 0)).toBeLessThanOrEqual(300);
  });

  test("is no customer's to read", async () => {
    const { ask, models } = make();
    await ask();
    await models.settled();
    const read = (scope: Parameters<Store["transact"]>[0]) =>
      store.transact(scope, (tx) => tx.selectFrom("model_calls").select("id").execute());
    expect((await read(tenantScope(NORTHWIND))).length).toBeGreaterThan(0);
    expect(await read(customerScope(NORTHWIND, "ada" as CustomerId))).toEqual([]);
    expect(await read(tenantScope(KESTREL)).then((rows) => rows.length)).toBeLessThan(4);
  });
});
