/** What was said, as the review's packet has it. Customers' words are text and nothing else. */
import { useEffect, useRef } from "react";
import type { Review } from "../../api/reviews.ts";
import { Empty } from "../../parts/base.tsx";
import { Time } from "../../parts/time.tsx";

const WHO: Readonly<Record<string, string>> = {
  customer: "Customer",
  agent: "Assistant",
  operator: "Team",
  system: "",
};

export function Transcript({ review }: { review: Review }) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another review is read from its end
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [review.review_id]);
  const { transcript } = review.packet;
  if (transcript.length === 0) return <Empty title="Nothing was said here" />;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4" tabIndex={-1}>
      {transcript.map((entry) => (
        <div
          key={`${entry.at}-${entry.text.slice(0, 20)}`}
          className={`max-w-[80%] ${entry.author === "customer" ? "self-start" : "self-end"}`}
        >
          <p className="mb-0.5 flex gap-2 px-1 text-xs text-dim">
            <span>{WHO[entry.author] ?? entry.author}</span>
            <Time at={entry.at} />
          </p>
          <p
            dir="auto"
            className={`rounded-2xl px-3 py-2 text-sm break-words whitespace-pre-wrap ${entry.author === "customer" ? "bg-raised" : "bg-accent/12"}`}
          >
            {entry.text}
          </p>
        </div>
      ))}
      <div ref={end} />
    </div>
  );
}
