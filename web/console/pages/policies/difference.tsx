/** What changed between two versions: clauses, limits, and the lines of the text. */
import { useQuery } from "@tanstack/react-query";
import { type PolicyDifference, type PolicyHead, policyDifference } from "../../api/policies.ts";
import { Badge, Card, cannotShow, Empty, Failure, Skeleton, type Tone } from "../../parts/base.tsx";
import { words } from "../../parts/facts.tsx";
import { BOX, Field } from "../../parts/form.tsx";
import { useSession } from "../../session.tsx";

interface DifferenceProps {
  readonly policies: readonly PolicyHead[];
  readonly from: string | null;
  readonly to: string;
  choose(version: string): void;
}

export function Difference({ policies, from, to, choose }: DifferenceProps) {
  const { me } = useSession();
  const difference = useQuery({
    queryKey: ["policies", me.tenant, "difference", from, to],
    queryFn: ({ signal }) => policyDifference(from ?? "", to, signal),
    enabled: from !== null && from !== to,
  });
  return (
    <>
      <div className="max-w-xs">
        <Field label={`What version ${to} changed since`}>
          {(id) => (
            <select
              id={id}
              value={from ?? ""}
              className={BOX}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
            >
              {from === null && <option value="">Choose a version</option>}
              {policies.map(({ version, effective_from }) => (
                <option key={version} value={version}>
                  Version {version}, from {effective_from}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {from === null || from === to ? (
        <Empty title="Nothing to compare with">
          {policies.length < 2 ? "There is one version only." : "Choose another version above."}
        </Empty>
      ) : difference.isPending ? (
        <Skeleton lines={6} />
      ) : cannotShow(difference) ? (
        <Failure error={difference.error} retry={() => void difference.refetch()} />
      ) : (
        <Changes difference={difference.data} />
      )}
    </>
  );
}

const KINDS: Readonly<Record<PolicyDifference["clauses"][number]["kind"], Tone>> = {
  added: "good",
  removed: "bad",
  changed: "warn",
};
const LINES = {
  same: { sign: " ", look: "text-dim" },
  added: { sign: "+", look: "bg-good/10 text-good" },
  removed: { sign: "−", look: "bg-bad/10 text-bad" },
} as const;

function Changes({ difference: { clauses, limits, lines } }: { difference: PolicyDifference }) {
  return (
    <>
      <Card title="Clauses">
        {clauses.length === 0 && <p className="text-sm text-dim">None changed.</p>}
        <ul className="flex flex-col gap-1 text-sm">
          {clauses.map(({ clause_id, kind, title, parts }) => (
            <li key={clause_id} className="flex flex-wrap items-center gap-2">
              <Badge tone={KINDS[kind]}>{kind}</Badge>
              <span className="font-medium">{title}</span>
              <span className="text-xs text-dim">
                {clause_id}
                {parts.length > 0 && `: ${parts.join(", ")}`}
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Limits">
        {limits.length === 0 ? (
          <p className="text-sm text-dim">None changed.</p>
        ) : (
          <dl className="text-sm">
            {limits.map(({ limit, before, after }) => (
              <div key={limit} className="flex justify-between gap-3 py-0.5">
                <dt className="text-dim">
                  {words(limit)}
                  {limit.endsWith("Minor") && " (minor units)"}
                </dt>
                <dd className="tabular-nums">
                  {before ?? "none"} → {after ?? "none"}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
      <Card title="Text">
        <div className="font-mono text-xs">
          {lines.map(({ kind, text }, n) => (
            <p
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
              key={n}
              className={`px-2 break-words whitespace-pre-wrap ${LINES[kind].look}`}
            >
              <span className="sr-only">{kind === "same" ? "" : kind}</span>
              <span aria-hidden="true">{LINES[kind].sign} </span>
              {text}
            </p>
          ))}
        </div>
      </Card>
    </>
  );
}
