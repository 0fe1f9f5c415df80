/** Failures that have happened in public, as this connector has to meet them. */
import { expect, test } from "vitest";
import { signature } from "../../sandbox/payments/webhooks.ts";
import { parseAmount } from "../../src/kernel/money.ts";
import { CHARGE, connect, refund, SECRET, START_MS, TENANT, WANTED, withSandbox } from "./connector.ts";

/** What the charge's refunds add up to at the provider, and whose they are. */
async function atProvider({ payments }: Awaited<ReturnType<typeof withSandbox>>) {
  const refunds = await payments.refundsOf(TENANT, WANTED.chargeId);
  return refunds.map(({ amountMinor, actionId }) => [actionId, amountMinor]);
}

test("a refund whose answer was lost, asked for again under its key, is the same one", async () => {
  const world = await withSandbox();
  await world.fault("reset_after_accept");
  expect((await world.payments.createRefund(WANTED)).kind).toBe("uncertain");
  // Found by its action before anything is repeated ...
  const [found, ...others] = await world.payments.refundsOf(TENANT, WANTED.chargeId);
  expect(found).toMatchObject({ actionId: "act_1", amountMinor: 2_400, status: "succeeded" });
  expect(others).toEqual([]);
  // ... and repeated all the same, it is not another.
  const again = await world.payments.createRefund(WANTED);
  expect(again).toMatchObject({ kind: "accepted", replayed: true, refund: { id: found?.id } });
  expect(await world.held()).toBe(1);
});

test("a key with another amount refunds nothing, after its first request and while it is under way", async () => {
  const world = await withSandbox();
  await world.fault("slow", { delay_ms: 60_000 });
  const patient = connect(world.served.url, { timeoutMs: 10_000 });
  const first = patient.createRefund(WANTED);
  const armed = async () =>
    ((await (await fetch(`${world.served.url}/sandbox/faults`)).json()) as { faults: unknown[] }).faults
      .length;
  await expect.poll(armed).toBe(0);
  const other = { ...WANTED, amountMinor: 9_000 };
  expect(await patient.createRefund(other)).toMatchObject({ kind: "uncertain" });
  expect(await patient.createRefund(WANTED)).toMatchObject({ kind: "not_accepted" });
  expect(await atProvider(world)).toEqual([]);
  await world.clock.advance(60_000);
  expect((await first).kind).toBe("accepted");
  expect(await patient.createRefund(other)).toMatchObject({ kind: "uncertain" });
  expect(await atProvider(world)).toEqual([["act_1", 2_400]]);
});

test.each([
  ["JPY", "5000", "500", 500],
  ["KRW", "70000", "1", 1],
  ["KWD", "12.300", "1.230", 1_230],
  ["BHD", "12.300", "0.005", 5],
  ["EUR", "50.00", "5.00", 500],
])(
  "%s: of %s, a refund of %s is %i minor units at the provider and back",
  async (currency, paid, text, minor) => {
    const amountMinor = parseAmount(paid, currency);
    const { payments, served } = await withSandbox([{ ...CHARGE, currency, amountMinor }]);
    const outcome = await payments.createRefund({
      ...WANTED,
      currency,
      amountMinor: parseAmount(text, currency),
    });
    expect(outcome).toMatchObject({ kind: "accepted", refund: { amountMinor: minor, currency } });
    expect(await payments.charge(TENANT, WANTED.chargeId)).toEqual({
      id: WANTED.chargeId,
      currency,
      capturedMinor: amountMinor,
      refundedMinor: minor,
      disputed: false,
    });
    const headers = { authorization: "Bearer sk_test_sandbox" };
    const raw = await (await fetch(`${served.url}/v1/refunds`, { headers })).json();
    expect(raw).toMatchObject({ data: [{ amount: minor, currency: currency.toLowerCase() }] });
  },
);

test("a timeout after the provider committed, tried until it answers: one refund, whatever the attempts", async () => {
  const world = await withSandbox();
  await world.fault("timeout_after_accept", { times: 2 });
  const outcomes = [];
  const hurried = connect(world.served.url, { timeoutMs: 150 });
  for (const payments of [hurried, hurried, world.payments]) {
    outcomes.push((await payments.createRefund(WANTED)).kind);
  }
  expect(outcomes).toEqual(["uncertain", "uncertain", "accepted"]);
  expect(await atProvider(world)).toEqual([["act_1", 2_400]]);
});

test("signed events of another shop's payments are read, and claim no action of ours", async () => {
  const payments = connect("http://127.0.0.1:1");
  for (let n = 0; n < 50; n += 1) {
    const object = refund({ id: `re_other_${n}`, charge: `ch_other_${n}`, metadata: { order: "77" } });
    const body = JSON.stringify({
      id: `evt_${n}`,
      object: "event",
      type: "refund.updated",
      created: START_MS / 1000,
      data: { object },
    });
    const event = payments.readEvent(Buffer.from(body), signature(body, SECRET, START_MS / 1000), START_MS);
    expect(event).toMatchObject({ chargeId: `ch_other_${n}`, refunds: [{ actionId: null }] });
  }
});
