import { createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { inProcessFetch } from "../../sandbox/payments/app.ts";
import type { StripeOptions } from "../../src/commerce/connectors/stripe.ts";
import type { CreateRefundOutcome } from "../../src/commerce/payments.ts";
import { connect, error, KEY, refund, says, WANTED, withSandbox, withServer } from "./connector.ts";

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a refund at the sandbox", () => {
  test("is accepted, carries the action, and is the same again under its key", async () => {
    const { payments, held } = await withSandbox();
    const first = await payments.createRefund(WANTED);
    expect(first).toMatchObject({
      kind: "accepted",
      replayed: false,
      refund: {
        chargeId: "ch_1042",
        amountMinor: 2_400,
        currency: "USD",
        status: "succeeded",
        actionId: "act_1",
      },
    });
    expect(await payments.createRefund(WANTED)).toEqual({ ...first, replayed: true });
    expect(await held()).toBe(1);
  });

  test.each<[string, CreateRefundOutcome["kind"], number]>([
    ["timeout_before_accept", "uncertain", 0],
    ["timeout_after_accept", "uncertain", 1],
    ["reset_before_accept", "uncertain", 0],
    ["reset_after_accept", "uncertain", 1],
    ["error_500_before_accept", "uncertain", 0],
    ["error_500_after_accept", "uncertain", 1],
    ["rate_limited", "not_accepted", 0],
    ["declined", "refused", 0],
    ["pending_then_succeeded", "accepted", 1],
  ])("%s is %s, with %i refund held", async (fault, kind, refunds) => {
    const { payments, held, fault: arm } = await withSandbox();
    await arm(fault);
    expect((await payments.createRefund(WANTED)).kind).toBe(kind);
    expect(await held()).toBe(refunds);
    // Found by its action, or sent again with the same key: one in the end, unless the key says an error.
    const again = await payments.createRefund(WANTED);
    expect(await held()).toBe(fault === "declined" || fault === "error_500_before_accept" ? 0 : 1);
    if (fault.startsWith("error_500")) expect(again).toMatchObject({ kind: "uncertain", replayed: true });
  });

  test("a rate limit says when to come back", async () => {
    const { payments, fault } = await withSandbox();
    await fault("rate_limited", { delay_ms: 7_000 });
    expect(await payments.createRefund(WANTED)).toMatchObject({ kind: "not_accepted", retryAfterMs: 7_000 });
  });

  test("the key with other parameters is never a refusal: it has to be looked up", async () => {
    const { payments, held } = await withSandbox();
    await payments.createRefund(WANTED);
    expect((await payments.createRefund({ ...WANTED, amountMinor: 9_000 })).kind).toBe("uncertain");
    expect(await held()).toBe(1);
  });

  test("the key in flight is not accepted, and the first is carried out", async () => {
    const { served, clock, held, fault } = await withSandbox();
    await fault("slow", { delay_ms: 60_000 });
    const payments = connect(served.url, { timeoutMs: 5_000 });
    const slow = payments.createRefund(WANTED);
    await expect
      .poll(async () => (await payments.createRefund(WANTED)) as unknown)
      .toMatchObject({ kind: "not_accepted", retryAfterMs: 1_000 });
    await clock.advance(60_000);
    expect((await slow).kind).toBe("accepted");
    expect(await held()).toBe(1);
  });

  test.each([
    ["more than is left", { amountMinor: 11_301 }, "invalid_request_error"],
    ["no such charge", { chargeId: "ch_nope" }, "resource_missing"],
  ])("%s is refused with the provider's code", async (_, more, code) => {
    const { payments } = await withSandbox();
    expect(await payments.createRefund({ ...WANTED, ...more })).toMatchObject({ kind: "refused", code });
  });

  test("another currency than the charge's is not taken for what was asked", async () => {
    const { payments } = await withSandbox();
    expect(await payments.createRefund({ ...WANTED, currency: "EUR" })).toMatchObject({
      kind: "uncertain",
      cause: "the answer says USD, not EUR",
    });
  });

  test("in process: resets and silence are what they are over a socket", async () => {
    const { sandbox, fault, held, clock } = await withSandbox();
    const payments = connect("http://provider.test", {
      fetch: inProcessFetch(sandbox.app),
      clock,
      timeoutMs: 5_000,
    });
    await fault("reset_after_accept");
    expect((await payments.createRefund(WANTED)).kind).toBe("uncertain");
    expect(await held()).toBe(1);
    // The deadline is the injected clock's: five seconds pass in no time.
    await fault("timeout_before_accept");
    let settled = false;
    const silent = payments.createRefund({ ...WANTED, idempotencyKey: "key-2", actionId: "act_2" });
    void silent.finally(() => {
      settled = true;
    });
    await expect
      .poll(async () => {
        if (!settled) await clock.advance(1_000);
        return settled;
      })
      .toBe(true);
    expect(await silent).toMatchObject({ kind: "uncertain", cause: "no answer in time" });
  });
});

describe("an answer that is not Stripe's, or not about this refund, is uncertain", () => {
  test.each<[string, number, unknown]>([
    ["a proxy's page with 200", 200, "<html>welcome</html>"],
    ["an empty object with 200", 200, {}],
    ["null with 200", 200, "null"],
    ["a list with 200", 200, { object: "list", data: [] }],
    ["another charge", 200, refund({ charge: "ch_other" })],
    ["another amount", 200, refund({ amount: 240 })],
    ["another currency", 200, refund({ currency: "eur" })],
    ["another action", 200, refund({ metadata: { recourse_action_id: "act_other" } })],
    ["no action", 200, refund({ metadata: {} })],
    ["an amount that is text", 200, refund({ amount: "2400" })],
    ["a proxy's page with 502", 502, "<html>bad gateway</html>"],
    ["JSON without an error with 503", 503, { status: "down" }],
    ["a proxy's 404", 404, { error: "Not Found" }],
    ["a gateway's 404 without an error", 404, { message: "no route" }],
    ["a gateway's 400", 400, { error: { type: "gateway_error", message: "bad" } }],
    ["Stripe's own 400 of the API", 400, error("api_error")],
    ["the key with other parameters", 400, error("idempotency_error")],
    ["424", 424, error("api_error")],
    ["500", 500, error("api_error")],
    ["503", 503, error("invalid_request_error")],
    ["a redirect", 307, ""],
  ])("%s", async (_, status, body) => {
    const stub = await withServer(says(status, body, status === 307 ? { location: "/v1/elsewhere" } : {}));
    const outcome = await connect(stub.url).createRefund(WANTED);
    expect(outcome).toMatchObject({ kind: "uncertain", replayed: false });
    expect(stub.requests).toHaveLength(1);
  });

  test("a replayed server error stays uncertain, and says that it was replayed", async () => {
    const stub = await withServer(says(500, error("api_error"), { "idempotent-replayed": "true" }));
    expect(await connect(stub.url).createRefund(WANTED)).toMatchObject({ kind: "uncertain", replayed: true });
  });
});

describe("what did not start is not accepted", () => {
  test.each<[string, number, unknown, Record<string, string>, number | null]>([
    ["429", 429, error("invalid_request_error", { code: "rate_limit" }), { "retry-after": "12" }, 12_000],
    ["429 without a time", 429, error("api_error"), {}, null],
    ["429 with a date", 429, error("api_error"), { "retry-after": "Tue, 01 Dec 2026 15:00:00 GMT" }, null],
    ["429 with a year", 429, error("api_error"), { "retry-after": "31536000" }, 3_600_000],
    [
      "400 rate_limit of old API versions",
      400,
      error("invalid_request_error", { code: "rate_limit" }),
      {},
      null,
    ],
    ["lock_timeout", 429, error("invalid_request_error", { code: "lock_timeout" }), {}, null],
    [
      "409",
      409,
      error("idempotency_error", { code: "idempotency_key_in_use" }),
      { "retry-after": "2" },
      2_000,
    ],
    ["401", 401, error("invalid_request_error"), {}, null],
    ["403", 403, error("invalid_request_error", { code: "more_permissions_required" }), {}, null],
  ])("%s", async (_, status, body, headers, retryAfterMs) => {
    const stub = await withServer(says(status, body, headers));
    expect(await connect(stub.url).createRefund(WANTED)).toMatchObject({
      kind: "not_accepted",
      retryAfterMs,
    });
  });

  test("nobody listens", async () => {
    const payments = connect(`http://127.0.0.1:${await closedPort()}`);
    expect(await payments.createRefund(WANTED)).toEqual({
      kind: "not_accepted",
      cause: "no connection",
      retryAfterMs: null,
    });
  });

  test.each([
    ["no such host", { code: "ENOTFOUND", syscall: "getaddrinfo" }],
    ["refused", { code: "ECONNREFUSED", syscall: "connect" }],
    ["no route while connecting", { code: "EHOSTUNREACH", syscall: "connect" }],
    [
      "every address refused",
      { errors: [{ code: "ECONNREFUSED" }, { code: "ENETUNREACH", syscall: "connect" }] },
    ],
  ])("%s", async (_, cause) => {
    const fetch = async () => Promise.reject(new TypeError("fetch failed", { cause }));
    expect((await connect(null, { fetch }).createRefund(WANTED)).kind).toBe("not_accepted");
  });

  test.each([
    ["no route on an open connection", { code: "EHOSTUNREACH", syscall: "read" }],
    ["reset", { code: "ECONNRESET", syscall: "read" }],
    ["closed by the other side", { code: "UND_ERR_SOCKET" }],
    [
      "one address refused, one cut",
      { errors: [{ code: "ECONNREFUSED" }, { code: "ECONNRESET", syscall: "read" }] },
    ],
    ["an error that nobody knows", undefined],
  ])("but %s is uncertain", async (_, cause) => {
    const fetch = async () => Promise.reject(new TypeError("fetch failed", { cause }));
    expect((await connect(null, { fetch }).createRefund(WANTED)).kind).toBe("uncertain");
  });

  test("a tenant without a key", async () => {
    const stub = await withServer(says(200, refund()));
    const apiKeyOf = () => {
      throw new Error("no key");
    };
    const payments = connect(stub.url, { apiKey: undefined, apiKeyOf } as unknown as Partial<StripeOptions>);
    expect((await payments.createRefund(WANTED)).kind).toBe("not_accepted");
    expect(stub.requests).toHaveLength(0);
  });

  test("given up before it was sent", async () => {
    const stub = await withServer(says(200, refund()));
    expect((await connect(stub.url).createRefund(WANTED, AbortSignal.abort())).kind).toBe("not_accepted");
    expect(stub.requests).toHaveLength(0);
  });
});

describe("Stripe's own no is refused, with its code", () => {
  test.each([
    [400, error("invalid_request_error", { code: "charge_already_refunded" }), "charge_already_refunded"],
    [400, error("invalid_request_error", { code: "charge_disputed" }), "charge_disputed"],
    [400, error("invalid_request_error", { param: "amount" }), "invalid_request_error"],
    [402, error("card_error", { code: "card_declined" }), "card_declined"],
    [404, error("invalid_request_error", { code: "resource_missing" }), "resource_missing"],
  ])("%i %j", async (status, body, code) => {
    const stub = await withServer(says(status, body));
    expect(await connect(stub.url).createRefund(WANTED)).toMatchObject({ kind: "refused", code });
  });
});

describe("nothing is sent twice", () => {
  test.each(["ECONNRESET", "EPIPE"])(
    "a fetch that fails with %s, which the SDK would repeat by itself",
    async (code) => {
      let sent = 0;
      const fetch = async () => {
        sent += 1;
        throw Object.assign(new Error("closed"), { code });
      };
      expect((await connect(null, { fetch }).createRefund(WANTED)).kind).toBe("uncertain");
      expect(sent).toBe(1);
    },
  );

  test.each<[string, Parameters<typeof withServer>[0]]>([
    ["reset", (request) => request.socket.resetAndDestroy()],
    ["closed without a word", (request) => request.socket.destroy()],
    [
      "cut in the middle of the body",
      (request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
        response.write('{"id":"re_1"');
        // Flushed first, then gone.
        setImmediate(() => request.socket.destroy());
      },
    ],
    ["silent", () => {}],
    [
      "dripping past the deadline",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(drip));
      },
    ],
    [
      "endless",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const block = Buffer.alloc(1_048_576, " ");
        const more = () => {
          while (!response.destroyed && response.write(block));
        };
        response.on("drain", more);
        more();
      },
    ],
    ["told to try again by a header", says(500, error("api_error"), { "stripe-should-retry": "true" })],
  ])("a server that is %s: uncertain, one request", async (_, answer) => {
    const stub = await withServer(answer);
    expect((await connect(stub.url).createRefund(WANTED)).kind).toBe("uncertain");
    expect(stub.requests).toHaveLength(1);
  });

  test("given up while it waits: uncertain at once", async () => {
    const stub = await withServer(() => {});
    const giveUp = new AbortController();
    const outcome = connect(stub.url, { timeoutMs: 20_000 }).createRefund(WANTED, giveUp.signal);
    await expect.poll(() => stub.requests.length).toBe(1);
    giveUp.abort();
    expect((await outcome).kind).toBe("uncertain");
  });
});

test("every attempt of an action sends the same bytes under the same key", async () => {
  const stub = await withServer(says(500, error("api_error")));
  const payments = connect(stub.url);
  await payments.createRefund(WANTED);
  await payments.createRefund({ ...WANTED });
  expect(stub.requests[0]).toEqual(stub.requests[1]);
  expect(Object.fromEntries(new URLSearchParams(stub.requests[0]?.body))).toEqual({
    charge: "ch_1042",
    amount: "2400",
    "metadata[recourse_action_id]": "act_1",
    "metadata[recourse_tenant]": "northwind",
  });
});

test("tenants' keys are kept apart", async () => {
  const keys: string[] = [];
  const stub = await withServer((request, response) => {
    keys.push(request.headers.authorization ?? "");
    says(200, refund())(request, response);
  });
  const apiKeyOf = (tenantId: string) => `sk_test_of_${tenantId}`;
  const payments = connect(stub.url, { apiKey: undefined, apiKeyOf } as unknown as Partial<StripeOptions>);
  await payments.createRefund(WANTED);
  await payments.createRefund({ ...WANTED, tenantId: "kestrel" as typeof WANTED.tenantId });
  expect(keys).toEqual(["Bearer sk_test_of_northwind", "Bearer sk_test_of_kestrel"]);
});

test("[94] no key, secret or telemetry leaves in outcomes, errors or requests", async () => {
  const seen: string[] = [];
  const stub = await withServer((request, response, n) => {
    seen.push(JSON.stringify({ ...request.headers, authorization: "" }));
    if (n === 1) return request.socket.destroy();
    says(
      400,
      error("invalid_request_error", { message: `Invalid key sk_live_abc123 for 4242 4242 4242 4242` }),
    )(request, response);
  });
  const payments = connect(stub.url);
  const outcomes = [await payments.createRefund(WANTED), await payments.createRefund(WANTED)];
  const failure = await payments.charge(WANTED.tenantId, "ch_1042").catch((error: unknown) => error);
  const shown = inspect([outcomes, failure], { depth: 20, showHidden: true });
  expect(shown).not.toMatch(/sk_test|sk_live|whsec|4242|Bearer/);
  expect(shown).not.toContain(KEY);
  expect(seen.join()).not.toContain("telemetry");
});

test.each([
  ["a path", { baseUrl: "http://127.0.0.1:1/api" }],
  ["a user", { baseUrl: "http://user:pass@127.0.0.1:1" }],
  ["another scheme", { baseUrl: "ftp://127.0.0.1" }],
  ["no URL", { baseUrl: "stripe" }],
  ["a live key over plain HTTP", { baseUrl: "http://payments.example", apiKey: "sk_live_1" }],
  ["an empty webhook secret", { webhookSecrets: ["whsec_a", " "] }],
])("a configuration with %s is refused at start", (_, more) => {
  expect(() => connect(null, more)).toThrow(expect.objectContaining({ code: "config_invalid" }));
});
