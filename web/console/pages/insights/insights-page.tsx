/** How well it goes: each number with what it is made of, and how it has moved since the period before. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Figure } from "../../api/insights.ts";
import { readInsights } from "../../api/insights.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Card, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { Tabs } from "../../parts/form.tsx";
import { useSession } from "../../session.tsx";
import { type Group, grouped, labelText, madeOf, moved, valueText } from "./figures.ts";

const DAY_MS = 86_400_000;
const PERIODS = [
  { name: "7", title: "7 days" },
  { name: "28", title: "28 days" },
  { name: "90", title: "90 days" },
] as const;

export function InsightsPage() {
  const { me } = useSession();
  const search = useSearch({ from: "/insights" }) as { days?: string };
  const navigate = useNavigate({ from: "/insights" });
  const chosen = PERIODS.find(({ name }) => name === search.days)?.name ?? "28";
  const days = Number(chosen);
  const read = useQuery({
    queryKey: ["insights", me.tenant, chosen],
    queryFn: async ({ signal }) => {
      const toMs = Date.now();
      const at = (daysAgo: number) => new Date(toMs - daysAgo * DAY_MS).toISOString();
      const [now, before] = await Promise.all([
        readInsights(at(days), new Date(toMs).toISOString(), signal),
        readInsights(at(2 * days), at(days), signal),
      ]);
      return grouped(now.figures, before.figures);
    },
    staleTime: 30_000,
  });
  const go = (name: string) => void navigate({ search: { days: name } as never });
  useCommands(
    [
      ...PERIODS.map(({ name, title }, index) => ({
        id: `insights.${name}`,
        label: `Show ${title}`,
        keys: String(index + 1),
        group: "Insights",
        run: () => go(name),
      })),
      {
        id: "insights.again",
        label: "Count anew",
        keys: "r",
        group: "Insights",
        run: () => void read.refetch(),
      },
    ],
    [read.refetch, navigate],
  );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-5xl flex-col gap-3 p-3">
        <header className="flex flex-wrap items-center gap-3">
          <h1 className="text-lg font-semibold">Insights</h1>
          <Tabs label="Period" tabs={PERIODS} current={chosen} choose={go} />
        </header>
        <p className="text-sm text-dim">
          Counted from what happened, compared with the {days} days before. Each number says what it is made
          of.
        </p>
        {read.isPending ? (
          <Skeleton lines={6} />
        ) : cannotShow(read) ? (
          <Failure error={read.error} retry={() => void read.refetch()} />
        ) : (
          <div className="grid gap-3 md:grid-cols-2">
            {read.data.map((group) => (
              <GroupCard key={group.metric} group={group} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function GroupCard({ group }: { group: Group }) {
  const { first, rows } = group;
  return (
    <Card
      title={group.title}
      aside={first.target !== null && <Badge>target {(first.target * 100).toFixed(0)} %</Badge>}
    >
      <ul className="flex flex-col gap-1">
        {rows.map(({ now, before }) => (
          <li key={now.label ?? ""} className="grid grid-cols-[1fr_auto] items-baseline gap-x-3">
            <span className="min-w-0 text-sm wrap-anywhere">{labelText(now)}</span>
            <span className="text-right text-base font-semibold tabular-nums">{valueText(now)}</span>
            <span className="text-xs text-dim tabular-nums">{madeOf(now)}</span>
            <span className="text-right text-xs text-dim">{moved(now, before)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-dim">
        {first.numerator_is}
        {first.denominator_is !== null && `, over ${first.denominator_is}`}
      </p>
      <Behind figure={first} />
    </Card>
  );
}

/** Where the things themselves are. */
function Behind({ figure }: { figure: Figure }) {
  const { may } = useSession();
  const look = "mt-1 inline-block text-sm text-accent underline";
  switch (figure.metric) {
    case "autonomous_resolutions":
    case "reopened":
    case "resolution":
      return may("conversations.read") ? (
        <Link className={look} to="/conversations" search={{ status: "resolved" } as never}>
          Conversations that ended
        </Link>
      ) : null;
    case "escalations":
    case "queue":
    case "queue_age":
      return may("reviews.read") ? (
        <Link
          className={look}
          to="/queue"
          search={{ kind: figure.metric === "escalations" ? "handoff" : undefined } as never}
        >
          The queue
        </Link>
      ) : null;
    case "unknown_outcomes":
    case "unknown_settling":
      return may("actions.read") ? (
        <Link className={look} to="/actions" search={{ state: "unknown" } as never}>
          Actions that are unknown now
        </Link>
      ) : null;
    default:
      return null;
  }
}
