/**
 * Pictures of a conversation: taken from its customer, cleaned, kept once by what they are, and seen by those who may
 * see the conversation. They have no name but their ID: what a sender calls a file is not even read.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { ProblemError } from "../../kernel/errors.ts";
import { type AttachmentId, type ConversationId, newId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import type { CustomerScope, Scope } from "../../kernel/scope.ts";
import type { Store, Tx } from "../../store/store.ts";
import { type LockedConversation, lockConversation } from "../events.ts";
import { cleanPicture, type Picture, type PictureType } from "./picture.ts";
import { PictureFault } from "./picture-fault.ts";

/** As a message's event shows it. */
export interface AttachmentView {
  readonly attachment_id: AttachmentId;
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
}

export interface Attachments {
  /**
   * Keeps a picture for a message that is still to be sent. The same picture again is one attachment.
   * @throws ProblemError `not_found`, `attachment_invalid`, `attachments_exhausted`
   */
  add(scope: CustomerScope, conversationId: string, bytes: Buffer): Promise<AttachmentView>;
  /** @throws ProblemError `not_found` */
  read(
    scope: Scope,
    conversationId: string,
    attachmentId: string,
  ): Promise<{ readonly type: PictureType; readonly bytes: Buffer }>;
}

const DAY_MS = 86_400_000;

export function createAttachments(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}): Attachments {
  const { store, clock, random } = parts;
  return {
    async add(scope, conversationId, bytes) {
      const picture = cleaned(bytes);
      const hash = createHash("sha256").update(picture.bytes).digest("hex");
      return store.transact(scope, async (tx) => {
        const conversation = await lockConversation(tx, conversationId as ConversationId);
        if (conversation === null) throw new ProblemError("not_found");
        const known = await tx
          .selectFrom("attachments")
          .select("id")
          .where("tenant_id", "=", scope.tenantId)
          .where("conversation_id", "=", conversation.id)
          .where("hash", "=", hash)
          .executeTakeFirst();
        if (known !== undefined) return view(known.id, picture);
        const nowMs = clock.now();
        await refuseTooMany(tx, conversation, nowMs);
        const id = newId("att", clock, random);
        // First: only through this row is the content seen.
        await tx
          .insertInto("attachments")
          .values({
            tenant_id: scope.tenantId,
            id,
            conversation_id: conversation.id,
            customer_id: scope.customerId,
            hash,
            created_at_ms: nowMs,
          })
          .execute();
        await tx
          .insertInto("attachment_contents")
          .values({
            tenant_id: scope.tenantId,
            hash,
            type: picture.type,
            width: picture.width,
            height: picture.height,
            bytes: sql<string>`decode(${picture.bytes.toString("base64")}, 'base64')`,
            created_at_ms: nowMs,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return view(id, picture);
      });
    },

    read: (scope, conversationId, attachmentId) =>
      store.transact(scope, async (tx) => {
        const row = await tx
          .selectFrom("attachments as a")
          .innerJoin("attachment_contents as c", (join) =>
            join.onRef("c.tenant_id", "=", "a.tenant_id").onRef("c.hash", "=", "a.hash"),
          )
          .select(["c.type", sql<string>`encode(c.bytes, 'base64')`.as("bytes")])
          .where("a.tenant_id", "=", scope.tenantId)
          .where("a.conversation_id", "=", conversationId as ConversationId)
          .where("a.id", "=", attachmentId as AttachmentId)
          .executeTakeFirst();
        if (row === undefined) throw new ProblemError("not_found");
        return { type: row.type, bytes: Buffer.from(row.bytes, "base64") };
      }),
  };
}

/**
 * The attachments of a message, in its order, as its event shows them.
 * @throws ProblemError `attachment_unknown` when one is none of this conversation's
 */
export async function attachedTo(
  tx: Tx,
  conversation: LockedConversation,
  ids: readonly string[],
): Promise<readonly AttachmentView[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom("attachments as a")
    .innerJoin("attachment_contents as c", (join) =>
      join.onRef("c.tenant_id", "=", "a.tenant_id").onRef("c.hash", "=", "a.hash"),
    )
    .select(["a.id", "c.type", "c.width", "c.height"])
    .where("a.tenant_id", "=", conversation.tenant_id)
    .where("a.conversation_id", "=", conversation.id)
    .where("a.id", "in", ids as readonly AttachmentId[])
    .execute();
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw new ProblemError("attachment_unknown");
    return view(row.id, row);
  });
}

const view = (id: AttachmentId, { type, width, height }: Omit<Picture, "bytes">): AttachmentView => ({
  attachment_id: id,
  type,
  width,
  height,
});

function cleaned(bytes: Buffer): Picture {
  try {
    return cleanPicture(bytes);
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    throw new ProblemError("attachment_invalid", `This is no picture that can be taken: ${error.message}.`);
  }
}

/** A conversation has some; a customer of many conversations has them for a day. */
async function refuseTooMany(tx: Tx, conversation: LockedConversation, nowMs: number): Promise<void> {
  const { here, today } = await tx
    .selectFrom("attachments")
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere("conversation_id", "=", conversation.id).as("here"),
      eb.fn
        .countAll<number>()
        .filterWhere("created_at_ms", ">", nowMs - DAY_MS)
        .as("today"),
    ])
    .where("tenant_id", "=", conversation.tenant_id)
    .where("customer_id", "=", conversation.customer_id)
    .executeTakeFirstOrThrow();
  if (Number(here) >= LIMITS.attachmentsPerConversation || Number(today) >= LIMITS.attachmentsPerDay) {
    throw new ProblemError("attachments_exhausted");
  }
}
