/** What the assistant did: each run with its steps, verdicts, time, tokens and cost. */
import { useQuery } from "@tanstack/react-query";
import { type Run, runsOf } from "../../api/conversations.ts";
import { Badge, Card, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { Instant } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";

export function Trace({ id }: { id: string }) {
  const { me } = useSession();
  const runs = useQuery({
    queryKey: ["conversation", id, me.tenant, "runs"],
    queryFn: ({ signal }) => runsOf(id, signal),
  });
  if (runs.isPending) return <Skeleton />;
  if (cannotShow(runs)) return <Failure error={runs.error} retry={() => void runs.refetch()} />;
  if (runs.data.runs.length === 0) {
    return <Empty title="The assistant did nothing here">Each answer it gives is explained here.</Empty>;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4">
      {runs.data.runs.map((run) => (
        <RunCard key={run.run_id} run={run} />
      ))}
    </div>
  );
}

function RunCard({ run }: { run: Run }) {
  const { model } = run;
  return (
    <Card title={run.cause.replaceAll("_", " ")} aside={<Badge>{run.state.replaceAll("_", " ")}</Badge>}>
      <p className="mb-2 text-xs text-dim">
        <Instant at={run.started_at} />
        {run.took_ms !== null && ` · ${run.took_ms} ms`}
        {run.attempts > 1 && ` · ${run.attempts} attempts`}
        {model === null
          ? " · no model was asked"
          : ` · ${model.model ?? model.tier} · ${model.calls} calls · ${model.input_tokens} tokens in, ${model.output_tokens} out · $${(model.cost_micros / 1_000_000).toFixed(6)}`}
      </p>
      <ol className="flex flex-col gap-2">
        {run.steps.map((step) => (
          <li key={step.n} className="grid gap-1 text-xs">
            <Code label="Proposed" value={step.proposal} />
            <Code label="Came of it" value={step.outcome} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Code({ label, value }: { label: string; value: unknown }) {
  return (
    <details open={JSON.stringify(value).length < 300}>
      <summary className="text-dim">{label}</summary>
      <pre className="overflow-x-auto rounded bg-raised p-2 font-mono whitespace-pre-wrap">
        {JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
