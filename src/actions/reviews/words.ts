/**
 * A person's words to a customer, held to the same door as everybody's (`safety/may-leave.ts`): what belongs to
 * somebody else, secrets, insults, markup and foreign links do not leave, whoever writes them.
 */
import type { LockedConversation } from "../../conversations/events.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { mayLeave } from "../../safety/may-leave.ts";
import type { Tx } from "../../store/store.ts";
import { actionsOfCustomer, summary } from "../ledger.ts";

export interface MerchantContacts {
  readonly linkHosts: readonly string[];
  readonly contacts: readonly string[];
}

/**
 * `facts`: orders of this customer that the writer may name, though the customer was not shown them here.
 * @throws ProblemError `text_withheld`, with what is wrong with it
 */
export async function checkMayLeave(
  tx: Tx,
  conversation: Pick<LockedConversation, "id" | "customer_id" | "language">,
  text: string,
  merchant: MerchantContacts,
  facts: readonly unknown[] = [],
): Promise<void> {
  const messages = await tx
    .selectFrom("events")
    .select(["author", "payload"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("conversation_id", "=", conversation.id)
    .where("type", "=", "message")
    .orderBy("seq", "desc")
    .limit(LIMITS.transcriptEntries)
    .execute();
  const actions = await actionsOfCustomer(tx, conversation.customer_id, LIMITS.actionsInView);
  const by = (isCustomer: boolean) =>
    messages
      .filter(({ author }) => (author === "customer") === isCustomer)
      .map(({ payload }) => String(payload.text ?? ""));
  const views = actions.map((action) => summary(action, conversation.language));
  const leave = mayLeave(text, {
    author: "operator",
    actions: views,
    ownTexts: [],
    customerTexts: by(true),
    shownTexts: by(false),
    facts: [...views, ...facts],
    policy: null,
    linkHosts: merchant.linkHosts,
    contacts: merchant.contacts,
  });
  if (leave.ok) return;
  throw new ProblemError("text_withheld", leave.findings.map(({ about }) => about).join(" "), {
    details: { findings: leave.findings },
  });
}
