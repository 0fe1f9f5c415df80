import { describe, expect, test } from "vitest";
import { ApiProblem, Unreachable } from "../../src/cli/api.ts";
import type { ChatEvent } from "../../src/cli/chat/events.ts";
import { type FeedItem, type FeedState, followEvents, pauseBefore } from "../../src/cli/chat/feed.ts";
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";

const event = (seq: number): FeedItem => ({
  kind: "event",
  event: { seq, at: "", type: "message", text: `${seq}` },
});

/** Follows a script of connections; each is a list of items and how it ends. */
async function follow(
  connections: readonly { items: readonly (FeedItem | Error)[]; hang?: boolean }[],
  how: { until: number; silenceMs?: number },
) {
  const seen: ChatEvent[] = [];
  const states: FeedState[] = [];
  const drafts: string[] = [];
  const starts: number[] = [];
  const stop = new AbortController();
  await followEvents(
    {
      clock: { ...systemClock, sleep: async () => {} },
      random: seededRandom(1),
      silenceMs: how.silenceMs ?? 1_000,
      async *connect(afterSeq, signal) {
        starts.push(afterSeq);
        const next = connections[starts.length - 1];
        if (next === undefined) throw new Error("the script has no more connections");
        for (const item of next.items) {
          if (item instanceof Error) throw item;
          yield item;
        }
        if (next.hang) {
          await new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          });
        }
      },
    },
    {
      afterSeq: 0,
      signal: stop.signal,
      onEvent(each) {
        seen.push(each);
        if (each.seq === how.until) stop.abort();
      },
      onDraft: ({ text }) => drafts.push(text),
      onState: (state) => states.push(state),
    },
  );
  return { seqs: seen.map(({ seq }) => seq), states: states.map(({ kind }) => kind), starts, drafts };
}

describe("a followed conversation", () => {
  test("hands drafts on, and takes them for no event", async () => {
    const draft: FeedItem = { kind: "draft", draft: { runId: "r", text: "It is" } };
    const { seqs, drafts } = await follow([{ items: [event(1), draft, event(2)] }], { until: 2 });
    expect(seqs).toEqual([1, 2]);
    expect(drafts).toEqual(["It is"]);
  });

  test("goes on after a broken connection from the last event it has seen", async () => {
    const { seqs, starts } = await follow(
      [
        { items: [event(1), event(2), new Unreachable("", "cut", undefined)] },
        { items: [event(3)] },
        { items: [event(4)] },
      ],
      { until: 4 },
    );
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect(starts).toEqual([0, 2, 3]);
  });

  test("drops what it has seen when a server repeats it", async () => {
    const { seqs } = await follow(
      [{ items: [event(1), event(2)] }, { items: [event(1), event(2), event(2), event(3)] }],
      { until: 3 },
    );
    expect(seqs).toEqual([1, 2, 3]);
  });

  test("connects again instead of handing on an event after a gap", async () => {
    const { seqs, starts } = await follow(
      [{ items: [event(1), event(3)] }, { items: [event(2), event(3)] }],
      {
        until: 3,
      },
    );
    expect(seqs).toEqual([1, 2, 3]);
    expect(starts).toEqual([0, 1]);
  });

  test("takes a silent connection for dead", async () => {
    const { seqs, starts } = await follow([{ items: [event(1)], hang: true }, { items: [event(2)] }], {
      until: 2,
      silenceMs: 20,
    });
    expect(seqs).toEqual([1, 2]);
    expect(starts).toEqual([0, 1]);
  });

  test("says that it reconnects, and that it is live again", async () => {
    const { states } = await follow([{ items: [event(1)] }, { items: [event(2)] }], { until: 2 });
    expect(states).toEqual(["live", "reconnecting", "live"]);
  });

  test("goes on when the server stops or the reader was too slow", async () => {
    const ended = (code: string, status: number): FeedItem => ({
      kind: "ended",
      problem: new ApiProblem(status, { code }),
    });
    const { seqs } = await follow(
      [
        { items: [event(1), ended("shutting_down", 503)] },
        { items: [ended("reader_too_slow", 408)] },
        { items: [event(2)] },
      ],
      { until: 2 },
    );
    expect(seqs).toEqual([1, 2]);
  });

  test("ends for good when the conversation is not the customer's", async () => {
    await expect(
      follow([{ items: [new ApiProblem(404, { code: "not_found" })] }], { until: 1 }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  test("waits longer after each failure, with jitter, up to a limit", () => {
    const pauses = [1, 2, 3, 4, 10, 1_000].map((attempt) => pauseBefore(attempt, 5_000, 0.5));
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.every((pause) => pause > 0 && pause <= 5_000)).toBe(true);
    expect(pauseBefore(3, 5_000, 0)).toBeLessThan(pauseBefore(3, 5_000, 1));
  });
});
