/** A visitor signs in: nothing of theirs is lost until the server has said whose it is. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient } from "../../web/widget/panel/client.ts";
import { bringAlong, hasVisited, type Session, visitorSession } from "../../web/widget/panel/identity.ts";
import { createDevice, type Device, json, problem } from "./device.ts";

const VISITOR = "recourse:northwind:@visitor";
const ADA = "recourse:northwind:ada";
const UNSENT = [{ id: "m-1", text: "Are you there?" }];

let device: Device;
let leaving: AbortController;
const ada: Session = {
  client: createClient("https://support.example", async () => "token-of-ada"),
  keyPrefix: ADA,
  isVisitor: false,
};

beforeEach(() => {
  vi.useFakeTimers();
  device = createDevice();
  leaving = new AbortController();
  device.kept.set(`${VISITOR}:conversation`, "conv_1");
  device.kept.set(
    `${VISITOR}:token`,
    JSON.stringify({ token: "token-of-visitor", expires_at: "2999-01-01" }),
  );
  device.kept.set(`${VISITOR}:outbox`, JSON.stringify(UNSENT));
});
afterEach(() => {
  leaving.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const everythingOfTheVisitor = () =>
  ["conversation", "token", "outbox"].every((name) => device.kept.has(`${VISITOR}:${name}`));
const nothingOfTheVisitor = () =>
  ["conversation", "token", "outbox"].every((name) => !device.kept.has(`${VISITOR}:${name}`));

/** Starts it; says when it is over. */
function begin() {
  const state = { isOver: false };
  const done = bringAlong("northwind", ada, leaving.signal).finally(() => {
    state.isOver = true;
  });
  return { state, done };
}

describe("a visitor's conversation", () => {
  test.each([
    ["is worked on", () => problem(409, "conversation_busy", { "retry-after": "1" })],
    [
      "is worked on, and a page of another origin does not see for how long",
      () => problem(409, "conversation_busy"),
    ],
    ["meets a limit", () => problem(429, "rate_limited", { "retry-after": "3" })],
    ["meets a server that stops", () => problem(503, "shutting_down")],
    ["meets an error inside", () => problem(500, "internal")],
    ["meets a proxy's page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
    [
      "meets any other refusal that names a time",
      () => problem(425, "something_new", { "retry-after": "2" }),
    ],
    ["meets a network's own page", () => new Response("<h1>Sign in to the Wi-Fi</h1>", { status: 200 })],
    [
      "meets no network",
      () => {
        throw new TypeError("Failed to fetch");
      },
    ],
  ])("that %s stays on the device until it is the customer's", async (_why, refusing) => {
    device.answer = refusing;
    const { state, done } = begin();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.isOver).toBe(false);
    expect(everythingOfTheVisitor()).toBe(true);
    expect(device.calls.length).toBeGreaterThan(2);

    device.answer = () => json(200, { conversation_id: "conv_1" });
    await vi.advanceTimersByTimeAsync(20_000);
    await done;
    expect(device.kept.get(`${ADA}:conversation`)).toBe("conv_1");
    expect(JSON.parse(device.kept.get(`${ADA}:outbox`) ?? "[]")).toEqual(UNSENT);
    expect(nothingOfTheVisitor()).toBe(true);
  });

  test("is asked for less and less often, at most every 19 seconds at the end", async () => {
    device.answer = () => problem(409, "conversation_busy");
    const times: number[] = [];
    device.answer = () => {
      times.push(Date.now());
      return problem(409, "conversation_busy");
    };
    begin();
    await vi.advanceTimersByTimeAsync(300_000);
    const pauses = times.slice(1).map((at, index) => at - (times[index] as number));
    expect(pauses.slice(-1)[0]).toBeGreaterThan(pauses[0] as number);
    expect(times.length).toBeLessThan(40);
    // 15 s with a quarter more at most.
    expect(Math.max(...pauses)).toBeLessThanOrEqual(18_750);
  });

  test("waits as long as the server says, not less", async () => {
    device.answer = () => problem(409, "conversation_busy", { "retry-after": "30" });
    begin();
    await vi.advanceTimersByTimeAsync(22_000);
    expect(device.calls).toHaveLength(1);
  });

  test("that is another customer's or gone is dropped at once, with what was unsent", async () => {
    device.answer = () => problem(404, "not_found");
    await begin().done;
    expect(device.calls).toHaveLength(1);
    expect(nothingOfTheVisitor()).toBe(true);
    expect(device.kept.has(`${ADA}:conversation`)).toBe(false);
  });

  test.each([
    ["token_expired", 401],
    ["forbidden", 403],
    ["body_invalid", 400],
  ])("is kept for the next time when the answer is %s", async (code, status) => {
    device.answer = () => problem(status, code);
    await begin().done;
    expect(everythingOfTheVisitor()).toBe(true);
    expect(hasVisited("northwind")).toBe(true);
  });

  test("is kept when the page closes while nobody can say", async () => {
    device.answer = () => problem(409, "conversation_busy");
    const { done } = begin();
    await vi.advanceTimersByTimeAsync(2_000);
    leaving.abort();
    await done;
    expect(everythingOfTheVisitor()).toBe(true);
  });

  test("takes along what was written while it was busy, behind what the customer had unsent", async () => {
    device.kept.set(`${ADA}:outbox`, JSON.stringify([{ id: "a-1", text: "from before" }]));
    device.answer = () => problem(409, "conversation_busy");
    const { done } = begin();
    await vi.advanceTimersByTimeAsync(1_000);
    device.kept.set(`${VISITOR}:outbox`, JSON.stringify([...UNSENT, { id: "m-2", text: "one more" }]));
    device.answer = () => json(200, { conversation_id: "conv_1" });
    await vi.advanceTimersByTimeAsync(20_000);
    await done;
    const outbox = JSON.parse(device.kept.get(`${ADA}:outbox`) ?? "[]") as { id: string }[];
    expect(outbox.map(({ id }) => id)).toEqual(["a-1", "m-1", "m-2"]);
  });

  test("that was never opened leaves its unsent messages to the customer, without a request", async () => {
    device.kept.delete(`${VISITOR}:conversation`);
    expect(hasVisited("northwind")).toBe(true);
    await begin().done;
    expect(device.calls).toHaveLength(0);
    expect(JSON.parse(device.kept.get(`${ADA}:outbox`) ?? "[]")).toEqual(UNSENT);
  });
});

test("where the browser keeps nothing, a visitor is the same one for as long as the page lives", async () => {
  vi.unstubAllGlobals();
  device = createDevice({ storageIsBlocked: true });
  device.answer = ({ path }) =>
    path === "/v1/visitors"
      ? json(200, { token: "t-1", visitor_id: "visitor_1", expires_at: "2999-01-01T00:00:00Z" })
      : json(201, { conversation_id: "conv_2" });
  const { client } = visitorSession("https://support.example", "northwind");
  await client.request("POST", "/v1/conversations", {});
  await client.request("POST", "/v1/conversations", {});
  expect(device.calls.map(({ path }) => path)).toEqual([
    "/v1/visitors",
    "/v1/conversations",
    "/v1/conversations",
  ]);
  expect(device.calls[2]?.headers.get("authorization")).toBe("Bearer t-1");
});
