/** Texts that a team uses again and again: kept per tenant, changed by compare-and-set, filled in for a conversation. */
import type { Orders } from "../../commerce/orders.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { type ConversationId, newId, type TenantId } from "../../kernel/ids.ts";
import type { Language } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { customerScope, type TenantScope } from "../../kernel/scope.ts";
import type { Store, Tx } from "../../store/store.ts";
import { spokenMoney } from "../../wording/forms.ts";
import { filledIn, unknownVariables } from "./canned-text.ts";

export interface CannedReply {
  readonly reply_id: string;
  /** What is typed to find it: `late-parcel`. One of its kind in a tenant. */
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly version: number;
  readonly updated_by: string;
  readonly updated_at: string;
}

export interface CannedReplyWish {
  /** Null: a new one. */
  readonly replyId: string | null;
  /** Of the one that was read; 0 for a new one. */
  readonly version: number;
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  readonly language: Language | null;
  readonly by: string;
}

export interface CannedParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly orders: Pick<Orders, "customer">;
  readonly shopName: (tenantId: TenantId) => string;
}

export type CannedReplies = ReturnType<typeof createCannedReplies>;

export function createCannedReplies(parts: CannedParts) {
  const { store, clock, random } = parts;
  return {
    /** By shortcut, at most `LIMITS.cannedReplies`. */
    list: (scope: TenantScope): Promise<readonly CannedReply[]> =>
      store.transact(scope, async (tx) => {
        const rows = await tx
          .selectFrom("canned_replies")
          .selectAll()
          .where("tenant_id", "=", scope.tenantId)
          .orderBy("shortcut")
          .limit(LIMITS.cannedReplies)
          .execute();
        return rows.map(replyView);
      }),

    /** @throws ProblemError `not_found`, `canned_reply_invalid`, `canned_reply_changed` */
    async save(scope: TenantScope, wish: CannedReplyWish): Promise<CannedReply> {
      const unknown = unknownVariables(wish.text);
      if (unknown.length > 0) {
        throw new ProblemError(
          "canned_reply_invalid",
          `There is no variable ${unknown.map((name) => `{{${name}}}`).join(", ")}.`,
        );
      }
      return store.transact(scope, async (tx) => {
        const row = {
          shortcut: wish.shortcut,
          title: wish.title,
          text: wish.text,
          language: wish.language,
          version: wish.version + 1,
          updated_by: wish.by,
          updated_at_ms: clock.now(),
        };
        const twin = await tx
          .selectFrom("canned_replies")
          .select("id")
          .where("tenant_id", "=", scope.tenantId)
          .where("shortcut", "=", wish.shortcut)
          .executeTakeFirst();
        if (twin !== undefined && twin.id !== wish.replyId) throw taken(wish.shortcut);
        if (wish.replyId === null) {
          await refuseTooMany(tx);
          const made = await tx
            .insertInto("canned_replies")
            .values({ tenant_id: scope.tenantId, id: newId("rpl", clock, random), ...row, version: 1 })
            .onConflict((conflict) => conflict.doNothing())
            .returningAll()
            .executeTakeFirst();
          if (made === undefined) throw taken(wish.shortcut);
          return replyView(made);
        }
        const changed = await tx
          .updateTable("canned_replies")
          .set(row)
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", wish.replyId)
          .where("version", "=", wish.version)
          .returningAll()
          .executeTakeFirst();
        if (changed === undefined) throw await whyNot(tx, wish.replyId);
        return replyView(changed);
      });
    },

    /** @throws ProblemError `not_found`, `canned_reply_changed` */
    remove: (scope: TenantScope, replyId: string, version: number): Promise<void> =>
      store.transact(scope, async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom("canned_replies")
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", replyId)
          .where("version", "=", version)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) throw await whyNot(tx, replyId);
      }),

    /** Filled in for a conversation; what is not known is named. @throws ProblemError `not_found` */
    async fill(
      scope: TenantScope,
      replyId: string,
      conversationId: string,
      operatorName: string,
    ): Promise<{ readonly text: string; readonly missing: readonly string[] }> {
      const { reply, conversation, order, refund } = await store.transact(scope, (tx) =>
        readForFilling(tx, replyId, conversationId),
      );
      const customer = await parts.orders
        .customer(customerScope(scope.tenantId, conversation.customer_id))
        .catch(() => null);
      return filledIn(reply.text, {
        "customer.name": customer?.name ?? null,
        "customer.first_name": customer?.name.split(/\s+/)[0] ?? null,
        "order.number": order,
        "refund.amount":
          refund === null
            ? null
            : spokenMoney(
                { amountMinor: refund.amount_minor, currency: refund.currency },
                conversation.language,
              ),
        "operator.name": operatorName,
        "shop.name": parts.shopName(scope.tenantId),
      });
    },
  };
}

async function readForFilling(tx: Tx, replyId: string, conversationId: string) {
  const { tenantId } = tx.scope;
  const reply = await tx
    .selectFrom("canned_replies")
    .select("text")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", replyId)
    .executeTakeFirst();
  const conversation = await tx
    .selectFrom("conversations")
    .select(["id", "customer_id", "language"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", conversationId as ConversationId)
    .executeTakeFirst();
  if (reply === undefined || conversation === undefined) throw new ProblemError("not_found");
  const action = await tx
    .selectFrom("actions")
    .select(["order_number", "amount_minor", "currency", "kind"])
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", conversation.customer_id)
    .where("conversation_id", "=", conversation.id)
    .orderBy("created_at_ms", "desc")
    .limit(1)
    .executeTakeFirst();
  const review = await tx
    .selectFrom("reviews")
    .select("order_number")
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "=", conversation.id)
    .where("order_number", "is not", null)
    .orderBy("created_at_ms", "desc")
    .limit(1)
    .executeTakeFirst();
  return {
    reply,
    conversation,
    order: action?.order_number ?? review?.order_number ?? null,
    refund: action?.kind === "refund" ? action : null,
  };
}

const taken = (shortcut: string) =>
  new ProblemError("canned_reply_invalid", `Another reply has the shortcut "${shortcut}".`);

async function refuseTooMany(tx: Tx): Promise<void> {
  const { n } = await tx
    .selectFrom("canned_replies")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("tenant_id", "=", tx.scope.tenantId)
    .executeTakeFirstOrThrow();
  if (n >= LIMITS.cannedReplies) {
    throw new ProblemError(
      "canned_reply_invalid",
      `There are ${n} replies already, as many as there can be.`,
    );
  }
}

async function whyNot(tx: Tx, replyId: string): Promise<ProblemError> {
  const row = await tx
    .selectFrom("canned_replies")
    .selectAll()
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", replyId)
    .executeTakeFirst();
  return row === undefined
    ? new ProblemError("not_found")
    : new ProblemError("canned_reply_changed", undefined, { details: { reply: replyView(row) } });
}

function replyView(row: {
  id: string;
  shortcut: string;
  title: string;
  text: string;
  language: string | null;
  version: number;
  updated_by: string;
  updated_at_ms: number;
}): CannedReply {
  const { id, updated_at_ms, shortcut, title, text, language, version, updated_by } = row;
  return {
    reply_id: id,
    shortcut,
    title,
    text,
    language,
    version,
    updated_by,
    updated_at: isoInstant(updated_at_ms),
  };
}
