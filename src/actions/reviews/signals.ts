/**
 * What a person should have seen before they decide: what is known of this customer and this order that speaks for looking
 * twice. Each is a fact with its figure; no score is made of them, and none decides anything: policy does. What the shop
 * does not tell (addresses, how it was paid) is no signal here.
 */
import { formatDecimal } from "../../kernel/money.ts";
import type { Tx } from "../../store/store.ts";
import type { ActionRow } from "../ledger.ts";
import { holdOf } from "../lifecycle.ts";
import type { ReviewRule, RiskSignal } from "./reviews.ts";
import type { ReviewRow } from "./rows.ts";

/** How far back the customer's own history is looked at. */
export const SIGNAL_WINDOW_DAYS = 90;

/** Of what the ledger has now, and of what the decision read; the weightiest first. */
export async function signalsOf(
  tx: Tx,
  row: ReviewRow,
  action: ActionRow | null,
  rules: readonly ReviewRule[],
  tenantCurrency: string,
  nowMs: number,
): Promise<readonly RiskSignal[]> {
  const sinceMs = nowMs - SIGNAL_WINDOW_DAYS * 86_400_000;
  const actions = await tx
    .selectFrom("actions")
    .select(["id", "kind", "state", "order_number", "amount_minor", "currency"])
    .where("tenant_id", "=", row.tenant_id)
    .where("customer_id", "=", row.customer_id)
    .where("created_at_ms", ">=", sinceMs)
    .execute();
  const denials = await tx
    .selectFrom("denials")
    .select("order_number")
    .distinct()
    .where("tenant_id", "=", row.tenant_id)
    .where("customer_id", "=", row.customer_id)
    .where("at_ms", ">=", sinceMs)
    .execute();
  const open = await tx
    .selectFrom("reviews")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("tenant_id", "=", row.tenant_id)
    .where("customer_id", "=", row.customer_id)
    .where("id", "!=", row.id)
    .where("state", "in", ["open", "waiting"])
    .executeTakeFirstOrThrow();

  const others = actions.filter(({ id }) => id !== row.action_id);
  const refunds = others.filter(({ kind, state }) => kind === "refund" && holdOf(state) !== "released");
  const facts = factsOf(action);
  const isTenants = action?.currency === tenantCurrency;
  const highValue = rules
    .flatMap(({ inputs }) => inputs)
    .find(({ name }) => name === "limits.highValueLifetimeSpendMinor")?.value;
  const signals: RiskSignal[] = [];
  const add = (signal: RiskSignal["signal"], count: number | null, amount: Amount | null = null) =>
    signals.push({
      signal,
      count,
      amount: amount === null ? null : formatDecimal(amount),
      currency: amount?.currency ?? null,
    });

  if (facts?.order?.disputed === true) add("charge_disputed", null);
  const rejected = others.filter(({ state }) => state === "rejected").length;
  if (rejected > 0) add("rejected_before", rejected);
  const sameOrder = others.filter(({ order_number }) => order_number === row.order_number).length;
  if (sameOrder > 0) add("same_order_before", sameOrder);
  if (refunds.length > 0) add("refunds_before", refunds.length, sumOf(refunds));
  if (denials.length > 0) add("denied_before", denials.length);
  if (Number(open.n) > 0) add("open_elsewhere", Number(open.n));
  const spentMinor = facts?.customer?.lifetimeSpendMinor;
  const paidMinor = facts?.order?.paidMinor;
  // They have paid nothing but this order: amounts of two currencies cannot be compared.
  if (isTenants && spentMinor !== undefined && paidMinor !== undefined && spentMinor <= paidMinor) {
    add("only_order", null);
  }
  if (typeof highValue === "number" && spentMinor !== undefined && spentMinor >= highValue) {
    add("valued_customer", null, { amountMinor: spentMinor, currency: tenantCurrency });
  }
  return signals;
}

interface Amount {
  readonly amountMinor: number;
  readonly currency: string;
}

/** Null where they are of several currencies. */
function sumOf(actions: readonly Pick<ActionRow, "amount_minor" | "currency">[]): Amount | null {
  const currency = actions[0]?.currency;
  if (currency === undefined || actions.some((each) => each.currency !== currency)) return null;
  return { amountMinor: actions.reduce((sum, each) => sum + each.amount_minor, 0), currency };
}

interface ReadFacts {
  readonly order?: { readonly disputed?: boolean; readonly paidMinor?: number };
  readonly customer?: { readonly lifetimeSpendMinor?: number };
}

const factsOf = (action: ActionRow | null): ReadFacts | undefined =>
  (action?.decision as { facts?: ReadFacts } | null | undefined)?.facts;
