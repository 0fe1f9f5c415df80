import { expect, onTestFinished, test } from "vitest";
import { createStripePayments } from "../../src/commerce/connectors/stripe.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { type Fixture, KEY, refusal, start } from "./sdk/fixture.ts";

async function world(): Promise<Fixture> {
  const fixture = await start();
  onTestFinished(() => fixture.stop());
  return fixture;
}

test.each(["charge", "payment_intent"])(
  "refunds of a %s that does not exist are an error, not a list of nothing",
  async (name) => {
    const { stripe } = await world();
    const error = await refusal(stripe.refunds.list({ [name]: "xx_nope" }));
    expect(error).toMatchObject({ statusCode: 404, code: "resource_missing", param: name });
  },
);

test("charges of an intent that does not exist are an error", async () => {
  const { stripe } = await world();
  expect(await refusal(stripe.charges.list({ payment_intent: "pi_nope" }))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
});

test("a charge that exists and has no refunds has an empty list", async () => {
  const { stripe } = await world();
  expect((await stripe.refunds.list({ charge: "ch_1042" })).data).toEqual([]);
});

test("the connector never reads 'no refunds' from a provider that does not know the charge", async () => {
  const { served } = await world();
  const payments = createStripePayments({
    apiKey: KEY,
    webhookSecrets: [],
    baseUrl: served.url,
    timeoutMs: 2_000,
  });
  await expect(payments.refundsOf("northwind" as TenantId, "ch_nope")).rejects.toMatchObject({
    code: "provider_unavailable",
  });
});
