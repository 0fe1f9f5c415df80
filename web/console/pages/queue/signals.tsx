/** What speaks for looking twice before deciding, with its figures. No score is made of them. */
import type { Review, RiskSignal } from "../../api/reviews.ts";
import { Badge, Card, type Tone } from "../../parts/base.tsx";
import { counted, money } from "../../words.ts";

interface Shown {
  readonly tone: Tone;
  readonly label: string;
  text(signal: RiskSignal): string;
}

const SIGNALS: Readonly<Record<string, Shown>> = {
  charge_disputed: {
    tone: "bad",
    label: "Disputed",
    text: () => "The charge is disputed at the bank: refunded as well, it would be paid twice.",
  },
  rejected_before: {
    tone: "warn",
    label: "Rejected before",
    text: ({ count }) => `People rejected ${counted(count ?? 0, "request")} of this customer.`,
  },
  same_order_before: {
    tone: "warn",
    label: "Same order",
    text: ({ count }) => `${counted(count ?? 0, "other request")} for this order.`,
  },
  refunds_before: {
    tone: "warn",
    label: "Other refunds",
    text: ({ count, amount, currency }) =>
      `${counted(count ?? 0, "refund")} made or under way${amount === null ? "" : `, ${money(amount, currency)} together`}.`,
  },
  denied_before: {
    tone: "warn",
    label: "Denied before",
    text: ({ count }) => `The policy denied something for ${counted(count ?? 0, "order")}.`,
  },
  open_elsewhere: {
    tone: "plain",
    label: "Open elsewhere",
    text: ({ count }) => `${counted(count ?? 0, "more item")} of this customer in the queue.`,
  },
  only_order: {
    tone: "plain",
    label: "New customer",
    text: () => "They have bought nothing but this order.",
  },
  valued_customer: {
    tone: "good",
    label: "Valued customer",
    text: ({ amount, currency }) => `Has spent ${money(amount, currency)} in all.`,
  },
};

export function Signals({ review: { signals } }: { review: Review }) {
  return (
    <Card title="Risk signals" aside={<span className="text-xs text-dim">last 90 days</span>}>
      {signals.length === 0 ? (
        <p className="text-sm text-dim">
          None: no dispute, no other refund, nothing rejected or denied, nothing else open.
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5 text-sm">
          {signals.map((signal) => {
            // One that a newer server knows is shown by its name.
            const shown = SIGNALS[signal.signal];
            return (
              <li key={signal.signal} className="flex flex-wrap items-baseline gap-x-2">
                <Badge tone={shown?.tone ?? "plain"}>
                  {shown?.label ?? signal.signal.replaceAll("_", " ")}
                </Badge>
                <span className="min-w-0 flex-1 basis-40">{shown?.text(signal)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
