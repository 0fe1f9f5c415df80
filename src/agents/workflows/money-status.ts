/** "Where is my money?", "did my return arrive?": from the ledger and the confirmed amounts of the orders. Only reads. */
import type { ActionSummary, OrderView } from "../../tools/views.ts";
import type { Card, Say } from "../agent.ts";
import type { Flow } from "../flow.ts";
import { remember } from "../memory.ts";
import { listOrders } from "../reads.ts";
import type { Turn } from "../turn.ts";
import { itemsSaid } from "../understanding/item-references.ts";
import { orderReferences } from "../understanding/order-references.ts";
import { phrase } from "../understanding/words.ts";
import { countedTitle, listed, money, orderName } from "../wording.ts";

const MOST_SHOWN = 3;

export function* moneyStatus(turn: Turn, kind: "refund" | "return"): Flow<Say> {
  const { view, words, memory } = turn;
  const orders = yield* listOrders("money");
  const references = orderReferences(
    words,
    new Set([...orders.map(({ number }) => number), ...view.actions.map(({ orderNumber }) => orderNumber)]),
  );
  const asked = references.numbers[0];
  if (
    asked !== undefined &&
    !orders.some((it) => it.number === asked) &&
    !view.actions.some((it) => it.orderNumber === asked)
  ) {
    return {
      type: "say",
      text: `I can't find an order #${asked} in your account, so I can't see a ${kind} for it either. Could you check the number?`,
      dialogue: null,
    };
  }
  const about = orderMeant(turn, orders, references.numbers);
  const actions = view.actions.filter(
    (action) => action.kind === kind && (about === null || action.orderId === about.orderId),
  );
  if (actions.length > 0) return fromLedger(actions, about);
  if (kind === "return") return shopReturns(about === null ? orders : [about]);
  const seen = (about === null ? orders : [about]).filter(
    (order) => order.refundedMinor > 0 || order.pendingRefundMinor > 0,
  );
  if (seen.length > 0) return fromOrders(seen);
  const order =
    about ??
    orders.find(({ orderId }) => orderId === memory.order) ??
    (orders.length === 1 ? orders[0] : undefined);
  if (orders.length === 0) {
    return {
      type: "say",
      text: "I don't see any orders in your account, so there is no refund either.",
      quickReplies: ["Talk to a person"],
      dialogue: null,
    };
  }
  if (order !== undefined && order.refundableMinor <= 0) {
    return {
      type: "say",
      text: `I can't see any refund for order ${orderName(order)}, and nothing is left to refund on it.`,
      quickReplies: ["Talk to a person"],
      dialogue: remember("order-status", { order: order.orderId }),
    };
  }
  const which = order === undefined ? "" : ` for order ${orderName(order)}`;
  return {
    type: "say",
    text: `I can't see any refund${which} so far. Would you like me to start one?`,
    quickReplies: ["Yes, please", "No, thanks"],
    dialogue: remember("refund", { asked: "start", order: order?.orderId ?? null }),
  };
}

/** The one order that the question is about; null for "my refund" in general. */
function orderMeant(turn: Turn, orders: readonly OrderView[], numbers: readonly string[]): OrderView | null {
  const named = orders.find(({ number }) => number === numbers[0]);
  if (named !== undefined) return named;
  const text = phrase(turn.words);
  const latest = / (?:latest|newest|most recent|last) (?:order|purchase) /.test(text) ? orders[0] : undefined;
  if (latest !== undefined) return latest;
  const holding = orders.filter(({ lineItems }) => itemsSaid(turn.words, lineItems).mentions.length > 0);
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

function fromLedger(actions: readonly ActionSummary[], about: OrderView | null): Say {
  const shown = actions.slice(0, MOST_SHOWN);
  return {
    type: "say",
    text: shown.map(({ text }) => text).join("\n\n"),
    cards: shown.map((action): Card => ({ type: "action", action })),
    dialogue: remember("order-status", { order: about?.orderId ?? shown[0]?.orderId ?? null }),
  };
}

function fromOrders(orders: readonly OrderView[]): Say {
  const shown = orders.slice(0, MOST_SHOWN);
  const lines = shown.map((order) =>
    [
      order.refundedMinor > 0
        ? `For order ${orderName(order)} the payment provider confirms ${money(order.refundedMinor, order)} sent back to you. Your bank may take a few days to show it.`
        : "",
      order.pendingRefundMinor > 0
        ? `For order ${orderName(order)} a refund of ${money(order.pendingRefundMinor, order)} is still under way.`
        : "",
    ]
      .filter((part) => part !== "")
      .join(" "),
  );
  return {
    type: "say",
    text: lines.join("\n\n"),
    cards: shown.map((order): Card => ({ type: "order", order })),
    dialogue: remember("order-status", { order: shown[0]?.orderId ?? null }),
  };
}

const RETURN_WORDS: Readonly<Record<string, string>> = {
  open: "registered and waiting for your parcel",
  in_transit: "on its way back to us",
  received: "with us",
  closed: "closed",
  cancelled: "called off",
};

function shopReturns(orders: readonly OrderView[]): Say {
  const lines = orders
    .flatMap((order) =>
      order.returns.map(({ state, items }) => {
        const what = listed(items.map((item) => countedTitle(item, item.quantity)));
        return `• ${orderName(order)}${what === "" ? "" : `, ${what}`}: ${RETURN_WORDS[state] ?? "in progress"}`;
      }),
    )
    .slice(0, MOST_SHOWN);
  const order = orders.length === 1 ? orders[0] : undefined;
  if (lines.length === 0) {
    return {
      type: "say",
      text: `I can't see a return${order === undefined ? "" : ` for order ${orderName(order)}`} on record. If you sent something back already, a colleague can look for the parcel; otherwise I can set up a return.`,
      quickReplies: ["Set up a return", "Talk to a person"],
      dialogue: remember("order-status", { order: order?.orderId ?? null }),
    };
  }
  return {
    type: "say",
    text: `This is what I see of your ${lines.length === 1 ? "return" : "returns"}:\n${lines.join("\n")}`,
    dialogue: remember("order-status", { order: order?.orderId ?? null }),
  };
}
