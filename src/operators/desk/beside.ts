/**
 * What operators keep beside a conversation: notes, tags, who has it, unfinished answers. None of it is in the
 * conversation's log, and the tables are closed to a customer's scope: no stream and no page can show it to one.
 */
import { assign } from "../../conversations/handing-over.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { assert, ProblemError } from "../../kernel/errors.ts";
import { type ConversationId, newId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import type { Tx } from "../../store/store.ts";
import { type DraftView, existing, type NoteView, noteView } from "./inside.ts";

interface Ports {
  readonly clock: Clock;
  readonly random: Random;
}

export interface NewNote {
  readonly text: string;
  readonly author: string;
  /** Chosen by the author's client: the same note sent again is kept once. Null: each is a note of its own. */
  readonly clientNoteId: string | null;
}

/** @throws ProblemError `not_found`, `notes_exhausted`, `client_note_id_reused` */
export async function addNote(
  tx: Tx,
  { clock, random }: Ports,
  conversationId: string,
  note: NewNote,
): Promise<NoteView> {
  const id = await existing(tx, conversationId);
  const known = await noteSent(tx, id, note);
  if (known !== null) return known;
  const { n } = await tx
    .selectFrom("conversation_notes")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", id)
    .executeTakeFirstOrThrow();
  if (n >= LIMITS.notesPerConversation) throw new ProblemError("notes_exhausted");
  const { text, author } = note;
  const kept = await tx
    .insertInto("conversation_notes")
    .values({
      tenant_id: tx.scope.tenantId,
      id: newId("note", clock, random),
      conversation_id: id,
      author,
      text,
      at_ms: clock.now(),
      client_note_id: note.clientNoteId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(["id", "at_ms"])
    .executeTakeFirst();
  if (kept !== undefined) return noteView({ ...kept, author, text });
  // It was sent twice at this moment, and the other one is kept.
  const other = await noteSent(tx, id, note);
  assert(other !== null, "a note that stands in the way is there");
  return other;
}

/** The note that was kept under this ID before. @throws ProblemError `client_note_id_reused` */
async function noteSent(tx: Tx, id: ConversationId, note: NewNote): Promise<NoteView | null> {
  if (note.clientNoteId === null) return null;
  const known = await tx
    .selectFrom("conversation_notes")
    .select(["id", "author", "text", "at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", id)
    .where("author", "=", note.author)
    .where("client_note_id", "=", note.clientNoteId)
    .executeTakeFirst();
  if (known === undefined) return null;
  if (known.text !== note.text) throw new ProblemError("client_note_id_reused");
  return noteView(known);
}

/** Adds and removes tags; answers with those that it has now. @throws ProblemError `not_found`, `tags_exhausted` */
export async function changeTags(
  tx: Tx,
  { clock }: Ports,
  conversationId: string,
  change: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly by: string },
): Promise<readonly string[]> {
  const id = await existing(tx, conversationId);
  const tenantId = tx.scope.tenantId;
  if (change.remove.length > 0) {
    await tx
      .deleteFrom("conversation_tags")
      .where("tenant_id", "=", tenantId)
      .where("conversation_id", "=", id)
      .where("tag", "in", change.remove)
      .execute();
  }
  if (change.add.length > 0) {
    await tx
      .insertInto("conversation_tags")
      .values(
        [...new Set(change.add)].map((tag) => ({
          tenant_id: tenantId,
          conversation_id: id,
          tag,
          tagged_by: change.by,
          at_ms: clock.now(),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const rows = await tx
    .selectFrom("conversation_tags")
    .select("tag")
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "=", id)
    .orderBy("tag")
    .execute();
  if (rows.length > LIMITS.tagsPerConversation) throw new ProblemError("tags_exhausted");
  return rows.map(({ tag }) => tag);
}

/** @throws ProblemError `not_found` */
export async function assignTo(
  tx: Tx,
  { clock }: Ports,
  conversationId: string,
  operator: string | null,
): Promise<void> {
  await assign(tx, await existing(tx, conversationId), operator, clock.now());
}

/**
 * Keeps an unfinished answer; an empty text ends it. `version` is the one that the page knows, 0 for none: two pages
 * of one person do not overwrite each other.
 * @throws ProblemError `not_found`, `draft_changed`
 */
export async function saveDraft(
  tx: Tx,
  { clock }: Ports,
  conversationId: string,
  draft: { readonly text: string; readonly version: number; readonly operator: string },
): Promise<DraftView | null> {
  const id = await existing(tx, conversationId);
  const mine = { tenant_id: tx.scope.tenantId, conversation_id: id, operator: draft.operator };
  const known = await tx
    .selectFrom("drafts")
    .select(["text", "version", "updated_at_ms"])
    .where("tenant_id", "=", mine.tenant_id)
    .where("conversation_id", "=", id)
    .where("operator", "=", draft.operator)
    .forUpdate()
    .executeTakeFirst();
  if ((known?.version ?? 0) !== draft.version) {
    throw new ProblemError("draft_changed", undefined, {
      details: {
        draft:
          known === undefined
            ? null
            : { text: known.text, version: known.version, updated_at: isoInstant(known.updated_at_ms) },
      },
    });
  }
  if (draft.text === "") {
    await endDraft(tx, mine);
    return null;
  }
  const kept = { text: draft.text, version: draft.version + 1, updated_at_ms: clock.now() };
  const saved = await tx
    .insertInto("drafts")
    .values({ ...mine, ...kept })
    .onConflict((conflict) =>
      conflict
        .columns(["tenant_id", "conversation_id", "operator"])
        .doUpdateSet(kept)
        .where("drafts.version", "=", draft.version),
    )
    .returning("version")
    .executeTakeFirst();
  // Two pages began one at this moment.
  if (saved === undefined) throw new ProblemError("draft_changed");
  return { text: kept.text, version: kept.version, updated_at: isoInstant(kept.updated_at_ms) };
}

export async function endDraft(
  tx: Tx,
  mine: { readonly conversation_id: string; readonly operator: string },
): Promise<void> {
  await tx
    .deleteFrom("drafts")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", mine.conversation_id as never)
    .where("operator", "=", mine.operator)
    .execute();
}
