/** Policies: each published version with its text, what changed between two, and a place to try the next one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type PolicyHead, policyList, policyText, withdrawPolicy } from "../../api/policies.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Button, cannotShow, Empty, Failure, Skeleton, type Tone } from "../../parts/base.tsx";
import { Confirm, Tabs } from "../../parts/form.tsx";
import { Instant } from "../../parts/time.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { whoText } from "../../words.ts";
import { Difference } from "./difference.tsx";
import { Trying } from "./trying.tsx";

interface Search {
  readonly version?: string;
  readonly view?: string;
  readonly against?: string;
}
const STATES: Readonly<Record<PolicyHead["state"], { text: string; tone: Tone }>> = {
  current: { text: "In force", tone: "good" },
  future: { text: "To come", tone: "accent" },
  past: { text: "Past", tone: "plain" },
};
const VIEWS = [
  { name: "text", title: "Text" },
  { name: "difference", title: "Difference" },
  { name: "try", title: "Try another text" },
] as const;
type View = (typeof VIEWS)[number]["name"];

export function PoliciesPage() {
  const { me, may } = useSession();
  const search = useSearch({ from: "/policies" }) as Search;
  const navigate = useNavigate({ from: "/policies" });
  const list = useQuery({
    queryKey: ["policies", me.tenant],
    queryFn: ({ signal }) => policyList(signal),
  });
  const policies = list.data?.policies ?? [];
  const current = policies.find(({ state }) => state === "current") ?? policies[0];
  const shown = policies.find(({ version }) => version === search.version) ?? current;
  const views = VIEWS.filter(({ name }) => name !== "try" || may("policies.try"));
  const view: View = views.find(({ name }) => name === search.view)?.name ?? "text";
  const go = (next: Search) => void navigate({ search: { ...search, ...next } as never });
  const at = policies.findIndex(({ version }) => version === shown?.version);
  const step = (by: number) => {
    const next = policies[Math.min(Math.max(at + by, 0), policies.length - 1)];
    if (next !== undefined) go({ version: next.version });
  };
  useCommands(
    [
      { id: "policies.next", label: "Earlier version", keys: "j", group: "Policies", run: () => step(1) },
      { id: "policies.previous", label: "Later version", keys: "k", group: "Policies", run: () => step(-1) },
      ...views.map(({ name, title }, index) => ({
        id: `policies.${name}`,
        label: title,
        keys: String(index + 1),
        group: "Policies",
        run: () => go({ view: name }),
      })),
    ],
    [policies, at, search, may],
  );
  if (list.isPending) return <Skeleton lines={6} />;
  if (cannotShow(list)) return <Failure error={list.error} retry={() => void list.refetch()} />;
  return (
    <div className="grid h-full min-h-0 grid-cols-1 grid-rows-[auto_minmax(0,1fr)] lg:grid-cols-[320px_minmax(0,1fr)] lg:grid-rows-1">
      <section
        aria-label="Versions"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard too
        tabIndex={0}
        className="max-h-44 overflow-y-auto border-r border-b border-line bg-surface lg:max-h-none"
      >
        {policies.map((policy) => (
          <button
            type="button"
            key={policy.hash}
            aria-current={policy === shown}
            onClick={() => go({ version: policy.version })}
            className={`block w-full border-b border-line px-3 py-2 text-left ${policy === shown ? "bg-accent/12" : "hover:bg-raised"}`}
          >
            <span className="flex items-center gap-2 text-sm">
              <span className="font-medium">Version {policy.version}</span>
              <Badge tone={STATES[policy.state].tone}>{STATES[policy.state].text}</Badge>
              <span className="ml-auto text-xs text-dim">from {policy.effective_from}</span>
            </span>
            <span className="block truncate text-xs text-dim">{policy.title}</span>
          </button>
        ))}
        {policies.length === 0 && (
          <Empty title="No policy yet">
            Until one is published, every refund is denied. Write one as in docs/policies.md and try it here.
          </Empty>
        )}
      </section>
      <section aria-label="Policy" className="flex min-h-0 flex-col">
        <div className="flex flex-wrap items-center gap-2 border-b border-line bg-surface p-2">
          <Tabs label="View" tabs={views} current={view} choose={(name) => go({ view: name })} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex max-w-4xl flex-col gap-3 p-3">
            {view === "try" ? (
              <Trying
                base={shown?.version ?? null}
                current={current?.version ?? null}
                nextFreeDay={list.data.next_free_day}
                published={(version) => void navigate({ search: { version } as never })}
              />
            ) : shown === undefined ? null : view === "difference" ? (
              <Difference
                policies={policies}
                to={shown.version}
                from={search.against ?? policies[at + 1]?.version ?? null}
                choose={(against) => go({ against })}
              />
            ) : (
              <Text head={shown} withdrawn={() => void navigate({ search: {} as never })} />
            )}
          </div>
        </div>
      </section>
    </div>
  );
}

function Text({ head, withdrawn }: { head: PolicyHead; withdrawn(): void }) {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const withdraw = useMutation({
    mutationFn: withdrawPolicy,
    async onSuccess() {
      setAsked(false);
      withdrawn();
      await queries.invalidateQueries({ queryKey: ["policies"] });
      notify({ title: `Version ${head.version} is withdrawn`, description: "It has decided nothing." });
    },
    onError: notifyProblem,
  });
  const text = useQuery({
    queryKey: ["policies", me.tenant, head.version],
    queryFn: ({ signal }) => policyText(head.version, signal),
    // What is published never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <header>
        <h1 className="text-lg font-semibold">{head.title}</h1>
        <p className="text-sm text-dim">
          Governs {head.governed_by === "order_placed" ? "orders placed" : "requests made"} from{" "}
          {head.effective_from} on. Published by {whoText(head.published_by)},{" "}
          <Instant at={head.published_at} />.
        </p>
        <p className="font-mono text-xs break-all text-dim">{head.hash}</p>
      </header>
      {text.isPending ? (
        <Skeleton lines={6} />
      ) : cannotShow(text) ? (
        <Failure error={text.error} retry={() => void text.refetch()} />
      ) : (
        <>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => void navigator.clipboard?.writeText(text.data.source)}>
              Copy the text
            </Button>
            {head.state === "future" && may("policies.publish") && (
              <Button look="danger" onClick={() => setAsked(true)}>
                Withdraw …
              </Button>
            )}
          </div>
          <pre className="rounded-xl border border-line bg-surface p-4 font-mono text-xs break-words whitespace-pre-wrap">
            {text.data.source}
          </pre>
        </>
      )}
      <Confirm
        title={`Withdraw version ${head.version}?`}
        label="Withdraw"
        isOpen={isAsked}
        isBusy={withdraw.isPending}
        isDangerous
        confirm={() => withdraw.mutate(head.version)}
        close={() => setAsked(false)}
      >
        <p>
          It would have counted from {head.effective_from} on. Nothing was decided by it; the version before
          it goes on.
        </p>
      </Confirm>
    </>
  );
}
