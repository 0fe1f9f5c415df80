import { createHmac } from "node:crypto";
import fc from "fast-check";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { createPaymentSandbox } from "../../sandbox/payments/app.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { turns, VirtualClock } from "../kit/virtual-clock.ts";
import { CHARGE, connect, refund, SECRET, START_MS } from "./connector.ts";

const payments = connect(null);
const SECONDS = START_MS / 1000;

const sign = (body: Uint8Array, secret = SECRET, seconds: number | string = SECONDS) =>
  `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex")}`;
const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const event = (type: string, object: unknown, more: Record<string, unknown> = {}) => ({
  id: "evt_1",
  object: "event",
  created: SECONDS,
  type,
  data: { object },
  ...more,
});
const readSigned = (value: unknown) => {
  const body = bytes(value);
  return payments.readEvent(body, sign(body), START_MS);
};

const INVALID = expect.objectContaining({ code: "webhook_signature_invalid" });
const MALFORMED = expect.objectContaining({ code: "webhook_payload_invalid" });

describe("[12] a signature is over the bytes as they came", () => {
  const BODIES: readonly [string, string][] = [
    ["compact", JSON.stringify(event("refund.created", refund()))],
    [
      "indented, with a newline at its end",
      `${JSON.stringify(event("refund.created", refund()), null, 2)}\n`,
    ],
    [
      "escapes, accents, emoji and separators",
      `{"id":"evt_1","object":"event","created":${SECONDS},"type":"refund.created","note":"\\u00fc ü 🧦 \u2028","data":{"object":${JSON.stringify(refund())}}}`,
    ],
    [
      "keys in another order, odd whitespace",
      `\r\n\t{ "data" : {"object":\n${JSON.stringify(refund())}\t} ,"type":"refund.created","created":${SECONDS},  "object":"event","id":"evt_1"}  `,
    ],
  ];

  test.each(BODIES)("%s: accepted as it is, refused once a byte has changed", (_, text) => {
    const body = bytes(text);
    const header = sign(body);
    expect(payments.readEvent(body, header, START_MS)).toMatchObject({
      eventId: "evt_1",
      type: "refund.created",
      createdAt: START_MS,
      chargeId: "ch_1042",
      refunds: [{ id: "re_1", actionId: "act_1", amountMinor: 2_400, status: "succeeded" }],
    });
    // Parsed and written again it says the same and is not the same.
    const rewritten = bytes(JSON.stringify(JSON.parse(text)));
    if (!rewritten.equals(body)) {
      expect(() => payments.readEvent(rewritten, header, START_MS)).toThrow(INVALID);
    }
  });

  test("any flipped bit of body or signature is refused", () => {
    const body = bytes(event("refund.created", refund({ metadata: { note: "größe" } })));
    const header = sign(body);
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(() => payments.readEvent(changed, header, START_MS)).toThrow(INVALID);
      }),
      { numRuns: 300 },
    );
    const hex = header.slice(header.indexOf("v1=") + 3);
    for (let at = 0; at < hex.length; at += 1) {
      const other = hex[at] === "0" ? "1" : "0";
      const changed = `t=${SECONDS},v1=${hex.slice(0, at)}${other}${hex.slice(at + 1)}`;
      expect(() => payments.readEvent(body, changed, START_MS)).toThrow(INVALID);
    }
  });

  test("the official SDK signs what the connector accepts, and the other way round", () => {
    const stripe = new Stripe("sk_test_x");
    const text = JSON.stringify(event("refund.created", refund()));
    const header = stripe.webhooks.generateTestHeaderString({
      payload: text,
      secret: SECRET,
      timestamp: SECONDS,
    });
    expect(payments.readEvent(bytes(text), header, START_MS)?.refunds).toHaveLength(1);
    expect(
      stripe.webhooks.constructEvent(bytes(text), sign(bytes(text)), SECRET, 300, undefined, START_MS).id,
    ).toBe("evt_1");
  });
});

describe("a signature", () => {
  const body = bytes(event("refund.created", refund()));
  const v1 = (secret: string) => sign(body, secret).split(",")[1];

  test("of either secret is accepted while they rotate, in either's place", () => {
    const rotating = connect(null, { webhookSecrets: ["whsec_new", "whsec_old"] });
    for (const header of [
      sign(body, "whsec_new"),
      sign(body, "whsec_old"),
      `t=${SECONDS},${v1("whsec_gone")},${v1("whsec_old")}`,
      ` t=${SECONDS} , v0=ff , ${v1("whsec_new")} `,
    ]) {
      expect(rotating.readEvent(body, header, START_MS)?.eventId).toBe("evt_1");
    }
    expect(() => rotating.readEvent(body, sign(body, "whsec_gone"), START_MS)).toThrow(INVALID);
  });

  test("holds 300 seconds of the time that is given, before and after", () => {
    for (const late of [-300_000, 0, 300_000]) {
      expect(payments.readEvent(body, sign(body), START_MS + late)?.eventId).toBe("evt_1");
    }
    for (const late of [-300_001, 300_001, 86_400_000]) {
      expect(() => payments.readEvent(body, sign(body), START_MS + late)).toThrow(INVALID);
    }
  });

  test.each([
    ["none", undefined],
    ["empty", ""],
    ["no time", v1(SECRET)],
    ["no signature", `t=${SECONDS}`],
    ["another scheme", sign(body).replace("v1=", "v0=")],
    ["two times", `t=${SECONDS},${sign(body)}`],
    ["a time that is no number", sign(body, SECRET, "now")],
    ["a negative time", sign(body, SECRET, -5)],
    ["half of it", sign(body).slice(0, -32)],
    ["more than it", `${sign(body)}00`],
    ["in upper case", `t=${SECONDS},v1=${v1(SECRET)?.slice(3).toUpperCase()}`],
    ["behind a megabyte", `${"x".repeat(1_000_000)},${sign(body)}`],
    ["of another body", sign(bytes("{}"))],
  ])("that is %s is refused", (_, header) => {
    expect(() => payments.readEvent(body, header, START_MS)).toThrow(INVALID);
  });

  test("is asked for before the body is read", () => {
    expect(() => payments.readEvent(bytes("not json"), "t=1,v1=00", START_MS)).toThrow(INVALID);
  });

  test("without any secret nothing is accepted", () => {
    expect(() => connect(null, { webhookSecrets: [] }).readEvent(body, sign(body, ""), START_MS)).toThrow(
      INVALID,
    );
  });
});

describe("what an event says", () => {
  test.each(["refund.created", "refund.updated", "refund.failed", "charge.refund.updated"])("%s", (type) => {
    expect(readSigned(event(type, refund({ status: "failed", failure_reason: "declined" })))).toMatchObject({
      type,
      chargeId: "ch_1042",
      refunds: [{ status: "failed", failureReason: "declined" }],
    });
  });

  const charge = (more: Record<string, unknown>) => ({ object: "charge", id: "ch_1042", ...more });
  test("charge.refunded with its refunds has them", () => {
    const refunds = { object: "list", has_more: false, data: [refund(), refund({ id: "re_2" })] };
    expect(readSigned(event("charge.refunded", charge({ refunds })))?.refunds.map(({ id }) => id)).toEqual([
      "re_1",
      "re_2",
    ]);
  });
  test.each([
    ["without its refunds", {}],
    ["with null", { refunds: null }],
    ["with a part of them", { refunds: { object: "list", has_more: true, data: [refund()] } }],
  ])("charge.refunded %s names the charge, to be looked up", (_, more) => {
    expect(readSigned(event("charge.refunded", charge(more)))).toMatchObject({
      chargeId: "ch_1042",
      refunds: [],
    });
  });

  test.each([
    ["another type", event("charge.updated", charge({}))],
    ["another object", event("invoice.paid", { object: "invoice" })],
    [
      "a thin event of API v2",
      { id: "evt_2", object: "v2.core.event", type: "v1.refund.created", created: "2026-12-01" },
    ],
  ])("%s is about no refund", (_, value) => {
    expect(readSigned(value)).toBeNull();
  });

  test("a refund without a charge names none", () => {
    expect(readSigned(event("refund.created", refund({ charge: null })))).toMatchObject({ chargeId: null });
  });

  test.each<[string, unknown]>([
    ["no JSON", "{"],
    ["empty", ""],
    ["null", "null"],
    ["a number", "7"],
    ["a list", "[]"],
    ["no ID", { ...event("refund.created", refund()), id: undefined }],
    ["no time", { ...event("refund.created", refund()), created: "now" }],
    ["no data", { ...event("refund.created", refund()), data: undefined }],
    ["a refund that is none", event("refund.created", { object: "charge" })],
    ["a refund without an amount", event("refund.created", refund({ amount: undefined }))],
    ["a refund of a fraction", event("refund.created", refund({ amount: 1.5 }))],
    ["a charge without an ID", event("charge.refunded", { object: "charge" })],
    ["refunds that are none", event("charge.refunded", charge({ refunds: { data: [{}] } }))],
  ])("%s, though signed, is refused as a body", (_, value) => {
    expect(() => readSigned(value)).toThrow(MALFORMED);
  });

  test("bytes that are no UTF-8, though signed, are refused as a body", () => {
    const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    expect(() => payments.readEvent(body, sign(body), START_MS)).toThrow(MALFORMED);
  });
});

test("reads what the sandbox delivers, from the refund's creation to its failure", async () => {
  const clock = new VirtualClock(START_MS);
  const read: (string | undefined)[] = [];
  const sandbox = createPaymentSandbox({
    clock,
    random: seededRandom(5),
    storage: ":memory:",
    webhooks: [{ url: "http://recourse.test/webhooks/stripe", secret: SECRET }],
    fetch: async (_, init) => {
      const header = new Headers(init?.headers).get("stripe-signature") ?? "";
      const news = payments.readEvent(bytes(String(init?.body)), header, clock.now());
      if (news !== null)
        read.push(`${news.type} ${news.chargeId} ${news.refunds.map(({ status }) => status)}`);
      return new Response(null, { status: 204 });
    },
  });
  sandbox.seedCharges([CHARGE]);
  const post = (path: string, body: string) =>
    sandbox.app.request(path, { method: "POST", body, headers: { authorization: "Bearer sk_test_sandbox" } });
  await post("/sandbox/faults", '{"fault":"pending_then_failed"}');
  await post("/v1/refunds", "charge=ch_1042&amount=2400");
  await clock.advance(5_000);
  await turns(20);
  await sandbox.stop();
  expect(read).toEqual([
    "refund.created ch_1042 pending",
    "charge.refunded ch_1042 ",
    "refund.updated ch_1042 failed",
    "charge.refund.updated ch_1042 failed",
    "refund.failed ch_1042 failed",
  ]);
});
