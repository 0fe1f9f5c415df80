/** The ledger: every refund and return that was asked for, what became of it, and why. The address holds the filter. */
import { type RefObject, useState } from "react";
import { ACTION_STATES, type ActionItem, type LedgerFilter, ledgerPage } from "../../api/records.ts";
import { Badge, Button, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX } from "../../parts/form.tsx";
import { useListPage } from "../../parts/list-page.ts";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { money } from "../../words.ts";
import { ActionView } from "./action-view.tsx";
import { STATE_TONES, stateText } from "./states.ts";

const FIELDS = [
  { name: "order_number", label: "Order number" },
  { name: "customer_id", label: "Customer" },
] as const;

export function ActionsPage() {
  const { me } = useSession();
  const { selected, said, filter, first, list, items, go } = useListPage({
    from: "/actions",
    chosen: "action",
    commands: "actions",
    group: "Actions",
    queryKey: ["actions", "list", me.tenant],
    page: ledgerPage,
    itemsOf: ({ actions }) => actions,
    idOf: ({ action_id: id }) => id,
  });
  return (
    <div className="grid h-full min-h-0 grid-cols-1 lg:grid-cols-[380px_minmax(0,1fr)]">
      <section
        aria-label="Actions"
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
              <Row
                key={item.action_id}
                item={item}
                isSelected={item.action_id === selected}
                select={() => go(filter, item.action_id)}
              />
            ))}
            {items.length === 0 && !list.hasNextPage && (
              <Empty title={said === "{}" ? "Nothing was asked for yet" : "Nothing fits"}>
                {said === "{}"
                  ? "Each refund and return appears here as soon as it is asked for: those that were denied too."
                  : "Take a filter away to see more."}
              </Empty>
            )}
            {list.hasNextPage && (
              <p className="p-3 text-center">
                <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Show more
                </Button>
              </p>
            )}
          </div>
        )}
      </section>
      <section
        aria-label="Action"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard too
        tabIndex={0}
        className={`min-h-0 overflow-y-auto ${selected === null ? "hidden lg:block" : ""}`}
      >
        {selected === null ? (
          <Empty title="Choose an action">
            You see what the policy decided, on which facts, and what the provider answered. <kbd>j</kbd> and{" "}
            <kbd>k</kbd> move.
          </Empty>
        ) : (
          <ActionView key={selected} id={selected} back={() => go(filter, null)} />
        )}
      </section>
    </div>
  );
}

function Row({ item, isSelected, select }: { item: ActionItem; isSelected: boolean; select(): void }) {
  return (
    <button
      type="button"
      id={`row-${item.action_id}`}
      aria-current={isSelected}
      onClick={select}
      className={`block w-full border-b border-line px-3 py-2 text-left ${isSelected ? "bg-accent/12" : "hover:bg-raised"}`}
    >
      <span className="flex items-center gap-2 text-sm">
        <span className="truncate font-medium">
          {item.kind === "refund" ? "Refund" : "Return"} #{item.order_number}
        </span>
        <Badge tone={STATE_TONES[item.state]}>{stateText(item.state)}</Badge>
        <span className="ml-auto whitespace-nowrap tabular-nums">{money(item.amount, item.currency)}</span>
      </span>
      <span className="flex gap-2 text-xs text-dim">
        <span dir="auto" className="truncate">
          {item.customer_id} · {item.items}
        </span>
        <span className="ml-auto">
          <Time at={item.created_at} />
        </span>
      </span>
    </button>
  );
}

interface FilterProps {
  readonly filter: LedgerFilter;
  readonly first: RefObject<HTMLInputElement | null>;
  use(next: LedgerFilter): void;
}

/** Texts on Enter; a choice at once. */
function Filter({ filter, first, use }: FilterProps) {
  const [texts, setTexts] = useState<LedgerFilter>(filter);
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
            ref={name === "order_number" ? first : undefined}
            value={texts[name] ?? ""}
            maxLength={128}
            aria-label={label}
            placeholder={label}
            className={BOX}
            onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
          />
        ))}
        <select
          aria-label="State"
          value={texts.state ?? ""}
          className={BOX}
          onChange={({ currentTarget }) => use({ ...texts, state: currentTarget.value })}
        >
          <option value="">Any state</option>
          {ACTION_STATES.map((state) => (
            <option key={state} value={state}>
              {stateText(state)}
            </option>
          ))}
        </select>
        <select
          aria-label="Kind"
          value={texts.kind ?? ""}
          className={BOX}
          onChange={({ currentTarget }) => use({ ...texts, kind: currentTarget.value })}
        >
          <option value="">Refunds and returns</option>
          <option value="refund">Refunds</option>
          <option value="return">Returns</option>
        </select>
        {filter.conversation_id !== undefined && (
          <Button look="bare" className="col-span-2" onClick={() => use({ ...texts, conversation_id: "" })}>
            Of one conversation × show all
          </Button>
        )}
        <Button type="submit" className="col-span-2 justify-center">
          Search
        </Button>
      </form>
    </search>
  );
}
