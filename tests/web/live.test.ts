/** What changed is asked for anew: soon, never too often, and not by a page that nobody sees. */
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { followChanges } from "../../web/console/api/live.ts";
import { createRounds, ROUND_ENDS_MS, ROUND_MS } from "../../web/console/api/rounds.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("changes of a busy queue", () => {
  test("are asked for once a round, the first at once and the last for certain", async () => {
    const asked: string[] = [];
    const rounds = createRounds(async (key) => void asked.push(key.join()));
    for (let n = 0; n < 100; n += 1) {
      rounds.add(["reviews"]);
      rounds.add(["conversation", "conv_1"]);
      await vi.advanceTimersByTimeAsync(0);
      if (n === 0) expect(asked).toEqual(["reviews", "conversation,conv_1"]);
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(ROUND_MS);
    const ofReviews = asked.filter((name) => name === "reviews").length;
    expect(ofReviews).toBeGreaterThanOrEqual(10);
    expect(ofReviews).toBeLessThanOrEqual(11);
    const before = asked.length;
    rounds.add(["reviews"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(before + 1);
  });

  test("wait for the answers of the round before; one that never comes does not hold them up for good", async () => {
    const asked: string[] = [];
    let answer = () => {};
    const rounds = createRounds((key) => {
      asked.push(key.join());
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    });
    rounds.add(["reviews"]);
    await vi.advanceTimersByTimeAsync(0);
    rounds.add(["reviews"]);
    await vi.advanceTimersByTimeAsync(3 * ROUND_MS);
    expect(asked).toHaveLength(1);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(2);
    rounds.add(["reviews"]);
    await vi.advanceTimersByTimeAsync(ROUND_ENDS_MS);
    expect(asked).toHaveLength(3);
  });

  test("with everything to be asked for ask for nothing twice", async () => {
    const asked: (readonly string[])[] = [];
    const rounds = createRounds(async (key) => void asked.push(key));
    rounds.add(["reviews"]);
    await vi.advanceTimersByTimeAsync(0);
    for (const key of [["reviews"], [], ["actions"]]) rounds.add(key);
    await vi.advanceTimersByTimeAsync(ROUND_MS);
    expect(asked).toEqual([["reviews"], []]);
  });
});

/** A browser's stream, as far as the console uses it. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: Stream[] = [];
  readyState = 1;
  onopen = () => {};
  onerror = () => {};
  constructor() {
    super();
    Stream.opened.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  tell(type: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
  static get live() {
    return Stream.opened.filter(({ readyState }) => readyState === 1);
  }
}

test("a tab that nobody sees has no stream and asks for nothing; seen again it asks for everything once", async () => {
  Stream.opened.length = 0;
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("EventSource", Stream);
  const see = (state: "visible" | "hidden") => {
    page.visibilityState = state;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const queries = new QueryClient();
  const asked = vi.spyOn(queries, "invalidateQueries").mockResolvedValue();
  const stop = followChanges(queries, () => {});
  expect(Stream.live).toHaveLength(1);
  Stream.live[0]?.tell("change", { kind: "canned_replies", id: "rpl_1", conversation_id: null });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenLastCalledWith({ queryKey: ["canned-replies"] });
  await vi.advanceTimersByTimeAsync(ROUND_MS);

  see("hidden");
  expect(Stream.live).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toHaveBeenCalledTimes(1);

  see("visible");
  see("visible");
  expect(Stream.live).toHaveLength(1);
  Stream.live[0]?.tell("reset", {});
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(asked).toHaveBeenLastCalledWith({ queryKey: [] });

  stop();
  see("visible");
  expect(Stream.live).toHaveLength(0);
});
