/** The order that a review is about, as shop, provider and ledger have it now. Without a shop the rest of the card stays. */
import { useQuery } from "@tanstack/react-query";
import { type Review, reviewedOrder } from "../../api/reviews.ts";
import { Badge, Card, Skeleton } from "../../parts/base.tsx";
import { Instant } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { counted, money } from "../../words.ts";

export function ReviewedOrder({ review }: { review: Review }) {
  const { me } = useSession();
  const order = useQuery({
    // With each version of the review, for what is held may have changed; not with each change of the queue, for shop and
    // provider are asked.
    queryKey: ["reviewed-order", review.review_id, me.tenant, review.version, review.state],
    queryFn: ({ signal }) => reviewedOrder(review.review_id, signal),
    enabled: review.order_number !== null,
    retry: false,
  });
  if (review.order_number === null) return null;
  const { data } = order;
  return (
    <Card title={`Order #${review.order_number}`}>
      {order.isPending ? (
        <Skeleton lines={3} />
      ) : data === undefined ? (
        <p className="text-sm text-dim">The shop does not show it right now. {order.error?.message}</p>
      ) : (
        <div className="text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <Badge>{data.state.replaceAll("_", " ")}</Badge>
            {data.gift && <Badge tone="warn">gift</Badge>}
            {data.disputed && <Badge tone="bad">disputed at the bank</Badge>}
            <span className="text-xs text-dim">
              placed <Instant at={data.placed_at} />
            </span>
          </p>
          <ul className="mt-2">
            {data.items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of an order do not move
              <li key={index} className="flex flex-wrap justify-between gap-x-3 py-0.5">
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {item.quantity} × {item.title}
                  {item.final_sale && <span className="text-warn"> · final sale</span>}
                </span>
                <span className="text-right tabular-nums">
                  {money(item.paid, data.currency)}
                  <span className="text-dim"> · {counted(item.refundable_units, "unit")} free</span>
                </span>
              </li>
            ))}
          </ul>
          <dl className="mt-2 border-t border-line pt-2">
            {(
              [
                ["Paid", data.paid],
                ["Refunded", data.refunded],
                ["Under way", data.pending],
                ["Can still be refunded", data.refundable],
              ] as const
            ).map(([name, value]) => (
              <div key={name} className="flex justify-between gap-3 py-0.5">
                <dt className="text-dim">{name}</dt>
                <dd className="tabular-nums">{money(value, data.currency)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Card>
  );
}
