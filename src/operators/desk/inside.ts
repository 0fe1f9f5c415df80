/** One conversation as operators see it: its log with what only they see, its work, and how each run came to its end. */

import { ratedSince } from "../../conversations/rating.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Tx } from "../../store/store.ts";
import { type ConversationItem, itemsOf } from "./listing.ts";

export interface ConversationInside extends ConversationItem {
  /** How sure it is who the customer is. */
  readonly assurance: string;
  readonly last_seq: number;
  /** The customer's messages up to here have their answer. */
  readonly answered_seq: number;
  readonly rating: {
    readonly score: number;
    readonly comment: string | null;
    readonly solved_by: "agent" | "person";
    /** Whether it is of how the conversation stands now: one that went on can be rated again when it ends. */
    readonly is_latest: boolean;
  } | null;
  readonly notes: readonly NoteView[];
  /** The operator's own unfinished answer. */
  readonly draft: DraftView | null;
}

export interface NoteView {
  readonly note_id: string;
  readonly author: string;
  readonly text: string;
  readonly at: string;
}

export interface DraftView {
  readonly text: string;
  readonly version: number;
  readonly updated_at: string;
}

export const noteView = (note: {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly at_ms: number;
}): NoteView => ({ note_id: note.id, author: note.author, text: note.text, at: isoInstant(note.at_ms) });

/** An event with what the customer does not see of it. */
export interface InsideEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly author: string | null;
  /** As the customer sees it. */
  readonly payload: unknown;
  /** The run that answered, the operator who wrote, the offer that was made; null when there is nothing. */
  readonly internal: unknown;
}

export interface InsideRun {
  readonly run_id: string;
  readonly cause: string;
  readonly state: string;
  readonly attempts: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly took_ms: number | null;
  readonly model: {
    readonly tier: string;
    readonly model: string | null;
    readonly prompt_version: string | null;
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    /** Millionths of US dollars. */
    readonly cost_micros: number;
    /** Every single call, also those whose answer was not used. */
    readonly each: readonly {
      readonly model: string;
      readonly outcome: string;
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly cost_micros: number;
      readonly took_ms: number;
    }[];
  } | null;
  /** Each proposal with its verdict and what came of it. */
  readonly steps: readonly {
    readonly n: number;
    readonly at: string;
    readonly proposal: unknown;
    readonly outcome: unknown;
  }[];
}

/** @throws ProblemError `not_found` */
export async function readInside(
  tx: Tx,
  conversationId: string,
  operator: string,
): Promise<ConversationInside> {
  const id = conversationId as ConversationId;
  const { tenantId } = tx.scope;
  const [item] = await itemsOf(tx, [id]);
  const row = await tx
    .selectFrom("conversations")
    .select(["assurance", "next_seq", "answered_seq"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (item === undefined || row === undefined) throw new ProblemError("not_found");
  const rating = await tx
    .selectFrom("csat")
    .select(["score", "comment", "solved_by", "since_seq"])
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "=", id)
    // Each of its endings may have one: the latest is shown.
    .orderBy("since_seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const notes = await tx
    .selectFrom("conversation_notes")
    .select(["id", "author", "text", "at_ms"])
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "=", id)
    .orderBy("id")
    .limit(LIMITS.notesPerConversation)
    .execute();
  const draft = await tx
    .selectFrom("drafts")
    .select(["text", "version", "updated_at_ms"])
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "=", id)
    .where("operator", "=", operator)
    .executeTakeFirst();
  return {
    ...item,
    assurance: row.assurance,
    last_seq: row.next_seq - 1,
    answered_seq: row.answered_seq,
    rating:
      rating === undefined
        ? null
        : {
            score: rating.score,
            comment: rating.comment,
            solved_by: rating.solved_by,
            is_latest: rating.since_seq === (await ratedSince(tx, id, item.status)),
          },
    notes: notes.map(noteView),
    draft:
      draft === undefined
        ? null
        : { text: draft.text, version: draft.version, updated_at: isoInstant(draft.updated_at_ms) },
  };
}

/** At most `LIMITS.eventsPerPage` after a seq, in order. @throws ProblemError `not_found` */
export async function readEvents(
  tx: Tx,
  conversationId: string,
  afterSeq: number,
): Promise<readonly InsideEvent[]> {
  const id = await existing(tx, conversationId);
  const rows = await tx
    .selectFrom("events")
    .select(["seq", "at_ms", "type", "author", "payload", "internal"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", id)
    .where("seq", ">", afterSeq)
    .orderBy("seq")
    .limit(LIMITS.eventsPerPage)
    .execute();
  return rows.map(({ seq, at_ms, type, author, payload, internal }) => ({
    seq,
    at: isoInstant(at_ms),
    type,
    author,
    payload,
    internal,
  }));
}

const ENDED: ReadonlySet<string> = new Set(["completed", "handed_off", "cancelled", "expired", "failed"]);

/** Newest first, at most `LIMITS.runsShown`. @throws ProblemError `not_found` */
export async function readRuns(tx: Tx, conversationId: string): Promise<readonly InsideRun[]> {
  const id = await existing(tx, conversationId);
  const { tenantId } = tx.scope;
  const runs = await tx
    .selectFrom("runs")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "=", id)
    .orderBy("created_at_ms", "desc")
    .orderBy("id", "desc")
    .limit(LIMITS.runsShown)
    .execute();
  if (runs.length === 0) return [];
  const ids = runs.map((run) => run.id);
  const steps = await tx
    .selectFrom("steps")
    .select(["run_id", "n", "at_ms", "proposal", "outcome"])
    .where("tenant_id", "=", tenantId)
    .where("run_id", "in", ids)
    .orderBy("n")
    .execute();
  const calls = await tx
    .selectFrom("model_calls")
    .select(["run_id", "model", "outcome", "input_tokens", "output_tokens", "cost_micros", "took_ms"])
    .where("tenant_id", "=", tenantId)
    .where("run_id", "in", ids)
    .orderBy("at_ms")
    .orderBy("id")
    .execute();
  return runs.map((run) => ({
    run_id: run.id,
    cause: run.cause,
    state: run.state,
    attempts: run.attempts,
    started_at: isoInstant(run.created_at_ms),
    ended_at: ENDED.has(run.state) ? isoInstant(run.updated_at_ms) : null,
    took_ms: ENDED.has(run.state) ? run.updated_at_ms - run.created_at_ms : null,
    model:
      run.tier === null
        ? null
        : {
            tier: run.tier,
            model: run.model,
            prompt_version: run.prompt_version,
            calls: run.model_calls ?? 0,
            input_tokens: run.input_tokens ?? 0,
            output_tokens: run.output_tokens ?? 0,
            cost_micros: run.cost_micros ?? 0,
            each: calls.filter((call) => call.run_id === run.id).map(({ run_id: _, ...call }) => call),
          },
    steps: steps
      .filter((step) => step.run_id === run.id)
      .map((step) => ({
        n: step.n,
        at: isoInstant(step.at_ms),
        proposal: step.proposal,
        outcome: step.outcome,
      })),
  }));
}

/** @throws ProblemError `not_found` */
export async function existing(tx: Tx, conversationId: string): Promise<ConversationId> {
  const row = await tx
    .selectFrom("conversations")
    .select("id")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", conversationId as ConversationId)
    .executeTakeFirst();
  if (row === undefined) throw new ProblemError("not_found");
  return row.id;
}
