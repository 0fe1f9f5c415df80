/** Opens reviews, with a packet that has everything a person needs to decide. */

import { appendAudit } from "../../evidence/audit.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { hashOf } from "../../kernel/canonical.ts";
import {
  type ConversationId,
  type CustomerId,
  newId,
  type ReviewId,
  type TenantId,
} from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { formatMoney } from "../../kernel/money.ts";
import { afterOpenTime } from "../../kernel/opening-time.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import { readable } from "../../safety/masking.ts";
import type { Tx } from "../../store/store.ts";
import type { ActionRow } from "../ledger.ts";
import { priorityOf, priorityRank } from "./priority.ts";
import type { ApprovalReason, ReviewPacket } from "./reviews.ts";
import { dueWithinMs, needsTwoPeople, type ReviewSettings } from "./settings.ts";

export interface ReviewPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly settingsOf: (tenantId: TenantId) => ReviewSettings;
}

/** How the decision of an action is kept in its row. */
interface StoredDecision {
  readonly verdict?: {
    readonly clauses: readonly { clauseId: string; title: string; customerText: string }[];
    readonly policyId: string;
    readonly policyVersion: string;
  };
  readonly facts?: Readonly<Record<string, unknown>>;
}

type ActionReason = ApprovalReason | "refund_failed" | "refund_appeared" | "outcome_uncertain";

/** A review about an action: an approval, or an outcome that a person has to settle. */
export async function openActionReview(
  tx: Tx,
  ports: ReviewPorts,
  action: ActionRow,
  reason: ActionReason,
): Promise<ReviewId> {
  const decision = action.decision as StoredDecision;
  const what = `${action.kind === "refund" ? `refund of ${formatMoney({ amountMinor: action.amount_minor, currency: action.currency })}` : "return"} (${action.items_text}) for order #${action.order_number}`;
  const packet: ReviewPacket = {
    customer: await customerSummary(tx, action.customer_id, await spendOf(tx, decision.facts)),
    issue: issueOf(reason, what, decision),
    tried:
      action.attempts === 0
        ? reason in APPROVALS
          ? ["Nothing yet: it is sent to the provider when it is approved, and not before."]
          : []
        : [
            `${action.attempts} attempt(s) with idempotency key ${action.idempotency_key}; provider reference ${action.provider_ref ?? "none"}`,
          ],
    recommended: recommendedFor(reason, action.kind),
    clauses: (decision.verdict?.clauses ?? []).map((clause) => ({
      clause_id: clause.clauseId,
      title: clause.title,
      text: clause.customerText,
      policy: decision.verdict?.policyId ?? "",
      version: decision.verdict?.policyVersion ?? "",
    })),
    facts: decision.facts ?? null,
    amount:
      action.kind === "refund"
        ? formatMoney({ amountMinor: action.amount_minor, currency: action.currency })
        : null,
    order_number: action.order_number,
    transcript: await transcriptOf(tx, action.conversation_id),
  };
  return insertReview(tx, ports, {
    customerId: action.customer_id,
    conversationId: action.conversation_id,
    kind: reason in APPROVALS ? "approval" : "uncertain",
    reason,
    action,
    packet,
  });
}

const APPROVALS: Readonly<Record<ApprovalReason, string>> = {
  amount_over_limit: "the amount is above what goes out without a person",
  high_value_customer: "a colleague looks after a customer of this lifetime spend",
  approval_needed: "a clause wants a person",
};

const MAY_APPROVE =
  "Approve if the clauses below are met by what you know of the case; the rules were checked and do not forbid it.";
function recommendedFor(reason: ActionReason, kind: "refund" | "return"): string {
  switch (reason) {
    case "refund_failed":
      return "Ask the customer for another way to be paid, and resolve this when it is arranged.";
    case "refund_appeared":
      return "Write to the customer that the money is on its way after all, then resolve this. It counts against the order already.";
    case "outcome_uncertain":
      return `Resolve this: the ${kind === "refund" ? "provider" : "shop"} is asked once more, and what it shows counts. If it has nothing, the ${kind} has failed, and what it held is free again.`;
    case "high_value_customer":
      return `${MAY_APPROVE} Write to the customer by name.`;
    default:
      return MAY_APPROVE;
  }
}

function issueOf(reason: ActionReason, what: string, decision: StoredDecision): string {
  switch (reason) {
    case "refund_failed":
      return `The ${what} failed at the provider. Nothing was paid out, or the bank sent it back.`;
    case "refund_appeared":
      return `The ${what} was given up as failed and the customer was told so; now the provider has it all the same.`;
    case "outcome_uncertain":
      return `The outcome of the ${what} is not known and can no longer be found out by itself.`;
    default:
      return `The customer confirmed a ${what}; policy lets it happen only with a person's approval, for ${APPROVALS[reason]}: ${whyOf(decision)}.`;
  }
}

/** A conversation that a person takes over. */
export async function openHandoff(
  tx: Tx,
  ports: ReviewPorts,
  wanted: {
    customerId: CustomerId;
    conversationId: ConversationId;
    reason: string;
    summary: string;
    tried: readonly string[];
    recommended: string;
    /** What is known of the customer beside our own rows, in words: the name, the lifetime spend. */
    customer: string | null;
    clauses: ReviewPacket["clauses"];
    orderNumber: string | null;
  },
): Promise<ReviewId> {
  const packet: ReviewPacket = {
    customer: await customerSummary(tx, wanted.customerId, wanted.customer),
    issue: readable(wanted.summary),
    tried: wanted.tried.map(readable),
    recommended: readable(wanted.recommended),
    clauses: wanted.clauses,
    facts: null,
    amount: null,
    order_number: wanted.orderNumber,
    transcript: await transcriptOf(tx, wanted.conversationId),
  };
  return insertReview(tx, ports, {
    customerId: wanted.customerId,
    conversationId: wanted.conversationId,
    kind: "handoff",
    reason: wanted.reason,
    action: null,
    packet,
  });
}

/** Who it is, in a line: what the shop says, and what our own ledger has of them. */
async function customerSummary(tx: Tx, customerId: CustomerId, known: string | null): Promise<string> {
  const rows = await tx
    .selectFrom("actions")
    .select((eb) => ["kind", "state", eb.fn.countAll<number>().as("n")])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("customer_id", "=", customerId)
    .where("state", "!=", "denied")
    .groupBy(["kind", "state"])
    .orderBy("kind")
    .orderBy("state")
    .execute();
  const record = rows.map(
    ({ kind, state, n }) => `${n} ${kind}${Number(n) === 1 ? "" : "s"} ${state.replaceAll("_", " ")}`,
  );
  return [
    customerId,
    ...(known === null ? [] : [known]),
    record.length === 0 ? "no refund or return on record" : `on record: ${record.join(", ")}`,
  ].join(" · ");
}

/** What the decision read of the customer, in words. */
async function spendOf(tx: Tx, facts: StoredDecision["facts"]): Promise<string | null> {
  const { customer } = (facts ?? {}) as {
    customer?: { lifetimeSpendMinor?: unknown; refundsInWindow?: unknown };
  };
  if (typeof customer?.lifetimeSpendMinor !== "number") return null;
  const { currency } = await tx
    .selectFrom("tenants")
    .select("currency")
    .where("tenant_id", "=", tx.scope.tenantId)
    .executeTakeFirstOrThrow();
  const spent = formatMoney({ amountMinor: customer.lifetimeSpendMinor, currency });
  return `lifetime spend ${spent}, ${String(customer.refundsInWindow ?? 0)} refunds in the policy's window`;
}

/** The clauses that want a person, by their titles. */
function whyOf(decision: StoredDecision): string {
  const titles = (decision.verdict?.clauses ?? []).map(({ title }) => title);
  return titles.length === 0 ? "a rule that needs a person" : titles.join(", ");
}

async function insertReview(
  tx: Tx,
  ports: ReviewPorts,
  wanted: {
    customerId: CustomerId;
    conversationId: ConversationId;
    kind: "approval" | "handoff" | "uncertain";
    reason: string;
    action: ActionRow | null;
    packet: ReviewPacket;
  },
): Promise<ReviewId> {
  const nowMs = ports.clock.now();
  const id = newId("rev", ports.clock, ports.random);
  const { action } = wanted;
  const settings = ports.settingsOf(tx.scope.tenantId);
  const amount =
    action?.kind === "refund" ? { amountMinor: action.amount_minor, currency: action.currency } : null;
  const priority = priorityOf({
    kind: wanted.kind,
    reason: wanted.reason,
    effect: action?.kind ?? null,
    needsTwoPeople: amount !== null && needsTwoPeople(settings, amount),
  });
  const { language } = await tx
    .selectFrom("conversations")
    .select("language")
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("id", "=", wanted.conversationId)
    .executeTakeFirstOrThrow();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("reviews")
    .values({
      tenant_id: tx.scope.tenantId,
      id,
      customer_id: wanted.customerId,
      conversation_id: wanted.conversationId,
      kind: wanted.kind,
      state: "open",
      reason: wanted.reason,
      action_id: wanted.action?.id ?? null,
      args_hash: wanted.action?.args_hash ?? null,
      packet: JSON.stringify(wanted.packet),
      decision: null,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
      expires_at_ms: wanted.kind === "approval" ? nowMs + LIMITS.approvalTtlMs : null,
      priority: priorityRank(priority),
      due_at_ms: afterOpenTime(
        settings.openingHours,
        settings.timeZone,
        nowMs,
        dueWithinMs(settings, wanted.kind, priority),
      ),
      language,
      order_number: wanted.packet.order_number,
      amount_minor: amount?.amountMinor ?? null,
      currency: amount?.currency ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if ((numInsertedOrUpdatedRows ?? 0n) > 0n) {
    await appendAudit(tx, nowMs, [
      {
        kind: "review.opened",
        subject: id,
        customerId: wanted.customerId,
        body: {
          kind: wanted.kind,
          reason: wanted.reason,
          action_id: wanted.action?.id ?? null,
          packet_hash: hashOf(wanted.packet),
        },
      },
    ]);
  }
  return id;
}

export async function transcriptOf(
  tx: Tx,
  conversationId: ConversationId,
): Promise<ReviewPacket["transcript"]> {
  const rows = await tx
    .selectFrom("events")
    .select(["author", "payload", "at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", conversationId)
    .where("type", "=", "message")
    .orderBy("seq", "desc")
    .limit(LIMITS.transcriptEntries)
    .execute();
  return rows.reverse().map((row) => ({
    author: row.author ?? "system",
    text: readable(String(row.payload.text ?? "")),
    at: isoInstant(row.at_ms),
  }));
}
