import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPaymentSandbox, inProcessFetch, type PaymentSandbox } from "../../sandbox/payments/app.ts";
import { createSandboxShop } from "../../sandbox/shop/server.ts";
import { chargesOf } from "../../sandbox/shop/world.ts";
import { createSandboxShopConnector } from "../../src/commerce/connectors/sandbox-shop.ts";
import { createStripePayments } from "../../src/commerce/connectors/stripe.ts";
import { createDemoShop } from "../../src/demo-shop.ts";
import type { CustomerId, TenantId } from "../../src/kernel/ids.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { customerScope } from "../../src/kernel/scope.ts";
import { START_MS } from "../kit/system.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

let provider: PaymentSandbox;
let stopShop: () => void;
let demo: ReturnType<typeof createDemoShop>;
const tenants = ["northwind", "kestrel"].map((id) => ({
  id: id as TenantId,
  name: id,
  currency: id === "northwind" ? "USD" : "EUR",
  timeZone: "UTC",
}));
const scope = (customer: string, tenant = "northwind") =>
  customerScope(tenant as TenantId, customer as CustomerId);

beforeEach(() => {
  const clock = new VirtualClock(START_MS);
  const shop = createSandboxShop({ clock, storage: ":memory:" });
  stopShop = () => shop.stop();
  provider = createPaymentSandbox({ clock, random: seededRandom(1), storage: ":memory:" });
  provider.seedCharges(chargesOf(shop.world));
  demo = createDemoShop({
    clock,
    tenants,
    orders: createSandboxShopConnector({
      baseUrl: "http://shop.test",
      apiKey: "shop_test_sandbox",
      clock,
      random: seededRandom(2),
      fetch: async (input, init) => shop.app.fetch(new Request(input, init)),
    }).orders,
    payments: createStripePayments({
      apiKey: "sk_test_sandbox",
      webhookSecrets: ["whsec_sandbox"],
      baseUrl: "http://provider.test",
      fetch: inProcessFetch(provider.app),
    }),
    sandboxUrl: "http://provider.test",
    fetch: inProcessFetch(provider.app),
  });
});
afterEach(async () => {
  stopShop();
  await provider.stop();
});

describe("the demo's storefront", () => {
  test("shows a customer's own orders and nobody else's", async () => {
    expect((await demo.orders(scope("ada"))).map(({ number }) => number)).toEqual(["1042"]);
    expect((await demo.orders(scope("eve"))).map(({ number }) => number)).toEqual([]);
    expect((await demo.orders(scope("ada", "kestrel"))).map(({ number }) => number)).toEqual([]);
  });

  test("has the amounts of lines and orders exactly", async () => {
    const [order] = await demo.orders(scope("ada"));
    expect(order).toMatchObject({ total: "113.00", currency: "USD", refunds: [] });
    expect(order?.items.map(({ total }) => total)).toEqual(["89.00", "24.00"]);
  });

  test("arms a fault for the next refund, ends an outage, and forgets all of it", async () => {
    expect(await demo.faults(null)).toEqual([]);
    expect(await demo.faults("timeout_after_accept")).toEqual(["timeout_after_accept"]);
    expect(await demo.faults("outage")).toEqual(["outage", "timeout_after_accept"]);
    expect(await demo.faults("none")).toEqual([]);
  });

  test("lists only people of tenants that are there", () => {
    expect(demo.people.map(({ customer }) => customer)).toContain("lena");
    expect(new Set(demo.people.map(({ tenant }) => tenant))).toEqual(new Set(["northwind", "kestrel"]));
  });
});
