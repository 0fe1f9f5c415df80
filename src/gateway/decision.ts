/**
 * What a refund or a return would be, and whether it may be: pure. From the order, the provider's
 * charge, the ledger and the customer's history it computes the units, the exact amount and the facts,
 * and asks the policy. It runs when the agent proposes, again under the ledger's locks when the action
 * is recorded, and again before an approved action is executed: always this same function.
 *
 * THE LINE THAT DECIDES A REFUND is `evaluate(…)` in `decideRefund`.
 */

import type { DecidingLedger, OrderLedger } from "../actions/allocations.ts";
import type { Decided, RefundHistory } from "../actions/record.ts";
import { PART_OF_AMOUNT, REST_OF_ORDER } from "../actions/wording.ts";
import type { CallOutcome, Citation } from "../agents/agent.ts";
import { daysSinceDelivery, orderState } from "../commerce/order-view.ts";
import type { Order } from "../commerce/orders.ts";
import type { ProviderCharge, ProviderRefund } from "../commerce/payments.ts";
import { quoteRefund, type RefundSelection } from "../commerce/refund-quote.ts";
import { calendarDaysBetween } from "../kernel/calendar.ts";
import { hashOf } from "../kernel/canonical.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { Language } from "../kernel/language.ts";
import { formatDecimal, formatMoney, parseAmount } from "../kernel/money.ts";
import type { ReturnArguments } from "../tools/initiate-return.ts";
import type { RefundArguments } from "../tools/process-refund.ts";
import type { TenantFacts } from "../tools/tool.ts";
import { approvalReason } from "./policy/approval-reason.ts";
import { type CompiledPolicy, evaluate, STANDING_CLAUSES } from "./policy/evaluate.ts";
import type { DecisionRecord } from "./policy/explain.ts";
import { explanationOf } from "./policy/explanation.ts";
import type { PolicyFacts } from "./policy/facts.ts";
import type { Verdict } from "./policy/policy.ts";

/** Everything outside our database that a decision reads, as it was read. */
export interface DecisionWorld {
  readonly tenant: TenantFacts;
  readonly order: Order;
  /** Null when the order was not paid through the provider. */
  readonly charge: ProviderCharge | null;
  readonly refunds: readonly ProviderRefund[];
  readonly lifetimeSpendMinor: number;
  readonly policy: CompiledPolicy;
  /** Of the customer, for the explanation of a no; it decides nothing. */
  readonly language: Language;
}

/** What our database says, as it was read or locked. */
export interface DecisionLedger {
  readonly ledger: DecidingLedger;
  readonly history: RefundHistory;
  readonly nowMs: number;
}

export type Stop = Extract<CallOutcome, { kind: "denied" | "invalid" | "conflict" }>;

/** Allowed, perhaps with a person: what would be recorded, and what the customer is asked to say yes to. */
export interface Allowed extends Decided {
  readonly shippingMinor: number;
  readonly reason: string | null;
  readonly verdict: Verdict;
  readonly facts: PolicyFacts;
  readonly decision: DecisionRecord;
}

export type Decision = Allowed | { readonly stop: Stop; readonly denial?: Denial };

/** What the policy denied, and on which facts; the amount of a return is 0. */
export interface Denial {
  readonly decision: DecisionRecord;
  readonly amountMinor: number;
}

export function decideRefund(world: DecisionWorld, fresh: DecisionLedger, args: RefundArguments): Decision {
  const { order, charge } = world;
  if (charge === null) {
    return stopInvalid(
      "order_not_found",
      `Order #${order.number} was not paid through the payment provider.`,
    );
  }
  let amountMinor: number;
  try {
    amountMinor = parseAmount(args.amount, order.currency);
  } catch (error) {
    if (error instanceof ProblemError) return stopInvalid(error.code, error.message);
    throw error;
  }
  const takenMinor = takenOf(world, fresh.ledger);
  const leftMinor = charge.capturedMinor - takenMinor;
  const items = args.items?.map((item) => ({ lineItemId: item.line_item_id, quantity: item.quantity }));
  const bareAmount = items === undefined && amountMinor !== leftMinor;
  if (amountMinor === 0) return stopInvalid("amount_invalid", "A refund of nothing is not a refund.");
  if (leftMinor <= 0) return stopTaken(order);
  if (amountMinor > leftMinor) {
    return stopInvalid(
      "amount_exceeds_refundable",
      `${formatMoney({ amountMinor, currency: order.currency })} is more than the ${formatMoney({ amountMinor: leftMinor, currency: order.currency })} that can still be refunded for order #${order.number}.`,
    );
  }
  let units: Decided["units"] = [];
  let shippingMinor = 0;
  let wholeOrder = false;
  let itemsText = PART_OF_AMOUNT;
  let canonicalItems: { line_item_id: string; quantity: number }[] = [];
  if (!bareAmount) {
    const selection: RefundSelection = items === undefined ? { kind: "all" } : { kind: "items", items };
    const quote = quoteRefund(
      order,
      charge.capturedMinor,
      { unitsByLine: fresh.ledger.refundUnits, amountMinor: takenMinor },
      selection,
    );
    if ("code" in quote)
      return quote.code === "units_unavailable" ? stopTaken(order) : stopInvalid(quote.code, quote.message);
    if (quote.amountMinor !== amountMinor) {
      return stopInvalid(
        "amount_mismatch",
        `These items were paid ${formatDecimal({ amountMinor: quote.amountMinor, currency: order.currency })} ${order.currency}, not ${args.amount}.`,
      );
    }
    units = quote.units;
    shippingMinor = quote.shippingMinor;
    wholeOrder = quote.wholeOrder;
    canonicalItems = countByLine(units);
    itemsText = itemsInWords(order, canonicalItems);
  }
  const facts = buildFacts(world, fresh, {
    kind: "refund",
    amountMinor,
    namesItems: !bareAmount,
    includesFinalSale: units.some((unit) => lineOf(order, unit.lineItemId)?.finalSale === true),
    wholeOrder,
    refundableMinor: leftMinor,
  });
  const verdict = heedingPeople(evaluate(world.policy, "refund", facts), {
    ...fresh.ledger,
    // The rest of an order, whatever it was for, is nobody's twice.
    refundedElsewhere: items !== undefined && elsewhereMinor(world, fresh.ledger) > 0,
  });
  const decision: DecisionRecord = { verdict, facts, action: "refund", evaluatedAt: fresh.nowMs };
  if (verdict.decision === "deny") {
    return { stop: denied(world, verdict), denial: { decision, amountMinor } };
  }
  const resolved = {
    order_id: order.id,
    amount: formatDecimal({ amountMinor, currency: order.currency }),
    currency: order.currency,
    items: canonicalItems,
  };
  return {
    units,
    amountMinor,
    itemsText,
    shippingMinor,
    reason: null,
    approval: approvalReason(decision, world.policy.version),
    args: resolved,
    argsHash: hashOf({ kind: "refund", ...resolved }),
    verdict,
    facts,
    decision,
  };
}

export function decideReturn(world: DecisionWorld, fresh: DecisionLedger, args: ReturnArguments): Decision {
  const { order } = world;
  const taken = fresh.ledger.returnUnits;
  const wanted =
    args.items?.map((item) => ({ lineItemId: item.line_item_id, quantity: item.quantity })) ??
    order.lineItems
      .map((line) => ({
        lineItemId: line.id,
        quantity: line.fulfilledQuantity - returnedUnits(order, line.id, taken).size,
      }))
      .filter((item) => item.quantity > 0);
  if (wanted.length === 0) return stopTaken(order);
  const units: { lineItemId: string; unitIndex: number; amountMinor: number }[] = [];
  for (const { lineItemId, quantity } of mergeByLine(wanted)) {
    const line = lineOf(order, lineItemId);
    if (line === undefined)
      return stopInvalid("item_not_found", `Order #${order.number} has no item ${lineItemId}.`);
    const gone = returnedUnits(order, lineItemId, taken);
    const free = Array.from({ length: line.quantity }, (_, index) => index).filter(
      (index) => !gone.has(index),
    );
    if (quantity > free.length) return stopTaken(order);
    for (const unitIndex of free.slice(0, quantity)) units.push({ lineItemId, unitIndex, amountMinor: 0 });
  }
  const items = countByLine(units);
  const facts = buildFacts(world, fresh, {
    kind: "return",
    amountMinor: 0,
    namesItems: true,
    includesFinalSale: items.some((item) => lineOf(order, item.line_item_id)?.finalSale === true),
    wholeOrder: units.length === order.lineItems.reduce((sum, line) => sum + line.quantity, 0),
    refundableMinor: (world.charge?.capturedMinor ?? order.totalMinor) - takenOf(world, fresh.ledger),
  });
  const verdict = heedingPeople(evaluate(world.policy, "return", facts), {
    isStopped: fresh.ledger.isStopped,
    // What was refused or made of a refund says nothing of a return.
    refusedByPerson: false,
    refundedElsewhere: false,
  });
  const decision: DecisionRecord = { verdict, facts, action: "return", evaluatedAt: fresh.nowMs };
  if (verdict.decision === "deny") {
    return { stop: denied(world, verdict), denial: { decision, amountMinor: 0 } };
  }
  const resolved = { order_id: order.id, reason: args.reason, items };
  return {
    units,
    amountMinor: 0,
    itemsText: itemsInWords(order, items),
    shippingMinor: 0,
    reason: args.reason,
    approval: approvalReason(decision, world.policy.version),
    args: resolved,
    argsHash: hashOf({ kind: "return", ...resolved }),
    verdict,
    facts,
    decision,
  };
}

/** Everything refunded, pending or of unknown outcome: ours from the ledger, others' as the provider lists them. */
const takenOf = (world: DecisionWorld, ledger: OrderLedger): number =>
  ledger.heldMinor + ledger.refundedMinor + elsewhereMinor(world, ledger);

/** What others have refunded, in the provider's dashboard for one: it names no items. */
function elsewhereMinor(world: DecisionWorld, ledger: OrderLedger): number {
  const listed = world.refunds
    .filter(
      (refund) => refund.actionId === null && (refund.status === "pending" || refund.status === "succeeded"),
    )
    .reduce((sum, refund) => sum + refund.amountMinor, 0);
  return Math.max(ledger.externalMinor, listed);
}

function buildFacts(
  world: DecisionWorld,
  fresh: DecisionLedger,
  request: PolicyFacts["request"] & { refundableMinor: number },
): PolicyFacts {
  const { order, tenant, charge } = world;
  const { refundableMinor, ...asked } = request;
  const windowStartMs = fresh.nowMs - world.policy.version.limits.refundLimit.windowDays * 86_400_000;
  const inWindow = fresh.history.refunds.filter((refund) => refund.atMs > windowStartMs);
  return {
    order: {
      currency: order.currency,
      state: orderState(order),
      daysSinceDelivery: daysSinceDelivery(order, tenant.timeZone, fresh.nowMs),
      daysSincePlaced: calendarDaysBetween(tenant.timeZone, order.placedAt, fresh.nowMs),
      paidMinor: charge?.capturedMinor ?? 0,
      refundableMinor: Math.max(0, refundableMinor),
      gift: order.gift,
      disputed: charge?.disputed ?? false,
      returnReceived: order.returns.some((entry) => entry.state === "received" || entry.state === "closed"),
    },
    request: asked,
    customer: {
      lifetimeSpendMinor: world.lifetimeSpendMinor,
      refundsInWindow: inWindow.length,
      refundedInWindowMinor: inWindow
        .filter((refund) => refund.currency === order.currency)
        .reduce((sum, refund) => sum + refund.amountMinor, 0),
    },
  };
}

/**
 * While the kill switch is on, nothing goes out without a person. What a person has turned down or cut is not paid in
 * smaller parts without one, and what was refunded elsewhere may have been for the very items.
 */
export function heedingPeople(
  verdict: Verdict,
  ledger: Pick<DecidingLedger, "isStopped" | "refusedByPerson"> & { readonly refundedElsewhere: boolean },
): Verdict {
  if (verdict.decision !== "allow") return verdict;
  const clause = ledger.isStopped
    ? STANDING_CLAUSES.stopped
    : ledger.refusedByPerson
      ? STANDING_CLAUSES.refusedByPerson
      : ledger.refundedElsewhere
        ? STANDING_CLAUSES.refundedElsewhere
        : null;
  return clause === null ? verdict : { ...verdict, decision: "needs_approval", clauses: [clause] };
}

export function citationsOf(verdict: Verdict): Citation[] {
  return verdict.clauses.map((clause) => ({
    policyId: verdict.policyId,
    version: verdict.policyVersion,
    clauseId: clause.clauseId,
    title: clause.title,
  }));
}

export function denied({ policy, language }: DecisionWorld, verdict: Verdict): Stop {
  const explanation = explanationOf(verdict, policy.version, language);
  const asWritten = verdict.clauses.map(({ customerText }) => customerText).join(" ");
  return {
    kind: "denied",
    code: verdict.clauses[0]?.clauseId ?? "not_permitted",
    explanation,
    ...(asWritten === explanation ? {} : { asWritten }),
    clauses: citationsOf(verdict),
  };
}

const stopInvalid = (code: string, message: string): { stop: Stop } => ({
  stop: { kind: "invalid", code, message },
});

/** The gateway adds the action that has the units, when there is one. */
const stopTaken = (order: Order): { stop: Stop } => ({
  stop: {
    kind: "conflict",
    code: "units_unavailable",
    message: `That part of order #${order.number} has been refunded or sent back already, or is being so.`,
    action: null,
  },
});

const lineOf = (order: Order, lineItemId: string) => order.lineItems.find((line) => line.id === lineItemId);

/** Units on their way back: ours by the ledger, and as many more as the shop counts in returns made elsewhere. */
function returnedUnits(
  order: Order,
  lineItemId: string,
  taken: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlySet<number> {
  const gone = new Set(taken.get(lineItemId));
  const inShop = order.returns
    .filter((entry) => entry.state !== "cancelled")
    .flatMap((entry) => entry.items)
    .filter((item) => item.lineItemId === lineItemId)
    .reduce((sum, item) => sum + item.quantity, 0);
  for (let index = 0; gone.size < inShop && index < 10_000; index += 1) gone.add(index);
  return gone;
}

function mergeByLine(items: readonly { lineItemId: string; quantity: number }[]) {
  const merged = new Map<string, number>();
  for (const item of items) merged.set(item.lineItemId, (merged.get(item.lineItemId) ?? 0) + item.quantity);
  return [...merged].map(([lineItemId, quantity]) => ({ lineItemId, quantity }));
}

/** Units as items in a fixed order, so that one request has one hash however it was written. */
function countByLine(units: Decided["units"]): { line_item_id: string; quantity: number }[] {
  return mergeByLine(units.map((unit) => ({ lineItemId: unit.lineItemId, quantity: 1 })))
    .map(({ lineItemId, quantity }) => ({ line_item_id: lineItemId, quantity }))
    .sort((a, b) => (a.line_item_id < b.line_item_id ? -1 : 1));
}

function itemsInWords(order: Order, items: readonly { line_item_id: string; quantity: number }[]): string {
  const inOrder = order.lineItems
    .map((line) => ({ line, quantity: items.find((item) => item.line_item_id === line.id)?.quantity ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  return inOrder.length === 0
    ? REST_OF_ORDER
    : inOrder
        .map(({ line, quantity }) => (quantity === 1 ? line.title : `${quantity} × ${line.title}`))
        .join(", ");
}
