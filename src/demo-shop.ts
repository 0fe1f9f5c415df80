/** The demo's storefront, from the ports that the product itself uses, and the faults of its sandbox. */
import { fixedPeople } from "../sandbox/shop/people.ts";
import type { DemoFault, DemoOrder, DemoShop } from "./channels/http/demo-routes.ts";
import type { Orders } from "./commerce/orders.ts";
import type { Payments } from "./commerce/payments.ts";
import { isoInstant } from "./kernel/calendar.ts";
import { ProblemError } from "./kernel/errors.ts";
import { formatDecimal } from "./kernel/money.ts";
import type { Clock } from "./kernel/ports.ts";
import type { Tenant } from "./system.ts";

interface Parts {
  readonly tenants: readonly Tenant[];
  readonly orders: Orders;
  readonly payments: Payments;
  /** Base URL of the sandbox. */
  readonly sandboxUrl: string;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 3_000;

export function createDemoShop({
  tenants,
  orders,
  payments,
  sandboxUrl,
  clock,
  fetch = globalThis.fetch,
}: Parts): DemoShop {
  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const giving = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => giving.abort());
    try {
      const response = await fetch(sandboxUrl + path, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        signal: giving.signal,
      });
      if (!response.ok) throw new Error(`the sandbox answered ${response.status}`);
      return (await response.json()) as Record<string, unknown>;
    } catch (cause) {
      throw new ProblemError("provider_unavailable", "The sandbox does not answer.", { cause });
    } finally {
      cancel();
    }
  };
  const armed = async (): Promise<readonly string[]> => {
    const [{ faults }, { down }] = await Promise.all([
      ask("GET", "/sandbox/faults"),
      ask("GET", "/sandbox/state"),
    ]);
    const names = (faults as { fault: string }[]).map(({ fault }) => fault);
    return down === true ? ["outage", ...names] : names;
  };
  const arm = async (fault: DemoFault | "none"): Promise<void> => {
    if (fault === "none") await ask("DELETE", "/sandbox/faults");
    else if (fault === "outage") await ask("POST", "/sandbox/outage", { down: true });
    else await ask("POST", "/sandbox/faults", { on: "refund.create", fault, times: 1 });
  };

  return {
    shops: tenants.map(({ id, name }) => ({ tenant: id, name })),
    people: fixedPeople()
      .filter(({ tenant }) => tenants.some(({ id }) => id === tenant))
      .map(({ id, name, tenant, has }) => ({ customer: id, name, tenant, has })),
    async orders(scope) {
      const all = await orders.list(scope);
      return Promise.all(
        all.map(async (order): Promise<DemoOrder> => {
          const { currency } = order;
          const amount = (amountMinor: number) => formatDecimal({ amountMinor, currency });
          const refunds =
            order.chargeId === null ? [] : await payments.refundsOf(scope.tenantId, order.chargeId);
          const parcel = order.fulfilments.at(-1);
          return {
            number: order.number,
            placed_at: isoInstant(order.placedAt),
            currency,
            total: amount(order.totalMinor),
            state: order.cancelledAt !== null ? "cancelled" : (parcel?.state ?? "unfulfilled"),
            items: order.lineItems.map((line) => ({
              title: line.title,
              quantity: line.quantity,
              total: amount(line.unitPriceMinor * line.quantity - line.discountMinor + line.taxMinor),
            })),
            tracking:
              parcel === undefined
                ? null
                : { carrier: parcel.carrier, number: parcel.trackingNumber, url: parcel.trackingUrl },
            refunds: refunds.map(({ amountMinor, status }) => ({
              amount: amount(amountMinor),
              state: status,
            })),
          };
        }),
      );
    },
    async faults(wanted) {
      if (wanted !== null) await arm(wanted);
      return armed();
    },
  };
}
