/**
 * The product in one process, for measuring: the real rooms and the embedded database in a folder, the
 * sandbox's shop and provider without sockets, and whatever agent is measured.
 */
import { createPaymentSandbox, inProcessFetch } from "../sandbox/payments/app.ts";
import { createSandboxShop } from "../sandbox/shop/server.ts";
import { chargesOf, type World } from "../sandbox/shop/world.ts";
import type { Agent } from "../src/agents/agent.ts";
import { createSandboxShopConnector } from "../src/commerce/connectors/sandbox-shop.ts";
import { createStripePayments } from "../src/commerce/connectors/stripe.ts";
import type { PublicEvent } from "../src/conversations/events.ts";
import { createHub } from "../src/conversations/hub.ts";
import { beginKnowledge, createDocumentKnowledge } from "../src/document-knowledge.ts";
import { loadPolicyFiles } from "../src/gateway/policy/versions.ts";
import type { ConversationId, CustomerId, TenantId } from "../src/kernel/ids.ts";
import { noBoundary, systemClock, systemRandom } from "../src/kernel/ports.ts";
import { type CustomerScope, customerScope } from "../src/kernel/scope.ts";
import type { Database } from "../src/store/database.ts";
import { openEmbedded } from "../src/store/embedded.ts";
import { createLocalQueue } from "../src/store/local-queue.ts";
import { migrate } from "../src/store/migrate.ts";
import { createStore, type Store } from "../src/store/store.ts";
import { createSystem, type System, seedTenants } from "../src/system.ts";

export const NORTHWIND = "northwind" as TenantId;
const POLICIES = new URL("../policies/", import.meta.url).pathname;
const RUN_ENDED = new Set(["completed", "handed_off", "cancelled", "expired", "failed"]);

export interface Product {
  readonly system: System;
  readonly store: Store;
  readonly world: World;
  scope(customer: string): CustomerScope;
  open(scope: CustomerScope): Promise<ConversationId>;
  /** Sends a message; resolves with what was appended after it once its run has ended. */
  ask(scope: CustomerScope, conversation: ConversationId, text: string): Promise<readonly PublicEvent[]>;
  stop(): Promise<void>;
}

export async function startProduct(options: {
  readonly folder: string;
  readonly agent: (parts: { store: Store; onError: (error: unknown, about: string) => void }) => Agent;
  /** With the documents of the folder `knowledge/` and the embedding model. */
  readonly knowledge: boolean;
  readonly onError: (error: unknown, about: string) => void;
  /** Stop-watches around what is not ours. */
  readonly watch?: {
    readonly database: (real: Database) => Database;
    readonly fetch: (real: typeof fetch) => typeof fetch;
  };
}): Promise<Product> {
  const { onError, watch } = options;
  const timed = watch?.fetch ?? ((real: typeof fetch) => real);
  const clock = systemClock;
  const random = systemRandom;
  const database = await openEmbedded(options.folder);
  await migrate(database);
  const store = createStore(watch?.database(database) ?? database);
  const queue = createLocalQueue();
  const hub = await createHub(store);
  const shop = createSandboxShop({ clock, storage: ":memory:" });
  const provider = createPaymentSandbox({ clock, random, storage: ":memory:" });
  provider.seedCharges(chargesOf(shop.world));
  const connector = createSandboxShopConnector({
    baseUrl: "http://shop.test",
    apiKey: "shop_test_sandbox",
    clock,
    random,
    fetch: timed(async (input, init) => shop.app.fetch(new Request(input, init))),
  });
  const tenants = [
    { id: NORTHWIND, name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
  ];
  await seedTenants(store, clock, tenants, () => loadPolicyFiles(POLICIES));
  const knowledge = options.knowledge
    ? createDocumentKnowledge({ store, clock, tenants, onError })
    : undefined;
  if (knowledge !== undefined)
    await beginKnowledge(knowledge, { tenants, onError }, new AbortController().signal);
  const system = createSystem({
    store,
    queue,
    hub,
    clock,
    random,
    boundary: noBoundary,
    payments: createStripePayments({
      apiKey: "sk_test_sandbox",
      webhookSecrets: ["whsec_sandbox"],
      baseUrl: "http://provider.test",
      fetch: timed(inProcessFetch(provider.app)),
    }),
    orders: connector.orders,
    returns: connector.returns,
    agent: options.agent({ store, onError }),
    tenants,
    workerId: "measured",
    onError,
    ...(knowledge === undefined ? {} : { knowledge }),
  });
  await queue.work(async (item) => void system.dispatch.handle(item));
  let sent = 0;

  return {
    system,
    store,
    world: shop.world,
    scope: (customer) => customerScope(NORTHWIND, customer as CustomerId),
    open: (scope) => system.conversations.open(scope, { channel: "chat", assurance: "authenticated" }),
    async ask(scope, conversation, text) {
      sent += 1;
      const heard: PublicEvent[] = [];
      let runId: string | null | undefined;
      let tell = () => {};
      // As a stream does: the events come with the wake-up.
      const unsubscribe = system.conversations.subscribe(scope, conversation, (events = []) => {
        heard.push(...events);
        tell();
      });
      try {
        const accepted = await system.conversations.accept(scope, conversation, {
          clientMessageId: `m-${sent}`,
          text,
        });
        runId = accepted.runId;
        const hasEnded = () =>
          runId === null ||
          heard.some(
            ({ type, run_id: id, state }) => type === "run" && id === runId && RUN_ENDED.has(String(state)),
          );
        while (!hasEnded()) await new Promise<void>((resolve) => (tell = resolve));
        return heard.filter(({ seq }) => seq > accepted.seq);
      } finally {
        unsubscribe();
      }
    },
    async stop() {
      await system.worker.stop(1_000);
      await queue.stop();
      await knowledge?.stop();
      await hub.stop();
      await provider.stop();
      shop.stop();
      await store.close();
    },
  };
}
