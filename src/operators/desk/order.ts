/**
 * The order that a review is about, as shop, provider and ledger have it now: its units, and what can still be refunded.
 * Asked for beside the review, so that a shop that is away hides the order and nothing else.
 */
import type { Orders } from "../../commerce/orders.ts";
import type { Payments } from "../../commerce/payments.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ReviewId } from "../../kernel/ids.ts";
import { formatDecimal } from "../../kernel/money.ts";
import { customerScope, type TenantScope } from "../../kernel/scope.ts";
import type { Store } from "../../store/store.ts";
import { viewOrders } from "../../tools/order-reading.ts";

/** Amounts are decimal text in `currency`. */
export interface ReviewedOrder {
  readonly order_number: string;
  readonly state: string;
  readonly placed_at: string;
  readonly currency: string;
  readonly paid: string;
  readonly refunded: string;
  /** Held by actions whose outcome is not final, the one to be decided among them. */
  readonly pending: string;
  readonly refundable: string;
  readonly gift: boolean;
  readonly disputed: boolean;
  readonly items: readonly {
    readonly title: string;
    readonly quantity: number;
    readonly paid: string;
    readonly final_sale: boolean;
    /** Units that nothing has been refunded for and nothing is under way for. */
    readonly refundable_units: number;
  }[];
  readonly parcels: readonly {
    readonly state: string;
    readonly carrier: string;
    readonly delivered_at: string | null;
  }[];
}

export interface ReviewedOrderParts {
  readonly store: Store;
  readonly orders: Pick<Orders, "find">;
  readonly payments: Pick<Payments, "charge">;
}

/** @throws ProblemError `not_found` where it is about none, `shop_unavailable`, `provider_unavailable` */
export async function readReviewedOrder(
  parts: ReviewedOrderParts,
  scope: TenantScope,
  reviewId: string,
): Promise<ReviewedOrder> {
  const review = await parts.store.transact(scope, (tx) =>
    tx
      .selectFrom("reviews")
      .select(["customer_id", "order_number"])
      .where("tenant_id", "=", scope.tenantId)
      .where("id", "=", reviewId as ReviewId)
      .executeTakeFirst(),
  );
  if (review === undefined || review.order_number === null) throw new ProblemError("not_found");
  const customer = customerScope(scope.tenantId, review.customer_id);
  // Shop and provider have time limits of their own.
  const { signal } = new AbortController();
  const order = await parts.orders.find(customer, review.order_number, signal);
  if (order === null) throw new ProblemError("not_found");
  const [view] = await viewOrders({ scope: customer, signal }, parts, [order], 1);
  if (view === undefined) throw new ProblemError("not_found");
  const money = (amountMinor: number) => formatDecimal({ amountMinor, currency: view.currency });
  return {
    order_number: view.number,
    state: view.state,
    placed_at: isoInstant(view.placedAt),
    currency: view.currency,
    paid: money(view.paidMinor),
    refunded: money(view.refundedMinor),
    pending: money(view.pendingRefundMinor),
    refundable: money(view.refundableMinor),
    gift: view.gift,
    disputed: view.disputed,
    items: view.lineItems.map((line) => ({
      title: line.title,
      quantity: line.quantity,
      paid: money(line.totalMinor),
      final_sale: line.finalSale,
      refundable_units: line.refundableUnitsMinor.length,
    })),
    parcels: view.fulfilments.map(({ state, carrier, deliveredAt }) => ({
      state,
      carrier,
      delivered_at: deliveredAt === null ? null : isoInstant(deliveredAt),
    })),
  };
}
