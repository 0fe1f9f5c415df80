/**
 * Operators' list of conversations, latest first, with filters and a search through what was written. A search reads
 * the texts of the latest conversations, newest first and boundedly many at a time; its cursor goes on where it
 * stopped, also when nothing was found so far.
 */
import { sql } from "kysely";
import { isoInstant } from "../../kernel/calendar.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import type { Language } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cursorOf, readCursor } from "../../kernel/page-cursor.ts";
import type { ConversationStatus } from "../../store/schema.ts";
import type { Tx } from "../../store/store.ts";

export interface ConversationQuery {
  /** Words that stand in a message, as they are; case does not count. */
  readonly text?: string;
  readonly orderNumber?: string;
  readonly customerId?: string;
  readonly status?: ConversationStatus;
  readonly language?: Language;
  readonly tag?: string;
  readonly assignee?: "me" | "nobody" | { readonly name: string };
  readonly cursor?: string;
  readonly limit: number;
}

export interface ConversationItem {
  readonly conversation_id: ConversationId;
  readonly customer_id: string;
  readonly channel: "chat" | "email";
  readonly status: ConversationStatus;
  readonly language: Language;
  readonly assignee: string | null;
  readonly tags: readonly string[];
  /** The start of what was said last. */
  readonly last_message: { readonly author: string; readonly text: string; readonly at: string } | null;
  /** Open reviews and those that wait for the customer. */
  readonly open_reviews: readonly { readonly review_id: string; readonly kind: string }[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ConversationPage {
  readonly conversations: readonly ConversationItem[];
  readonly next_cursor: string | null;
}

const SNIPPET_CHARS = 200;

/** @throws ProblemError `cursor_unknown` */
export async function listConversations(
  tx: Tx,
  query: ConversationQuery,
  operator: string,
): Promise<ConversationPage> {
  const limit = Math.min(query.limit, LIMITS.conversationsPerPage);
  // A search reads many to find few; without one, what is read is shown.
  const reads = query.text === undefined ? limit + 1 : LIMITS.conversationsSearched;
  const candidates = filtered(tx, query, operator)
    .select(["c.id", "c.updated_at_ms"])
    .orderBy("c.updated_at_ms", "desc")
    .orderBy("c.id", "desc")
    .limit(reads);
  const { text } = query;
  const found =
    text === undefined
      ? await candidates.execute()
      : await tx
          .with("latest", () => candidates)
          .selectFrom("latest")
          .select(["latest.id", "latest.updated_at_ms"])
          .where((eb) =>
            eb.exists(
              eb
                .selectFrom("events as e")
                .select(sql`1`.as("one"))
                .where("e.tenant_id", "=", tx.scope.tenantId)
                .whereRef("e.conversation_id", "=", "latest.id")
                .where("e.type", "=", "message")
                .where(sql<boolean>`e.payload ->> 'text' ilike ${`%${escaped(text)}%`}`),
            ),
          )
          .orderBy("latest.updated_at_ms", "desc")
          .orderBy("latest.id", "desc")
          .limit(limit + 1)
          .execute();
  const shown = found.slice(0, limit);
  let next = found.length > limit ? shown.at(-1) : undefined;
  if (next === undefined && text !== undefined) {
    // The page ends where the search stopped reading, if there is more behind it.
    const read = await candidates.execute();
    next = read.length === reads ? read.at(-1) : undefined;
  }
  return {
    conversations: await itemsOf(
      tx,
      shown.map(({ id }) => id),
    ),
    next_cursor: next === undefined ? null : cursorOf(next.updated_at_ms, next.id),
  };
}

function filtered(tx: Tx, query: ConversationQuery, operator: string) {
  const { tenantId } = tx.scope;
  let select = tx.selectFrom("conversations as c").where("c.tenant_id", "=", tenantId);
  if (query.status !== undefined) select = select.where("c.status", "=", query.status);
  if (query.language !== undefined) select = select.where("c.language", "=", query.language);
  if (query.customerId !== undefined) select = select.where("c.customer_id", "=", query.customerId as never);
  const { orderNumber, tag, assignee, cursor } = query;
  if (orderNumber !== undefined) {
    select = select.where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom("actions as a")
            .select(sql`1`.as("one"))
            .where("a.tenant_id", "=", tenantId)
            // By the index of the customer's actions.
            .whereRef("a.customer_id", "=", "c.customer_id")
            .whereRef("a.conversation_id", "=", "c.id")
            .where("a.order_number", "=", orderNumber),
        ),
        eb.exists(
          eb
            .selectFrom("reviews as r")
            .select(sql`1`.as("one"))
            .where("r.tenant_id", "=", tenantId)
            .whereRef("r.conversation_id", "=", "c.id")
            .where("r.order_number", "=", orderNumber),
        ),
      ]),
    );
  }
  if (tag !== undefined) {
    select = select.where((eb) =>
      eb.exists(
        eb
          .selectFrom("conversation_tags as t")
          .select(sql`1`.as("one"))
          .where("t.tenant_id", "=", tenantId)
          .whereRef("t.conversation_id", "=", "c.id")
          .where("t.tag", "=", tag),
      ),
    );
  }
  if (assignee !== undefined) {
    const name = assignee === "me" ? operator : assignee === "nobody" ? null : assignee.name;
    select = select.where((eb) => {
      const theirs = eb.exists(
        eb
          .selectFrom("conversation_desk as d")
          .select(sql`1`.as("one"))
          .where("d.tenant_id", "=", tenantId)
          .whereRef("d.conversation_id", "=", "c.id")
          .where((has) => (name === null ? has("d.assignee", "is not", null) : has("d.assignee", "=", name))),
      );
      return name === null ? eb.not(theirs) : theirs;
    });
  }
  if (cursor !== undefined) {
    const { atMs, id } = readCursor(cursor);
    select = select.where(sql<boolean>`(c.updated_at_ms, c.id) < (${atMs}, ${id})`);
  }
  return select;
}

export async function itemsOf(tx: Tx, ids: readonly ConversationId[]): Promise<readonly ConversationItem[]> {
  if (ids.length === 0) return [];
  const { tenantId } = tx.scope;
  const rows = await tx
    .selectFrom("conversations as c")
    .leftJoin("conversation_desk as d", (join) =>
      join.onRef("d.tenant_id", "=", "c.tenant_id").onRef("d.conversation_id", "=", "c.id"),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("events as e")
          .select([
            "e.author",
            "e.at_ms",
            sql<string>`left(e.payload ->> 'text', ${SNIPPET_CHARS})`.as("text"),
          ])
          .whereRef("e.tenant_id", "=", "c.tenant_id")
          .whereRef("e.conversation_id", "=", "c.id")
          .where("e.type", "=", "message")
          .orderBy("e.seq", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .select([
      "c.id",
      "c.customer_id",
      "c.channel",
      "c.status",
      "c.language",
      "c.created_at_ms",
      "c.updated_at_ms",
      "d.assignee",
      "last.author",
      "last.text",
      "last.at_ms",
    ])
    .where("c.tenant_id", "=", tenantId)
    .where("c.id", "in", ids)
    .execute();
  const tags = await tx
    .selectFrom("conversation_tags")
    .select(["conversation_id", "tag"])
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "in", ids)
    .orderBy("tag")
    .execute();
  const reviews = await tx
    .selectFrom("reviews")
    .select(["conversation_id", "id", "kind"])
    .where("tenant_id", "=", tenantId)
    .where("conversation_id", "in", ids)
    .where("state", "in", ["open", "waiting"])
    .orderBy("due_at_ms")
    .execute();
  return ids.flatMap((id) => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) return [];
    return [
      {
        conversation_id: id,
        customer_id: row.customer_id,
        channel: row.channel,
        status: row.status,
        language: row.language,
        assignee: row.assignee,
        tags: tags.filter((each) => each.conversation_id === id).map(({ tag }) => tag),
        last_message:
          row.at_ms === null
            ? null
            : { author: row.author ?? "system", text: row.text ?? "", at: isoInstant(row.at_ms) },
        open_reviews: reviews
          .filter((each) => each.conversation_id === id)
          .map((each) => ({ review_id: each.id, kind: each.kind })),
        created_at: isoInstant(row.created_at_ms),
        updated_at: isoInstant(row.updated_at_ms),
      },
    ];
  });
}

/** What a pattern would take for its own signs stands for itself. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
