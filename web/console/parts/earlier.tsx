/** Below a list that begins with the latest: the next page of it. */
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "./base.tsx";

export function Earlier({
  list,
}: {
  readonly list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      className="self-center"
      isBusy={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Show earlier ones
    </Button>
  );
}
