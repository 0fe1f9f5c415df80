/** The ledger as it would be without one action's own hold: for deciding that action again. */
import { parseAmount } from "../kernel/money.ts";
import type { DecisionLedger } from "./decision.ts";

export function withoutOwn(
  fresh: DecisionLedger,
  kind: "refund" | "return",
  units: readonly { line_item_id: string; unit_index: number }[],
  amount: string | undefined,
  currency: string,
): DecisionLedger {
  const drop = (taken: ReadonlyMap<string, ReadonlySet<number>>) => {
    const left = new Map([...taken].map(([line, indexes]) => [line, new Set(indexes)]));
    for (const unit of units) left.get(unit.line_item_id)?.delete(unit.unit_index);
    return left;
  };
  const { ledger, history } = fresh;
  if (kind === "return") return { ...fresh, ledger: { ...ledger, returnUnits: drop(ledger.returnUnits) } };
  const amountMinor = parseAmount(amount ?? "0", currency);
  const own = history.refunds.findIndex(
    (refund) => refund.amountMinor === amountMinor && refund.currency === currency,
  );
  return {
    ...fresh,
    ledger: {
      ...ledger,
      refundUnits: drop(ledger.refundUnits),
      heldMinor: Math.max(0, ledger.heldMinor - amountMinor),
    },
    history: { refunds: history.refunds.filter((_, index) => index !== own) },
  };
}
