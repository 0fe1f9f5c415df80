/** What agents and customers see of orders and actions: derived, scoped, without anything internal. */
import type { Currency } from "../kernel/money.ts";
import type { StoredActionState } from "../store/schema.ts";

export type { FulfilmentView, LineItemView, OrderState, OrderView } from "../commerce/order-view.ts";

export type ActionKind = "refund" | "return";

/** The states of the lifecycle, as the ledger stores them. */
export type ActionState = StoredActionState;

export interface ActionSummary {
  readonly actionId: string;
  readonly kind: ActionKind;
  readonly state: ActionState;
  readonly orderId: string;
  readonly orderNumber: string;
  /** 0 for a return. */
  readonly amountMinor: number;
  readonly currency: Currency;
  /** What it covers, for people: `2 × Wool socks`. */
  readonly items: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What may be said of it to the customer now; produced from the confirmed state (G2). */
  readonly text: string;
}
