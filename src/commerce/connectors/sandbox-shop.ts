/**
 * Connector: the sandbox's shop over HTTP. Tenant and customer are part of every path and come from the
 * scope alone; what comes back is validated (`sandbox-shop/answers.ts`) and checked to be that tenant's
 * and that customer's again, so that even a shop that mixes them up shows nobody a stranger's order.
 *
 * Reads are repeated here, and only here, up to `LIMITS.safeReadAttempts` times. A return is never sent
 * twice from here: an answer that says nothing about it is `uncertain`, and asking what became of it
 * belongs to the execution of actions.
 */
import { z } from "zod";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import type { CustomerScope } from "../../kernel/scope.ts";
import type { Order, Orders } from "../orders.ts";
import type { CreateReturnOutcome, NewReturn, Returns } from "../returns.ts";
import { refusal, shopReturn, tenantCustomer, tenantOrder } from "./sandbox-shop/answers.ts";
import { createExchange, type ShopAnswer } from "./sandbox-shop/exchange.ts";

export interface SandboxShopOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly random: Random;
  /** For use in one process. */
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
}

const oneOrder = z.object({ order: tenantOrder });
const manyOrders = z.object({ orders: z.array(tenantOrder).max(LIMITS.ordersPerList) });
const manyCustomers = z.object({ customers: z.array(tenantCustomer).max(LIMITS.ordersPerList) });
const oneReturn = z.object({ return: shopReturn });

/** IDs and numbers of this shop. Anything else is nobody's order, and no part of a path. */
const REFERENCE = /^[A-Za-z0-9_-]{1,64}$/;

/** Statuses that say nothing about whether a return exists now, or that ask to come again. */
const SAYS_NOTHING = new Set([408, 409, 425, 429]);

export function createSandboxShopConnector(options: SandboxShopOptions): {
  orders: Orders;
  returns: Returns;
} {
  const { clock, random } = options;
  const exchange = createExchange({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    send: options.fetch ?? fetch,
    clock,
    timeoutMs: options.timeoutMs ?? LIMITS.shopTimeoutMs,
  });

  /** An answer that is final for a read; null when it is worth another try. */
  const attempt = async (path: string, signal?: AbortSignal): Promise<ShopAnswer | { failed: unknown }> => {
    try {
      const answer = await exchange(path, {}, signal);
      const passing = answer.status >= 500 || answer.status === 408 || answer.status === 429;
      // A body that is no JSON was cut short, or is not the shop's.
      return passing || answer.body === undefined
        ? { failed: new Error(`the shop answered ${answer.status}`) }
        : answer;
    } catch (failed) {
      return { failed };
    }
  };

  /** A read: null for the shop's own "not found". @throws ProblemError `shop_unavailable` when no try gave a usable answer */
  const read = async <T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T | null> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await attempt(path, signal);
      if (!("failed" in answer)) return usable(answer, schema);
      if (tries >= LIMITS.safeReadAttempts || signal?.aborted === true) {
        throw new ProblemError("shop_unavailable", undefined, { cause: answer.failed });
      }
      const pauseMs = LIMITS.retryBaseMs * 2 ** (tries - 1);
      await clock.sleep(pauseMs / 2 + (pauseMs / 2) * random.fraction(), signal);
    }
  };

  const find = async (
    scope: CustomerScope,
    reference: string,
    signal?: AbortSignal,
  ): Promise<Order | null> => {
    const path = pathOf(scope);
    if (path === null || !REFERENCE.test(reference)) return null;
    const answer = await read(`${path}/orders/${reference}`, oneOrder, signal);
    const order = answer === null ? null : own(scope, answer.order);
    return order !== null && (order.id === reference || order.number === reference) ? order : null;
  };

  const create = async (
    scope: CustomerScope,
    wanted: NewReturn,
    signal?: AbortSignal,
  ): Promise<CreateReturnOutcome> => {
    const path = pathOf(scope);
    if (path === null || !REFERENCE.test(wanted.orderId)) {
      return { kind: "refused", code: "not_found", message: "There is no such order in the shop." };
    }
    let answer: ShopAnswer;
    try {
      answer = await exchange(
        `${path}/orders/${wanted.orderId}/returns`,
        {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": wanted.idempotencyKey },
          body: JSON.stringify({ reason: wanted.reason, items: wanted.items }),
        },
        signal,
      );
    } catch (cause) {
      return { kind: "uncertain", cause: causeOf(cause) };
    }
    const { status, body } = answer;
    if (status === 200 || status === 201) {
      const made = oneReturn.safeParse(body);
      // Success in a form that we do not know may be success all the same: it is looked up.
      return made.success && isAnswerTo(wanted, made.data.return)
        ? { kind: "created", shopReturn: made.data.return }
        : { kind: "uncertain", cause: "the shop's answer is not about this return" };
    }
    const said = refusal.safeParse(body);
    if (status >= 400 && status < 500 && !SAYS_NOTHING.has(status) && said.success) {
      return { kind: "refused", ...said.data };
    }
    return { kind: "uncertain", cause: `the shop answered ${status}` };
  };

  return {
    orders: {
      async customer(scope, signal) {
        const path = pathOf(scope);
        const answer = path === null ? null : await read(path, tenantCustomer, signal);
        if (answer === null) return null;
        const { tenant, ...customer } = answer;
        return tenant === scope.tenantId && customer.id === scope.customerId ? customer : null;
      },
      async customerByEmail({ tenantId }, email, signal) {
        const query = new URLSearchParams({ email });
        const path = `/${encodeURIComponent(tenantId)}/customers?${query}`;
        const [found, ...more] = (await read(path, manyCustomers, signal))?.customers ?? [];
        if (found === undefined || more.length > 0) return null;
        const { tenant, ...customer } = found;
        return tenant === tenantId && customer.email.toLowerCase() === email.toLowerCase() ? customer : null;
      },
      async list(scope, signal) {
        const path = pathOf(scope);
        if (path === null) return [];
        const answer = await read(`${path}/orders?limit=${LIMITS.ordersPerList}`, manyOrders, signal);
        return (answer?.orders ?? []).map((order) => own(scope, order)).filter((order) => order !== null);
      },
      find,
    },
    returns: {
      create,
      async findByKey(scope, orderId, idempotencyKey, signal) {
        const order = await find(scope, orderId, signal);
        return order?.returns.find((entry) => entry.idempotencyKey === idempotencyKey) ?? null;
      },
    },
  };
}

/** @throws ProblemError `shop_unavailable` for an answer that another try would not change */
function usable<T>({ status, body }: ShopAnswer, schema: z.ZodType<T>): T | null {
  if (status === 404 && refusal.safeParse(body).data?.code === "not_found") return null;
  if (status !== 200) throw new ProblemError("shop_unavailable", `The shop answered ${status}.`);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ProblemError("shop_unavailable", "The shop's answer is not of the agreed shape.", {
    cause: parsed.error,
  });
}

/** The scope's part of a path; null for an ID that cannot be one: it would name another place, or none. */
function pathOf({ tenantId, customerId }: CustomerScope): string | null {
  const segments = [tenantId, customerId] as readonly string[];
  const sound = segments.every((text) => text !== "" && text !== "." && text !== ".." && text.isWellFormed());
  return sound ? `/${encodeURIComponent(tenantId)}/customers/${encodeURIComponent(customerId)}` : null;
}

/** The order when it is the scope's own, else null. */
function own(scope: CustomerScope, { tenant, ...order }: z.infer<typeof tenantOrder>): Order | null {
  return tenant === scope.tenantId && order.customerId === scope.customerId ? order : null;
}

function isAnswerTo(wanted: NewReturn, made: z.infer<typeof shopReturn>): boolean {
  const counted = (items: NewReturn["items"]): string => {
    const units = new Map<string, number>();
    for (const item of items) units.set(item.lineItemId, (units.get(item.lineItemId) ?? 0) + item.quantity);
    return JSON.stringify([...units].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return made.idempotencyKey === wanted.idempotencyKey && counted(made.items) === counted(wanted.items);
}

/** What went wrong, for our own records: the innermost reason of a transport. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
