/**
 * What a decision must fit, pure; in the order in which a person wants to hear of it: it is settled already, it
 * has changed since you looked, it is not a decision that this review takes. A conflict says what was seen, what
 * is there now, and which fields made the difference.
 */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Decision, DecisionKind, FieldChange } from "./reviews.ts";
import type { BareReview } from "./rows.ts";

const TAKES: Readonly<Record<BareReview["kind"], readonly DecisionKind[]>> = {
  approval: ["approve", "approve_changed", "reject", "ask", "hand_back"],
  handoff: ["resolve", "ask", "hand_back"],
  uncertain: ["resolve", "ask"],
};

/** Null as `decision`: for a claim, which binds to no version. */
export function refuseSettled(review: BareReview, decision: Decision | null): void {
  const { decision: counts } = review;
  if (review.state === "decided" && counts !== null) {
    throw new ProblemError(
      "already_decided",
      `${counts.decided_by} decided this at ${counts.at}: ${counts.decision}.`,
      { details: { decision: counts, undo_until: review.undo_until, ...comparison(review, decision) } },
    );
  }
  if (review.state === "expired") {
    throw new ProblemError("review_expired", undefined, { details: comparison(review, decision) });
  }
  if (review.state === "withdrawn") {
    throw new ProblemError("review_changed", whyWithdrawn(review), { details: comparison(review, decision) });
  }
}

/** @throws ProblemError as `Reviews.decide` says */
export function checkDecision(review: BareReview, decision: Decision): void {
  refuseSettled(review, decision);
  if (review.version !== decision.version) {
    throw new ProblemError(
      "review_changed",
      `You saw version ${decision.version}; it is at version ${review.version} now.`,
      { details: comparison(review, decision) },
    );
  }
  if (!TAKES[review.kind].includes(decision.decision)) {
    throw new ProblemError(
      "decision_invalid",
      `A review of kind ${review.kind} takes ${TAKES[review.kind].join(", ")}, not ${decision.decision}.`,
    );
  }
  if (review.kind === "approval" && decision.argsHash !== review.args_hash) {
    throw new ProblemError("review_changed", "The arguments that you saw are not the ones to be approved.", {
      details: { args_hash: review.args_hash, ...comparison(review, decision) },
    });
  }
  const note = (decision.note ?? "").trim();
  if (decision.decision === "reject" && note === "") {
    throw new ProblemError(
      "decision_invalid",
      "A rejection needs a note: the customer reads it as the reason.",
    );
  }
  if (decision.decision === "ask" && note === "") {
    throw new ProblemError("decision_invalid", "A question needs a note: it is what the customer is asked.");
  }
  if (decision.decision === "approve_changed" && (decision.amount ?? "") === "") {
    throw new ProblemError("decision_invalid", "A changed amount is needed, as decimal text.");
  }
  if ((decision.note ?? "").length > LIMITS.noteChars) {
    throw new ProblemError("decision_invalid", `The note is longer than ${LIMITS.noteChars} characters.`);
  }
}

/** What was seen, what is there now, and what happened in between. */
export function comparison(review: BareReview, decision: Decision | null): Record<string, unknown> {
  const seenVersion = decision?.version ?? null;
  const since = review.changes.filter(({ version }) => seenVersion === null || version > seenVersion);
  const fields: FieldChange[] = [
    ...(seenVersion !== null && seenVersion !== review.version
      ? [{ field: "version", seen: seenVersion, now: review.version }]
      : []),
    ...(review.state === "open" || review.state === "waiting"
      ? []
      : [{ field: "state", seen: "open", now: review.state }]),
    ...(decision !== null && review.kind === "approval" && decision.argsHash !== review.args_hash
      ? [{ field: "args_hash", seen: decision.argsHash, now: review.args_hash }]
      : []),
    ...since.flatMap((change) => change.fields),
  ];
  return {
    version: review.version,
    state: review.state,
    seen_version: seenVersion,
    changed: fields,
    changes: since,
  };
}

function whyWithdrawn(review: BareReview): string {
  const action = review.changes
    .flatMap(({ fields }) => fields)
    .findLast(({ field }) => field === "action.state");
  return action === undefined
    ? "This review was withdrawn: there is nothing left to decide."
    : `There is nothing left to decide: the action is ${String(action.now).replaceAll("_", " ")}.`;
}
