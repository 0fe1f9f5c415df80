/** A page with a list and what is chosen of it: the address holds filter and choice, and keys move through the list. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { useCommands } from "../keys/use-commands.ts";

interface Page {
  readonly next_cursor: string | null;
}

export function useListPage<Filter extends object, Answer extends Page, Item>(of: {
  readonly from: "/actions" | "/conversations" | "/mails";
  /** What the choice is called in the address. */
  readonly chosen: "action" | "conversation" | "mail";
  /** Before the names of its commands, and their group. */
  readonly commands: string;
  readonly group: string;
  /** Without a field to search in there is no key for it. */
  readonly hasSearch?: boolean;
  readonly queryKey: readonly string[];
  readonly page: (filter: Filter, cursor: string | null, signal: AbortSignal) => Promise<Answer>;
  readonly itemsOf: (page: Answer) => readonly Item[];
  readonly idOf: (item: Item) => string;
}) {
  const { chosen, commands, group, idOf } = of;
  const { [chosen]: selected = null, ...given } = useSearch({ from: of.from }) as Record<string, string>;
  const navigate = useNavigate({ from: of.from });
  const said = JSON.stringify(given);
  const filter = useMemo(() => JSON.parse(said) as Filter, [said]);
  const first = useRef<HTMLInputElement>(null);
  const list = useInfiniteQuery({
    queryKey: [...of.queryKey, filter],
    queryFn: ({ pageParam, signal }) => of.page(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: how items are read off a page does not change
  const items = useMemo(() => list.data?.pages.flatMap((page) => of.itemsOf(page)) ?? [], [list.data]);
  const at = items.findIndex((item) => idOf(item) === selected);
  const go = (next: Filter, id: string | null) =>
    void navigate({
      search: {
        ...Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")),
        ...(id === null ? {} : { [chosen]: id }),
      } as never,
    });
  const step = (by: number) => {
    const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
    if (next !== undefined) go(filter, idOf(next));
  };
  useEffect(() => {
    if (selected !== null) document.getElementById(`row-${selected}`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  useCommands(
    [
      ...(of.hasSearch === false
        ? []
        : [
            {
              id: `${commands}.search`,
              label: "Search",
              keys: "/",
              group,
              run: () => first.current?.focus(),
            },
          ]),
      { id: `${commands}.next`, label: "Next", keys: "j", group, run: () => step(1) },
      { id: `${commands}.previous`, label: "Previous", keys: "k", group, run: () => step(-1) },
      {
        id: `${commands}.back`,
        label: "Back to the list",
        keys: "u",
        group,
        isOff: selected === null,
        run: () => go(filter, null),
      },
    ],
    [items, at, filter, selected],
  );
  return { selected, said, filter, first, list, items, go };
}
