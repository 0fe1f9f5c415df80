/** All conversations: found by what was said, order, customer and state; the address holds both. */
import { useState } from "react";
import { type ConversationFilter, conversationPage } from "../../api/conversations.ts";
import { Badge, Button, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { useListPage } from "../../parts/list-page.ts";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { Thread } from "./thread.tsx";
import { STATUS } from "./timeline.tsx";

const FIELDS = [
  { name: "q", label: "Words in a message" },
  { name: "order_number", label: "Order number" },
  { name: "customer_id", label: "Customer" },
] as const;
const BOX = "min-w-0 rounded-lg border border-line bg-ground px-2 py-1.5 text-sm";

export function ConversationsPage() {
  const { me } = useSession();
  const { selected, said, filter, first, list, items, go } = useListPage({
    from: "/conversations",
    chosen: "conversation",
    commands: "talks",
    group: "Conversations",
    queryKey: ["conversations", me.tenant],
    page: conversationPage,
    itemsOf: ({ conversations }) => conversations,
    idOf: ({ conversation_id: id }) => id,
  });
  return (
    <div className="grid h-full min-h-0 grid-cols-1 lg:grid-cols-[360px_minmax(0,1fr)]">
      <section
        aria-label="Conversations"
        className={`min-h-0 flex-col border-r border-line bg-surface ${selected === null ? "flex" : "hidden lg:flex"}`}
      >
        <Filter key={said} filter={filter} first={first} use={(next) => go(next, selected)} />
        {list.isPending ? (
          <Skeleton lines={6} />
        ) : cannotShow(list) ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : (
          <div className="min-h-0 flex-1 overflow-y-auto">
            {items.map((item) => (
              <button
                type="button"
                key={item.conversation_id}
                id={`row-${item.conversation_id}`}
                aria-current={item.conversation_id === selected}
                onClick={() => go(filter, item.conversation_id)}
                className={`block w-full border-b border-line px-3 py-2 text-left ${item.conversation_id === selected ? "bg-accent/12" : "hover:bg-raised"}`}
              >
                <span className="flex items-center gap-2 text-sm">
                  <span className="truncate font-medium">{item.customer_id}</span>
                  <Badge tone={item.status === "with_person" ? "accent" : "plain"}>
                    {STATUS[item.status]}
                  </Badge>
                  <span className="ml-auto text-xs text-dim">
                    <Time at={item.updated_at} />
                  </span>
                </span>
                <span dir="auto" className="block truncate text-xs text-dim">
                  {item.last_message?.text ?? "Nothing was said yet"}
                </span>
              </button>
            ))}
            {items.length === 0 && !list.hasNextPage && (
              <Empty title={said === "{}" ? "No conversations yet" : "Nothing fits"}>
                {said === "{}"
                  ? "They appear here as soon as a customer writes."
                  : "Try fewer words, or take a filter away."}
              </Empty>
            )}
            {list.hasNextPage && (
              <p className="p-3 text-center">
                <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  {items.length === 0 ? "Search further back" : "Show more"}
                </Button>
              </p>
            )}
          </div>
        )}
      </section>
      <section
        aria-label="Conversation"
        className={`min-h-0 flex-col ${selected === null ? "hidden lg:flex" : "flex"}`}
      >
        {selected === null ? (
          <Empty title="Choose a conversation">
            <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>/</kbd> searches, <kbd>?</kbd> shows all keys.
          </Empty>
        ) : (
          <Thread key={selected} id={selected} back={() => go(filter, null)} />
        )}
      </section>
    </div>
  );
}

interface FilterProps {
  readonly filter: ConversationFilter;
  readonly first: React.RefObject<HTMLInputElement | null>;
  use(next: ConversationFilter): void;
}

/** Searches on Enter; a state at once. */
function Filter({ filter, first, use }: FilterProps) {
  const [texts, setTexts] = useState<ConversationFilter>(filter);
  return (
    <search>
      <form
        className="grid grid-cols-2 gap-1 border-b border-line p-2"
        onSubmit={(event) => {
          event.preventDefault();
          use(texts);
        }}
      >
        {FIELDS.map(({ name, label }) => (
          <input
            key={name}
            ref={name === "q" ? first : undefined}
            value={texts[name] ?? ""}
            maxLength={name === "q" ? 200 : 128}
            aria-label={label}
            placeholder={label}
            className={`${BOX} ${name === "q" ? "col-span-2" : ""}`}
            onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
          />
        ))}
        <select
          aria-label="State"
          value={texts.status ?? ""}
          className={BOX}
          onChange={({ currentTarget }) => use({ ...texts, status: currentTarget.value })}
        >
          <option value="">Any state</option>
          {Object.entries(STATUS).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </select>
        <Button type="submit" className="justify-center">
          Search
        </Button>
      </form>
    </search>
  );
}
