/** Streams over real sockets, and how the server starts and stops. */
import { createServer } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createHttpServer } from "../../src/channels/http/server.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { fakeParts, KESTREL, type Running, startServer, tokenFor, until } from "./fixture.ts";

interface Seen {
  seq?: number;
  type: string;
  problem?: { code: string };
}

function webSocket(
  running: Running,
  path: string,
  how: { token?: string; protocols?: string[]; headers?: Record<string, string> },
) {
  const socket = new WebSocket(running.url.replace("http", "ws") + path, how.protocols ?? [], {
    headers: { ...(how.token === undefined ? {} : { authorization: `Bearer ${how.token}` }), ...how.headers },
  });
  const frames: Seen[] = [];
  const state = {
    socket,
    frames,
    open: false,
    closed: null as { code: number; reason: string } | null,
    refused: null as { status: number; body: string } | null,
  };
  socket.on("open", () => {
    state.open = true;
  });
  socket.on("message", (data) => frames.push(JSON.parse(String(data))));
  socket.on("close", (code, reason) => {
    state.closed = { code, reason: String(reason) };
  });
  socket.on("error", () => {});
  socket.on("unexpected-response", (_, response) => {
    let body = "";
    response.on("data", (chunk) => {
      body += chunk;
    });
    response.on("end", () => {
      state.refused = { status: response.statusCode ?? 0, body };
    });
  });
  return state;
}

async function eventStream(
  running: Running,
  path: string,
  token: string,
  headers: Record<string, string> = {},
) {
  const abort = new AbortController();
  const response = await fetch(running.url + path, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers },
    signal: abort.signal,
  });
  const state = {
    response,
    events: [] as { id: string | undefined; event: string | undefined; data: Seen }[],
    ended: false,
    close: () => abort.abort(),
  };
  const parser = createParser({
    onEvent: ({ id, event, data }) => state.events.push({ id, event, data: JSON.parse(data) }),
  });
  (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      parser.feed(decoder.decode(chunk, { stream: true }));
  })()
    .catch(() => {})
    .finally(() => {
      state.ended = true;
    });
  return state;
}

const message = (text = "x") => ({ type: "message", author: "agent", text });
const upTo = (n: number, from = 1) => Array.from({ length: Math.max(0, n - from + 1) }, (_, i) => from + i);
async function conversation(overrides: Parameters<typeof startServer>[0] = {}) {
  const running = await startServer(overrides);
  const { json } = await running.call("POST", "/v1/conversations");
  const id: string = json.conversation_id;
  return { running, id, path: `/v1/conversations/${id}/stream`, token: await tokenFor() };
}

describe("over WebSocket", () => {
  test("events come live from the cursor on, the same as GET has", async () => {
    const { running, id, path, token } = await conversation();
    running.conversations.append(id, [message("a"), message("b"), message("c")]);
    const ws = webSocket(running, `${path}?after_seq=1`, { token });
    await until(() => ws.frames.length === 2);
    running.conversations.append(id, [message("d")]);
    await until(() => ws.frames.length === 3);
    const { json } = await running.call("GET", `/v1/conversations/${id}/events?after_seq=1`);
    expect(ws.frames).toEqual(json.events);
    ws.socket.close();
    await until(() => running.server.streamCount === 0);
  });

  test("a draft is a frame without a seq", async () => {
    const { running, id, path, token } = await conversation();
    const ws = webSocket(running, path, { token });
    await until(() => running.server.streamCount === 1);
    running.conversations.draft(id, "It is on its way.");
    await until(() => ws.frames.length === 1);
    expect(ws.frames).toEqual([{ type: "draft", run_id: "run_1", text: "It is on its way." }]);
    ws.socket.close();
  });

  test("browsers bring the token as a subprotocol, and it is not echoed", async () => {
    const { running, path, token } = await conversation();
    const ws = webSocket(running, path, { protocols: ["recourse.v1", `recourse.bearer.${token}`] });
    await until(() => ws.open);
    expect(ws.socket.protocol).toBe("recourse.v1");
    const lone = webSocket(running, path, { protocols: [`recourse.bearer.${token}`] });
    await until(() => lone.open);
  });

  test("a handshake is refused like any request, with a problem", async () => {
    const { running, path, token } = await conversation();
    const strangers = await tokenFor({ issuer: KESTREL });
    for (const [how, status, code, to] of [
      [{}, 401, "token_missing", path],
      [{ token: "nonsense" }, 401, "token_invalid", path],
      [{ protocols: ["recourse.v1", "recourse.bearer.nonsense"] }, 401, "token_invalid", path],
      [{}, 401, "token_missing", `${path}?access_token=${token}`],
      [{ token: strangers }, 404, "not_found", path],
      [{ token }, 404, "not_found", "/v1/conversations/conv_x/stream"],
      [{ token }, 400, "cursor_invalid", `${path}?after_seq=-1`],
      [{ token }, 404, "path_unknown", "/v1/nope"],
      [{ token, headers: { origin: "https://evil.example" } }, 403, "forbidden", path],
      [{ token, headers: { origin: "null" } }, 403, "forbidden", path],
    ] as const) {
      const ws = webSocket(running, to, how as { token?: string });
      await until(() => ws.refused !== null);
      expect(ws.refused?.status).toBe(status);
      expect(JSON.parse(ws.refused?.body ?? "").code).toBe(code);
    }
    expect(running.server.streamCount).toBe(0);
  });

  test("pages of an allowed origin and of this server itself may connect", async () => {
    const { running, path, token } = await conversation({ corsOrigins: ["https://shop.example"] });
    for (const origin of ["https://shop.example", running.url]) {
      const ws = webSocket(running, path, { token, headers: { origin } });
      await until(() => ws.open);
    }
  });

  test("a broken handshake is refused and holds no place", async () => {
    const { running, path, token } = await conversation({ limits: { streamsPerCustomer: 1 } });
    for (let i = 0; i < 3; i += 1) {
      const answer = await new Promise<string>((resolve) => {
        const socket = connectSocket(running.port, "127.0.0.1");
        let text = "";
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 7\r\nSec-WebSocket-Key: short\r\n\r\n`,
        );
        socket.on("data", (chunk) => {
          text += chunk;
        });
        socket.on("close", () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d/);
    }
    const ws = webSocket(running, path, { token });
    await until(() => ws.open);
  });

  test("a refused peer that keeps its side open is closed all the same", async () => {
    const { running, path } = await conversation({ limits: { streamCloseMs: 50 } });
    const socket = connectSocket({ port: running.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    await until(() => answer.includes("token_missing"));
    // Writing to a connection that the server has given up fails.
    await until(() => socket.destroyed || !socket.write("x"), 2_000);
  });

  test("what a client sends is answered with a problem, and too much of it ends the stream", async () => {
    const { running, path, token } = await conversation({ limits: { streamClientFrames: 3 } });
    const ws = webSocket(running, path, { token });
    await until(() => ws.open);
    for (let i = 0; i < 4; i += 1) ws.socket.send('{"type":"message","text":"hi"}');
    await until(() => ws.closed !== null);
    expect(ws.frames.map(({ type, problem }) => [type, problem?.code])).toEqual(
      Array(3).fill(["problem", "stream_is_one_way"]),
    );
    expect(ws.closed).toEqual({ code: 1008, reason: "stream_is_one_way" });
    const loud = webSocket(running, path, { token });
    await until(() => loud.open);
    loud.socket.send("x".repeat(100_000));
    await until(() => loud.closed !== null);
    expect(loud.closed?.code).toBe(1009);
  });

  test("an expired token ends it, and nothing comes after", async () => {
    const { running, id, path } = await conversation();
    // Tokens are valid for 30 s past `exp`: this one has half a second left of them.
    const ws = webSocket(running, path, { token: await tokenFor({ expiresInMs: -29_000 }) });
    await until(() => ws.open);
    await until(() => ws.closed !== null);
    running.conversations.append(id, [message("late")]);
    expect(ws.closed).toEqual({ code: 4401, reason: "token_expired" });
    expect(ws.frames.at(-1)).toMatchObject({ type: "problem", problem: { code: "token_expired" } });
  });

  test("a peer that does not answer pings is dropped", async () => {
    const { running, path, token } = await conversation({ limits: { streamPingMs: 30 } });
    const deaf = new WebSocket(running.url.replace("http", "ws") + path, {
      headers: { authorization: `Bearer ${token}` },
      autoPong: false,
    });
    deaf.on("error", () => {});
    const well = webSocket(running, path, { token });
    await until(() => running.server.streamCount === 2);
    await until(() => deaf.readyState === WebSocket.CLOSED);
    await systemClock.sleep(100);
    expect(well.closed).toBeNull();
  });

  test("a slow reader is dropped with bounded memory, and resumes without gap or repeat", async () => {
    const { running, id, path, token } = await conversation({
      limits: { streamPollMs: 20, streamStallMs: 200, streamCloseMs: 200, streamBufferEvents: 100 },
    });
    const total = 1_200;
    running.conversations.append(
      id,
      Array.from({ length: total }, () => message("z".repeat(8_000))),
    );
    const received: number[] = [];
    let drops = 0;
    for (let attempt = 0; attempt < 30 && received.length < total; attempt += 1) {
      const ws = new WebSocket(
        `${running.url.replace("http", "ws")}${path}?after_seq=${received.at(-1) ?? 0}`,
        { headers: { authorization: `Bearer ${token}` } },
      );
      ws.on("error", () => {});
      ws.on("message", (data) => received.push((JSON.parse(String(data)) as { seq: number }).seq));
      await new Promise((resolve) => ws.once("open", resolve));
      // The first connection stops reading: the server must let go of it by itself.
      if (attempt === 0) {
        ws.pause();
        await until(() => running.server.streamCount === 0, 9_000);
        ws.resume();
        drops += 1;
      }
      await until(() => ws.readyState === WebSocket.CLOSED || received.length === total, 15_000);
      if (ws.readyState === WebSocket.OPEN) ws.close();
    }
    expect(drops).toBe(1);
    expect(received).toEqual(upTo(total));
  });
});

describe("over Server-Sent Events", () => {
  test("events come live, and a browser's reconnection goes on from its last one", async () => {
    const { running, id, path, token } = await conversation();
    running.conversations.append(id, [message(), message()]);
    const first = await eventStream(running, `${path}?after_seq=0`, token);
    expect(first.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(first.response.headers.get("cache-control")).toBe("no-store");
    await until(() => first.events.length === 2);
    running.conversations.append(id, [message()]);
    await until(() => first.events.length === 3);
    expect(first.events.map((event) => event.id)).toEqual(["1", "2", "3"]);
    expect(first.events.map((event) => event.event)).toEqual([undefined, undefined, undefined]);
    first.close();
    running.conversations.append(id, [message()]);
    const again = await eventStream(running, `${path}?after_seq=0`, token, { "last-event-id": "3" });
    await until(() => again.events.length === 1);
    expect(again.events[0]?.data.seq).toBe(4);
    again.close();
    await until(() => running.server.streamCount === 0);
  });

  test("a draft has a name of its own and no id: nobody resumes from it", async () => {
    const { running, id, path, token } = await conversation();
    const stream = await eventStream(running, path, token);
    await until(() => running.server.streamCount === 1);
    running.conversations.draft(id, "It is on its way.");
    running.conversations.append(id, [message()]);
    await until(() => stream.events.length === 2);
    expect(stream.events.map(({ event, id: at }) => [event, at])).toEqual([
      ["draft", undefined],
      [undefined, "1"],
    ]);
    expect(stream.events[0]?.data).toEqual({ type: "draft", run_id: "run_1", text: "It is on its way." });
    stream.close();
  });

  test("text that looks like the protocol stays inside its event", async () => {
    const { running, id, path, token } = await conversation();
    const text = 'a\n\ndata: {"seq":99}\r\n\revent: problem\u2028id: 7';
    running.conversations.append(id, [message(text)]);
    const stream = await eventStream(running, path, token);
    await until(() => stream.events.length > 0);
    running.conversations.append(id, [message("b")]);
    await until(() => stream.events.length > 1);
    expect(stream.events.map(({ data }) => data.seq)).toEqual([1, 2]);
    expect(stream.events[0]?.data).toMatchObject({ text });
    stream.close();
  });

  test("a request for neither WebSocket nor events is told so, a wrong Last-Event-ID refused", async () => {
    const { running, path, token } = await conversation();
    expect(await running.call("GET", path)).toMatchObject({
      status: 426,
      json: { code: "websocket_needed" },
    });
    const wrong = await running.call("GET", path, {
      token,
      headers: { accept: "text/event-stream", "last-event-id": "x" },
    });
    expect(wrong).toMatchObject({ status: 400, json: { code: "cursor_invalid" } });
  });

  test("too many streams of one customer are refused with 429", async () => {
    const { running, path, token } = await conversation({ limits: { streamsPerCustomer: 2 } });
    const streams = [await eventStream(running, path, token), await eventStream(running, path, token)];
    const refused = await running.call("GET", path, { token, headers: { accept: "text/event-stream" } });
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(refused.headers.get("retry-after")).not.toBeNull();
    for (const stream of streams) stream.close();
    await until(() => running.server.streamCount === 0);
  });
});

describe("under concurrent appends", () => {
  test("many readers, of both kinds, that drop and resume all see every event once", async () => {
    const { running, id, path, token } = await conversation();
    const total = 600;
    const readers = Array.from({ length: 6 }, (_, i) => ({
      kind: i % 2 === 0 ? "ws" : "sse",
      seqs: [] as number[],
    }));
    const appending = (async () => {
      for (let n = 0; n < total; n += 4) {
        running.conversations.loseWakeUps = n % 40 === 0;
        running.conversations.append(
          id,
          Array.from({ length: 4 }, () => message()),
        );
        if (n % 20 === 0) await systemClock.sleep(1);
      }
      running.conversations.loseWakeUps = false;
      running.conversations.append(id, [message("last")]);
    })();
    const read = async (reader: (typeof readers)[number], index: number) => {
      for (let session = 1; reader.seqs.length < total + 1; session += 1) {
        const cursor = `${path}?after_seq=${reader.seqs.at(-1) ?? 0}`;
        const enough = () => reader.seqs.length >= Math.min(total + 1, session * (80 + index * 7));
        if (reader.kind === "ws") {
          const socket = new WebSocket(running.url.replace("http", "ws") + cursor, {
            headers: { authorization: `Bearer ${token}` },
          });
          let live = true;
          socket.on("message", (data) => {
            if (live) reader.seqs.push(JSON.parse(String(data)).seq);
          });
          await until(() => socket.readyState === WebSocket.OPEN && enough(), 10_000);
          live = false;
          socket.terminate();
        } else {
          const stream = await eventStream(running, cursor, token);
          const before = reader.seqs.length;
          await until(() => {
            reader.seqs.splice(
              before,
              Number.POSITIVE_INFINITY,
              ...stream.events.map(({ data }) => data.seq as number),
            );
            return enough();
          }, 10_000);
          stream.close();
        }
      }
    };
    await Promise.all([appending, ...readers.map(read)]);
    for (const { seqs } of readers) expect(seqs).toEqual(upTo(total + 1));
  });
});

describe("the server", () => {
  test("names the key when its port is taken or its host is not here", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const server = createHttpServer(fakeParts());
    await expect(server.start({ host: "127.0.0.1", port })).rejects.toMatchObject({
      code: "port_in_use",
      message: expect.stringContaining("PORT"),
    });
    await expect(createHttpServer(fakeParts()).start({ host: "203.0.113.7", port: 0 })).rejects.toMatchObject(
      { code: "config_invalid", message: expect.stringContaining("HOST") },
    );
    await new Promise((resolve) => other.close(resolve));
    await server.stop();
  });

  test("stops: finishes what it is doing, takes nothing new, tells every stream, and is gone", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = false;
    const { running, path, token } = await conversation({
      actionView: async () => {
        entered = true;
        await held;
        throw new Error("late");
      },
      webhook: {
        async stripe() {
          entered = true;
          await held;
          return { outcome: "applied" };
        },
      },
    });
    const ws = webSocket(running, path, { token });
    await until(() => ws.open);
    const sse = await eventStream(running, path, token);
    const inFlight = running.call("POST", "/webhooks/stripe", { token: null, raw: "{}" });
    await until(() => entered);
    const stopping = running.server.stop();
    await until(() => ws.closed !== null && sse.ended);
    expect(ws.closed).toEqual({ code: 1012, reason: "shutting_down" });
    expect(sse.events.at(-1)).toMatchObject({
      event: "problem",
      data: { type: expect.stringContaining("shutting_down") },
    });
    await expect(fetch(`${running.url}/healthz`)).rejects.toThrow();
    release();
    expect(await inFlight).toMatchObject({ status: 200, json: { outcome: "applied" } });
    await stopping;
    await running.server.stop();
  });

  test("cuts what does not finish within its grace, a peer that does not close among it", async () => {
    const { running, path, token } = await conversation({
      limits: { shutdownGraceMs: 150 },
      webhook: { stripe: () => new Promise(() => {}) },
    });
    const stuck = running.call("POST", "/webhooks/stripe", { token: null, raw: "{}" }).catch(() => "cut");
    const deaf = connectSocket(running.port, "127.0.0.1");
    deaf.on("error", () => {});
    deaf.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await until(() => running.server.streamCount === 1);
    const startedMs = systemClock.now();
    await running.server.stop();
    expect(systemClock.now() - startedMs).toBeLessThan(2_000);
    expect(await stuck).toBe("cut");
  });
});
