import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PublicDraft, StreamSink } from "../../src/channels/http/streams.ts";
import { createStreams, type StreamEndCode } from "../../src/channels/http/streams.ts";
import type { PublicEvent } from "../../src/conversations/events.ts";
import { ProblemError } from "../../src/kernel/errors.ts";
import type { CustomerId, TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { customerScope } from "../../src/kernel/scope.ts";
import { fakeConversations, keptLog, manualClock } from "./fixture.ts";

const ada = customerScope("northwind" as TenantId, "ada" as CustomerId);
const ben = customerScope("northwind" as TenantId, "ben" as CustomerId);

/** A connection in memory. With `reads` false nothing that is written is taken. */
function fakeSink() {
  const seen: number[] = [];
  const drafts: string[] = [];
  const waiting: (() => void)[] = [];
  let gone: () => void = () => {};
  const sink = {
    seen,
    reads: true,
    ended: null as StreamEndCode | null,
    isGone: false,
    alive: true,
    drafts,
    encode: (event: PublicEvent) => JSON.stringify(event),
    encodeDraft: (draft: PublicDraft) => JSON.stringify(draft),
    write(text: string, flushed: () => void) {
      const frame = JSON.parse(text) as PublicEvent | PublicDraft;
      if ("seq" in frame) seen.push(frame.seq as number);
      else drafts.push(frame.text as string);
      if (sink.reads) queueMicrotask(flushed);
      else waiting.push(flushed);
    },
    takeOne: () => waiting.shift()?.(),
    takeAll() {
      sink.reads = true;
      for (const flushed of waiting.splice(0)) flushed();
    },
    ping: () => sink.alive,
    end(problem: ProblemError & { code: StreamEndCode }) {
      sink.ended = problem.code;
      sink.leave();
    },
    destroy: () => sink.leave(),
    leave() {
      if (sink.isGone) return;
      sink.isGone = true;
      gone();
    },
    onGone: (fn: () => void) => {
      gone = fn;
    },
  };
  return sink satisfies StreamSink;
}

function world(limits: Partial<typeof LIMITS> = {}, pageSize = 3) {
  const clock = manualClock();
  const conversations = fakeConversations(clock, pageSize);
  const log = keptLog();
  const streams = createStreams({
    conversations,
    clock,
    random: seededRandom(7),
    log,
    limits: { ...LIMITS, eventsPerPage: pageSize, ...limits },
  });
  const connect = async (conversationId: string, afterSeq: number, scope = ada, validForMs = 3_600_000) => {
    const sink = fakeSink();
    await streams.open({
      customer: { scope, assurance: "authenticated", issuedAtMs: 0, validUntilMs: clock.now() + validForMs },
      conversationId,
      afterSeq,
      connect: () => sink,
    });
    return sink;
  };
  return { clock, conversations, log, streams, connect };
}

/** Lets promises settle that need no time. */
const settle = async () => {
  for (let i = 0; i < 60; i += 1) await Promise.resolve();
};
const message = (text = "x") => ({ type: "message", author: "agent", text });
const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => from + i);

describe("a draft", () => {
  test("is shown to who is there, in between, and to nobody later; the order of events is as without it", async () => {
    const { conversations, connect } = world();
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const here = await connect(id, 0);
    await settle();
    conversations.append(id, [message()]);
    conversations.draft(id, "It is");
    conversations.draft(id, "It is on its way.");
    await settle();
    conversations.append(id, [message()]);
    await settle();
    const later = await connect(id, 0);
    await settle();
    expect(here.drafts).toEqual(["It is", "It is on its way."]);
    expect(later.drafts).toEqual([]);
    expect([here.seen, later.seen]).toEqual([upTo(2), upTo(2)]);
    here.leave();
    conversations.draft(id, "Gone.");
    expect(here.drafts).toHaveLength(2);
  });

  test("is left out for a reader that is behind", async () => {
    const { conversations, connect } = world({ streamBufferBytes: 200 });
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const slow = await connect(id, 0);
    slow.reads = false;
    conversations.append(id, [message("x".repeat(150))]);
    await settle();
    conversations.draft(id, "It is");
    expect(slow.drafts).toEqual([]);
    slow.takeAll();
    await settle();
    conversations.draft(id, "It is on its way.");
    expect(slow.drafts).toEqual(["It is on its way."]);
    slow.leave();
  });
});

describe("a stream", () => {
  test("delivers every event once and in order, whatever is appended, lost or cut", async () => {
    const seed = Math.abs(Math.trunc(Number(process.env.RECOURSE_TEST_SEED ?? 20260301)));
    console.log(`streams: seed ${seed}`);
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant("append" as const), n: fc.integer({ min: 1, max: 7 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("lose" as const), n: fc.integer({ min: 1, max: 4 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("cut" as const), n: fc.integer({ min: 0, max: 3 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("time" as const), n: fc.integer({ min: 1, max: 20 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("fail" as const), n: fc.integer({ min: 1, max: 3 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("stall" as const), n: fc.integer({ min: 1, max: 9 }) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const { clock, conversations, connect, streams } = world({ streamBufferBytes: 300 });
        const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
        const received: number[] = [];
        let sink = await connect(id, 0);
        let appended = 0;
        for (const { kind, n } of steps) {
          if (kind === "append" || kind === "lose") {
            conversations.loseWakeUps = kind === "lose";
            conversations.append(
              id,
              Array.from({ length: n }, () => message()),
            );
            conversations.loseWakeUps = false;
            appended += n;
          } else if (kind === "cut") {
            // The client drops the connection, having seen all but the last n, and resumes from there.
            await settle();
            sink.leave();
            received.push(...sink.seen.slice(0, Math.max(0, sink.seen.length - n)));
            sink = await connect(id, received.at(-1) ?? 0);
          } else if (kind === "fail") {
            conversations.failReads = new ProblemError("database_unavailable");
            clock.advance(n * 500);
            await settle();
            conversations.failReads = null;
          } else if (kind === "stall") {
            sink.reads = false;
            conversations.append(
              id,
              Array.from({ length: n }, () => message()),
            );
            appended += n;
            await settle();
            sink.takeOne();
            await settle();
            sink.takeAll();
          } else {
            clock.advance(n * 100);
          }
          await settle();
        }
        for (let i = 0; i < 40 && received.length + sink.seen.length < appended; i += 1) {
          clock.advance(LIMITS.streamIdlePollMs);
          await settle();
        }
        received.push(...sink.seen);
        expect(received).toEqual(upTo(appended));
        sink.leave();
        expect(streams.size).toBe(0);
        expect(clock.pending()).toBe(0);
      }),
      { seed, numRuns: 150 },
    );
  });

  test("a lost wake-up delays it by at most the idle poll", async () => {
    const { clock, conversations, connect } = world();
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const sink = await connect(id, 0);
    for (let i = 0; i < 10; i += 1) {
      clock.advance(LIMITS.streamIdlePollMs);
      await settle();
    }
    conversations.loseWakeUps = true;
    conversations.append(id, [message()]);
    await settle();
    expect(sink.seen).toEqual([]);
    clock.advance(LIMITS.streamIdlePollMs);
    await settle();
    expect(sink.seen).toEqual([1]);
  });

  test("an idle one reads the log less and less often", async () => {
    const { clock, conversations, connect } = world();
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    await connect(id, 0);
    for (let i = 0; i < 600; i += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect(conversations.reads).toBeLessThan(60);
    expect(conversations.reads).toBeGreaterThan(30);
  });

  test("a reader that takes nothing stops the reading of the log and is dropped, and resumes", async () => {
    const { clock, conversations, connect, streams } = world({ streamBufferBytes: 2_000 }, 100);
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    conversations.append(
      id,
      Array.from({ length: 400 }, () => message("y".repeat(100))),
    );
    const sink = fakeSink();
    sink.reads = false;
    await streams.open({
      customer: {
        scope: ada,
        assurance: "authenticated",
        issuedAtMs: 0,
        validUntilMs: clock.now() + 3_600_000,
      },
      conversationId: id,
      afterSeq: 0,
      connect: () => sink,
    });
    await settle();
    const queued = sink.seen.length;
    expect(queued).toBeLessThan(20);
    const { reads } = conversations;
    for (let waited = 0; waited < LIMITS.streamStallMs - 2_000; waited += 1_000) {
      clock.advance(1_000);
      conversations.append(id, [message()]);
      await settle();
    }
    expect(sink.ended).toBeNull();
    expect(conversations.reads).toBe(reads);
    clock.advance(3_000);
    await settle();
    expect(sink.ended).toBe("reader_too_slow");
    expect(sink.seen).toHaveLength(queued);
    const resumed = await connect(id, sink.seen[4] ?? 0);
    for (let i = 0; i < 20; i += 1) await settle();
    expect(resumed.seen.at(0)).toBe(6);
    expect(resumed.seen).toEqual(upTo(resumed.seen.at(-1) as number, 6));
    expect(resumed.seen.length).toBeGreaterThan(400);
  });

  test("a reader that is far behind and takes nothing is dropped sooner", async () => {
    const { clock, conversations, connect } = world({ streamBufferBytes: 100, streamBufferEvents: 50 }, 10);
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const sink = await connect(id, 0);
    sink.reads = false;
    conversations.append(
      id,
      Array.from({ length: 100 }, () => message()),
    );
    for (let i = 0; i < 12 && sink.ended === null; i += 1) {
      clock.advance(1_000);
      await settle();
    }
    expect(sink.ended).toBe("reader_too_slow");
  });

  test("a reader that is slow but takes something is kept, however far behind", async () => {
    const { clock, conversations, connect } = world({ streamBufferBytes: 500, streamBufferEvents: 50 }, 10);
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    conversations.append(
      id,
      Array.from({ length: 300 }, () => message()),
    );
    const sink = await connect(id, 0);
    sink.reads = false;
    for (let i = 0; i < 400; i += 1) {
      sink.takeOne();
      await settle();
      clock.advance(4_000);
      await settle();
    }
    expect(sink.ended).toBeNull();
    expect(sink.seen).toEqual(upTo(300));
  });

  test("ends when its token does", async () => {
    const { clock, conversations, connect } = world();
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const sink = await connect(id, 0, ada, 60_000);
    clock.advance(59_999);
    expect(sink.ended).toBeNull();
    clock.advance(1);
    expect(sink.ended).toBe("token_expired");
  });

  test("a peer without a sign of life is dropped", async () => {
    const { clock, conversations, connect } = world();
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const sink = await connect(id, 0);
    clock.advance(LIMITS.streamPingMs);
    expect(sink.isGone).toBe(false);
    sink.alive = false;
    clock.advance(LIMITS.streamPingMs);
    expect(sink.isGone).toBe(true);
  });

  test("ends when its conversation is gone, and when the log cannot be read for long", async () => {
    const { clock, conversations, connect } = world();
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const erased = await connect(id, 0);
    conversations.failReads = new ProblemError("not_found");
    clock.advance(LIMITS.streamIdlePollMs);
    await settle();
    expect(erased.ended).toBe("not_found");
    conversations.failReads = null;
    const cutOff = await connect(id, 0);
    conversations.failReads = new Error("disk on fire");
    for (let i = 0; i < 60 && cutOff.ended === null; i += 1) {
      clock.advance(LIMITS.streamPollMs);
      await settle();
    }
    expect(cutOff.ended).toBe("database_unavailable");
  });

  test("is refused for a conversation of somebody else, and holds no place then", async () => {
    const { conversations, connect, streams } = world({ streamsPerCustomer: 1 });
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    for (let i = 0; i < 3; i += 1) {
      await expect(connect(id, 0, ben)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(streams.size).toBe(0);
  });

  test("is limited per customer and per process, and a place is free again once it is left", async () => {
    const { conversations, connect } = world({ streamsPerCustomer: 2, streamsPerProcess: 3 });
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const other = await conversations.open(ben, { channel: "chat", assurance: "authenticated" });
    const first = await connect(id, 0);
    await connect(id, 0);
    await expect(connect(id, 0)).rejects.toMatchObject({ code: "rate_limited", status: 429 });
    await connect(other, 0, ben);
    await expect(connect(other, 0, ben)).rejects.toMatchObject({ code: "streams_exhausted", status: 503 });
    first.leave();
    await expect(connect(id, 0)).resolves.toBeDefined();
  });

  test("parallel openings do not pass the limit between check and handshake", async () => {
    const { conversations, connect } = world({ streamsPerCustomer: 5 });
    const id = await conversations.open(ada, { channel: "chat", assurance: "authenticated" });
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => connect(id, 0)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });
});
