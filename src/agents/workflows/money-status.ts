/** "Where is my money?", "did my return arrive?": from the ledger and the confirmed amounts of the orders. Only reads. */
import type { ActionSummary, OrderView } from "../../tools/views.ts";
import type { Card, Say } from "../agent.ts";
import type { Flow } from "../flow.ts";
import { remember } from "../memory.ts";
import { listOrders } from "../reads.ts";
import type { Turn } from "../turn.ts";
import { itemsSaid } from "../understanding/item-references.ts";
import { orderReferences } from "../understanding/order-references.ts";
import { countedTitle, listed, money, orderName, type Speaking, talkOf } from "../wording.ts";

const MOST_SHOWN = 3;

export function* moneyStatus(turn: Turn, kind: "refund" | "return"): Flow<Say> {
  const { view, words, memory } = turn;
  const talk = talkOf(view);
  const { buttons } = talk;
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
      text: talk.noSuchOrder[kind](`#${asked}`),
      dialogue: null,
    };
  }
  const about = orderMeant(turn, orders, references.numbers);
  const actions = view.actions.filter(
    (action) => action.kind === kind && (about === null || action.orderId === about.orderId),
  );
  if (actions.length > 0) return fromLedger(actions, about);
  if (kind === "return") return shopReturns(view, about === null ? orders : [about]);
  const seen = (about === null ? orders : [about]).filter(
    (order) => order.refundedMinor > 0 || order.pendingRefundMinor > 0,
  );
  if (seen.length > 0) return fromOrders(view, seen);
  const order =
    about ??
    orders.find(({ orderId }) => orderId === memory.order) ??
    (orders.length === 1 ? orders[0] : undefined);
  if (orders.length === 0) {
    return {
      type: "say",
      text: talk.noOrdersNoRefund,
      quickReplies: [buttons.person],
      dialogue: null,
    };
  }
  if (order !== undefined && order.refundableMinor <= 0) {
    return {
      type: "say",
      text: talk.noRefundNothingLeft(orderName(order)),
      quickReplies: [buttons.person],
      dialogue: remember("order-status", { order: order.orderId }),
    };
  }
  return {
    type: "say",
    text: talk.noRefundSoFar(order === undefined ? null : orderName(order)),
    quickReplies: [buttons.yesPlease, buttons.noThanks],
    dialogue: remember("refund", { asked: "start", order: order?.orderId ?? null }),
  };
}

/** The one order that the question is about; null for "my refund" in general. */
function orderMeant(turn: Turn, orders: readonly OrderView[], numbers: readonly string[]): OrderView | null {
  const named = orders.find(({ number }) => number === numbers[0]);
  if (named !== undefined) return named;
  const latest = orderReferences(turn.words, new Set()).latest ? orders[0] : undefined;
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

function fromOrders(to: Speaking, orders: readonly OrderView[]): Say {
  const talk = talkOf(to);
  const shown = orders.slice(0, MOST_SHOWN);
  const lines = shown.map((order) =>
    [
      order.refundedMinor > 0
        ? talk.providerConfirms(orderName(order), money(order.refundedMinor, order, to))
        : "",
      order.pendingRefundMinor > 0
        ? talk.refundUnderWay(orderName(order), money(order.pendingRefundMinor, order, to))
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

function shopReturns(to: Speaking, orders: readonly OrderView[]): Say {
  const talk = talkOf(to);
  const states: Readonly<Record<string, string>> = { ...talk.returnStates };
  const lines = orders
    .flatMap((order) =>
      order.returns.map(({ state, items }) => {
        const what = listed(
          items.map((item) => countedTitle(item, item.quantity, to)),
          to,
        );
        return `• ${orderName(order)}${what === "" ? "" : `, ${what}`}: ${states[state] ?? talk.returnStates.other}`;
      }),
    )
    .slice(0, MOST_SHOWN);
  const order = orders.length === 1 ? orders[0] : undefined;
  if (lines.length === 0) {
    return {
      type: "say",
      text: talk.noReturn(order === undefined ? null : orderName(order)),
      quickReplies: [talk.buttons.setUpReturn, talk.buttons.person],
      dialogue: remember("order-status", { order: order?.orderId ?? null }),
    };
  }
  return {
    type: "say",
    text: `${talk.yourReturns(lines.length)}\n${lines.join("\n")}`,
    dialogue: remember("order-status", { order: order?.orderId ?? null }),
  };
}
