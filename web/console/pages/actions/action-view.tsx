/** One action: what was asked, what the policy said on which facts, each state it came to, and the provider's evidence. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type ActionStory, oneAction } from "../../api/records.ts";
import { Badge, Button, Card, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { money, whoText } from "../../words.ts";
import { STATE_TONES, stateText, VERDICTS } from "./states.ts";

export function ActionView({ id, back }: { id: string; back(): void }) {
  const { me } = useSession();
  const action = useQuery({
    queryKey: ["actions", "one", me.tenant, id],
    queryFn: ({ signal }) => oneAction(id, signal),
  });
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3 p-3">
      <Button look="bare" className="self-start lg:hidden" onClick={back}>
        ← Actions
      </Button>
      {action.isPending ? (
        <Skeleton lines={6} />
      ) : cannotShow(action) ? (
        <Failure error={action.error} retry={() => void action.refetch()} />
      ) : (
        <Story action={action.data} />
      )}
    </div>
  );
}

function Story({ action }: { action: ActionStory }) {
  const { may } = useSession();
  const facts = action.decision?.facts;
  const provider = action.evidence?.provider;
  return (
    <>
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="text-lg font-semibold">
          {action.kind === "refund" ? "Refund" : "Return"} for order #{action.order_number}
        </h1>
        <Badge tone={STATE_TONES[action.state]}>{stateText(action.state)}</Badge>
        <span className="ml-auto text-lg tabular-nums">{money(action.amount, action.currency)}</span>
      </header>
      <Card title="What was asked">
        <dl className="text-sm">
          <Line name="Items">{action.items}</Line>
          <Line name="Customer">{action.customer_id}</Line>
          <Line name="Proposed by">{whoText(action.proposed_by)}</Line>
          <Line name="Approved by">{action.approved_by ?? "nobody"}</Line>
        </dl>
        <p className="mt-2 border-t border-line pt-2 text-sm">
          <span className="text-dim">The customer is told: </span>
          <span dir="auto">{action.text}</span>
        </p>
        {may("conversations.read") && (
          <p className="mt-2 text-sm">
            <Link
              className="text-accent underline"
              to="/conversations"
              search={{ conversation: action.conversation_id } as never}
            >
              Read the conversation
            </Link>
          </p>
        )}
      </Card>
      <VerdictCard action={action} />
      <Timeline action={action} />
      <Card title="Provider's evidence">
        <dl className="text-sm">
          <Line name="Reference">{action.provider_ref ?? "none: the provider has confirmed nothing"}</Line>
          <Line name="Times sent">{action.attempts}</Line>
          <Line name="Idempotency key">
            <Code>{action.idempotency_key}</Code>
          </Line>
          <Line name="Hash of the arguments">
            <Code>{action.args_hash}</Code>
          </Line>
          <Line name="Action">
            <Code>{action.action_id}</Code>
          </Line>
        </dl>
        {provider !== undefined && (
          <div className="mt-2 border-t border-line pt-2">
            <Facts value={provider} />
          </div>
        )}
      </Card>
      {facts !== undefined && (
        <Card title="Facts that decided">
          <Facts value={facts} currency={action.currency} />
        </Card>
      )}
    </>
  );
}

function VerdictCard({ action }: { action: ActionStory }) {
  const { may } = useSession();
  const verdict = action.decision?.verdict;
  if (verdict === undefined) return null;
  const { text, tone } = VERDICTS[verdict.decision];
  const name = `${verdict.policyId} v${verdict.policyVersion}`;
  return (
    <Card title="What the policy decided" aside={<Badge tone={tone}>{text}</Badge>}>
      <p className="text-xs text-dim">
        {may("policies.read") ? (
          <Link className="underline" to="/policies" search={{ version: verdict.policyVersion } as never}>
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
      <ul className="mt-1 flex flex-col gap-2 text-sm">
        {verdict.clauses.map(({ clauseId, title, customerText }) => (
          <li key={clauseId}>
            <span className="font-medium">{title}</span> <span className="text-xs text-dim">{clauseId}</span>
            {customerText !== undefined && <p className="text-dim">{customerText}</p>}
          </li>
        ))}
      </ul>
      {(verdict.errors ?? []).map((error) => (
        <p key={error} className="mt-2 text-sm text-bad">
          {error}
        </p>
      ))}
    </Card>
  );
}

function Timeline({ action }: { action: ActionStory }) {
  return (
    <Card title="What became of it">
      {action.timeline.length === 0 && (
        <p className="text-sm text-dim">
          {stateText(action.state)} at once, <Instant at={action.created_at} />.
        </p>
      )}
      <ol className="flex flex-col gap-2 border-l-2 border-line pl-3 text-sm">
        {action.timeline.map((step) => (
          <li key={`${step.version}-${step.to}-${step.at}`}>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{stateText(step.to)}</span>
              <span className="text-dim">after {stateText(step.from).toLowerCase()}</span>
              <span className="ml-auto text-xs text-dim">
                <Instant at={step.at} />
              </span>
            </p>
            <p className="text-xs text-dim">
              {step.because.replaceAll("_", " ")}, by <span title={step.by}>{whoText(step.by)}</span>
              {step.provider_ref !== null && ` · provider calls it ${step.provider_ref}`}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-0.5">
      <dt className="whitespace-nowrap text-dim">{name}</dt>
      <dd dir="auto" className="min-w-0 text-right wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}

const Code = ({ children }: { children: string }) => (
  <code className="font-mono text-xs break-all">{children}</code>
);
