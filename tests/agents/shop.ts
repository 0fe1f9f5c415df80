/**
 * A small stand-in for gateway and orchestrator: it answers reads from a list of orders, makes an offer
 * of every effect that has no consent, records the effect when it has, and keeps what an agent keeps.
 */
import type {
  CallOutcome,
  DialogueState,
  PendingOffer,
  Proposal,
  RunView,
  Say,
  StepRecord,
  TranscriptEntry,
} from "../../src/agents/agent.ts";
import { createWorkflowAgent } from "../../src/agents/router.ts";
import { judgeConsent } from "../../src/agents/understanding/consent.ts";
import { canonicalJson } from "../../src/kernel/canonical.ts";
import type { Language } from "../../src/kernel/language.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { ActionSummary, FulfilmentView, LineItemView, OrderView } from "../../src/tools/views.ts";

export const NOW = Date.UTC(2026, 2, 12, 15, 0);
const DAY = 86_400_000;

export function line(
  lineItemId: string,
  title: string,
  unitsMinor: readonly number[],
  more: Partial<LineItemView> = {},
): LineItemView {
  return {
    lineItemId,
    title,
    quantity: unitsMinor.length,
    unitPriceMinor: unitsMinor[0] ?? 0,
    totalMinor: unitsMinor.reduce((a, b) => a + b, 0),
    finalSale: false,
    refundableUnitsMinor: unitsMinor,
    returnableUnits: unitsMinor.length,
    ...more,
  };
}

export function parcel(more: Partial<FulfilmentView> = {}): FulfilmentView {
  return {
    state: "delivered",
    carrier: "Swift",
    trackingNumber: "SW123456",
    trackingUrl: "https://track.example/SW123456",
    estimatedDeliveryAt: null,
    deliveredAt: NOW - 6 * DAY,
    lastEvent: null,
    items: [],
    ...more,
  };
}

export function order(
  number: string,
  lineItems: readonly LineItemView[],
  more: Partial<OrderView> = {},
): OrderView {
  const totalMinor = lineItems.reduce((sum, it) => sum + it.totalMinor, 0) + (more.shippingMinor ?? 0);
  return {
    orderId: `order_${number}`,
    number,
    placedAt: NOW - 10 * DAY,
    state: "delivered",
    currency: "USD",
    totalMinor,
    paidMinor: totalMinor,
    refundedMinor: 0,
    pendingRefundMinor: 0,
    refundableMinor: totalMinor,
    shippingMinor: 0,
    gift: false,
    disputed: false,
    lineItems,
    fulfilments: [parcel({ items: lineItems.map(({ title, quantity }) => ({ title, quantity })) })],
    returns: [],
    ...more,
  };
}

export const jacketAndSocks = order("1042", [
  line("li_jacket", "Trail jacket", [8900]),
  line("li_socks", "Wool socks", [1200, 1200]),
]);
export const onItsWay = order("1043", [line("li_tent", "Dome tent", [19900])], {
  state: "in_transit",
  placedAt: NOW - 3 * DAY,
  fulfilments: [
    parcel({
      state: "in_transit",
      trackingNumber: "SW777",
      trackingUrl: "https://track.example/SW777",
      deliveredAt: null,
      estimatedDeliveryAt: NOW + 2 * DAY,
      lastEvent: { at: NOW - DAY, description: "Left the depot", location: "Columbus" },
      items: [{ title: "Dome tent", quantity: 1 }],
    }),
  ],
});
export const mug = order("1044", [line("li_mug", "Camp mug", [6400])], { placedAt: NOW - 7 * DAY });

export const ADA = [jacketAndSocks];
export const BEN = [onItsWay, mug];
export const MANY = [onItsWay, mug, jacketAndSocks];

export interface Effect {
  readonly tool: string;
  readonly args: unknown;
}

export interface Answer {
  readonly last: Proposal;
  /** An offer was made for this effect. */
  readonly offered: Effect | null;
  /** An effect was let through. */
  readonly recorded: Effect | null;
  readonly text: string;
  readonly proposals: readonly Proposal[];
}

export interface Shop {
  readonly orders?: readonly OrderView[];
  readonly actions?: readonly ActionSummary[];
  /** What the gateway answers to an effect before anything else. */
  readonly onEffect?: (effect: Effect) => CallOutcome | null;
  readonly onRead?: (tool: string) => CallOutcome | null;
  readonly firstName?: string | null;
  /** Of the whole conversation. */
  readonly language?: Language;
}

/** One customer's conversation. */
export function talk(shop: Shop) {
  const agent = createWorkflowAgent();
  const orders = shop.orders ?? [];
  let dialogue: DialogueState | null = null;
  let offer: PendingOffer | null = null;
  let seq = 0;
  const transcript: TranscriptEntry[] = [];

  const read = (tool: string, args: unknown): CallOutcome => {
    const forced = shop.onRead?.(tool);
    if (forced) return forced;
    if (tool === "list_orders") {
      return { kind: "result", value: { orders: orders.slice(0, LIMITS.ordersPerList) } };
    }
    if (tool === "get_policy") {
      return { kind: "result", value: { policyId: "returns", version: "2", clauses: POLICY } };
    }
    if (tool === "get_order_status") {
      const wanted = String((args as { order_id: unknown }).order_id).replace(/^#/, "");
      const found = orders.find((it) => it.orderId === wanted || it.number === wanted);
      return found === undefined
        ? { kind: "invalid", code: "order_not_found", message: "No such order." }
        : { kind: "result", value: { order: found } };
    }
    return { kind: "invalid", code: "tool_unknown", message: "No such tool." };
  };

  const view = (text: string, later: readonly string[], steps: readonly StepRecord[]): RunView => ({
    now: NOW,
    tenant: { name: "Northwind", currency: "USD", timeZone: "America/New_York" },
    customer: { firstName: shop.firstName === undefined ? "Ada" : shop.firstName },
    language: shop.language ?? "en",
    focus: { seq, at: NOW, text },
    later,
    transcript: [...transcript],
    dialogue: dialogue === null ? null : (JSON.parse(JSON.stringify(dialogue)) as DialogueState),
    offer,
    consent: offer === null ? "other" : judgeConsent([text, ...later]),
    steps,
    actions: shop.actions ?? [],
  });

  async function send(text: string, later: readonly string[] = []): Promise<Answer> {
    seq += 1;
    const steps: StepRecord[] = [];
    const proposals: Proposal[] = [];
    const seen = new Set<string>();
    const end = (last: Proposal, more: Partial<Answer> = {}): Answer => {
      transcript.push({ seq, at: NOW, author: "customer", text });
      const said = last.type === "say" ? last.text : "";
      if (said !== "") transcript.push({ seq: ++seq, at: NOW, author: "agent", text: said });
      return { last, offered: null, recorded: null, text: said, proposals, ...more };
    };
    for (;;) {
      if (steps.length > LIMITS.stepsPerRun) throw new Error("the run did not end");
      const proposal = await agent.next(view(text, later, steps), new AbortController().signal);
      proposals.push(proposal);
      if (proposal.type === "say") {
        dialogue = proposal.dialogue ?? null;
        // As in the orchestrator: an offer stands only while nothing was said after it.
        offer = null;
        return end(proposal);
      }
      if (proposal.type === "escalate") {
        dialogue = null;
        offer = null;
        return end(proposal);
      }
      const { tool, args } = proposal;
      const key = canonicalJson([tool, args]);
      if (seen.has(key)) throw new Error(`called twice: ${key}`);
      seen.add(key);
      if (tool !== "process_refund" && tool !== "initiate_return") {
        steps.push({ call: proposal, outcome: read(tool, args) });
        continue;
      }
      const forced = shop.onEffect?.({ tool, args });
      if (forced) {
        steps.push({ call: proposal, outcome: forced });
        continue;
      }
      dialogue = proposal.dialogue ?? null;
      const same = offer !== null && canonicalJson([offer.tool, offer.args]) === key;
      if (same && judgeConsent([text, ...later]) === "yes") {
        offer = null;
        return end(proposal, { recorded: { tool, args } });
      }
      offer = { seq, tool, args, summary: `offer of ${tool}` };
      return end(proposal, { offered: { tool, args } });
    }
  }
  return {
    send,
    expireOffer: () => {
      offer = null;
    },
    dropOffer: () => {
      offer = null;
      dialogue = null;
    },
    get dialogue() {
      return dialogue;
    },
  };
}

/** The last answer of several messages of one conversation. */
export async function lastOf(shop: Shop, messages: readonly string[]): Promise<Answer> {
  const conversation = talk(shop);
  let answer: Answer | null = null;
  for (const message of messages) answer = await conversation.send(message);
  if (answer === null) throw new Error("no message");
  return answer;
}

export const say = (answer: Answer): Say => {
  if (answer.last.type !== "say") throw new Error(`expected words, got ${JSON.stringify(answer.last)}`);
  return answer.last;
};

const POLICY = [
  {
    clauseId: "window",
    title: "Return window",
    text: "You can send things back within 30 days of delivery.",
  },
  { clauseId: "sale", title: "Final sale", text: "Final sale items stay with you." },
];

export function action(more: Partial<ActionSummary> = {}): ActionSummary {
  return {
    actionId: "act_1",
    kind: "refund",
    state: "succeeded",
    orderId: "order_1042",
    orderNumber: "1042",
    amountMinor: 2400,
    currency: "USD",
    items: "2 × Wool socks",
    createdAt: NOW - DAY,
    updatedAt: NOW - DAY,
    text: "24.00 USD for 2 × Wool socks was refunded to your card.",
    ...more,
  };
}
