/** The audit log: who did what and when, each entry bound to the one before by its hash. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type RefObject, useMemo, useRef, useState } from "react";
import { currentTenant } from "../../api/client.ts";
import { type AuditEntry, type AuditFilter, auditPage } from "../../api/records.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Button, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { Facts } from "../../parts/facts.tsx";
import { BOX, Field } from "../../parts/form.tsx";
import { Instant } from "../../parts/time.tsx";
import { notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { exportAudit } from "./export.ts";

const FIELDS = [
  { name: "kind", label: "What", hint: "operator." },
  { name: "subject", label: "About", hint: "act_…, refunds@3" },
  { name: "by", label: "Who", hint: "olivia@…" },
] as const;

export function AuditPage() {
  const { me } = useSession();
  const given = useSearch({ from: "/audit" }) as AuditFilter;
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
  const takeAway = async () => {
    setExporting(true);
    await exportAudit(currentTenant() ?? me.tenant).catch(notifyProblem);
    setExporting(false);
  };
  useCommands(
    [
      { id: "audit.search", label: "Search", keys: "/", group: "Audit", run: () => first.current?.focus() },
      { id: "audit.newer", label: "Look again", keys: "r", group: "Audit", run: () => void list.refetch() },
      {
        id: "audit.export",
        label: "Export all as lines of JSON",
        keys: "e",
        group: "Audit",
        run: () => void takeAway(),
      },
    ],
    [list.refetch, me.tenant],
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
        <Filter
          key={said}
          filter={filter}
          first={first}
          use={(next) =>
            void navigate({
              search: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")) as never,
            })
          }
        />
        {list.isPending ? (
          <Skeleton lines={6} />
        ) : list.isError ? (
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
              <Entry key={entry.n} entry={entry} />
            ))}
          </ol>
        )}
        {list.hasNextPage && (
          <Button
            className="self-center"
            isBusy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show earlier ones
          </Button>
        )}
      </div>
    </div>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const by = entry.body.by;
  return (
    <li className="border-b border-line last:border-b-0">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-2 px-3 py-2 text-sm hover:bg-raised">
          <span className="w-12 text-xs text-dim tabular-nums">{entry.n}</span>
          <Badge>{entry.kind}</Badge>
          <span dir="auto" className="min-w-0 truncate">
            {entry.subject}
          </span>
          {typeof by === "string" && <span className="text-dim">by {by}</span>}
          <span className="ml-auto text-xs text-dim">
            <Instant at={new Date(entry.at_ms).toISOString()} />
          </span>
          <code className="w-full truncate pl-14 font-mono text-[11px] text-dim">{entry.hash}</code>
        </summary>
        <div className="border-t border-line bg-ground px-3 py-2">
          <Facts value={entry.body} />
          <dl className="mt-2 text-xs text-dim">
            <dt>Hash of this entry</dt>
            <dd className="font-mono break-all">{entry.hash}</dd>
            <dt className="mt-1">Hash of the one before</dt>
            <dd className="font-mono break-all">{entry.prev_hash}</dd>
          </dl>
        </div>
      </details>
    </li>
  );
}

interface FilterProps {
  readonly filter: AuditFilter;
  readonly first: RefObject<HTMLInputElement | null>;
  use(next: AuditFilter): void;
}

function Filter({ filter, first, use }: FilterProps) {
  const [texts, setTexts] = useState<AuditFilter>(filter);
  return (
    <search>
      <form
        className="grid grid-cols-2 items-end gap-2 rounded-xl border border-line bg-surface p-3 md:grid-cols-6"
        onSubmit={(event) => {
          event.preventDefault();
          use(texts);
        }}
      >
        {FIELDS.map(({ name, label, hint }) => (
          <Field key={name} label={label}>
            {(id) => (
              <input
                id={id}
                ref={name === "kind" ? first : undefined}
                value={texts[name] ?? ""}
                maxLength={name === "kind" ? 100 : 200}
                placeholder={hint}
                className={BOX}
                onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        {(["from", "to"] as const).map((name) => (
          <Field key={name} label={name === "from" ? "From" : "To"}>
            {(id) => (
              <input
                id={id}
                type="date"
                value={texts[name] ?? ""}
                className={BOX}
                onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" className="justify-center">
          Search
        </Button>
      </form>
    </search>
  );
}
