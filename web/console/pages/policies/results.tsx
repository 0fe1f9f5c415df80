/** What the server says of a text: whether it can be published, and which decisions of before it would change. */
import { Link } from "@tanstack/react-router";
import type { PolicyCheck, PolicyPreview } from "../../api/policies.ts";
import { Badge, Card, Empty } from "../../parts/base.tsx";
import { Time } from "../../parts/time.tsx";
import { counted } from "../../words.ts";
import { VERDICTS } from "../actions/states.ts";

export function Checked({ check: { valid, faults, version, effective_from } }: { check: PolicyCheck }) {
  return (
    <Card
      title="Check"
      aside={<Badge tone={valid ? "good" : "bad"}>{valid ? "Can be published" : "Has faults"}</Badge>}
    >
      {valid ? (
        <p role="status" className="text-sm">
          Version {version}, effective from {effective_from}.
        </p>
      ) : (
        <ul role="alert" className="flex flex-col gap-2 text-sm">
          {faults.map((fault) => (
            <li key={`${fault.line}-${fault.column}-${fault.message}`}>
              <span className="font-medium text-bad">
                Line {fault.line}
                {fault.column !== null && `, column ${fault.column}`}:
              </span>{" "}
              {fault.message}
              <span className="block text-dim">{fault.fix}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function Previewed({ preview: { decisions, changed } }: { preview: PolicyPreview }) {
  if (decisions === 0) {
    return (
      <Empty title="No decisions yet">
        As soon as refunds were asked for, a text can be tried on what was decided then.
      </Empty>
    );
  }
  return (
    <Card
      title={`${changed.length} of the last ${counted(decisions, "decision")} would have gone the other way`}
    >
      {changed.length === 0 && <p className="text-sm text-dim">It decides all of them as before.</p>}
      <ul className="flex flex-col gap-2 text-sm">
        {changed.map((each) => (
          <li key={`${each.action_id}-${each.order_number}-${each.decided_at}`}>
            <p className="flex flex-wrap items-center gap-2">
              {each.action_id === null ? (
                <span className="font-medium">
                  {each.kind} #{each.order_number}
                </span>
              ) : (
                <Link
                  className="font-medium underline"
                  to="/actions"
                  search={{ action: each.action_id } as never}
                >
                  {each.kind} #{each.order_number}
                </Link>
              )}
              <span className="tabular-nums">{each.amount}</span>
              <Badge tone={VERDICTS[each.was].tone}>{VERDICTS[each.was].text}</Badge>→
              <Badge tone={VERDICTS[each.would_be].tone}>{VERDICTS[each.would_be].text}</Badge>
              <span className="ml-auto text-xs text-dim">
                <Time at={each.decided_at} />
              </span>
            </p>
            <p className="text-xs text-dim">
              {each.was_clauses.join(", ")} → {each.would_be_clauses.join(", ")}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
