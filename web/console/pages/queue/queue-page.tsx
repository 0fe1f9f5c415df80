/** The queue: what waits for a person on the left, the conversation in the middle, the decision on the right. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { claim, oneReview, type QueueFilter, queueCounts, queuePage, release } from "../../api/reviews.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Button, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { DecisionCard } from "./decision-card.tsx";
import { QueueList } from "./list.tsx";
import { Transcript } from "./transcript.tsx";
import { useDecide } from "./use-decide.ts";

export interface QueueSearch extends QueueFilter {
  readonly review?: string;
}

const TABS = [
  { label: "To do", filter: { state: "active" } },
  { label: "Mine", filter: { state: "active", claim: "mine" } },
  { label: "Approvals", filter: { state: "active", kind: "approval" } },
  { label: "Handoffs", filter: { state: "active", kind: "handoff" } },
  { label: "Uncertain", filter: { state: "active", kind: "uncertain" } },
  { label: "Late", filter: { state: "active", overdue: true } },
  { label: "Decided", filter: { state: "decided" } },
] as const satisfies readonly { label: string; filter: QueueFilter }[];

const PANES = [
  { name: "decision", title: "Decision" },
  { name: "conversation", title: "Conversation" },
] as const;

const isSame = (a: QueueFilter, b: QueueFilter): boolean =>
  (["state", "kind", "priority", "claim", "overdue", "language"] as const).every(
    (name) => a[name] === b[name],
  );

export function QueuePage() {
  const { me, may } = useSession();
  const search = useSearch({ from: "/queue" }) as QueueSearch;
  const navigate = useNavigate({ from: "/queue" });
  const { review: selected = null } = search;
  const filter = useFilter(search);
  const list = useInfiniteQuery({
    queryKey: ["reviews", "list", me.tenant, filter],
    queryFn: ({ pageParam, signal }) => queuePage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const counts = useQuery({
    queryKey: ["reviews", "counts", me.tenant],
    queryFn: ({ signal }) => queueCounts(signal),
  });
  const items = useMemo(() => list.data?.pages.flatMap(({ reviews }) => reviews) ?? [], [list.data]);
  const current = useQuery({
    queryKey: ["reviews", selected, me.tenant],
    queryFn: ({ signal }) => oneReview(selected ?? "", signal),
    enabled: selected !== null,
  });
  const review = selected === null ? undefined : current.data;
  const canDecide = may("reviews.decide");
  const operator = me.operator;

  const select = useCallback(
    (id: string | null) =>
      void navigate({ search: { ...filter, ...(id === null ? {} : { review: id }) } as never }),
    [navigate, filter],
  );
  const at = items.findIndex(({ review_id: id }) => id === selected);
  const step = useCallback(
    (by: number) => {
      const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
      if (next !== undefined) select(next.review_id);
    },
    [items, at, select],
  );
  /** After a decision the next one is in hand, so that the queue is cleared without looking for it. */
  const decided = useCallback(() => {
    const next = items[at + 1] ?? items[at - 1];
    if (next !== undefined && next.review_id !== selected) select(next.review_id);
  }, [items, at, select, selected]);
  const deciding = useDecide(review, decided);
  const mine = review?.claim?.by === operator;
  const takeIt = useCallback(() => {
    if (review === undefined) return;
    (mine ? release : claim)(review.review_id).then(() => void current.refetch(), notifyProblem);
  }, [review, mine, current]);

  /** Where there is room for one only. */
  const [pane, setPane] = useState<(typeof PANES)[number]["name"]>("decision");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another review begins with what is to be decided
  useEffect(() => setPane("decision"), [selected]);

  // Nothing chosen on a wide screen: the most urgent one.
  const [isWide] = useState(() => window.matchMedia("(min-width: 1024px)").matches);
  const firstId = items[0]?.review_id;
  useEffect(() => {
    if (isWide && selected === null && firstId !== undefined) select(firstId);
  }, [isWide, selected, firstId, select]);

  useCommands(
    [
      {
        id: "queue.next",
        label: "Next",
        keys: "j",
        group: "Queue",
        isOff: at >= items.length - 1,
        run: () => step(1),
      },
      {
        id: "queue.previous",
        label: "Previous",
        keys: "k",
        group: "Queue",
        isOff: at <= 0,
        run: () => step(-1),
      },
      {
        id: "queue.claim",
        label: mine ? "Let go of it" : "Take it",
        keys: "m",
        group: "Queue",
        isOff: review?.state !== "open" || !canDecide,
        run: takeIt,
      },
      {
        id: "queue.pane",
        label: "Decision or conversation, where there is room for one",
        keys: "v",
        group: "Queue",
        isOff: selected === null,
        run: () => setPane(pane === "decision" ? "conversation" : "decision"),
      },
      {
        id: "queue.back",
        label: "Back to the list",
        keys: "u",
        group: "Queue",
        isOff: selected === null,
        run: () => select(null),
      },
      ...TABS.map((tab, index) => ({
        id: `queue.tab.${tab.label}`,
        label: `Show ${tab.label.toLowerCase()}`,
        keys: String(index + 1),
        group: "Queue",
        run: () => void navigate({ search: tab.filter as never }),
      })),
    ],
    [at, items.length, step, mine, review, canDecide, takeIt, select, selected, navigate, pane],
  );

  return (
    <div className="flex h-full min-h-0 flex-col lg:grid lg:grid-cols-[340px_minmax(0,1fr)_420px]">
      {selected !== null && (
        <div className="flex items-center gap-1 border-b border-line bg-surface px-2 py-1 lg:hidden">
          <Button look="bare" onClick={() => select(null)}>
            ← Queue
          </Button>
          {PANES.map(({ name, title }) => (
            <Button
              key={name}
              look="bare"
              aria-pressed={name === pane}
              className={name === pane ? "bg-raised" : "text-dim"}
              onClick={() => setPane(name)}
            >
              {title}
            </Button>
          ))}
        </div>
      )}
      <section
        aria-label="Queue"
        className={`min-h-0 flex-1 flex-col border-r border-line bg-surface ${selected === null ? "flex" : "hidden lg:flex"}`}
      >
        <nav aria-label="Filter" className="flex flex-wrap gap-1 border-b border-line p-2">
          {TABS.map((tab) => (
            <button
              type="button"
              key={tab.label}
              aria-pressed={isSame(tab.filter, filter)}
              onClick={() => void navigate({ search: tab.filter as never })}
              className={`rounded-lg px-2 py-1 text-xs ${isSame(tab.filter, filter) ? "bg-accent text-on-accent" : "text-dim hover:bg-raised"}`}
            >
              {tab.label}
              {countOf(tab.label, counts.data)}
            </button>
          ))}
        </nav>
        {list.isPending ? (
          <Skeleton lines={6} />
        ) : cannotShow(list) ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : items.length === 0 ? (
          <Empty title={filter.state === "active" ? "Nothing waits for you" : "Nothing here"}>
            {filter.state === "active" ? (
              <p>
                Refunds that need an approval, customers who ask for a person, and outcomes that nobody can
                find out come here by themselves.
              </p>
            ) : (
              <p>Choose another filter above.</p>
            )}
          </Empty>
        ) : (
          <QueueList
            items={items}
            selected={selected}
            operator={operator}
            select={select}
            more={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
          />
        )}
      </section>
      <section
        aria-label="Conversation"
        className={`min-h-0 flex-1 flex-col ${selected !== null && pane === "conversation" ? "flex" : "hidden lg:flex"}`}
      >
        {review === undefined ? (
          selected !== null && current.isPending && <Skeleton />
        ) : (
          <Transcript review={review} />
        )}
      </section>
      <aside
        aria-label="Decision"
        className={`min-h-0 flex-1 overflow-y-auto border-line lg:border-l ${selected !== null && pane === "decision" ? "" : "hidden lg:block"}`}
      >
        {selected === null ? (
          <Empty title="Choose something from the queue">
            <p>
              <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>?</kbd> shows all keys.
            </p>
          </Empty>
        ) : cannotShow(current) ? (
          <Failure error={current.error} retry={() => void current.refetch()} />
        ) : review === undefined ? (
          <Skeleton lines={5} />
        ) : (
          <>
            <div className="flex items-center gap-2 border-b border-line px-3 py-2 text-sm">
              <span className="text-dim">
                {review.claim === null
                  ? "Nobody has it."
                  : mine
                    ? "You have it."
                    : `${review.claim.by} has it.`}
              </span>
              {review.state === "open" && canDecide && (
                <Button keys="m" className="ml-auto" onClick={takeIt}>
                  {mine ? "Let go" : "Take it"}
                </Button>
              )}
            </div>
            <DecisionCard review={review} deciding={deciding} canDecide={canDecide} />
          </>
        )}
      </aside>
    </div>
  );
}

/** The filter of the address, the same object while it says the same. */
function useFilter({ review: _review, ...given }: QueueSearch): QueueFilter {
  const said = JSON.stringify(Object.keys(given).length === 0 ? { state: "active" } : given);
  return useMemo(() => JSON.parse(said) as QueueFilter, [said]);
}

function countOf(label: string, counts: Awaited<ReturnType<typeof queueCounts>> | undefined): string {
  if (counts === undefined) return "";
  const n = {
    "To do": counts.open + counts.waiting,
    Mine: counts.mine,
    Approvals: counts.by_kind.approval,
    Handoffs: counts.by_kind.handoff,
    Uncertain: counts.by_kind.uncertain,
    Late: counts.overdue,
  }[label];
  return n === undefined || n === 0 ? "" : ` ${n}`;
}
