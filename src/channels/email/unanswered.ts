/** Mails that got no answer, and mails of ours that did not arrive: for the shop's people, who may see what a rule missed. */
import { appendAudit } from "../../evidence/audit.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import type { MailTables } from "../../store/mail-tables.ts";
import type { Store } from "../../store/store.ts";

export const UNANSWERED = [
  "automatic",
  "bounce",
  "own",
  "unauthentic",
  "too_many",
  "unreadable",
  "too_large",
] as const satisfies readonly MailTables["mail_received"]["verdict"][];
export const UNSENT = ["failed", "unknown", "bounced", "suppressed"] as const;

export interface UnansweredMail {
  readonly mail_id: string;
  readonly verdict: (typeof UNANSWERED)[number];
  /** Which rule kept it from being answered. */
  readonly why: string;
  /** A claim, as `From` is. */
  readonly address: string;
  readonly subject: string;
  /** Its beginning. */
  readonly text: string;
  readonly bytes: number;
  readonly conversation_id: string | null;
  readonly at: string;
  readonly handled_at: string | null;
  readonly handled_by: string | null;
}

export interface UnsentMail {
  readonly mail_id: string;
  readonly state: (typeof UNSENT)[number];
  readonly address: string;
  readonly conversation_id: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly at: string;
}

export interface UnansweredMails {
  /** The latest first. @throws ProblemError `cursor_unknown` */
  received(
    scope: TenantScope,
    query: {
      readonly isHandled: boolean;
      readonly verdict: (typeof UNANSWERED)[number] | null;
      readonly cursor: string | null;
      readonly limit: number;
    },
  ): Promise<{ readonly mails: readonly UnansweredMail[]; readonly next_cursor: string | null }>;
  /** The latest first, at most `limit`. */
  sent(scope: TenantScope, limit: number): Promise<readonly UnsentMail[]>;
  /** Somebody has dealt with it; again it changes nothing. @throws ProblemError `not_found` */
  handle(scope: TenantScope, mailId: string, by: string): Promise<UnansweredMail>;
}

const SHOWN_CHARS = 2_000;

export function createUnansweredMails({ store, clock }: { store: Store; clock: Clock }): UnansweredMails {
  return {
    async received(scope, { isHandled, verdict, cursor, limit }) {
      const before = cursor === null ? null : placeOf(cursor);
      return store.transact(scope, async (tx) => {
        let mails = tx
          .selectFrom("mail_received")
          .selectAll()
          .where("tenant_id", "=", scope.tenantId)
          .where("verdict", "<>", "accepted")
          .where("handled_at_ms", isHandled ? "is not" : "is", null);
        if (verdict !== null) mails = mails.where("verdict", "=", verdict);
        if (before !== null) {
          mails = mails.where((eb) =>
            eb.or([
              eb("at_ms", "<", before.atMs),
              eb.and([eb("at_ms", "=", before.atMs), eb("id", "<", before.id)]),
            ]),
          );
        }
        const rows = await mails
          .orderBy("at_ms", "desc")
          .orderBy("id", "desc")
          .limit(limit + 1)
          .execute();
        const last = rows[limit - 1];
        return {
          mails: rows.slice(0, limit).map(view),
          next_cursor: rows.length > limit && last !== undefined ? `${last.at_ms}.${last.id}` : null,
        };
      });
    },

    sent: (scope, limit) =>
      store.transact(scope, async (tx) => {
        const rows = await tx
          .selectFrom("mail_outbox")
          .select(["id", "state", "address", "conversation_id", "last_error", "attempts", "created_at_ms"])
          .where("tenant_id", "=", scope.tenantId)
          .where("state", "in", [...UNSENT])
          .orderBy("created_at_ms", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .execute();
        return rows.map((row) => ({
          mail_id: row.id,
          state: row.state as UnsentMail["state"],
          address: row.address,
          conversation_id: row.conversation_id,
          error: row.last_error,
          attempts: row.attempts,
          at: isoInstant(row.created_at_ms),
        }));
      }),

    handle: (scope, mailId, by) =>
      store.transact(scope, async (tx) => {
        const nowMs = clock.now();
        const changed = await tx
          .updateTable("mail_received")
          .set({ handled_at_ms: nowMs, handled_by: by })
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", mailId)
          .where("verdict", "<>", "accepted")
          .where("handled_at_ms", "is", null)
          .returningAll()
          .executeTakeFirst();
        if (changed !== undefined) {
          const body = { mail: mailId, verdict: changed.verdict, operator: by };
          await appendAudit(tx, nowMs, [{ kind: "mail.handled", subject: mailId, customerId: "*", body }]);
          return view(changed);
        }
        const before = await tx
          .selectFrom("mail_received")
          .selectAll()
          .where("tenant_id", "=", scope.tenantId)
          .where("id", "=", mailId)
          .where("verdict", "<>", "accepted")
          .executeTakeFirst();
        if (before === undefined) throw new ProblemError("not_found");
        return view(before);
      }),
  };
}

/** @throws ProblemError `cursor_unknown` */
function placeOf(cursor: string): { readonly atMs: number; readonly id: string } {
  const [, at, id] = /^(\d{1,15})\.(mail-[0-9a-f]{40})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new ProblemError("cursor_unknown");
  return { atMs: Number(at), id };
}

interface Row {
  readonly id: string;
  readonly verdict: MailTables["mail_received"]["verdict"];
  readonly why: string;
  readonly address: string;
  readonly subject: string;
  readonly full_text: string;
  readonly bytes: number;
  readonly conversation_id: string | null;
  readonly at_ms: number;
  readonly handled_at_ms: number | null;
  readonly handled_by: string | null;
}

const view = (row: Row): UnansweredMail => ({
  mail_id: row.id,
  verdict: row.verdict as UnansweredMail["verdict"],
  why: row.why,
  address: row.address,
  subject: row.subject,
  text: row.full_text.slice(0, SHOWN_CHARS),
  bytes: row.bytes,
  conversation_id: row.conversation_id,
  at: isoInstant(row.at_ms),
  handled_at: row.handled_at_ms === null ? null : isoInstant(row.handled_at_ms),
  handled_by: row.handled_by,
});
