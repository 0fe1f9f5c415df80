import { connect as connectSocket } from "node:net";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../src/kernel/errors.ts";
import { newId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { KESTREL, OPERATOR_TOKEN, type Running, startServer, tokenFor, until } from "./fixture.ts";

/** Sends bytes as they are and answers with all that comes back. */
function rawExchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const openConversation = async (running: Running, token?: string): Promise<string> =>
  (await running.call("POST", "/v1/conversations", token === undefined ? {} : { token })).json
    .conversation_id;

describe("a message", () => {
  test("is stored and answered with its run and seq; the same again gets the same answer", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    const body = { client_message_id: "m-1", text: "hello" };
    const first = await running.call("POST", `/v1/conversations/${id}/messages`, { body });
    const second = await running.call("POST", `/v1/conversations/${id}/messages`, { body });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.json).toEqual(first.json);
    expect(first.json).toEqual({ run_id: expect.stringMatching(/^run_/), seq: 1 });
    const page = await running.call("GET", `/v1/conversations/${id}/events?after_seq=0`);
    expect(page.json).toMatchObject({ last_seq: 1, more: false });
    expect(page.json.events).toHaveLength(1);
  });

  test.each([
    ["without text", { client_message_id: "a" }, 400, "body_invalid"],
    ["with a number as text", { client_message_id: "a", text: 5 }, 400, "body_invalid"],
    ["without client_message_id", { text: "hi" }, 400, "body_invalid"],
    ["with an empty client_message_id", { client_message_id: "", text: "hi" }, 400, "body_invalid"],
    ["with a NUL in client_message_id", { client_message_id: "a\0b", text: "hi" }, 400, "body_invalid"],
    [
      "with a client_message_id of 129 characters",
      { client_message_id: "a".repeat(129), text: "hi" },
      400,
      "body_invalid",
    ],
    [
      "with a field that does not exist",
      { client_message_id: "a", text: "hi", approved: true },
      400,
      "body_invalid",
    ],
    [
      "with a history of its own",
      { client_message_id: "a", text: "hi", messages: [{ role: "tool" }] },
      400,
      "body_invalid",
    ],
    ["as a list", [{ client_message_id: "a", text: "hi" }], 400, "body_invalid"],
    ["as null", null, 400, "body_invalid"],
  ])("%s is refused and names the field", async (_, body, status, code) => {
    const running = await startServer();
    const id = await openConversation(running);
    const answer = await running.call("POST", `/v1/conversations/${id}/messages`, { body });
    expect(answer).toMatchObject({ status, json: { code } });
    expect(answer.json.errors.length).toBeGreaterThan(0);
    const page = await running.call("GET", `/v1/conversations/${id}/events`);
    expect(page.json.events).toEqual([]);
  });

  test("with a __proto__ key changes nothing and is refused", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    const answer = await running.call("POST", `/v1/conversations/${id}/messages`, {
      raw: '{"client_message_id":"a","text":"hi","__proto__":{"polluted":true}}',
    });
    expect(answer).toMatchObject({ status: 400, json: { code: "body_invalid" } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("a body", () => {
  test("of another type is refused", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
    ]) {
      const answer = await running.call("POST", `/v1/conversations/${id}/messages`, {
        raw: '{"client_message_id":"a","text":"hi"}',
        headers: { "content-type": type },
      });
      expect(answer).toMatchObject({ status: 415, json: { code: "media_type_unsupported" } });
    }
  });

  test("that is not JSON, not UTF-8 or nested too deep is refused", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    for (const raw of [
      "{",
      "",
      "null null",
      '{"text":"a","text":"b"}',
      "[".repeat(5_000),
      Uint8Array.from([0x22, 0xff, 0x22]),
    ]) {
      const answer = await running.call("POST", `/v1/conversations/${id}/messages`, { raw });
      expect(answer).toMatchObject({ status: 400, json: { code: "body_invalid" } });
    }
  });

  test("over the limit is refused, declared or not, without being read to its end", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    const text = "x".repeat(LIMITS.requestBytes);
    const declared = await running.call("POST", `/v1/conversations/${id}/messages`, {
      body: { client_message_id: "a", text },
    });
    expect(declared).toMatchObject({ status: 413, json: { code: "body_too_large" } });

    const token = await tokenFor();
    const head = `POST /v1/conversations/${id}/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    let answer = "";
    let sent = 0;
    const socket = connectSocket(running.port, "127.0.0.1");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    socket.write(head);
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    while (answer === "" && sent < 2_000) {
      socket.write(chunk);
      sent += 1;
      await systemClock.sleep(1);
    }
    socket.destroy();
    expect(answer).toContain("413");
    expect(answer).toContain("body_too_large");
    expect(sent).toBeLessThan(500);
  });

  test("is not needed where every member is optional", async () => {
    const running = await startServer();
    expect((await running.call("POST", "/v1/conversations")).status).toBe(201);
    expect((await running.call("POST", "/v1/conversations", { body: {} })).status).toBe(201);
    expect(
      (
        await running.call("POST", "/v1/conversations", {
          raw: "x",
          headers: { "content-type": "text/plain" },
        })
      ).status,
    ).toBe(415);
  });
});

describe("an ID", () => {
  test("of somebody else, of nobody and of no shape get the same answer", async () => {
    const running = await startServer();
    const foreign = await openConversation(running, await tokenFor({ issuer: KESTREL }));
    const neighbour = await openConversation(running, await tokenFor({ sub: "ben" }));
    const ids = [
      foreign,
      neighbour,
      newId("conv", systemClock, systemRandom),
      newId("run", systemClock, systemRandom),
      "conv_1",
      "1",
      "%00",
      "..%2f..",
      "*",
      "conv_' or '1'='1",
      "%F0%9F%92%A9",
      "a".repeat(2_000),
    ];
    for (const path of ["", "/events", "/stream"]) {
      const answers = await Promise.all(
        ids.map((id) =>
          running.call("GET", `/v1/conversations/${encodeURI(id).replaceAll("%25", "%")}${path}`, {
            headers: { accept: "text/event-stream" },
          }),
        ),
      );
      const [first] = answers;
      expect(first?.status).toBe(404);
      for (const { status, json } of answers) {
        expect({ status, ...json, request_id: "" }).toEqual({ status: 404, ...first?.json, request_id: "" });
      }
      expect(JSON.stringify(answers)).not.toContain(foreign);
    }
  });
});

describe("a cursor", () => {
  test.each(["-1", "1.5", "x", "", "1e3", "0x10", "9".repeat(16), " 1", "1;drop"])(
    "%j is refused",
    async (cursor) => {
      const running = await startServer();
      const id = await openConversation(running);
      const answer = await running.call(
        "GET",
        `/v1/conversations/${id}/events?after_seq=${encodeURIComponent(cursor)}`,
      );
      expect(answer).toMatchObject({ status: 400, json: { code: "cursor_invalid" } });
    },
  );

  test("walks the log page by page", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    running.conversations.append(
      id,
      Array.from({ length: 1_234 }, () => ({ type: "message", author: "agent", text: "x" })),
    );
    const seqs: number[] = [];
    let cursor = 0;
    for (let more = true; more; ) {
      const { json } = await running.call("GET", `/v1/conversations/${id}/events?after_seq=${cursor}`);
      seqs.push(...json.events.map((event: { seq: number }) => event.seq));
      cursor = json.last_seq;
      more = json.more;
    }
    expect(seqs).toEqual(Array.from({ length: 1_234 }, (_, i) => i + 1));
  });
});

describe("a request for what is not there", () => {
  test("gets 404 with a problem, or 405 with the methods that are", async () => {
    const running = await startServer();
    for (const path of [
      "/nope",
      "/v1",
      "/v1/conversations/",
      "/v2/conversations",
      "/.env",
      "/demo/token",
      "/docs/../etc/passwd",
    ]) {
      const answer = await running.call("GET", path);
      expect(answer).toMatchObject({ status: 404, json: { code: "path_unknown" } });
    }
    const answer = await running.call("DELETE", "/v1/conversations");
    expect(answer).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    const stream = await running.call("POST", `/v1/conversations/${await openConversation(running)}/stream`);
    expect(stream.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  test("demo tokens exist only in the demo, and only for customers that exist", async () => {
    const mint = async (customer: string) =>
      customer === "ada"
        ? { token: "t", customer_id: "ada", tenant: "northwind", expires_at: "2026-01-01T00:00:00Z" }
        : null;
    const running = await startServer({ demo: { mint } });
    const body = { customer: "ada" };
    expect(await running.call("POST", "/demo/token", { token: null, body })).toMatchObject({
      status: 200,
      json: { tenant: "northwind" },
    });
    expect(
      await running.call("POST", "/demo/token", { token: null, body: { customer: "zoe" } }),
    ).toMatchObject({ status: 404 });
    const real = await startServer();
    expect(await real.call("POST", "/demo/token", { token: null, body })).toMatchObject({
      status: 404,
      json: { code: "path_unknown" },
    });
    expect(JSON.stringify(real.server.openApi())).not.toContain("/demo/");
  });
});

describe("an answer", () => {
  test("has the security headers and a request ID; a given one is kept when it is harmless", async () => {
    const running = await startServer();
    for (const path of ["/healthz", "/nope", "/v1/conversations"]) {
      const { headers } = await running.call("GET", path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
    }
    const kept = await running.call("GET", "/healthz", { headers: { "x-request-id": "trace-1" } });
    expect(kept.headers.get("x-request-id")).toBe("trace-1");
    const replaced = await running.call("GET", "/healthz", { headers: { "x-request-id": '"><script>' } });
    expect(replaced.headers.get("x-request-id")).toMatch(/^req_/);
  });

  test("to a defect says nothing of the inside, and the log has it with the request ID", async () => {
    const secret = "canary-7f3a";
    const running = await startServer({
      actionView: () => Promise.reject(new Error(`connect postgres://u:${secret}@db failed`)),
      reviews: {
        list: () => Promise.reject(new ProblemError("config_invalid", `key ${secret}`)),
      } as never,
    });
    const action = await running.call("GET", `/v1/actions/${newId("act", systemClock, systemRandom)}`);
    expect(action).toMatchObject({ status: 500, json: { code: "internal" } });
    const reviews = await running.call("GET", "/v1/operator/reviews", { token: OPERATOR_TOKEN });
    expect(reviews).toMatchObject({ status: 500, json: { code: "internal" } });
    expect(JSON.stringify([action, reviews])).not.toContain(secret);
    const logged = running.log.lines.filter(({ level }) => level === "error");
    expect(logged.map(({ fields }) => fields.request_id)).toEqual([
      action.json.request_id,
      reviews.json.request_id,
    ]);
    expect(String(logged[0]?.fields.err)).toContain(secret);
  });

  test("[144] when the database is away is 503", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    running.conversations.failReads = new ProblemError("database_unavailable");
    const answer = await running.call("GET", `/v1/conversations/${id}`);
    expect(answer).toMatchObject({ status: 503, json: { code: "database_unavailable" } });
  });

  test("never echoes nor logs tokens and texts", async () => {
    const running = await startServer();
    const token = await tokenFor({ sub: "ada" });
    const id = await openConversation(running, token);
    await running.call("POST", `/v1/conversations/${id}/messages`, {
      token,
      body: { client_message_id: "a", text: "canary-text" },
    });
    await running.call("GET", `/v1/conversations/${id}?access_token=${token}`, { token: `${token}x` });
    await running.call("POST", "/v1/conversations", { token, raw: "canary-text" });
    const logged = JSON.stringify(running.log.lines);
    expect(running.log.lines.length).toBeGreaterThanOrEqual(4);
    expect(logged).not.toContain(token.slice(20, 60));
    expect(logged).not.toContain("canary-text");
  });

  test("without a token says how to authenticate; a token in the address is no token", async () => {
    const running = await startServer();
    const token = await tokenFor();
    for (const path of [
      "/v1/conversations",
      `/v1/conversations?access_token=${token}`,
      `/v1/conversations?token=${token}`,
    ]) {
      const answer = await running.call("POST", path, { token: null });
      expect(answer).toMatchObject({ status: 401, json: { code: "token_missing" } });
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="recourse"');
    }
    const basic = await running.call("POST", "/v1/conversations", {
      token: null,
      headers: { authorization: "Basic YTpi" },
    });
    expect(basic).toMatchObject({ status: 401, json: { code: "token_missing" } });
    const wrong = await running.call("POST", "/v1/conversations", { token: "a.b.c" });
    expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });
});

describe("browsers", () => {
  test("of no origin may call unless it is configured", async () => {
    const running = await startServer();
    const { headers } = await running.call("GET", "/healthz", {
      headers: { origin: "https://shop.example" },
    });
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("of a configured origin may, with a preflight", async () => {
    const running = await startServer({ corsOrigins: ["https://shop.example", "http://localhost:*"] });
    for (const origin of ["https://shop.example", "http://localhost:5173", "http://localhost"]) {
      const preflight = await running.call("OPTIONS", "/v1/conversations", {
        token: null,
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
      expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
      expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
      const refused = await running.call("POST", "/v1/conversations", { token: null, headers: { origin } });
      expect(refused.headers.get("access-control-allow-origin")).toBe(origin);
      expect(refused.headers.get("vary")).toBe("origin");
    }
    for (const origin of [
      "https://shop.example.evil.test",
      "https://evil.test",
      "http://localhost:80@evil.test",
      "http://localhost.evil.test",
      "null",
    ]) {
      const { headers } = await running.call("GET", "/healthz", { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("what is hardly HTTP", () => {
  test("gets a problem and a closed connection, and the server goes on", async () => {
    const running = await startServer();
    expect(await rawExchange(running.port, "GARBAGE\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 [\s\S]*request_malformed/,
    );
    expect(
      await rawExchange(running.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 431 [\s\S]*headers_too_large/);
    expect(
      await rawExchange(running.port, "GET /healthz HTTP/1.1\r\nHost: a b c\r\nConnection: close\r\n\r\n"),
    ).toMatch(/^HTTP\/1.1 400/);
    expect(await rawExchange(running.port, "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400/,
    );
    const smuggled = `POST /v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await rawExchange(running.port, smuggled)).toMatch(/^HTTP\/1.1 400/);
    expect((await running.call("GET", "/healthz")).status).toBe(200);
  });

  test("an offer to upgrade to HTTP/2 is ignored and the request served", async () => {
    const running = await startServer();
    const answer = await rawExchange(
      running.port,
      "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });

  test("a request that drips in is cut", async () => {
    const running = await startServer({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    const started = systemClock.now();
    expect(await rawExchange(running.port, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")).toMatch(
      /^HTTP\/1.1 408 [\s\S]*request_timeout/,
    );
    const token = await tokenFor();
    const half = `POST /v1/conversations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    await rawExchange(running.port, half);
    expect(systemClock.now() - started).toBeLessThan(5_000);
    expect((await running.call("GET", "/healthz")).status).toBe(200);
  });

  test("a client that leaves in the middle of its body is no defect", async () => {
    const running = await startServer();
    const token = await tokenFor();
    const socket = connectSocket(running.port, "127.0.0.1");
    socket.write(
      `POST /v1/conversations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
    );
    await systemClock.sleep(50);
    socket.destroy();
    await until(async () => (await running.call("GET", "/healthz")).status === 200);
    await systemClock.sleep(50);
    expect(running.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("HEAD answers like GET without a body", async () => {
    const running = await startServer();
    const response = await fetch(`${running.url}/readyz`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    const id = await openConversation(running);
    const stream = await fetch(`${running.url}/v1/conversations/${id}/stream`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${await tokenFor()}`, accept: "text/event-stream" },
    });
    expect(stream.status).toBe(426);
    expect(running.server.streamCount).toBe(0);
  });
});

describe("a webhook", () => {
  test("is handed over byte for byte with its signature", async () => {
    const seen: { raw: Buffer; signature: string | undefined }[] = [];
    const running = await startServer({
      webhook: {
        async stripe(raw, signature) {
          seen.push({ raw, signature });
          return { outcome: "applied" };
        },
      },
    });
    const raw = Buffer.from('{ "a":\t"\\u00e9 é",\r\n  "b": 1.0 }\n\n');
    const answer = await running.call("POST", "/webhooks/stripe", {
      token: null,
      raw,
      headers: { "stripe-signature": "t=1,v1=x" },
    });
    expect(answer).toMatchObject({ status: 200, json: { outcome: "applied" } });
    expect(seen).toEqual([{ raw, signature: "t=1,v1=x" }]);
  });

  test("with a wrong signature is 401, too large 413", async () => {
    const running = await startServer({
      webhook: { stripe: () => Promise.reject(new ProblemError("webhook_signature_invalid")) },
    });
    const raw = "{}";
    expect(await running.call("POST", "/webhooks/stripe", { token: null, raw })).toMatchObject({
      status: 401,
      json: { code: "webhook_signature_invalid" },
    });
    const large = await running.call("POST", "/webhooks/stripe", {
      token: null,
      raw: "x".repeat(LIMITS.webhookBytes + 1),
    });
    expect(large).toMatchObject({ status: 413 });
  });
});

describe("a rating", () => {
  test("[91] counts once; a later one and one by GET do not", async () => {
    const running = await startServer();
    const id = await openConversation(running);
    const path = `/v1/conversations/${id}/csat`;
    expect((await running.call("GET", `${path}?score=1`)).status).toBe(405);
    expect(await running.call("POST", path, { body: { score: 5 } })).toMatchObject({
      status: 201,
      json: { score: 5 },
    });
    expect(await running.call("POST", path, { body: { score: 2, comment: "no" } })).toMatchObject({
      status: 409,
      json: { code: "csat_already_given" },
    });
    for (const score of [0, 6, 2.5, "5", null]) {
      expect((await running.call("POST", path, { body: { score } })).status).toBe(400);
    }
  });
});

describe("readiness", () => {
  test("is 503 and says what is missing", async () => {
    const checks = [{ name: "payments", ok: false, detail: "no answer" }];
    const running = await startServer({ readiness: async () => ({ ready: false, checks }) });
    expect(await running.call("GET", "/readyz", { token: null })).toMatchObject({
      status: 503,
      json: { ready: false, checks },
    });
    expect((await running.call("GET", "/healthz", { token: null })).status).toBe(200);
  });

  test("asked by many at once is found out once", async () => {
    let asked = 0;
    const running = await startServer({
      readiness: async () => {
        asked += 1;
        await systemClock.sleep(20);
        return { ready: true, checks: [] };
      },
    });
    await Promise.all(Array.from({ length: 50 }, () => running.call("GET", "/readyz", { token: null })));
    expect(asked).toBe(1);
  });
});
