/** Giving a conversation to a person, with everything that the person needs to go on at once. */
import { formatMoney } from "../kernel/money.ts";
import type { Escalate, EscalationReason, RunView } from "./agent.ts";
import { readMemory } from "./memory.ts";
import { quotable } from "./understanding/card-numbers.ts";

const QUOTED_CHARS = 600;
const EARLIER_CHARS = 200;
const EARLIER_MESSAGES = 3;
const ACTIONS_SHOWN = 3;

/** `wish` says in words what the customer seems to want. */
export function handOver(
  view: RunView,
  reason: EscalationReason,
  wish: string,
  more: Pick<Escalate, "recommended" | "tried"> = {},
): Escalate {
  return {
    type: "escalate",
    reason,
    summary: summaryOf(view, wish),
    ...more,
  };
}

function summaryOf(view: RunView, wish: string): string {
  const lines = [wish, `Customer wrote: "${quotable(view.focus.text, QUOTED_CHARS)}"`];
  for (const text of view.later.slice(0, EARLIER_MESSAGES)) {
    lines.push(`and then: "${quotable(text, EARLIER_CHARS)}"`);
  }
  const earlier = view.transcript.filter(({ author }) => author === "customer").slice(-EARLIER_MESSAGES);
  if (earlier.length > 0) {
    lines.push(`Before that: ${earlier.map(({ text }) => `"${quotable(text, EARLIER_CHARS)}"`).join(" / ")}`);
  }
  const order = orderInQuestion(view);
  const { workflow, asked } = readMemory(view.dialogue);
  if (order !== null) lines.push(`Order in question: ${order}.`);
  if (workflow !== null && asked !== null) {
    lines.push(`The assistant was in "${workflow}" and had asked about: ${asked.replace("_", " ")}.`);
  }
  if (view.offer !== null)
    lines.push(`Open offer, not accepted: ${quotable(view.offer.summary, QUOTED_CHARS)}`);
  const actions = view.actions.slice(0, ACTIONS_SHOWN);
  for (const { kind, state, orderNumber, items, amountMinor, currency, actionId } of actions) {
    const what = kind === "refund" ? `refund of ${formatMoney({ amountMinor, currency })}` : "return";
    lines.push(
      `On record: ${what} for #${orderNumber} (${quotable(items, EARLIER_CHARS)}): ${state}, ${actionId}.`,
    );
  }
  if (actions.length === 0) lines.push("No refund or return of this customer is on record.");
  const tried = view.steps.map(
    ({ call, outcome }) =>
      `${call.tool}: ${outcome.kind === "result" ? "answered" : `${outcome.kind} (${outcome.code})`}`,
  );
  if (tried.length > 0) lines.push(`Tried: ${tried.join("; ")}.`);
  return lines.join("\n");
}

/** The number of the order that the conversation is about, from what this run has read; else its ID. */
function orderInQuestion(view: RunView): string | null {
  const { order } = readMemory(view.dialogue);
  if (order === null) return null;
  for (const { outcome } of view.steps) {
    if (outcome.kind !== "result") continue;
    const { orders } = (outcome.value ?? {}) as { orders?: unknown };
    if (!Array.isArray(orders)) continue;
    const found = orders.find((it: { orderId?: unknown; number?: unknown }) => it?.orderId === order);
    if (typeof found?.number === "string") return `#${found.number}`;
  }
  return order;
}
