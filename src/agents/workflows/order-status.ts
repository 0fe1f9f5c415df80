/** "Where is my order?": which one, where it is, when it comes. Only reads. */
import type { OrderView } from "../../tools/views.ts";
import type { Card, Escalate, Say } from "../agent.ts";
import type { Flow } from "../flow.ts";
import { remember } from "../memory.ts";
import { askForOrder, chooseOrder } from "../order-choice.ts";
import type { Turn } from "../turn.ts";
import { asksForList, asksWhereabouts, saysNotReceived } from "../understanding/intents.ts";
import { means } from "../understanding/words.ts";
import { listed, orderLine, orderName, talkOf, whereItIs } from "../wording.ts";

const MOST_SHOWN = 3;
const isUnderWay = ({ state }: OrderView): boolean => state !== "delivered" && state !== "cancelled";

export function* orderStatus(turn: Turn): Flow<Say | Escalate> {
  const choice = yield* chooseOrder(turn, isUnderWay, "whereabouts");
  if (choice.kind === "no_orders" || choice.kind === "not_found") {
    return askForOrder(turn, choice, "order-status", {});
  }
  const missing = saysNotReceived(turn.words);
  const named = choice.kind === "chosen" && choice.references.numbers.length > 0;
  if (asksForList(turn.words) && !named && choice.orders.length > 1 && !asksWhereabouts(turn.words)) {
    return overviewOfAll(turn, choice.orders);
  }
  if (choice.kind === "open") {
    const waiting = choice.among.filter(isUnderWay);
    const itemNamed = choice.among.length < choice.orders.length && waiting.length === 0;
    if (itemNamed || turn.memory.asked === "order") return askForOrder(turn, choice, "order-status", {});
    // A parcel that "never came" may be one that counts as delivered: which one, the customer must say.
    if (missing && waiting.length === 0) return askForOrder(turn, choice, "order-status", {});
    return overview(turn, waiting, choice.orders);
  }
  const orders = [choice.order, ...choice.further].slice(0, MOST_SHOWN);
  const [order] = orders;
  if (orders.length === 1 && order !== undefined && order.state === "delivered" && missing) {
    return notThere(turn, order);
  }
  const asksForAll = choice.further.length === 0 && turn.words.some((it) => means(it, "orders"));
  const waiting = choice.orders.filter(isUnderWay);
  if (asksForAll && choice.references.numbers.length === 0 && waiting.length > 1) {
    return overview(turn, waiting, choice.orders);
  }
  return tell(turn, orders, missing && isUnderWay(choice.order) ? talkOf(turn.view).sorryNotThereYet : "");
}

const MOST_LINES = 6;
function overviewOfAll(turn: Turn, orders: readonly OrderView[]): Say {
  const talk = talkOf(turn.view);
  const shown = orders.slice(0, MOST_LINES).map((order) => orderLine(order, turn.view));
  const more = orders.length > MOST_LINES ? `\n${talk.olderOne}` : "";
  return {
    type: "say",
    text: `${talk.latestOrders}\n${shown.join("\n")}${more}\n${talk.whichCanIHelpWith}`,
    dialogue: null,
  };
}

function overview(turn: Turn, waiting: readonly OrderView[], orders: readonly OrderView[]): Say {
  const talk = talkOf(turn.view);
  if (waiting.length > 0) {
    const more = waiting.length - MOST_SHOWN;
    const rest = waiting.slice(MOST_SHOWN).map(orderName);
    return tell(
      turn,
      waiting.slice(0, MOST_SHOWN),
      "",
      more > 0 ? talk.alsoOnTheWay(listed(rest.slice(0, 5), turn.view), more > 5) : "",
    );
  }
  return tell(turn, orders.slice(0, 1), talk.noneOnTheWay);
}

function tell(turn: Turn, orders: readonly OrderView[], lead: string, end = ""): Say {
  const cards = orders.map((order): Card => ({ type: "order", order }));
  const texts = orders.map((order) => whereItIs(order, turn.view));
  const troubled = orders.some(({ fulfilments }) =>
    fulfilments.some(
      ({ state, estimatedDeliveryAt }) =>
        state === "delivery_failed" ||
        (state !== "delivered" && estimatedDeliveryAt !== null && estimatedDeliveryAt < turn.view.now),
    ),
  );
  return {
    type: "say",
    text: [lead, texts.join("\n\n"), end]
      .filter((part) => part !== "")
      .join(lead.endsWith(":") ? "\n" : "\n\n"),
    cards,
    ...(troubled ? { quickReplies: [talkOf(turn.view).buttons.person] } : {}),
    dialogue: orders.length === 1 ? remember("order-status", { order: orders[0]?.orderId ?? null }) : null,
  };
}

/** Delivered, says the carrier; not here, says the customer: a person can ask the carrier. */
function notThere(turn: Turn, order: OrderView): Say {
  const { buttons, saysDelivered } = talkOf(turn.view);
  return {
    type: "say",
    text: saysDelivered(whereItIs(order, turn.view)),
    cards: [{ type: "order", order }],
    quickReplies: [buttons.lookIntoIt, buttons.foundIt],
    dialogue: remember("order-status", { asked: "missing", order: order.orderId }),
  };
}
