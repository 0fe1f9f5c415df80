/** What the widget shows is what the events say; drafts come and go beside them. */
import { describe, expect, test, vi } from "vitest";
import type { ChatEvent } from "../../web/widget/panel/client.ts";
import { EMPTY, withDraft, withEvent } from "../../web/widget/panel/state.ts";
import { transcriptOf } from "../../web/widget/panel/transcript.ts";
import { en } from "../../web/widget/panel/words/en.ts";
import { at, createServer, eachOnItsDevice, KEY, message, startChat, texts } from "./chats.ts";
import { type Device, problem } from "./device.ts";

let device: Device;
eachOnItsDevice((own) => {
  device = own;
});

describe("a draft", () => {
  const empty = withEvent(EMPTY, { seq: 1, at, type: "run", run_id: "run_1", state: "running" });
  const first = withDraft(empty, { type: "draft", run_id: "run_1", text: "Your parcel" });

  test("is replaced as a whole by the next one", () => {
    const next = withDraft(first, { type: "draft", run_id: "run_1", text: "Your parcel left." });
    expect(next.draft).toEqual({ runId: "run_1", text: "Your parcel left." });
    expect(next.messages).toEqual([]);
  });

  test("is gone when it is empty, but not by another run's", () => {
    expect(withDraft(first, { type: "draft", run_id: "run_2", text: "" }).draft).not.toBeNull();
    expect(withDraft(first, { type: "draft", run_id: "run_1", text: "" }).draft).toBeNull();
  });

  test("is replaced by the agent's message, and by nobody else's", () => {
    expect(withEvent(first, message(2, "customer", "hello?")).draft).not.toBeNull();
    const said = withEvent(first, message(2, "agent", "Your parcel left today."));
    expect(said.draft).toBeNull();
    expect(said.messages).toHaveLength(1);
  });

  test("is gone with its run, and with the connection", () => {
    const ended = withEvent(first, { seq: 2, at, type: "run", run_id: "run_1", state: "failed" });
    expect(ended.draft).toBeNull();
    expect(withDraft(first, null).draft).toBeNull();
  });

  test("comes over the stream, has no place in the log, and the message is shown once", async () => {
    const server = createServer(device);
    const chat = startChat();
    chat.send("Where is it?");
    await vi.waitFor(() => expect(texts(chat)).toEqual(["Where is it?"]));
    await vi.waitFor(() => expect(server.streams.size).toBe(1));
    server.live([{ type: "draft", run_id: "run_1", text: "It left." }]);
    await vi.waitFor(() => expect(chat.state.draft?.text).toBe("It left."));
    expect(chat.state.lastSeq).toBe(1);
    server.say(message(2, "agent", "It left. It arrives tomorrow."));
    await vi.waitFor(() => expect(chat.state.draft).toBeNull());
    expect(texts(chat)).toEqual(["Where is it?", "It left. It arrives tomorrow."]);
  });
});

describe("messages", () => {
  test("written offline are kept, and sent once each, in order, when the network is back", async () => {
    const server = createServer(device);
    device.answer = () => {
      throw new TypeError("Failed to fetch");
    };
    const chat = startChat();
    chat.send("one");
    chat.send("two");
    await vi.waitFor(() => expect(chat.state.isOnline).toBe(false));
    expect(JSON.parse(device.kept.get(`${KEY}:outbox`) ?? "[]")).toHaveLength(2);
    device.answer = server.answer;
    device.wake();
    await vi.waitFor(() => expect(texts(chat)).toEqual(["one", "two"]), { timeout: 10_000 });
    expect(server.opened).toBe(1);
    await vi.waitFor(() => expect(device.kept.has(`${KEY}:outbox`)).toBe(false));
  });

  test("whose answer was lost are sent again and stored once", async () => {
    const server = createServer(device);
    let isLost = true;
    device.answer = (call) => {
      const answer = server.answer(call);
      if (!call.path.endsWith("/messages") || !isLost) return answer;
      isLost = false;
      throw new TypeError("Failed to fetch");
    };
    const chat = startChat();
    chat.send("one");
    await vi.waitFor(() => expect(chat.state.pending).toEqual([]), { timeout: 10_000 });
    expect(server.log).toHaveLength(1);
    expect(texts(chat)).toEqual(["one"]);
  });

  test("of another tab show here, and what waits there is not sent twice", async () => {
    const server = createServer(device);
    const [first, second] = [startChat(), startChat()];
    first.send("from the first tab");
    await vi.waitFor(() => expect(texts(second)).toEqual(["from the first tab"]), { timeout: 10_000 });
    second.send("from the second");
    await vi.waitFor(() => expect(texts(first)).toEqual(["from the first tab", "from the second"]), {
      timeout: 10_000,
    });
    await vi.waitFor(() => expect([first, second].map(({ state }) => state.pending)).toEqual([[], []]));
    expect(server.log).toHaveLength(2);
    expect(server.opened).toBe(1);
  });

  test("of another tab show here though what that one kept cannot be read here yet", async () => {
    const server = createServer(device);
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
    const [first, second] = [startChat(), startChat()];
    first.send("from the first tab");
    await vi.waitFor(() => expect(texts(second)).toEqual(["from the first tab"]), { timeout: 10_000 });
    second.send("from the second");
    await vi.waitFor(() => expect(texts(first)).toEqual(["from the first tab", "from the second"]), {
      timeout: 10_000,
    });
    expect(server.opened).toBe(1);
  });

  test("of a conversation that is gone go to a new one", async () => {
    const server = createServer(device);
    device.kept.set(`${KEY}:conversation`, "conv_gone");
    device.answer = (call) =>
      call.path.includes("conv_gone") ? problem(404, "not_found") : server.answer(call);
    const chat = startChat();
    chat.send("hello");
    await vi.waitFor(() => expect(texts(chat)).toEqual(["hello"]), { timeout: 10_000 });
    expect(device.kept.get(`${KEY}:conversation`)).toBe("conv_1");
  });

  test("[61] that are sent twice before the first is answered go to one conversation", async () => {
    const server = createServer(device);
    let answerLate: () => void = () => {};
    device.answer = (call) =>
      call.method === "POST" && call.path === "/v1/conversations"
        ? new Promise((resolve) => {
            answerLate = () => resolve(server.answer(call));
          })
        : server.answer(call);
    const chat = startChat();
    chat.send("hello");
    chat.send("hello");
    await vi.waitFor(() => expect(device.calls.length).toBe(1));
    answerLate();
    await vi.waitFor(() => expect(texts(chat)).toEqual(["hello", "hello"]), { timeout: 10_000 });
    expect(server.opened).toBe(1);
  });

  test("that a limit refuses wait as long as it says, and are not lost", async () => {
    vi.useFakeTimers();
    const server = createServer(device);
    let refusals = 1;
    device.answer = (call) =>
      call.path.endsWith("/messages") && refusals-- > 0
        ? problem(429, "rate_limited", { "retry-after": "7" })
        : server.answer(call);
    const chat = startChat();
    chat.send("hello");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(chat.state.waitUntilMs).not.toBeNull();
    expect(server.log).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.log).toHaveLength(1);
  });

  test("of somebody who has left are not written to their device any more", async () => {
    const server = createServer(device);
    let answerLate: (response: Response) => void = () => {};
    device.answer = (call) =>
      call.path.endsWith("/messages")
        ? new Promise((resolve) => {
            answerLate = resolve;
          })
        : server.answer(call);
    const chat = startChat();
    chat.send("hello");
    await vi.waitFor(() => expect(device.calls.some(({ path }) => path.endsWith("/messages"))).toBe(true));
    chat.stop();
    device.kept.clear();
    answerLate(problem(404, "not_found"));
    await new Promise((resolve) => setImmediate(resolve));
    expect([...device.kept]).toEqual([]);
  });
});

test("a tab that nobody looks at holds no stream, and misses nothing", async () => {
  const server = createServer(device);
  const chat = startChat();
  chat.send("hello");
  await vi.waitFor(() => expect(texts(chat)).toEqual(["hello"]), { timeout: 10_000 });
  await vi.waitFor(() => expect(server.streams.size).toBe(1));
  const looked = (visibilityState: string) => {
    Object.assign(document, { visibilityState });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  looked("hidden");
  await vi.waitFor(() => expect(server.streams.size).toBe(0), { timeout: 10_000 });
  server.say(message(2, "agent", "Hello!"));
  looked("visible");
  await vi.waitFor(() => expect(texts(chat)).toEqual(["hello", "Hello!"]), { timeout: 10_000 });
  expect(server.streams.size).toBe(1);
});

test("where a proxy lets no stream through, the widget asks for events and misses none", async () => {
  const server = createServer(device);
  server.streamsPass = false;
  const chat = startChat();
  chat.send("hello");
  await vi.waitFor(() => expect(texts(chat)).toEqual(["hello"]), { timeout: 15_000 });
  server.say(message(2, "agent", "Hello!"));
  await vi.waitFor(() => expect(texts(chat)).toEqual(["hello", "Hello!"]), { timeout: 15_000 });
  expect(device.calls.some(({ path }) => path.includes("/events"))).toBe(true);
});

test("[135] nobody seems to be writing once a run has ended without an answer or a person has taken over", () => {
  createServer(device);
  const { state } = startChat();
  const running = withEvent(state, { seq: 1, at, type: "run", run_id: "run_1", state: "running" });
  expect(running.isTyping).toBe(true);
  const ended = withEvent(running, { seq: 2, at, type: "run", run_id: "run_1", state: "escalated" });
  const taken = withEvent(running, { seq: 2, at, type: "status", status: "with_person" });
  expect([ended.isTyping, taken.isTyping]).toEqual([false, false]);
});

test("the transcript has every message with who said it and when, and where it came from", () => {
  createServer(device);
  const chat = startChat();
  let { state } = chat;
  state = withEvent(state, message(1, "customer", "What is your return policy?"));
  state = withEvent(state, {
    ...message(2, "agent", "30 days."),
    citations: [{ title: "Returns", version: "3" }],
  } as ChatEvent);
  const text = transcriptOf(state, en, "en-GB");
  expect(text).toMatch(/\[2 Mar 2026.*\] You\nWhat is your return policy\?/);
  expect(text).toMatch(/\] AI assistant\n30 days\.\nSource: Returns \(v3\)/);
});
