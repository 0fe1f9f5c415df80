/** The audit log: who did what and when, each entry bound to the one before by its hash. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { currentTenant } from "../../api/client.ts";
import { type AuditFilter, auditPage } from "../../api/records.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Button, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { Earlier } from "../../parts/earlier.tsx";
import { notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { Entry } from "./entry.tsx";
import { exportAudit } from "./export.ts";
import { Filter } from "./filter.tsx";

interface Search extends AuditFilter {
  /** The number of the entry that is open. */
  readonly entry?: string;
}

export function AuditPage() {
  const { me } = useSession();
  const { entry: opened, ...given } = useSearch({ from: "/audit" }) as Search;
  const openN = /^\d{1,15}$/.test(opened ?? "") ? Number(opened) : null;
  const navigate = useNavigate({ from: "/audit" });
  const said = JSON.stringify(given);
  const filter = useMemo(() => JSON.parse(said) as AuditFilter, [said]);
  const first = useRef<HTMLInputElement>(null);
  const [isExporting, setExporting] = useState(false);
  const list = useInfiniteQuery({
    queryKey: ["audit", me.tenant, filter],
    queryFn: ({ pageParam, signal }) => auditPage(filter, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.more ? page.last_n : null),
  });
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  const isListed = entries.some(({ n }) => n === openN);
  /** A link names an entry that is far back: it is read by itself. */
  const lone = useQuery({
    queryKey: ["audit", me.tenant, "entry", openN],
    queryFn: ({ signal }) => auditPage({}, (openN ?? 0) + 1, signal),
    enabled: openN !== null && list.isSuccess && !isListed,
    // What is written there never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = isListed ? undefined : lone.data?.entries.find(({ n }) => n === openN);
  const go = (next: AuditFilter, n: number | null) =>
    void navigate({
      search: {
        ...Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")),
        ...(n === null ? {} : { entry: String(n) }),
      } as never,
    });
  const open = (n: number | null) => go(filter, n);
  const at = entries.findIndex(({ n }) => n === openN);
  const step = (by: number) => {
    const next = entries[Math.min(Math.max(at + by, 0), entries.length - 1)];
    if (next !== undefined) open(next.n);
  };
  useEffect(() => {
    if (openN !== null) document.getElementById(`entry-${openN}`)?.scrollIntoView({ block: "nearest" });
  }, [openN]);
  const takeAway = async () => {
    setExporting(true);
    await exportAudit(currentTenant() ?? me.tenant).catch(notifyProblem);
    setExporting(false);
  };
  useCommands(
    [
      { id: "audit.search", label: "Search", keys: "/", group: "Audit", run: () => first.current?.focus() },
      { id: "audit.next", label: "Earlier entry", keys: "j", group: "Audit", run: () => step(1) },
      { id: "audit.previous", label: "Later entry", keys: "k", group: "Audit", run: () => step(-1) },
      {
        id: "audit.close",
        label: "Close the entry",
        keys: "u",
        group: "Audit",
        isOff: openN === null,
        run: () => open(null),
      },
      { id: "audit.newer", label: "Look again", keys: "r", group: "Audit", run: () => void list.refetch() },
      {
        id: "audit.export",
        label: "Export all as lines of JSON",
        keys: "e",
        group: "Audit",
        run: () => void takeAway(),
      },
    ],
    [list.refetch, me.tenant, list.data, openN, filter],
  );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-4xl flex-col gap-3 p-3">
        <header className="flex flex-wrap items-center gap-2">
          <h1 className="text-lg font-semibold">Audit log</h1>
          <Button className="ml-auto" keys="e" isBusy={isExporting} onClick={() => void takeAway()}>
            Export all
          </Button>
        </header>
        <p className="text-sm text-dim">
          Each entry holds the hash of the one before: nothing can be changed or left out unseen.{" "}
          <code className="font-mono text-xs">recourse audit verify</code> checks an exported file.
        </p>
        <Filter key={said} filter={filter} first={first} use={(next) => go(next, openN)} />
        {said !== "{}" && (
          <Button look="bare" className="self-start" onClick={() => go({}, openN)}>
            × Show everything
          </Button>
        )}
        {found !== undefined && (
          <ol aria-label="Chosen entry" className="overflow-hidden rounded-xl border border-line bg-surface">
            <Entry entry={found} isOpen open={open} />
          </ol>
        )}
        {list.isPending ? (
          <Skeleton lines={6} />
        ) : cannotShow(list) ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : entries.length === 0 ? (
          <Empty title={said === "{}" ? "Nothing has happened yet" : "Nothing fits"}>
            {said === "{}"
              ? "Decisions, publications, sign-ins and changes of settings are written here."
              : "What ends with a dot finds all that begin so: operator. finds operator.role_changed."}
          </Empty>
        ) : (
          <ol className="overflow-hidden rounded-xl border border-line bg-surface">
            {entries.map((entry) => (
              <Entry key={entry.n} entry={entry} isOpen={entry.n === openN} open={open} />
            ))}
          </ol>
        )}
        <Earlier list={list} />
      </div>
    </div>
  );
}
