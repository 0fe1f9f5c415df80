/** How the widget ends a conversation, has it rated, and has it sent. */
import { describe, expect, test, vi } from "vitest";
import { at, createServer, eachOnItsDevice, KEY, message, startChat, texts } from "./chats.ts";
import { type Device, json, problem } from "./device.ts";

let device: Device;
eachOnItsDevice((own) => {
  device = own;
});

describe("the end of a conversation", () => {
  test("[58] that came while this device slept is shown with all that was missed, and what waited opens it again, once", async () => {
    const server = createServer(device);
    const chat = startChat();
    chat.send("hello");
    await vi.waitFor(() => expect(texts(chat)).toEqual(["hello"]), { timeout: 10_000 });
    await vi.waitFor(() => expect(server.streams.size).toBe(1));
    device.answer = () => {
      throw new TypeError("Failed to fetch");
    };
    for (const stream of server.streams) stream.error(new TypeError("network error"));
    server.streams.clear();
    chat.send("are you there?");
    await vi.waitFor(() => expect(chat.state.isOnline).toBe(false), { timeout: 10_000 });
    server.log.push(message(2, "agent", "Goodbye."), { seq: 3, at, type: "status", status: "resolved" });
    device.answer = server.answer;
    device.wake();
    await vi.waitFor(() => expect(texts(chat)).toEqual(["hello", "Goodbye.", "are you there?"]), {
      timeout: 20_000,
    });
    expect(chat.state.status).toBe("resolved");
    expect(server.log.filter((event) => "text" in event && event.text === "are you there?")).toHaveLength(1);
    expect(chat.state.pending).toEqual([]);
  }, 30_000);

  test("waits until what is being answered is", async () => {
    vi.useFakeTimers();
    createServer(device);
    device.kept.set(`${KEY}:conversation`, "conv_1");
    const answers = [
      problem(409, "conversation_busy", { "retry-after": "1" }),
      json(200, { conversation_id: "conv_1", status: "resolved" }),
    ];
    const usual = device.answer;
    device.answer = (call) => (call.path.endsWith("/end") ? (answers.shift() as Response) : usual(call));
    const chat = startChat();
    const ending = chat.end();
    await vi.advanceTimersByTimeAsync(3_000);
    await ending;
    expect(answers).toEqual([]);
  });

  test("is ended and sent by mail only where the server says that it can, and to where it says", async () => {
    createServer(device);
    device.kept.set(`${KEY}:conversation`, "conv_1");
    const usual = device.answer;
    let view = {};
    device.answer = (call) =>
      call.path.endsWith("/end")
        ? json(200, { conversation_id: "conv_1", status: "resolved" })
        : /\/transcript(?:-address)?$/.test(call.path)
          ? json(202, { conversation_id: "conv_1", address: "a…@example.com" })
          : call.method === "GET" && call.path.endsWith("/conversations/conv_1")
            ? json(200, { conversation_id: "conv_1", status: "open", ...view })
            : usual(call);
    const chat = startChat();
    for (const [says, offered] of [
      [{}, null],
      [{ transcript_by_mail: false }, null],
      [{ transcript_by_mail: false, transcript_by_address: true }, "named"],
      [{ transcript_by_mail: true, transcript_by_address: false }, "account"],
    ] as const) {
      view = says;
      expect(await chat.canMail()).toBe(offered);
    }
    const posted = () => device.calls.filter(({ method }) => method === "POST").slice(-2);
    expect(await chat.endByMail(null)).toBe("a…@example.com");
    expect(posted().map(({ path }) => path)).toEqual([
      "/v1/conversations/conv_1/end",
      "/v1/conversations/conv_1/transcript",
    ]);
    await chat.endByMail("ivy@example.com");
    expect(posted().map(({ path, body }) => [path, body])).toEqual([
      ["/v1/conversations/conv_1/end", undefined],
      ["/v1/conversations/conv_1/transcript-address", { address: "ivy@example.com" }],
    ]);
  });

  test("[150] is rated once each time: no other tab is asked about that ending again, and all are about the next", async () => {
    const server = createServer(device);
    device.answer = (call) =>
      call.path.endsWith("/csat") ? json(201, { conversation_id: "conv_1", score: 4 }) : server.answer(call);
    device.kept.set(`${KEY}:conversation`, "conv_1");
    server.log.push(message(1, "customer", "hello"), { seq: 2, at, type: "status", status: "resolved" });
    const [first, second] = [startChat(), startChat()];
    for (const chat of [first, second]) await vi.waitFor(() => expect(chat.state.status).toBe("resolved"));
    await first.rate(4, null);
    await vi.waitFor(() => expect(second.state.rated).toBe(4));
    const later = startChat();
    await vi.waitFor(() => expect(later.state.rated).toBe(4));
    server.say(message(3, "customer", "one more thing"));
    server.say({ seq: 4, at, type: "status", status: "with_agent" });
    server.say({ seq: 5, at, type: "status", status: "resolved" });
    for (const chat of [first, second, later]) {
      await vi.waitFor(() => expect(chat.state.lastSeq).toBe(5));
      expect(chat.state.rated).toBeNull();
    }
    first.startOver();
    expect(first.state.rated).toBeNull();
  });
});
