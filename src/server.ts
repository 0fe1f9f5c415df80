/**
 * Starts everything that the configuration names, in order, and stops it in the reverse order.
 * What fails while starting ends what had started.
 */
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { createAssistant } from "./assistant.ts";
import { createDemoTokens, demoIssuer, demoTokenSecret } from "./channels/http/demo.ts";
import { createRatingLinks } from "./channels/http/rating-links.ts";
import { createHttpServer } from "./channels/http/server.ts";
import { createTokens, type IssuerConfiguration } from "./channels/http/tokens.ts";
import { createVisitors, visitorIssuer } from "./channels/http/visitors.ts";
import { createSandboxShopConnector } from "./commerce/connectors/sandbox-shop.ts";
import { createStripePayments } from "./commerce/connectors/stripe.ts";
import { type Configuration, SANDBOX_API_KEY } from "./configuration.ts";
import { createHub } from "./conversations/hub.ts";
import { createDemoShop } from "./demo-shop.ts";
import { beginKnowledge, createDocumentKnowledge, timeZones } from "./document-knowledge.ts";
import { createCheckpoints } from "./evidence/checkpoints.ts";
import { createMetrics } from "./evidence/metrics/metrics.ts";
import { auditSigner } from "./evidence/signing-key.ts";
import { loadPolicyFiles } from "./gateway/policy/versions.ts";
import { checkOf, startKafka } from "./kafka.ts";
import { ProblemError } from "./kernel/errors.ts";
import type { CustomerId, TenantId } from "./kernel/ids.ts";
import { LIMITS } from "./kernel/limits.ts";
import { type Boundary, noBoundary, systemClock, systemRandom } from "./kernel/ports.ts";
import { customerScope, tenantScope } from "./kernel/scope.ts";
import { startMail } from "./mail.ts";
import { createFeed } from "./operators/feed.ts";
import { startPeople } from "./people.ts";
import type { Database } from "./store/database.ts";
import { createLocalQueue } from "./store/local-queue.ts";
import { prepareSchema } from "./store/migrate.ts";
import { type OpeningDatabase, openDatabase } from "./store/open.ts";
import { makeParts } from "./store/partitions.ts";
import type { Queue } from "./store/queue.ts";
import { createStore } from "./store/store.ts";
import { createSystem, seedTenants, type Tenant } from "./system.ts";
import { RECOURSE_VERSION } from "./version.ts";

const POLICIES = fileURLToPath(new URL("../policies/", import.meta.url));
const WEB = fileURLToPath(new URL("../web/dist/", import.meta.url));

export interface RunningServer {
  readonly url: string;
  readonly sandboxUrl: string | null;
  /** Where mail comes in; null where none does. */
  readonly mailPort: number | null;
  /** For the page /setup while nobody works here; null otherwise and in the demo. */
  readonly setupCode: string | null;
  /** Takes no new work, lets what is in hand finish or hands back its lease, and closes everything. */
  stop(): Promise<void>;
}

/** @throws ProblemError for everything that a person can put right */
export async function startServer(
  configuration: Configuration,
  log: Logger,
  opening: OpeningDatabase = openDatabase(configuration, systemClock),
): Promise<RunningServer> {
  const clock = systemClock;
  const random = systemRandom;
  const serves = configuration.role !== "work";
  const works = configuration.role !== "serve";
  const onStop: (() => Promise<unknown> | unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of onStop.splice(0).reverse()) {
      await Promise.resolve(step()).catch((error: unknown) => log.error({ err: error }, "while stopping"));
    }
  };
  const onError = (error: unknown, about: string): void => log.error({ err: error, about }, "failed");

  try {
    const { dataDir, sandbox } = configuration;
    onStop.push(opening.unlock);
    const starting = startSandbox(configuration);
    // Whatever fails first, the other one is ended too.
    onStop.push(() => opening.database.then((database) => database.close()).catch(() => {}));
    onStop.push(() => starting.then((running) => running.stop()).catch(() => {}));
    const [database, { url: sandboxUrl }] = await Promise.all([opening.database, starting]);
    await prepareSchema(database);
    await makeParts(database, clock.now());
    if (!(await database.hears())) {
      log.warn(
        "DATABASE_URL is a pooler that lets no notices through: RECOURSE_DIRECT_DATABASE_URL is missing",
      );
    }
    const store = createStore(database);
    const queue = await queueOf(database, (error) => onError(error, "queue"));
    const hub = await createHub(store);
    onStop.push(() => hub.stop());
    const feed = await createFeed({ store, hub, random });
    onStop.push(() => feed.stop());

    const payments = createStripePayments({
      apiKey: configuration.stripe?.apiKey ?? SANDBOX_API_KEY,
      webhookSecrets: configuration.stripe?.webhookSecrets ?? ["whsec_sandbox"],
      baseUrl: configuration.stripe === null ? sandboxUrl : configuration.stripe.apiBase,
      timeoutMs: configuration.paymentTimeoutMs,
    });
    if (sandboxUrl === null) {
      throw new ProblemError(
        "config_invalid",
        "RECOURSE_SANDBOX: this version reads orders from the sandbox's shop only.",
        {
          next: "Leave RECOURSE_SANDBOX on; connectors to other shops come in a later version.",
        },
      );
    }
    const shop = createSandboxShopConnector({
      baseUrl: sandboxUrl,
      apiKey: "shop_test_sandbox",
      clock,
      random,
    });

    const tenants = configuration.tenants.map(
      (tenant): Tenant => ({
        id: tenant.id as TenantId,
        name: tenant.name,
        currency: tenant.currency,
        timeZone: tenant.timeZone,
        language: tenant.language,
      }),
    );
    const demoSecret = configuration.demo ? demoTokenSecret(dataDir, random) : null;
    await seedTenants(store, clock, tenants, (published) => loadPolicyFiles(POLICIES, published));
    // Known for sure once the server listens; nobody signs in before.
    const reached = { url: configuration.publicUrl ?? "" };
    const people = await startPeople({
      configuration,
      store,
      clock,
      random,
      tenants: configuration.tenants.map(({ id, name, currency, timeZone, escalation }) => ({
        id: id as TenantId,
        name,
        currency,
        timeZone,
        defaults: { escalation },
      })),
      demoSecret,
      baseUrl: () => reached.url,
      onError,
    });
    onStop.push(() => people.stop());
    const assistant = createAssistant({ settings: configuration.models, store, clock, random, onError });
    const { models } = assistant;
    if (models !== null) onStop.push(() => models.settled());
    const knowledge = createDocumentKnowledge({ store, clock, tenants, onError });
    const workerId = `${hostname()}:${process.pid}:${Buffer.from(random.bytes(4)).toString("hex")}`;
    const kafka =
      configuration.kafka === null
        ? null
        : await startKafka({
            settings: configuration.kafka,
            database,
            queue,
            clock,
            tenants: tenants.map(({ id }) => id),
            owner: workerId,
            log,
            onError,
          });
    onStop.push(() => kafka?.stop());
    const system = createSystem({
      ...(kafka === null ? {} : { inbound: kafka.inbound }),
      knowledge,
      store,
      queue,
      hub,
      clock,
      random,
      boundary: crashBoundary(configuration),
      payments,
      orders: shop.orders,
      returns: shop.returns,
      agent: assistant.agent,
      asks: assistant.asks,
      tenants,
      settingsOf: people.settingsOf,
      workerId,
      onError,
    });
    onStop.push(await system.privacy.erased.start());
    const demo =
      demoSecret === null
        ? null
        : createDemoTokens({
            secret: demoSecret,
            clock,
            async find(customer, wanted) {
              for (const { id } of tenants) {
                if (wanted !== undefined && wanted !== id) continue;
                const found = await shop.orders.customer(customerScope(id, customer as CustomerId));
                if (found !== null) return { tenantId: id, customerId: found.id };
              }
              return null;
            },
          });
    const ownIssuers = tenants.flatMap(({ id }) => [
      visitorIssuer(people.secret, id),
      ...(demoSecret === null ? [] : [demoIssuer(demoSecret, id)]),
    ]);

    const mail = await startMail({
      configuration,
      store,
      hub,
      queue,
      clock,
      random,
      conversations: system.conversations,
      attachments: system.attachments,
      orders: shop.orders,
      secret: people.secret,
      sandboxUrl,
      baseUrl: () => reached.url,
      onError,
    });
    onStop.push(() => mail?.stop());
    const http = createHttpServer({
      ...system,
      ...(mail === null
        ? {}
        : { identityLinks: mail.links, transcripts: mail.transcripts, unansweredMails: mail.unanswered }),
      ...(mail === null || mail.webhooks === null ? {} : { mailWebhooks: mail.webhooks }),
      feed,
      webhook: system.webhooks,
      metrics: createMetrics({
        store,
        clock,
        tenants: tenants.map(({ id }) => id),
        freshMs: LIMITS.metricsFreshMs,
        broker: kafka?.state ?? null,
      }),
      metricsToken: configuration.metricsToken,
      checkpoints: createCheckpoints({ store, clock, signer: auditSigner(configuration, random) }),
      tokens: createTokens({ clock, ...identities(configuration, ownIssuers) }),
      visitors: createVisitors({
        secret: people.secret,
        tenants: tenants.map(({ id }) => id),
        erasedAtMs: system.privacy.erased.erasedAtMs,
        clock,
        random,
      }),
      ratingLinks: createRatingLinks({ secret: people.secret, clock }),
      readiness: async () => {
        const database = await store
          .transact(tenantScope(tenants[0]?.id as TenantId), (tx) =>
            tx.selectFrom("tenants").select("tenant_id").execute(),
          )
          .then(() => ({ name: "database", ok: true, detail: "answers" }))
          .catch((error: unknown) => ({ name: "database", ok: false, detail: (error as Error).message }));
        const role = { name: "role", ok: true, detail: configuration.role };
        const broker = kafka === null ? [] : [checkOf(await kafka.state())];
        return { ready: database.ok, checks: [database, role, ...broker] };
      },
      clock,
      random,
      log,
      ...(demo === null
        ? {}
        : { demo, demoShop: createDemoShop({ tenants, orders: shop.orders, payments, sandboxUrl, clock }) }),
      ...(configuration.publicUrl === null ? {} : { publicUrl: configuration.publicUrl }),
      timeZoneOf: timeZones(tenants),
      operators: people.operators,
      tenantName: (tenantId) => tenants.find(({ id }) => id === tenantId)?.name ?? tenantId,
      corsOrigins: configuration.corsOrigins,
      trustedProxies: configuration.trustedProxies,
      web: { folder: WEB, pages: demo === null ? ["console"] : ["console", "shop"] },
      version: RECOURSE_VERSION,
      probesOnly: !serves,
    });
    if (works) {
      // An embedded database has this process only: whoever held a lease before is gone.
      if (database.kind === "embedded") await system.recovery.takeOver(tenants.map(({ id }) => id));
      // A wake-up is done when it has been heard: a slow run keeps no other one waiting.
      await queue.work(async (item) => void system.dispatch.handle(item));
      kafka?.work(system.worker);
      system.recovery.start();
      onStop.push(system.privacy.work());
    }
    onStop.push(async () => {
      system.recovery.stop();
      await Promise.all([kafka?.stopWork(), system.worker.stop(LIMITS.shutdownGraceMs)]);
      await queue.stop();
    });
    const { url } = await http.start(configuration);
    if (reached.url === "") reached.url = url;
    await mail?.start();
    onStop.push(() => http.stop());
    if (serves && sandbox.kind === "external") {
      await registerWebhook(sandbox.url, configuration.sandboxWebhookUrl ?? `${url}/webhooks/stripe`);
    }
    if (works) {
      const stopped = new AbortController();
      const begun = beginKnowledge(knowledge, { tenants, onError }, stopped.signal);
      onStop.push(async () => {
        stopped.abort();
        await begun;
        await knowledge.stop();
      });
    } else onStop.push(() => knowledge.stop());
    // The models' libraries load now, not while the first customer waits, and not before we are ready.
    void models?.warm();
    const { firstAdmin } = people.operators;
    const setupCode = serves && firstAdmin !== null && (await firstAdmin.needed()) ? firstAdmin.code : null;
    return { url, sandboxUrl, setupCode, mailPort: mail?.port() ?? null, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** pg-boss where another process may take a wake-up; it is loaded only there. */
async function queueOf(database: Database, onError: (error: Error) => void): Promise<Queue> {
  if (database.kind === "embedded") return createLocalQueue();
  const { startQueue } = await import("./store/queue.ts");
  return startQueue(database, onError);
}

async function startSandbox(
  configuration: Configuration,
): Promise<{ url: string | null; stop(): Promise<void> }> {
  const { sandbox, host, port, dataDir } = configuration;
  if (sandbox.kind === "off") return { url: null, stop: async () => {} };
  if (sandbox.kind === "external") return { url: sandbox.url.replace(/\/+$/, ""), stop: async () => {} };
  // Loaded only where it runs: a deployment with a real provider has none of it in its process.
  const { serveSandbox } = await import("../sandbox/serve.ts");
  return serveSandbox({
    host,
    port: sandbox.port,
    folder: join(dataDir, "sandbox"),
    webhookUrl: `http://${host}:${port}/webhooks/stripe`,
    clock: systemClock,
    random: systemRandom,
  });
}

async function registerWebhook(sandboxUrl: string, url: string): Promise<void> {
  await fetch(`${sandboxUrl}/sandbox/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  }).catch((cause: unknown) => {
    throw new ProblemError("provider_unavailable", `RECOURSE_SANDBOX: nothing answers at ${sandboxUrl}.`, {
      next: "Start it with `node sandbox/main.ts`, or leave RECOURSE_SANDBOX out.",
      cause,
    });
  });
}

/** Tests only: dies at the named point as if the machine had lost its power. */
function crashBoundary({ crashAt }: Configuration): Boundary {
  if (crashAt === null) return noBoundary;
  return (name) => {
    if (name !== crashAt) return;
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  };
}

function identities({ tenants }: Configuration, ownIssuers: readonly IssuerConfiguration[]) {
  return {
    issuers: [
      ...tenants
        .filter((tenant) => tenant.issuer !== null)
        .map((tenant) => ({
          tenantId: tenant.id,
          issuer: tenant.issuer ?? "",
          audience: "recourse",
          ...(tenant.jwtSecret === null ? {} : { secret: tenant.jwtSecret }),
          ...(tenant.jwksUrl === null ? {} : { jwksUrl: tenant.jwksUrl }),
        })),
      ...ownIssuers,
    ],
    operators: tenants
      .filter((tenant) => tenant.operatorToken !== null)
      .map((tenant) => ({
        tenantId: tenant.id,
        name: `operator@${tenant.id}`,
        token: tenant.operatorToken ?? "",
      })),
  };
}
