/**
 * Connector: the sandbox's shop over HTTP. Tenant and customer are part of every path and come from the
 * scope; what comes back is validated and checked to be that customer's again.
 */
import { z } from "zod";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { CustomerScope } from "../../kernel/scope.ts";
import type { Customer, Order, Orders, ShopReturn } from "../orders.ts";
import type { Returns } from "../returns.ts";

const minor = z.int();
const instant = z.number();
const items = z.array(z.object({ lineItemId: z.string(), quantity: z.int().min(1) }));
const shopReturn = z.object({
  id: z.string(),
  state: z.enum(["open", "in_transit", "received", "closed", "cancelled"]),
  reason: z.string(),
  createdAt: instant,
  items,
  idempotencyKey: z.string().nullable(),
  instructions: z.string(),
  labelUrl: z.string().nullable(),
});
const order = z.object({
  id: z.string(),
  number: z.string(),
  customerId: z.string(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  placedAt: instant,
  cancelledAt: instant.nullable(),
  lineItems: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      sku: z.string(),
      quantity: z.int().min(1).max(10_000),
      unitPriceMinor: minor,
      discountMinor: minor,
      taxMinor: minor,
      finalSale: z.boolean(),
      fulfilledQuantity: z.int().min(0),
    }),
  ),
  shippingMinor: minor,
  shippingTaxMinor: minor,
  totalMinor: minor,
  gift: z.boolean(),
  note: z.string(),
  fulfilments: z.array(
    z.object({
      id: z.string(),
      state: z.enum(["label_created", "in_transit", "out_for_delivery", "delivered", "delivery_failed"]),
      carrier: z.string(),
      trackingNumber: z.string(),
      trackingUrl: z.string().nullable(),
      estimatedDeliveryAt: instant.nullable(),
      deliveredAt: instant.nullable(),
      items,
      events: z.array(z.object({ at: instant, description: z.string(), location: z.string().nullable() })),
    }),
  ),
  returns: z.array(shopReturn),
  chargeId: z.string().nullable(),
});
const customerAnswer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  lifetimeSpendMinor: minor,
});

export interface SandboxShopOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
  /** For use in one process. */
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
}

export function createSandboxShopConnector(options: SandboxShopOptions): {
  orders: Orders;
  returns: Returns;
} {
  const { clock, apiKey, timeoutMs = LIMITS.shopTimeoutMs } = options;
  const send = options.fetch ?? fetch;

  const request = async (path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> => {
    const timeout = new AbortController();
    const cancel = clock.after(timeoutMs, () => timeout.abort(new Error("timeout")));
    try {
      const response = await send(`${options.baseUrl}/shop/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
        signal: signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]),
      });
      // The body is part of what may time out.
      return new Response(await response.text(), { status: response.status });
    } finally {
      cancel();
    }
  };

  /** A read: null for 404. @throws ProblemError `shop_unavailable` for everything that is no usable answer */
  const read = async <T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T | null> => {
    let response: Response;
    try {
      response = await request(path, {}, signal);
    } catch (cause) {
      throw new ProblemError("shop_unavailable", undefined, { cause });
    }
    if (response.status === 404) return null;
    if (!response.ok) throw new ProblemError("shop_unavailable", `The shop answered ${response.status}.`);
    const parsed = schema.safeParse(await response.json().catch(() => null));
    if (!parsed.success)
      throw new ProblemError("shop_unavailable", "The shop's answer is not of the agreed shape.");
    return parsed.data;
  };

  const pathOf = (scope: CustomerScope): string =>
    `/${encodeURIComponent(scope.tenantId)}/customers/${encodeURIComponent(scope.customerId)}`;
  const own = (scope: CustomerScope, candidate: Order): boolean => candidate.customerId === scope.customerId;

  const find = async (
    scope: CustomerScope,
    reference: string,
    signal?: AbortSignal,
  ): Promise<Order | null> => {
    const answer = await read(
      `${pathOf(scope)}/orders/${encodeURIComponent(reference)}`,
      z.object({ order }),
      signal,
    );
    return answer !== null && own(scope, answer.order) ? answer.order : null;
  };

  return {
    orders: {
      async customer(scope, signal): Promise<Customer | null> {
        const answer = await read(pathOf(scope), customerAnswer, signal);
        return answer?.id === scope.customerId ? answer : null;
      },
      async list(scope, signal) {
        const answer = await read(
          `${pathOf(scope)}/orders?limit=${LIMITS.ordersPerList}`,
          z.object({ orders: z.array(order) }),
          signal,
        );
        return (answer?.orders ?? []).filter((candidate) => own(scope, candidate));
      },
      find,
    },
    returns: {
      async create(scope, wanted, signal) {
        let response: Response;
        try {
          response = await request(
            `${pathOf(scope)}/orders/${encodeURIComponent(wanted.orderId)}/returns`,
            {
              method: "POST",
              headers: { "content-type": "application/json", "idempotency-key": wanted.idempotencyKey },
              body: JSON.stringify({ reason: wanted.reason, items: wanted.items }),
            },
            signal,
          );
        } catch (cause) {
          return { kind: "uncertain", cause: (cause as Error).message };
        }
        const body: unknown = await response.json().catch(() => null);
        if (
          response.status >= 400 &&
          response.status < 500 &&
          response.status !== 409 &&
          response.status !== 429
        ) {
          const { code = "refused", message = "The shop refused." } = (body ?? {}) as {
            code?: string;
            message?: string;
          };
          return { kind: "refused", code, message };
        }
        const parsed = z.object({ return: shopReturn }).safeParse(body);
        if (!response.ok || !parsed.success)
          return { kind: "uncertain", cause: `the shop answered ${response.status}` };
        return { kind: "created", shopReturn: parsed.data.return };
      },
      async findByKey(scope, orderId, idempotencyKey, signal): Promise<ShopReturn | null> {
        const found = await find(scope, orderId, signal);
        return found?.returns.find((entry) => entry.idempotencyKey === idempotencyKey) ?? null;
      },
    },
  };
}
