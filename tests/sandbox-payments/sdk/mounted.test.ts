import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningSandbox, serveSandbox } from "../../../sandbox/serve.ts";
import { seededRandom, systemClock } from "../../../src/kernel/ports.ts";
import { refusal, sdk } from "./fixture.ts";

let running: RunningSandbox;
beforeEach(async () => {
  running = await serveSandbox({
    host: "127.0.0.1",
    port: 0,
    folder: null,
    webhookUrl: null,
    clock: systemClock,
    random: seededRandom(1),
  });
});
afterEach(() => running.stop());

const arm = (fault: string, times = 1) =>
  fetch(`${running.url}/sandbox/faults`, { method: "POST", body: JSON.stringify({ fault, times }) });

test.each([
  ["timeout_after_accept", 1],
  ["reset_after_accept", 2],
])("mounted beside the shop, %s breaks the connection and keeps the refund", async (fault, times) => {
  await arm(fault, times);
  const stripe = sdk(running.port, { timeout: 300 });
  const wanted = { charge: "ch_nw_1042", amount: 100 };
  const error = await refusal(stripe.refunds.create(wanted, { idempotencyKey: "k" }));
  expect(error).toMatchObject({ type: "StripeConnectionError" });
  expect((await stripe.refunds.list({ charge: "ch_nw_1042" })).data).toHaveLength(1);
  expect((await stripe.refunds.create(wanted, { idempotencyKey: "k" })).amount).toBe(100);
  expect((await stripe.refunds.list({ charge: "ch_nw_1042" })).data).toHaveLength(1);
});

test("mounted beside the shop, errors keep Stripe's shape", async () => {
  const error = await refusal(sdk(running.port).refunds.create({ charge: "ch_nope" }));
  expect(error).toMatchObject({ statusCode: 404, code: "resource_missing" });
  expect(error.requestId).toMatch(/^req_/);
});
