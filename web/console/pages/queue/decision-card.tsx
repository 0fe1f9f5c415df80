/** What is to be decided and everything it rests on: the action, the rules with their facts, the customer, the ways to decide. */
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Review } from "../../api/reviews.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Button, Card } from "../../parts/base.tsx";
import { Facts, shownValue } from "../../parts/facts.tsx";
import { Instant, Time } from "../../parts/time.tsx";
import { decisionText, money, reasonText } from "../../words.ts";
import { type Choice, choicesFor } from "./choices.ts";
import { Sla } from "./list.tsx";
import { ReviewedOrder } from "./order.tsx";
import { Rules } from "./rules.tsx";
import { Signals } from "./signals.tsx";
import type { Deciding } from "./use-decide.ts";

export function DecisionCard({
  review,
  deciding,
  canDecide,
}: {
  review: Review;
  deciding: Deciding;
  canDecide: boolean;
}) {
  const [writing, setWriting] = useState<Choice | null>(null);
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const isOpen = review.state === "open" && canDecide;
  const choices = choicesFor(review);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another review is another form
  useEffect(() => {
    setWriting(null);
    setText("");
  }, [review.review_id]);
  useEffect(() => {
    // What is suggested goes with the first key, and stays with Ctrl+Enter.
    if (writing !== null) field.current?.select();
  }, [writing]);

  const choose = (choice: Choice) => {
    if (choice.asks === undefined) void deciding.decide(choice.kind);
    else {
      // A question is one's own; reasons and answers are suggested, in the customer's language.
      setText(
        choice.asks.field === "amount"
          ? (review.amount ?? "")
          : choice.kind === "ask"
            ? ""
            : review.draft_reply,
      );
      setWriting(choice);
    }
  };
  const submit = async () => {
    if (writing?.asks === undefined || text.trim() === "") return;
    if (await deciding.decide(writing.kind, { [writing.asks.field]: text.trim() })) setWriting(null);
  };
  useCommands(
    isOpen
      ? [
          ...choices.map((choice) => ({
            id: `review.${choice.id}`,
            label: choice.label,
            keys: choice.key,
            group: "Decide",
            run: () => choose(choice),
          })),
          ...(writing === null
            ? []
            : [
                {
                  id: "review.send",
                  label: `Send: ${writing.label}`,
                  keys: "mod+enter",
                  group: "Decide",
                  run: () => void submit(),
                },
                {
                  id: "review.stop",
                  label: "Do not decide yet",
                  keys: "escape",
                  group: "Decide",
                  run: () => setWriting(null),
                },
              ]),
        ]
      : [],
    [review, writing, text, deciding, isOpen],
  );

  return (
    <div className="flex flex-col gap-3 p-3" data-review={review.review_id}>
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="text-lg font-semibold">{reasonText(review.reason)}</h1>
        <Badge tone={review.priority === "urgent" ? "bad" : review.priority === "high" ? "warn" : "plain"}>
          {review.priority}
        </Badge>
        <Sla item={review} />
        <span className="ml-auto text-xs text-dim">
          <Time at={review.created_at} /> · v{review.version}
        </span>
      </header>

      {deciding.conflict !== null && (
        <div role="alert" className="rounded-xl border border-warn/50 bg-warn/10 p-3 text-sm">
          <p className="font-semibold text-warn">{deciding.conflict.message}</p>
          {deciding.conflict.next !== null && <p>{deciding.conflict.next}</p>}
          {deciding.conflict.changes.length > 0 && (
            <table className="mt-2 w-full text-xs">
              <thead className="text-left text-dim">
                <tr>
                  <th className="pr-2 font-medium">What</th>
                  <th className="pr-2 font-medium">You saw</th>
                  <th className="font-medium">Now</th>
                </tr>
              </thead>
              <tbody>
                {deciding.conflict.changes.map(({ field: name, seen, now }) => (
                  <tr key={name}>
                    <td className="pr-2">{name.replaceAll("_", " ")}</td>
                    <td className="pr-2">{shownValue(seen)}</td>
                    <td>{shownValue(now)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <Button className="mt-2" onClick={deciding.forget}>
            I have seen it
          </Button>
        </div>
      )}

      <Card
        title={review.kind === "approval" ? "To decide" : "What it is about"}
        aside={<span className="text-base tabular-nums">{money(review.amount, review.currency)}</span>}
      >
        <p className="text-sm">{review.packet.issue}</p>
        {review.first_approval !== null && (
          <p className="mt-2 text-sm text-warn">
            {review.first_approval.by} approved <Time at={review.first_approval.at} />
            {review.first_approval.amount !== null && ` (${review.first_approval.amount})`}. A second person
            has to.
          </p>
        )}
        {review.approvals_needed === 2 && review.first_approval === null && (
          <p className="mt-2 text-sm text-dim">Two people have to approve this amount.</p>
        )}
        <p className="mt-3 text-sm">
          <span className="font-medium">Recommended: </span>
          {review.packet.recommended}
        </p>
      </Card>

      {isOpen ? (
        writing === null ? (
          <div className="flex flex-wrap gap-2">
            {choices.map((choice) => (
              <Button
                key={choice.id}
                look={choice.look}
                keys={choice.key}
                isBusy={deciding.isBusy}
                onClick={() => choose(choice)}
              >
                {choice.label}
              </Button>
            ))}
          </div>
        ) : (
          <form
            className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-3"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <label className="text-sm font-medium" htmlFor="decision-text">
              {writing.asks?.label}
            </label>
            <textarea
              id="decision-text"
              ref={field}
              rows={writing.asks?.field === "amount" ? 1 : 3}
              value={text}
              maxLength={2_000}
              aria-describedby="decision-hint"
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              className="rounded-lg border border-line bg-ground px-3 py-2 text-sm"
            />
            <p id="decision-hint" className="text-xs text-dim">
              {writing.asks?.hint}
            </p>
            <div className="flex gap-2">
              <Button
                type="submit"
                look={writing.look === "danger" ? "danger" : "primary"}
                keys="mod+enter"
                isBusy={deciding.isBusy}
                disabled={text.trim() === ""}
              >
                {writing.label}
              </Button>
              <Button look="bare" keys="escape" onClick={() => setWriting(null)}>
                Not yet
              </Button>
            </div>
          </form>
        )
      ) : (
        <Outcome review={review} canDecide={canDecide} />
      )}

      {review.asked !== null && (
        <Card title="Asked the customer">
          <p className="text-sm">
            “{review.asked.question}” <span className="text-xs text-dim">{review.asked.by}</span>
          </p>
          <p className="mt-1 text-sm">
            {review.asked.answer === null ? (
              <span className="text-dim">No answer yet.</span>
            ) : (
              `“${review.asked.answer}”`
            )}
          </p>
        </Card>
      )}

      <Signals review={review} />
      <ReviewedOrder review={review} />
      <Rules review={review} />
      {review.rules.length === 0 && review.packet.clauses.length > 0 && (
        <Card title="What the policy says">
          <ul className="flex flex-col gap-2">
            {review.packet.clauses.map((clause) => (
              <li key={clause.clause_id} className="text-sm">
                <span className="font-medium">{clause.title}</span>{" "}
                <span className="text-xs text-dim">
                  {clause.policy} v{clause.version} · {clause.clause_id}
                </span>
                <p className="text-dim">{clause.text}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {review.packet.facts !== null && (
        <Card title="Facts that decided">
          <Facts
            value={review.packet.facts}
            tenantCurrency={review.tenant_currency}
            {...(review.currency === null ? {} : { currency: review.currency })}
          />
        </Card>
      )}
      <Card title="Customer">
        <p className="text-sm">{review.packet.customer}</p>
        <p className="mt-2 flex gap-3 text-sm">
          <Link className="underline" to="/actions" search={{ customer_id: review.customer_id } as never}>
            Refunds and returns
          </Link>
          <Link
            className="underline"
            to="/conversations"
            search={{ customer_id: review.customer_id } as never}
          >
            Conversations
          </Link>
        </p>
      </Card>
      {review.packet.tried.length > 0 && (
        <Card title="What was tried">
          <ul className="list-disc pl-5 text-sm">
            {review.packet.tried.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Card>
      )}
      {review.changes.length > 0 && (
        <Card title="What happened to this review">
          <ol className="flex flex-col gap-1 text-sm">
            {review.changes.map((change) => (
              <li key={`${change.version}-${change.at}`} className="flex gap-2">
                <span className="text-dim">v{change.version}</span>
                <span>
                  {change.what} by {change.by}
                  {change.fields.map(
                    ({ field: name, seen, now }) =>
                      ` · ${name.replaceAll("_", " ")}: ${shownValue(seen)} → ${shownValue(now)}`,
                  )}
                </span>
                <span className="ml-auto text-xs text-dim">
                  <Instant at={change.at} />
                </span>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </div>
  );
}

function Outcome({ review, canDecide }: { review: Review; canDecide: boolean }) {
  const { decision } = review;
  return (
    <p role="status" className="rounded-xl border border-line bg-raised p-3 text-sm">
      {decision !== null ? (
        <>
          {decisionText(decision.decision)} by {decision.decided_by} <Time at={decision.at} />
          {decision.note !== null && <span className="block text-dim">“{decision.note}”</span>}
        </>
      ) : review.state === "waiting" ? (
        "Waits for the customer's answer."
      ) : review.state === "expired" ? (
        "Nobody decided in time. Nothing was done; the customer was told."
      ) : review.state === "withdrawn" ? (
        "Settled without a decision; nothing is left to do."
      ) : canDecide ? (
        ""
      ) : (
        "You may read this, and your role does not decide."
      )}
    </p>
  );
}
