import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { createPaymentSandbox } from "../../../sandbox/payments/app.ts";
import { seededRandom } from "../../../src/kernel/ports.ts";
import { turns } from "../../kit/virtual-clock.ts";
import { type Fixture, SEEDS, start } from "./fixture.ts";

const TARGET = { url: "http://recourse.test/webhooks/stripe", secret: "whsec_sandbox" };

interface Delivered {
  readonly url: string;
  readonly body: string;
  readonly signature: string;
  readonly atMs: number;
}

/** A receiver that answers as the test wants. */
function receiver(nowMs: () => number = () => 0) {
  const delivered: Delivered[] = [];
  const box = {
    delivered,
    answer: (_n: number): number | "silence" => 200,
    types: () => delivered.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    fetch: (async (url, init) => {
      delivered.push({
        url: String(url),
        body: String(init?.body),
        signature: new Headers(init?.headers).get("stripe-signature") ?? "",
        atMs: nowMs(),
      });
      const status = box.answer(delivered.length);
      if (status !== "silence") return new Response("ok", { status });
      return new Promise<Response>((_, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true }),
      );
    }) as typeof fetch,
  };
  return box;
}

let world: Fixture | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const settle = async (ms = 1) => {
  await world?.clock.advance(ms);
  await turns(20);
};

describe("a delivery", () => {
  test("is signed so that the official SDK accepts it, and not one byte of it changed", async () => {
    const inbox = receiver();
    world = await start({ fetch: inbox.fetch, webhooks: [TARGET] });
    await world.stripe.refunds.create({
      charge: "ch_1042",
      amount: 700,
      metadata: { note: "grüße \u2028 {\n}" },
    });
    await settle();
    expect(inbox.types()).toEqual(["refund.created", "charge.refunded"]);
    const seconds = Math.floor(world.clock.now() / 1000);
    for (const { body, signature } of inbox.delivered) {
      const event = world.stripe.webhooks.constructEvent(
        body,
        signature,
        TARGET.secret,
        300,
        undefined,
        seconds * 1000,
      );
      expect(event.object).toBe("event");
      expect(() =>
        world?.stripe.webhooks.constructEvent(
          `${body} `,
          signature,
          TARGET.secret,
          300,
          undefined,
          seconds * 1000,
        ),
      ).toThrow(Stripe.errors.StripeSignatureVerificationError);
      expect(() =>
        world?.stripe.webhooks.constructEvent(body, signature, "whsec_other", 300, undefined, seconds * 1000),
      ).toThrow(Stripe.errors.StripeSignatureVerificationError);
    }
  });

  test("is signed with both secrets while they rotate", async () => {
    const inbox = receiver();
    world = await start({
      fetch: inbox.fetch,
      webhooks: [{ url: TARGET.url, secret: ["whsec_old", "whsec_new"] }],
    });
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 1 });
    await settle();
    const [first] = inbox.delivered;
    for (const secret of ["whsec_old", "whsec_new"]) {
      const nowMs = world.clock.now();
      expect(
        world.stripe.webhooks.constructEvent(
          first?.body ?? "",
          first?.signature ?? "",
          secret,
          300,
          undefined,
          nowMs,
        ).type,
      ).toBe("refund.created");
    }
  });

  test("is tried again with growing pauses until it is answered with 2xx", async () => {
    const box = { nowMs: () => 0 };
    const inbox = receiver(() => box.nowMs());
    world = await start({ fetch: inbox.fetch, webhooks: [TARGET] });
    const { clock } = world;
    box.nowMs = () => clock.now();
    inbox.answer = (n) => (n >= 11 ? 200 : n % 2 === 0 ? 500 : 302);
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 1 });
    await settle(120_000);
    const ofFirst = inbox.delivered.filter(({ body }) => body.includes('"refund.created"'));
    expect(ofFirst.length).toBeGreaterThan(4);
    const pauses = ofFirst.slice(1).map(({ atMs }, n) => atMs - (ofFirst[n]?.atMs ?? 0));
    expect(pauses.every((pause, n) => n === 0 || pause >= (pauses[n - 1] ?? 0))).toBe(true);
    expect(new Set(ofFirst.map(({ body }) => body)).size).toBe(1);
    const count = inbox.delivered.length;
    await settle(600_000);
    expect(inbox.delivered).toHaveLength(count);
    expect(await world.state()).toMatchObject({ deliveries_waiting: 0 });
  });

  test("that nobody answers is given up after ten seconds and tried again", async () => {
    const inbox = receiver();
    world = await start({ fetch: inbox.fetch, webhooks: [TARGET] });
    inbox.answer = (n) => (n === 1 ? "silence" : 200);
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 1 });
    await settle(30_000);
    await settle(30_000);
    expect(inbox.types().filter((type) => type === "refund.created")).toHaveLength(2);
  });

  test("goes to every endpoint", async () => {
    const inbox = receiver();
    const second = { url: "http://books.test/hook", secret: "whsec_books" };
    world = await start({ fetch: inbox.fetch, webhooks: [TARGET, second] });
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 1 });
    await settle();
    expect(inbox.delivered.map(({ url }) => url).sort()).toEqual(
      [TARGET.url, TARGET.url, second.url, second.url].sort(),
    );
  });

  test("waits for an endpoint that is configured later", async () => {
    const inbox = receiver();
    world = await start({ fetch: inbox.fetch });
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 1 });
    await settle(60_000);
    expect(inbox.delivered).toHaveLength(0);
    world.sandbox.setWebhook(TARGET);
    await settle();
    expect(inbox.types()).toEqual(["refund.created", "charge.refunded"]);
  });
});

describe("events", () => {
  test("of a refund that fails later say so, each with what was before", async () => {
    const inbox = receiver();
    world = await start({ fetch: inbox.fetch, webhooks: [TARGET] });
    await world.fault({ fault: "pending_then_failed" });
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 700 });
    await settle(4_000);
    expect(inbox.types()).toEqual([
      "refund.created",
      "charge.refunded",
      "refund.updated",
      "charge.refund.updated",
      "refund.failed",
      "charge.updated",
    ]);
    const failed = JSON.parse(inbox.delivered[4]?.body ?? "") as Stripe.Event;
    expect(failed.data).toMatchObject({
      object: { status: "failed", amount: 700 },
      previous_attributes: { status: "pending" },
    });
  });

  test.each([
    [["lost"], ["charge.refunded"]],
    [["duplicated"], ["refund.created", "refund.created", "charge.refunded"]],
    [["reordered"], ["charge.refunded", "refund.created"]],
    [["lost", "lost"], []],
  ])("%j delivers %j", async (faults, types) => {
    const inbox = receiver();
    world = await start({ fetch: inbox.fetch, webhooks: [TARGET] });
    for (const fault of faults) await world.fault({ on: "webhook", fault });
    await world.stripe.refunds.create({ charge: "ch_1042", amount: 700 });
    await settle(10_000);
    expect(inbox.types()).toEqual(types);
    // Whatever became of the delivery, the event can be read.
    expect((await world.stripe.events.list()).data).toHaveLength(2);
  });
});

test("deliveries and outcomes that wait survive a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "payments-"));
  const storage = join(folder, "payments.db");
  try {
    const inbox = receiver();
    inbox.answer = () => 503;
    world = await start({ storage, fetch: inbox.fetch, webhooks: [TARGET] });
    await world.fault({ fault: "pending_then_succeeded", delay_ms: 30_000 });
    const { id } = await world.stripe.refunds.create({ charge: "ch_1042", amount: 700 });
    await settle();
    const { clock } = world;
    await world.stop();
    world = undefined;

    inbox.delivered.length = 0;
    inbox.answer = () => 200;
    const again = createPaymentSandbox({ clock, random: seededRandom(8), storage, fetch: inbox.fetch });
    again.seedCharges(SEEDS);
    again.setWebhook(TARGET);
    await clock.advance(30_000);
    await turns(20);
    expect(inbox.types()).toEqual([
      "refund.created",
      "charge.refunded",
      "refund.updated",
      "charge.refund.updated",
    ]);
    const headers = { authorization: "Bearer sk_test_sandbox" };
    const refund = (await (
      await again.app.request(`/v1/refunds/${id}`, { headers })
    ).json()) as Stripe.Refund;
    expect(refund.status).toBe("succeeded");
    await again.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("books written before there could be several endpoints are opened, and go on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "payments-"));
  const storage = join(folder, "payments.db");
  try {
    const old = new DatabaseSync(storage);
    old.exec(`create table deliveries (n integer primary key, event text not null, attempt integer not null, due_ms integer not null);
      create table events (n integer primary key, id text unique, type text not null, json text not null);
      insert into deliveries (event, attempt, due_ms) values ('evt_old', 1, 0);
      insert into events (id, type, json) values ('evt_old', 'refund.created', '{"id":"evt_old","object":"event","type":"refund.created","created":1796137200}');`);
    old.close();
    const inbox = receiver();
    world = await start({ storage, fetch: inbox.fetch, webhooks: [TARGET] });
    await settle();
    expect(inbox.types()).toEqual(["refund.created"]);
  } finally {
    await world?.stop();
    world = undefined;
    rmSync(folder, { recursive: true, force: true });
  }
});
