/**
 * Room `gateway`: the one door. Every wish of every agent comes through here. May import `kernel`,
 * `wording`, `store`, `commerce`, `tools`, `actions`, and the contracts of `agents`.
 * Promises: identity and scope come from the context, never from arguments (G3); arguments are
 * validated; policy decides with named clauses (G7); an effect needs the customer's own yes to the
 * exact terms that code offered; nothing that throws lets an effect through.
 *
 * identity → schema → scope → decision (facts, policy) → consent → prepared action
 */

import { orderLedger } from "../actions/allocations.ts";
import { actionsOfCustomer, summary } from "../actions/ledger.ts";
import { type PreparedAction, refundHistory } from "../actions/record.ts";
import { offerText } from "../actions/wording.ts";
import type { Call, CallOutcome, Citation, Consent } from "../agents/agent.ts";
import type { Order } from "../commerce/orders.ts";
import { hashOf } from "../kernel/canonical.ts";
import { ProblemError } from "../kernel/errors.ts";
import { type ActionId, derivedId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Random } from "../kernel/ports.ts";
import { ASSURANCE_LEVELS, type Assurance } from "../kernel/scope.ts";
import type { ReturnArguments } from "../tools/initiate-return.ts";
import type { RefundArguments } from "../tools/process-refund.ts";
import { toolNamed } from "../tools/registry.ts";
import type { EffectTool, ToolContext, ToolParts } from "../tools/tool.ts";
import { decideChangedRefund, type RefundRecordArgs } from "./changed-amount.ts";
import {
  type Allowed,
  citationsOf,
  type Decision,
  type DecisionLedger,
  type DecisionWorld,
  decideRefund,
  decideReturn,
  type Stop,
} from "./decision.ts";
import { keepDenial } from "./denials.ts";
import { withoutOwn } from "./own-hold.ts";
import { governingPolicy } from "./policy/book.ts";
import type { DecisionRecord } from "./policy/explain.ts";

/** An offer as it is kept with the message that made it. */
export interface StoredOffer {
  readonly tool: string;
  /** Resolved by code: what a yes confirms. */
  readonly args: unknown;
  readonly termsHash: string;
  readonly summary: string;
}

export interface GatewayContext extends ToolContext {
  /** The offer in the agent's last message, if it made one; `seq` and `atMs` are of that message. */
  readonly offer: (StoredOffer & { readonly seq: number; readonly atMs: number }) | null;
  /** How the customer answered it, judged by code. */
  readonly consent: Consent;
}

export type GatewayAnswer =
  | CallOutcome
  | {
      readonly kind: "offer";
      readonly offer: StoredOffer;
      readonly text: string;
      readonly citations: readonly Citation[];
      /** Which verdict on which facts made it: kept with the run. */
      readonly decision: DecisionRecord;
    }
  | { readonly kind: "prepared"; readonly prepared: PreparedAction<Stop> }
  | { readonly kind: "handoff"; readonly summary: string }
  /** Nothing of this is told or done to somebody of whom we are not sure enough who they are. */
  | { readonly kind: "identity_needed"; readonly needed: Assurance };

export interface Gateway {
  /** Never throws for anything that an agent, a shop or a provider does. */
  call(context: GatewayContext, call: Call): Promise<GatewayAnswer>;
  /** Decides a recorded action again from what is true now: for approved and delayed actions. */
  recheck(
    context: ToolContext,
    action: { kind: "refund" | "return"; id: string; order_id: string; args: unknown },
  ): Promise<{ permitted: boolean; decision: unknown }>;
  /**
   * Prepares a recorded refund anew with a smaller amount, as a person decided; recorded, it is another action.
   * @throws ProblemError `shop_unavailable`, `provider_unavailable`
   */
  prepareChanged(
    context: ToolContext,
    action: {
      kind: "refund" | "return";
      id: ActionId;
      created_at_ms: number;
      order_id: string;
      args: unknown;
    },
    amount: string,
  ): Promise<{ readonly prepared: PreparedAction<Stop> } | { readonly stop: Stop }>;
}

export interface GatewayParts extends ToolParts {
  readonly random: Random;
}

export function createGateway(parts: GatewayParts): Gateway {
  const { store, clock } = parts;

  /**
   * Reads of the provider, repeated a few times with growing pauses; any other error is final. The shop's
   * connector repeats its own reads, so that those are not repeated at two levels.
   */
  const safely = async <T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        const unavailable = error instanceof ProblemError && error.code === "provider_unavailable";
        if (!unavailable || attempt >= LIMITS.safeReadAttempts || signal.aborted) throw error;
        const pauseMs = LIMITS.retryBaseMs * 2 ** (attempt - 1);
        await clock.sleep(pauseMs / 2 + (pauseMs / 2) * parts.random.fraction(), signal);
      }
    }
  };

  /** Everything outside our database that the decision reads. Null: no such order for this customer. */
  const readWorld = async (
    context: ToolContext,
    orderRef: string,
  ): Promise<Omit<DecisionWorld, "policy" | "language"> | null> => {
    const { scope, signal } = context;
    const [order, customer] = await Promise.all([
      parts.orders.find(scope, orderRef, signal),
      parts.orders.customer(scope, signal),
    ]);
    if (order === null) return null;
    const [charge, refunds] =
      order.chargeId === null
        ? [null, []]
        : await Promise.all([
            safely(() => parts.payments.charge(scope.tenantId, order.chargeId as string, signal), signal),
            safely(() => parts.payments.refundsOf(scope.tenantId, order.chargeId as string, signal), signal),
          ]);
    return {
      tenant: context.tenant,
      order,
      charge,
      refunds,
      lifetimeSpendMinor: customer?.lifetimeSpendMinor ?? 0,
    };
  };

  const readLedger = (context: ToolContext, order: Order) =>
    store.transact(context.scope, async (tx) => {
      const nowMs = clock.now();
      return {
        ledger: await orderLedger(tx, order.id),
        history: await refundHistory(tx, context.scope.customerId, nowMs),
        nowMs,
        policy: await governingPolicy(tx, {
          timeZone: context.tenant.timeZone,
          orderPlacedAt: order.placedAt,
          requestedAt: nowMs,
        }),
      };
    });

  const decide = (
    tool: EffectTool["effect"],
    world: DecisionWorld,
    fresh: DecisionLedger,
    args: unknown,
  ): Decision =>
    tool === "refund"
      ? decideRefund(world, fresh, args as RefundArguments)
      : decideReturn(world, fresh, args as ReturnArguments);

  const callEffect = async (
    context: GatewayContext,
    tool: EffectTool,
    args: { order_id: string },
  ): Promise<GatewayAnswer> => {
    const read = await readWorld(context, args.order_id);
    if (read === null)
      return {
        kind: "invalid",
        code: "order_not_found",
        message: new ProblemError("order_not_found").message,
      };
    const { policy, ...fresh } = await readLedger(context, read.order);
    const world: DecisionWorld = { ...read, policy, language: context.language };
    const decision = decide(tool.effect, world, fresh, args);
    if ("stop" in decision) {
      if (decision.denial !== undefined) await keepDenial(store, context, read.order, decision.denial);
      return withHolder(context, read.order, tool.effect, decision.stop);
    }

    const offer = offerOf(tool, read.order, decision);
    const agreed = context.consent === "yes" && context.offer?.termsHash === offer.termsHash;
    if (!agreed || context.offer === null) {
      const changed = context.consent === "yes" && context.offer !== null;
      return {
        kind: "offer",
        offer,
        text: offerText({ ...termsOf(tool, read.order, decision), changed }, context.language),
        citations: citationsOf(decision.verdict),
        decision: decision.decision,
      };
    }
    // The same yes to the same offer is the same action, however often it comes.
    const actionId = derivedId(
      "act",
      context.offer.atMs,
      context.scope.tenantId,
      context.conversationId,
      String(context.offer.seq),
    );
    return {
      kind: "prepared",
      prepared: {
        actionId,
        kind: tool.effect,
        order: read.order,
        charge:
          tool.effect === "refund" && world.charge !== null
            ? { chargeId: world.charge.id, capturedMinor: world.charge.capturedMinor, refunds: world.refunds }
            : null,
        decide: (locked) => {
          const again = decide(tool.effect, world, locked, args);
          if ("stop" in again) return again;
          // Under the locks the terms must still be those that the customer agreed to.
          if (offerOf(tool, read.order, again).termsHash !== offer.termsHash) {
            return {
              stop: {
                kind: "conflict",
                code: "order_busy",
                message: "The terms have changed meanwhile.",
                action: null,
              },
            };
          }
          return again;
        },
      },
    };
  };

  /** The ledger as it would be without one action: its own hold must not stand in its way. */
  const ledgerWithoutOwn = async (
    context: ToolContext,
    order: Order,
    action: { kind: "refund" | "return"; id: string; args: unknown },
  ) => {
    const { policy, ...fresh } = await readLedger(context, order);
    const own = await store.transact(context.scope, (tx) =>
      tx
        .selectFrom("allocations")
        .select(["line_item_id", "unit_index"])
        .where("tenant_id", "=", context.scope.tenantId)
        .where("action_id", "=", action.id as never)
        .execute(),
    );
    const { amount } = action.args as { amount?: string };
    return { policy, fresh: withoutOwn(fresh, action.kind, own, amount, order.currency) };
  };

  /** Names the action that has the units, so that the customer can be told of it. */
  const withHolder = async (
    context: ToolContext,
    order: Order,
    kind: "refund" | "return",
    stop: Stop,
  ): Promise<Stop> => {
    if (stop.kind !== "conflict") return stop;
    const rows = await store.transact(context.scope, (tx) =>
      actionsOfCustomer(tx, context.scope.customerId, LIMITS.actionsInView),
    );
    const holder = rows.find(
      (row) =>
        row.order_id === order.id &&
        row.kind === kind &&
        !["rejected", "expired", "cancelled", "failed"].includes(row.state),
    );
    return { ...stop, action: holder === undefined ? null : summary(holder, context.language) };
  };

  return {
    async call(context, call) {
      const tool = toolNamed(call.tool);
      if (tool === null)
        return {
          kind: "invalid",
          code: "tool_unknown",
          message: `There is no tool "${call.tool.slice(0, 60)}".`,
        };
      if (!atLeast(context.assurance, tool.assurance)) {
        return { kind: "identity_needed", needed: tool.assurance };
      }
      const parsed = tool.schema.safeParse(call.args);
      if (!parsed.success) {
        return {
          kind: "invalid",
          code: "tool_arguments_invalid",
          message: parsed.error.issues
            .map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`)
            .join("; "),
        };
      }
      try {
        switch (tool.effect) {
          case "none":
            return {
              kind: "result",
              value: await safely(() => tool.read(context, parts, parsed.data), context.signal),
            };
          case "handoff":
            return { kind: "handoff", summary: (parsed.data as { summary: string }).summary };
          case "refund":
          case "return":
            return await callEffect(context, tool, parsed.data as { order_id: string });
        }
      } catch (error) {
        // Our own database is no system that a tool asks: the run decides what its absence means.
        if (!(error instanceof ProblemError) || error.code === "database_unavailable") throw error;
        const unavailable = error.status >= 500;
        return { kind: unavailable ? "unavailable" : "invalid", code: error.code, message: error.message };
      }
    },

    async recheck(context, action) {
      const read = await readWorld(context, action.order_id);
      if (read === null) return { permitted: false, decision: { reason: "order_not_found" } };
      const { policy, fresh } = await ledgerWithoutOwn(context, read.order, action);
      const world: DecisionWorld = { ...read, policy, language: context.language };
      const args = action.args as RefundRecordArgs;
      const wanted = args.items.length === 0 ? { ...args, items: undefined } : args;
      const decision =
        action.kind === "refund" && args.asked_amount !== undefined
          ? decideChangedRefund(world, fresh, { ...args, amount: args.asked_amount }, args.amount)
          : decide(action.kind, world, fresh, wanted);
      return "stop" in decision
        ? { permitted: false, decision: { stop: decision.stop, evaluatedAt: fresh.nowMs } }
        : { permitted: true, decision: decision.decision };
    },

    async prepareChanged(context, action, amount) {
      const stop = (code: string, message: string) => ({ stop: { kind: "invalid" as const, code, message } });
      if (action.kind !== "refund") return stop("amount_invalid", "A return has no amount to change.");
      const read = await readWorld(context, action.order_id);
      if (read === null) return stop("order_not_found", new ProblemError("order_not_found").message);
      const { policy, fresh } = await ledgerWithoutOwn(context, read.order, action);
      const world: DecisionWorld = { ...read, policy, language: context.language };
      const args = action.args as RefundRecordArgs;
      const asked = args.asked_amount === undefined ? args : { ...args, amount: args.asked_amount };
      const decision = decideChangedRefund(world, fresh, asked, amount);
      if ("stop" in decision) return { stop: decision.stop };
      const { charge } = world;
      return {
        prepared: {
          // One action for each amount that the old one is changed to: it is withdrawn with the first.
          actionId: derivedId("act", action.created_at_ms, context.scope.tenantId, action.id, amount),
          kind: "refund",
          order: read.order,
          charge:
            charge === null
              ? null
              : { chargeId: charge.id, capturedMinor: charge.capturedMinor, refunds: world.refunds },
          // Under the locks, once the old action has let go of its units.
          decide: (locked) => {
            const again = decideChangedRefund(world, locked, asked, amount);
            return "stop" in again ? { stop: again.stop } : again;
          },
        },
      };
    },
  };
}

/** The terms that a yes binds to. Anything here that changes asks the customer again. */
function offerOf(tool: EffectTool, order: Order, decision: Allowed): StoredOffer {
  const terms = termsOf(tool, order, decision);
  return {
    tool: tool.name,
    args:
      tool.effect === "refund"
        ? refundArgsOf(decision)
        : { order_id: order.id, reason: decision.reason, items: decision.args.items },
    termsHash: hashOf({ args: decision.argsHash, needsApproval: decision.approval !== null }),
    summary: `${terms.kind} ${terms.items} of order #${order.number}`,
  };
}

function refundArgsOf(decision: Allowed) {
  const { order_id, amount, items } = decision.args as {
    order_id: string;
    amount: string;
    items: readonly unknown[];
  };
  return items.length === 0 || decision.facts.request.wholeOrder
    ? { order_id, amount }
    : { order_id, amount, items };
}

function termsOf(tool: EffectTool, order: Order, decision: Allowed) {
  return {
    kind: tool.effect,
    orderNumber: order.number,
    items: decision.itemsText,
    amountMinor: decision.amountMinor,
    currency: order.currency,
    needsApproval: decision.approval !== null,
    shippingMinor: decision.shippingMinor,
    reason: decision.reason,
    changed: false,
  };
}

const atLeast = (have: Assurance, need: Assurance): boolean =>
  ASSURANCE_LEVELS.indexOf(have) >= ASSURANCE_LEVELS.indexOf(need);
