/** The shop on a real socket with a clock that the test moves, and the connector as the product makes it. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createSandboxShop, type SandboxShop, SHOP_API_KEY } from "../../sandbox/shop/server.ts";
import { createSandboxShopConnector } from "../../src/commerce/connectors/sandbox-shop.ts";
import type { Orders } from "../../src/commerce/orders.ts";
import type { Returns } from "../../src/commerce/returns.ts";
import type { CustomerId, TenantId } from "../../src/kernel/ids.ts";
import { type Clock, seededRandom } from "../../src/kernel/ports.ts";
import { type CustomerScope, customerScope } from "../../src/kernel/scope.ts";
import { turns, VirtualClock } from "../kit/virtual-clock.ts";

export const START_MS = Date.parse("2026-12-01T15:00:00Z");
export const TIMEOUT_MS = 5_000;

export const scopeOf = (customer: string, tenant = "northwind"): CustomerScope =>
  customerScope(tenant as TenantId, customer as CustomerId);
export const ADA = scopeOf("ada");
export const BEN = scopeOf("ben");

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly code?: string };
}

export interface Fixture {
  readonly clock: VirtualClock;
  readonly shop: SandboxShop;
  readonly url: string;
  readonly orders: Orders;
  readonly returns: Returns;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  fault(on: string, fault: string, times?: number): Promise<Answer>;
  stop(): Promise<void>;
}

export async function start(
  options: { storage?: string; startMs?: number; seed?: number } = {},
): Promise<Fixture> {
  const clock = new VirtualClock(options.startMs ?? START_MS);
  const shop = createSandboxShop({ clock, storage: options.storage ?? ":memory:" });
  const server = createAdaptorServer({ fetch: shop.app.fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call: Fixture["call"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${SHOP_API_KEY}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
  return {
    clock,
    shop,
    url,
    ...connect(url, clock),
    call,
    fault: (on, fault, times = 1) => call("POST", "/shop/sandbox/faults", { on, fault, times }),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      shop.stop();
    },
  };
}

export const connect = (baseUrl: string, clock: Clock, send?: typeof fetch) =>
  createSandboxShopConnector({
    baseUrl,
    apiKey: SHOP_API_KEY,
    clock,
    random: seededRandom(3),
    timeoutMs: TIMEOUT_MS,
    ...(send === undefined ? {} : { fetch: send }),
  });

/** Lets virtual time pass, a step a turn, until the work is done: a wait or a deadline ends, nothing sleeps. */
export async function passing<T>(clock: VirtualClock, work: Promise<T>, stepMs = 50): Promise<T> {
  let over = false;
  const end = () => {
    over = true;
  };
  work.then(end, end);
  for (let turn = 0; !over && turn < 20_000; turn += 1) {
    await clock.advance(stepMs);
    await turns(1);
  }
  return work;
}
