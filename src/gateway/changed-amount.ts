/**
 * The same refund with a smaller amount, as a person decided: pure. What the customer agreed to must still be
 * possible as it was; the policy is asked again about the new amount; the same units stay taken, with their
 * shares of the new amount, so that none of them can be refunded a second time.
 *
 * Only less than what the customer said yes to: more than that nobody has asked for.
 */
import { hashOf } from "../kernel/canonical.ts";
import { ProblemError } from "../kernel/errors.ts";
import { formatDecimal, formatMoney, parseAmount, splitByWeights } from "../kernel/money.ts";
import { type Decision, type DecisionLedger, type DecisionWorld, decideRefund, denied } from "./decision.ts";
import { approvalReason } from "./policy/approval-reason.ts";
import { evaluate } from "./policy/evaluate.ts";
import type { DecisionRecord } from "./policy/explain.ts";

/** The arguments of a recorded refund; `asked_amount`: what the customer agreed to, when a person changed it. */
export interface RefundRecordArgs {
  readonly order_id: string;
  readonly amount: string;
  readonly asked_amount?: string;
  readonly items: readonly { readonly line_item_id: string; readonly quantity: number }[];
}

export function decideChangedRefund(
  world: DecisionWorld,
  fresh: DecisionLedger,
  asked: RefundRecordArgs,
  amount: string,
): Decision {
  const { order } = world;
  let amountMinor: number;
  try {
    amountMinor = parseAmount(amount, order.currency);
  } catch (error) {
    if (error instanceof ProblemError) {
      return { stop: { kind: "invalid", code: error.code, message: error.message } };
    }
    throw error;
  }
  const items = asked.items.length === 0 ? undefined : [...asked.items];
  const whole = decideRefund(world, fresh, { order_id: asked.order_id, amount: asked.amount, items });
  if ("stop" in whole) return whole;
  if (amountMinor === 0 || amountMinor >= whole.amountMinor) {
    return {
      stop: {
        kind: "invalid",
        code: "amount_invalid",
        message: `The amount must be less than the ${formatMoney({ amountMinor: whole.amountMinor, currency: order.currency })} that the customer agreed to, and more than nothing.`,
      },
    };
  }
  const facts = { ...whole.facts, request: { ...whole.facts.request, amountMinor, wholeOrder: false } };
  const verdict = evaluate(world.policy, "refund", facts);
  if (verdict.decision === "deny") return { stop: denied(world, verdict) };
  const decision: DecisionRecord = { verdict, facts, action: "refund", evaluatedAt: fresh.nowMs };
  const shares = splitByWeights(amountMinor, [
    ...whole.units.map((unit) => unit.amountMinor),
    whole.shippingMinor,
  ]);
  const args = {
    ...whole.args,
    amount: formatDecimal({ amountMinor, currency: order.currency }),
    asked_amount: formatDecimal({ amountMinor: whole.amountMinor, currency: order.currency }),
  };
  return {
    ...whole,
    units: whole.units.map((unit, index) => ({ ...unit, amountMinor: shares[index] ?? 0 })),
    amountMinor,
    shippingMinor: shares.at(-1) ?? 0,
    approval: approvalReason(decision, world.policy.version),
    args,
    argsHash: hashOf({ kind: "refund", ...args }),
    verdict,
    facts,
    decision,
  };
}
