/**
 * The whole product in one process for tests: the real rooms, the real embedded database, the real
 * sandbox through its own HTTP interface without a socket; time stands still unless moved.
 */
import { createPaymentSandbox, inProcessFetch } from "../../sandbox/payments/app.ts";
import { createSandboxShop } from "../../sandbox/shop/server.ts";
import { chargesOf } from "../../sandbox/shop/world.ts";
import type { Agent } from "../../src/agents/agent.ts";
import { createWorkflowAgent } from "../../src/agents/router.ts";
import { createSandboxShopConnector } from "../../src/commerce/connectors/sandbox-shop.ts";
import { createStripePayments } from "../../src/commerce/connectors/stripe.ts";
import type { Payments } from "../../src/commerce/payments.ts";
import type { PublicEvent } from "../../src/conversations/events.ts";
import { createHub } from "../../src/conversations/hub.ts";
import { loadPolicyFiles } from "../../src/gateway/policy/versions.ts";
import type { ConversationId, CustomerId, TenantId } from "../../src/kernel/ids.ts";
import { type Boundary, type Clock, noBoundary, type Random, seededRandom } from "../../src/kernel/ports.ts";
import { type CustomerScope, customerScope, tenantScope } from "../../src/kernel/scope.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import type { Store } from "../../src/store/store.ts";
import { createStore } from "../../src/store/store.ts";
import { createSystem, type System, type SystemParts, seedTenants } from "../../src/system.ts";
import type { TenantFacts } from "../../src/tools/tool.ts";
import { emptiedDatabase, KESTREL, NORTHWIND } from "./database.ts";
import { MemoryQueue } from "./memory-queue.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** A Tuesday in winter, so that no return window crosses a clock change unless a test wants it. */
export const START_MS = Date.parse("2026-12-01T15:00:00Z");
const TENANTS = [
  { id: NORTHWIND, name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
  { id: KESTREL, name: "Kestrel Audio", currency: "EUR", timeZone: "Europe/Berlin" },
];

const POLICIES = new URL("../../policies/", import.meta.url).pathname;
/** Read once a test file: they do not change, and reading checks every rule of them. */
let shippedPolicies: ReturnType<typeof loadPolicyFiles> | undefined;

export interface AgentParts {
  readonly store: Store;
  readonly onError: (error: unknown, about: string) => void;
}

export interface KnowledgeOptions extends AgentParts {
  readonly clock: Clock;
}

export interface TestOptions {
  readonly startMs?: number;
  readonly seed?: number;
  /** An agent, or how it is made from the system's own parts. */
  readonly agent?: Agent | ((parts: AgentParts) => Agent);
  readonly boundary?: Boundary;
  readonly store?: Store;
  /** A provider that is worse than the sandbox. */
  readonly payments?: (real: Payments) => Payments;
  readonly onError?: (error: unknown, about: string) => void;
  /** What documents answer; without it none do. */
  readonly knowledge?: (parts: KnowledgeOptions) => Knowledge;
  /** How workers hear of accepted messages, other than by the queue. */
  readonly inbound?: NonNullable<SystemParts["inbound"]>;
  /** Over what the tenants are here: hours, hosts; the word that an AI writes and the time to undo are off in tests. */
  readonly tenant?: Partial<TenantFacts>;
}

export interface ProviderRefundRow {
  readonly id: string;
  readonly charge: string;
  readonly amount: number;
  readonly status: string;
  readonly metadata: Record<string, string>;
}

export type TestSystem = Awaited<ReturnType<typeof createTestSystem>>;

export async function createTestSystem(options: TestOptions = {}) {
  const clock = new VirtualClock(options.startMs ?? START_MS);
  const random: Random = seededRandom(options.seed ?? 1);
  const store = options.store ?? createStore(await emptiedDatabase());
  const queue = new MemoryQueue();
  const shop = createSandboxShop({ clock, storage: ":memory:" });
  const provider = createPaymentSandbox({
    clock,
    random: seededRandom(7),
    storage: ":memory:",
    // Webhooks go straight to the product; they are under way until time passes.
    fetch: async (_url, init) => {
      const headers = init?.headers as Record<string, string>;
      await system.webhooks.stripe(Buffer.from(String(init?.body)), headers["stripe-signature"]);
      return new Response("{}");
    },
  });
  provider.seedCharges(chargesOf(shop.world));
  const providerFetch = inProcessFetch(provider.app);
  const real = createStripePayments({
    apiKey: "sk_test_sandbox",
    webhookSecrets: ["whsec_sandbox"],
    baseUrl: "http://provider.test",
    fetch: providerFetch,
    timeoutMs: 2_000,
  });
  const payments = options.payments?.(real) ?? real;
  const connector = createSandboxShopConnector({
    baseUrl: "http://shop.test",
    apiKey: "shop_test_sandbox",
    clock,
    random,
    fetch: async (input, init) => shop.app.fetch(new Request(input, init)),
  });
  await seedTenants(store, clock, TENANTS, () => (shippedPolicies ??= loadPolicyFiles(POLICIES)));
  const hub = await createHub(store);
  const errors: { error: unknown; about: string }[] = [];
  const noteError =
    options.onError ?? ((error: unknown, about: string) => void errors.push({ error, about }));
  let boundary: Boundary = options.boundary ?? noBoundary;
  const knowledge = options.knowledge?.({ store, clock, onError: noteError });
  let workers = 0;

  /** The product as one process has it; a second call is a second process on the same database. */
  const process = (): System => {
    workers += 1;
    return createSystem({
      ...(knowledge === undefined ? {} : { knowledge }),
      ...(options.inbound === undefined ? {} : { inbound: options.inbound }),
      store,
      queue,
      hub,
      clock,
      random,
      boundary: (name) => boundary(name),
      payments,
      orders: connector.orders,
      returns: connector.returns,
      agent:
        typeof options.agent === "function"
          ? options.agent({ store, onError: noteError })
          : (options.agent ?? createWorkflowAgent()),
      tenants: TENANTS.map((tenant) => ({
        ...tenant,
        aiDisclosure: false,
        reviews: { undoMs: 0 },
        ...options.tenant,
      })),
      workerId: `worker-${workers}`,
      onError: noteError,
    });
  };
  let system = process();
  await queue.work((item) => system.worker.handle(item));
  provider.setWebhook({ url: "http://product.test/webhooks/stripe", secret: "whsec_sandbox" });

  const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await providerFetch(`http://provider.test${path}`, {
      ...init,
      headers: {
        authorization: "Bearer sk_test_sandbox",
        "content-type": "application/json",
        ...init.headers,
      },
    });
    return (await response.json()) as T;
  };

  const drain = async (): Promise<void> => {
    while (await queue.run()) await system.executor.idle();
    await system.executor.idle();
  };

  const test = {
    clock,
    store,
    hub,
    queue,
    shop,
    provider,
    payments,
    orders: connector.orders,
    random,
    errors,
    get system() {
      return system;
    },
    setBoundary(next: Boundary) {
      boundary = next;
    },
    /** Replaces the process by a new one, as after a crash: nothing in memory survives. */
    restart() {
      system = process();
      return system;
    },
    /** A second process beside the first. */
    another: process,
    drain,
    /** Time passes: timers run, then everything due is swept up. */
    async pass(ms: number) {
      await clock.advance(ms);
      await drain();
      await system.recovery.sweep();
      await drain();
    },
    /** Sweeps over hours of virtual time until nothing is under way. */
    async settle(maxMs = 6 * 3_600_000) {
      const endMs = clock.now() + maxMs;
      for (;;) {
        await test.pass(20_000);
        const live = await store.transact(tenantScope(NORTHWIND), (tx) =>
          tx
            .selectFrom("actions")
            .select("id")
            .where("state", "in", ["scheduled", "executing", "unknown", "pending"])
            .execute(),
        );
        if (live.length === 0 || clock.now() > endMs) return;
      }
    },
    scope: (customer: string, tenant: TenantId = NORTHWIND): CustomerScope =>
      customerScope(tenant, customer as CustomerId),
    open: (scope: CustomerScope) =>
      system.conversations.open(scope, { channel: "chat", assurance: "authenticated" }),
    /** Sends a message and lets the product work until nothing is left to do. */
    async say(scope: CustomerScope, conversationId: ConversationId, text: string, clientMessageId?: string) {
      const accepted = await system.conversations.accept(scope, conversationId, {
        clientMessageId: clientMessageId ?? `m-${Buffer.from(random.bytes(8)).toString("hex")}`,
        text,
      });
      await drain();
      return accepted;
    },
    events: (scope: CustomerScope, conversationId: ConversationId): Promise<readonly PublicEvent[]> =>
      system.conversations.events(scope, conversationId, 0),
    /** What the customer was told, in order. */
    async told(scope: CustomerScope, conversationId: ConversationId): Promise<string[]> {
      const events = await system.conversations.events(scope, conversationId, 0);
      return events
        .filter((event) => event.type === "message" && event.author !== "customer")
        .map((event) => String(event.text));
    },
    /** What the provider holds for an order, by its number. */
    async refunds(orderNumber: string, tenant: TenantId = NORTHWIND): Promise<readonly ProviderRefundRow[]> {
      const charge = `ch_${tenant === NORTHWIND ? "nw" : "ka"}_${orderNumber}`;
      const answer = await call<{ data: ProviderRefundRow[] }>(`/v1/refunds?limit=100&charge=${charge}`);
      return answer.data;
    },
    fault: (fault: string, times = 1, on = "refund.create") =>
      call("/sandbox/faults", { method: "POST", body: JSON.stringify({ on, fault, times }) }),
    clearFaults: () => call("/sandbox/faults", { method: "DELETE" }),
    outage: (down: boolean) => call("/sandbox/outage", { method: "POST", body: JSON.stringify({ down }) }),
    actions: (tenant: TenantId = NORTHWIND) =>
      store.transact(tenantScope(tenant), (tx) =>
        tx.selectFrom("actions").selectAll().orderBy("created_at_ms").orderBy("id").execute(),
      ),
    balance: (orderId: string, tenant: TenantId = NORTHWIND) =>
      store.transact(tenantScope(tenant), (tx) =>
        tx.selectFrom("order_balances").selectAll().where("order_id", "=", orderId).executeTakeFirst(),
      ),
    audit: (tenant: TenantId = NORTHWIND) =>
      store.transact(tenantScope(tenant), (tx) => tx.selectFrom("audit").selectAll().orderBy("n").execute()),
    reviews: (tenant: TenantId = NORTHWIND) =>
      system.reviews.list(tenantScope(tenant), { state: "all", limit: 100 }),
    async close() {
      await knowledge?.stop();
      await hub.stop();
      await provider.stop();
      shop.stop();
    },
  };
  return test;
}
