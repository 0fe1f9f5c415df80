/** One review as a person gets it to decide: its packet, and what explains its action as it is known now. */
import type { Tx } from "../../store/store.ts";
import { wordsOf } from "../../wording/words.ts";
import { readAction } from "../ledger.ts";
import { actionText } from "../wording.ts";
import type { ReviewPacket, ReviewRule, ReviewView } from "./reviews.ts";
import { type ReviewRow, reviewView } from "./rows.ts";
import type { ReviewSettings } from "./settings.ts";
import { signalsOf } from "./signals.ts";

/** How each rule took part in a decision, as it is kept with an action. Empty when its version is not known. */
export type RulesOf = (tx: Tx, decision: unknown) => Promise<readonly ReviewRule[]>;

export async function showReview(
  tx: Tx,
  row: ReviewRow,
  parts: { readonly rulesOf: RulesOf },
  settings: ReviewSettings,
  nowMs: number,
): Promise<ReviewView> {
  const action = row.action_id === null ? null : await readAction(tx, row.action_id);
  const { language } = await tx
    .selectFrom("conversations")
    .select("language")
    .where("tenant_id", "=", row.tenant_id)
    .where("id", "=", row.conversation_id)
    .executeTakeFirstOrThrow();
  const words = wordsOf(language);
  const clauses = (row.packet as ReviewPacket).clauses.map(({ text }) => text).filter((text) => text !== "");
  const isAnswered = row.kind === "handoff" && (await hasAnswered(tx, row));
  const draft = () => {
    switch (row.kind) {
      case "approval":
        // The reason of a rejection, should it come to that.
        return clauses.join(" ");
      case "handoff":
        // Somebody has answered: a suggestion from before would be said after it.
        if (isAnswered) return "";
        return [words.frame.takingOver, ...clauses].join(" ");
      case "uncertain":
        return action === null
          ? words.frame.takingOver
          : actionText(
              {
                kind: action.kind,
                state: action.state,
                orderNumber: action.order_number,
                amountMinor: action.amount_minor,
                currency: action.currency,
                items: action.items_text,
              },
              (action.evidence as { detail?: object } | null)?.detail ?? {},
              language,
            );
    }
  };
  const rules = action === null ? [] : await parts.rulesOf(tx, action.decision);
  return {
    ...reviewView(row, settings, nowMs),
    rules,
    signals: await signalsOf(tx, row, action, rules, settings.currency, nowMs),
    draft_reply: draft(),
    tenant_currency: settings.currency,
  };
}

/** Whether a person has written to the customer since the review was opened. */
async function hasAnswered(tx: Tx, row: ReviewRow): Promise<boolean> {
  const answer = await tx
    .selectFrom("events")
    .select("seq")
    .where("tenant_id", "=", row.tenant_id)
    .where("conversation_id", "=", row.conversation_id)
    .where("author", "=", "operator")
    .where("at_ms", ">=", row.created_at_ms)
    .limit(1)
    .executeTakeFirst();
  return answer !== undefined;
}
