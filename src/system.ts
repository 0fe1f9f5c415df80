/**
 * The rooms put together from ports: everything but configuration, HTTP and the process. The server,
 * the tests, the simulation and the benchmarks all build the product with this one function.
 */
import { type CancelAction, createCancelAction } from "./actions/cancel.ts";
import { createExecutor, type Executor } from "./actions/execution.ts";
import { createFind } from "./actions/finding.ts";
import { type ActionRow, createActionView } from "./actions/ledger.ts";
import { createRecords, type Records } from "./actions/records.ts";
import { takeAnswer } from "./actions/reviews/answers.ts";
import { releasePeople } from "./actions/reviews/ended-conversations.ts";
import type { Reviews } from "./actions/reviews/reviews.ts";
import { reviewSettings } from "./actions/reviews/settings.ts";
import { createReviews } from "./actions/reviews/work.ts";
import { createWebhooks, type Webhooks } from "./actions/webhooks.ts";
import type { Agent } from "./agents/agent.ts";
import { DEFAULT_THRESHOLDS } from "./agents/escalation.ts";
import type { Orders } from "./commerce/orders.ts";
import type { Payments } from "./commerce/payments.ts";
import type { Returns } from "./commerce/returns.ts";
import { type Attachments, createAttachments } from "./conversations/attachments/attachments.ts";
import {
  type ConversationParts,
  type Conversations,
  createConversations,
} from "./conversations/conversations.ts";
import type { Hub } from "./conversations/hub.ts";
import { createGateway, type Gateway } from "./gateway/gateway.ts";
import { currentPolicy, policyWithHash, publishedHashes, publishPolicies } from "./gateway/policy/book.ts";
import type { DecisionRecord } from "./gateway/policy/explain.ts";
import { policyNumbers } from "./gateway/policy/numbers.ts";
import type { PolicyVersion } from "./gateway/policy/policy.ts";
import { ruleResults } from "./gateway/policy/rule-results.ts";
import type { TenantId } from "./kernel/ids.ts";
import { LIMITS } from "./kernel/limits.ts";
import { currencyExponent, formatMoney, parseAmount } from "./kernel/money.ts";
import type { Boundary, Clock, Random } from "./kernel/ports.ts";
import { customerScope, type Scope, tenantScope } from "./kernel/scope.ts";
import { type Knowledge, NO_KNOWLEDGE, publishPolicyTexts } from "./knowledge/knowledge.ts";
import { createDesk, type Desk } from "./operators/desk/desk.ts";
import { createKillSwitch, type KillSwitch } from "./operators/kill-switch.ts";
import { createDispatch, type Dispatch } from "./orchestrator/dispatch.ts";
import { waitingText } from "./orchestrator/handoff-words.ts";
import { createRecovery, type Recovery } from "./orchestrator/recovery.ts";
import { createRuns, type Runs } from "./orchestrator/runs.ts";
import { createTraces, type Traces, type TracesParts } from "./orchestrator/traces/traces.ts";
import { createWorker, type Worker } from "./orchestrator/worker.ts";
import { createPrivacy, type Privacy } from "./privacy/privacy.ts";
import { redacted } from "./safety/masking.ts";
import type { Queue } from "./store/queue.ts";
import type { Store } from "./store/store.ts";
import type { TenantFacts, ToolContext } from "./tools/tool.ts";
import type { ActionSummary } from "./tools/views.ts";

export interface SystemParts {
  readonly store: Store;
  readonly queue: Queue;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly boundary: Boundary;
  readonly payments: Payments;
  readonly orders: Orders;
  readonly returns: Returns;
  readonly agent: Agent;
  /** Which models it asks, and with which prompt; null or without it: none. */
  readonly asks?: TracesParts["asks"];
  /** Without it no document answers; the policy still does. */
  readonly knowledge?: Knowledge;
  readonly tenants: readonly Tenant[];
  /** What is set for a tenant at run time; it goes before what the tenant's configuration says. */
  readonly settingsOf?: (tenantId: TenantId) => Partial<TenantFacts>;
  /** With a broker: how workers hear of accepted messages, and how long a sweep leaves a run to it. */
  readonly inbound?: {
    readonly announce: NonNullable<ConversationParts["announce"]>;
    readonly queuedForMs: () => number;
  };
  /** Names this process in leases: unique a start. */
  readonly workerId: string;
  readonly onError: (error: unknown, about: string) => void;
}

export interface Tenant extends TenantFacts {
  readonly id: TenantId;
}

export interface System {
  readonly attachments: Attachments;
  readonly conversations: Conversations;
  readonly runs: Runs;
  readonly traces: Traces;
  readonly reviews: Reviews;
  readonly records: Records;
  readonly webhooks: Webhooks;
  readonly gateway: Gateway;
  readonly executor: Executor;
  readonly knowledge: Knowledge | null;
  readonly worker: Worker;
  /** Between wake-ups and the worker: who is answered next when not all can be at once. */
  readonly dispatch: Dispatch;
  readonly recovery: Recovery;
  readonly actionView: (scope: Scope, actionId: string) => Promise<ActionSummary>;
  readonly cancelAction: CancelAction;
  readonly privacy: Privacy;
  readonly killSwitch: KillSwitch;
  readonly desk: Desk;
}

export function createSystem(parts: SystemParts): System {
  const { store, queue, hub, clock, random, boundary, workerId, onError } = parts;
  const [first, ...others] = parts.tenants.map((tenant) => tenant.id);
  if (first === undefined) throw new Error("a system has at least one tenant");
  const tenantFacts = (tenantId: TenantId): TenantFacts => {
    const tenant = parts.tenants.find((candidate) => candidate.id === tenantId);
    if (tenant === undefined) throw new Error(`tenant ${tenantId} is not configured`);
    return { ...tenant, ...parts.settingsOf?.(tenantId) };
  };

  const gateway = createGateway({
    store,
    clock,
    random,
    orders: parts.orders,
    payments: parts.payments,
    readPolicy: (context) =>
      store.transact(context.scope, (tx) => currentPolicy(tx, context.tenant.timeZone, clock.now())),
    searchKnowledge: (context, question) =>
      parts.knowledge?.search(context.scope, question, context.signal) ?? Promise.resolve(NO_KNOWLEDGE),
  });
  const settingsOf = (tenantId: TenantId) => reviewSettings(tenantFacts(tenantId));
  const contextOf = (action: ActionRow): ToolContext => ({
    scope: customerScope(action.tenant_id, action.customer_id),
    assurance: "authenticated",
    tenant: tenantFacts(action.tenant_id),
    // Nobody is told what is decided here.
    language: "en",
    conversationId: action.conversation_id,
    runId: action.run_id,
    signal: new AbortController().signal,
  });
  const recheck = (action: ActionRow) => gateway.recheck(contextOf(action), action);
  const prepareChanged = (action: ActionRow, amount: string) =>
    gateway.prepareChanged(contextOf(action), action, amount);
  const find = createFind({ payments: parts.payments, returns: parts.returns });
  const executor = createExecutor({
    store,
    hub,
    clock,
    random,
    boundary,
    workerId,
    onError,
    payments: parts.payments,
    returns: parts.returns,
    find,
    recheck,
    prepareChanged,
    settingsOf,
  });
  const worker = createWorker({
    store,
    queue,
    hub,
    gateway,
    executor,
    clock,
    random,
    boundary,
    workerId,
    tenantFacts,
    settingsOf,
    onError,
    readPolicyNumbers: async (scope) => {
      const { timeZone } = tenantFacts(scope.tenantId);
      return policyNumbers(await store.transact(scope, (tx) => currentPolicy(tx, timeZone, clock.now())));
    },
    describeCustomer: async (scope, signal) => {
      const customer = await parts.orders.customer(scope, signal);
      if (customer === null) return null;
      const { currency, escalation } = tenantFacts(scope.tenantId);
      const spent = { amountMinor: customer.lifetimeSpendMinor, currency };
      const high = escalation?.highValueLifetimeSpend ?? DEFAULT_THRESHOLDS.highValueLifetimeSpend;
      const isHigh = spent.amountMinor >= parseAmount(high.toFixed(currencyExponent(currency)), currency);
      return `${customer.name} · lifetime spend ${formatMoney(spent)}${isHigh ? " (one of our best customers)" : ""}`;
    },
    agent: parts.agent,
  });
  const inboundWait = parts.inbound === undefined ? {} : { queuedForMs: parts.inbound.queuedForMs };
  const dispatch = createDispatch({ store, worker, clock, onError, ...inboundWait });
  return {
    gateway,
    executor,
    knowledge: parts.knowledge ?? null,
    worker,
    dispatch,
    attachments: createAttachments({ store, clock, random }),
    conversations: createConversations({
      store,
      queue,
      hub,
      clock,
      random,
      boundary,
      ...(parts.inbound === undefined ? {} : { announce: parts.inbound.announce }),
      redact: redacted,
      whileWaiting: (tenantId, nowMs, language) => waitingText(tenantFacts(tenantId), nowMs, language),
      firstLanguage: (tenantId) => tenantFacts(tenantId).language ?? "en",
      takeAnswer: (tx, conversation, text, nowMs) => takeAnswer(tx, conversation, text, settingsOf, nowMs),
      releasePeople: (tx, conversation, nowMs) => releasePeople(tx, conversation, settingsOf, nowMs),
    }),
    runs: createRuns(store, clock, (runId) => worker.cancel(runId)),
    traces: createTraces({
      store,
      clock,
      timeZoneOf: (tenantId) => tenantFacts(tenantId).timeZone,
      thresholdsOf: (tenantId) => tenantFacts(tenantId).escalation ?? {},
      asks: parts.asks ?? null,
    }),
    reviews: createReviews({
      store,
      queue,
      hub,
      clock,
      random,
      boundary,
      settingsOf,
      recheck,
      prepareChanged,
      find,
      rulesOf: async (tx, decision) => {
        const record = decision as Partial<DecisionRecord> | null;
        if (record?.verdict === undefined || record.facts === undefined) return [];
        const policy = await policyWithHash(tx, record.verdict.policyHash);
        return policy === null ? [] : ruleResults(record as DecisionRecord, policy);
      },
      cancelRun: (runId) => worker.cancel(runId),
      onError,
      // The sweep finds it too; this saves the wait for it.
      wakeAt: (tenantId, id, atMs) =>
        void clock.after(Math.max(0, atMs - clock.now()), () => {
          store
            .transact(tenantScope(tenantId), (tx) => queue.wake(tx, { kind: "action", tenantId, id }))
            .catch((error: unknown) => onError(error, `wake-up of ${id}`));
        }),
    }),
    records: createRecords(store),
    webhooks: createWebhooks({
      store,
      payments: parts.payments,
      executor,
      clock,
      tenants: [first, ...others],
    }),
    recovery: createRecovery({
      store,
      hub,
      dispatch,
      clock,
      tenants: [first, ...others],
      idleMsOf: (tenantId) => {
        const { idleMs } = tenantFacts(tenantId);
        return idleMs === undefined ? LIMITS.idleMs : idleMs;
      },
      ...inboundWait,
      onError,
    }),
    actionView: createActionView(store),
    desk: createDesk({
      store,
      hub,
      clock,
      random,
      orders: parts.orders,
      payments: parts.payments,
      merchantOf: settingsOf,
      shopName: (tenantId) => tenantFacts(tenantId).name,
    }),
    cancelAction: createCancelAction({ store, hub, clock }),
    killSwitch: createKillSwitch({ store, clock, tenants: [first, ...others] }),
    privacy: createPrivacy({
      store,
      hub,
      clock,
      random,
      tenants: [first, ...others],
      settingsOf,
      onError,
    }),
  };
}

/**
 * Makes sure that tenants and their policy versions are in the database. `load` answers with the versions
 * that may have to be published; it is told the hashes of those that are.
 */
export async function seedTenants(
  store: Store,
  clock: Clock,
  tenants: readonly Tenant[],
  load: (published: ReadonlySet<string>) => Promise<readonly PolicyVersion[]>,
): Promise<void> {
  const published = new Set<string>();
  for (const tenant of tenants) {
    await store.transact(tenantScope(tenant.id), async (tx) => {
      const row = { name: tenant.name, currency: tenant.currency, time_zone: tenant.timeZone };
      await tx
        .insertInto("tenants")
        .values({ tenant_id: tenant.id, ...row })
        .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet(row))
        .execute();
      for (const hash of await publishedHashes(tx)) published.add(hash);
    });
  }
  const policies = await load(published);
  for (const tenant of tenants) {
    const own = policies.filter((policy) => policy.tenant === tenant.id);
    if (own.length === 0) continue;
    await store.transact(tenantScope(tenant.id), async (tx) => {
      await publishPolicies(tx, own, clock.now(), "files");
      // What customers are told and what is enforced change in one moment.
      await publishPolicyTexts(tx, own, tenant.timeZone, clock.now());
    });
  }
}
