/** The queue itself: a row an item, only those on screen drawn, the one in hand kept in view. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { ReviewItem } from "../../api/reviews.ts";
import { Badge, type Tone } from "../../parts/base.tsx";
import { Time } from "../../parts/time.tsx";
import { duration, money, reasonText } from "../../words.ts";

const ROW_PX = 76;
const PRIORITY_TONES: Readonly<Record<string, Tone>> = {
  urgent: "bad",
  high: "warn",
  normal: "plain",
  low: "plain",
};

interface ListProps {
  readonly items: readonly ReviewItem[];
  readonly selected: string | null;
  readonly operator: string;
  select(id: string): void;
  /** The end of what is loaded is near. */
  more(): void;
}

export function QueueList({ items, selected, operator, select, more }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const at = items.findIndex(({ review_id: id }) => id === selected);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" });
  }, [at, rows]);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > items.length - 20) more();
  }, [last, items.length, more]);

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto" role="listbox" aria-label="Queue" tabIndex={-1}>
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          const isSelected = item.review_id === selected;
          return (
            <button
              type="button"
              key={item.review_id}
              role="option"
              aria-selected={isSelected}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              onClick={() => select(item.review_id)}
              className={`absolute inset-x-0 flex flex-col gap-1 border-b border-line px-3 py-2 text-left ${isSelected ? "bg-accent/12" : "hover:bg-raised"}`}
              style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
            >
              <span className="flex w-full items-center gap-2">
                <span className="truncate text-sm font-medium">{reasonText(item.reason)}</span>
                {item.priority !== "normal" && (
                  <Badge tone={PRIORITY_TONES[item.priority] ?? "plain"}>{item.priority}</Badge>
                )}
                <span className="ml-auto text-sm font-medium tabular-nums">
                  {money(item.amount, item.currency)}
                </span>
              </span>
              <span className="flex w-full items-center gap-2 text-xs text-dim">
                <span className="truncate">
                  {item.customer_id}
                  {item.order_number !== null && ` · #${item.order_number}`}
                  {item.language !== null && ` · ${item.language}`}
                </span>
                <span className="ml-auto flex items-center gap-2 whitespace-nowrap">
                  {item.claim !== null && (
                    <Badge tone={item.claim.by === operator ? "accent" : "plain"}>
                      {item.claim.by === operator ? "yours" : item.claim.by}
                    </Badge>
                  )}
                  <Sla item={item} />
                </span>
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}

export function Sla({ item }: { item: ReviewItem }) {
  if (item.state === "waiting") return <Badge>waits for the customer</Badge>;
  if (item.state !== "open") return <Time at={item.decision?.at ?? item.created_at} />;
  if (item.sla.overdue) return <Badge tone="bad">{duration(item.sla.left_ms)} late</Badge>;
  return (
    <Badge tone={item.sla.left_ms < 5 * 60_000 ? "warn" : "plain"}>
      {duration(item.sla.left_ms)} left{item.sla.running ? "" : ", closed now"}
    </Badge>
  );
}
