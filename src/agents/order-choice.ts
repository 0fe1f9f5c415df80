/** Which order a request is about; asks, with a short list, only when more than one is possible. */
import type { OrderView } from "../tools/views.ts";
import type { Say } from "./agent.ts";
import type { Flow } from "./flow.ts";
import { type Memory, memorable, remember } from "./memory.ts";
import { findOrder, listOrders, type OrdersFor } from "./reads.ts";
import type { Turn } from "./turn.ts";
import { amountsIn } from "./understanding/amounts.ts";
import { courtesyIn } from "./understanding/courtesies.ts";
import { itemsSaid } from "./understanding/item-references.ts";
import { type OrderReferences, orderReferences, placeInList } from "./understanding/order-references.ts";
import { LINE_END, readWords, type Word, written } from "./understanding/words.ts";
import { itemsOf, orderLine, orderReply, type Speaking, talkOf } from "./wording.ts";

export type OrderChoice =
  | {
      readonly kind: "chosen";
      readonly order: OrderView;
      /** Other orders that the message names too. */
      readonly further: readonly OrderView[];
      /** All that were read. */
      readonly orders: readonly OrderView[];
      readonly references: OrderReferences;
    }
  | { readonly kind: "open"; readonly among: readonly OrderView[]; readonly orders: readonly OrderView[] }
  | { readonly kind: "not_found"; readonly number: string; readonly orders: readonly OrderView[] }
  | { readonly kind: "no_orders" };

/** More numbers than this in one message are not looked up: every look-up is a step of the run. */
const MOST_LOOK_UPS = 2;

/** `possible` says which orders the request could be about at all, when the customer names none. */
export function* chooseOrder(
  turn: Turn,
  possible: (order: OrderView) => boolean,
  purpose: OrdersFor = "money",
): Flow<OrderChoice> {
  const { words, memory } = turn;
  const orders = yield* listOrders(purpose);
  const references = orderReferences(words, new Set(orders.map(({ number }) => number)));
  const chosen = (order: OrderView, further: readonly OrderView[] = []): OrderChoice => ({
    kind: "chosen",
    order,
    further,
    orders,
    references,
  });

  const named: OrderView[] = [];
  const missing: string[] = [];
  let lookUps = 0;
  // A bare number that is no order of the list is looked up only when nothing better is named.
  const numbers =
    references.numbers.length > 0 || !numberIsExpected(turn) ? references.numbers : references.perhaps;
  for (const number of numbers) {
    let order: OrderView | null = orders.find((it) => it.number === number) ?? null;
    if (order === null && lookUps < MOST_LOOK_UPS) {
      lookUps += 1;
      order = yield* findOrder(number);
    }
    if (order !== null) named.push(order);
    else missing.push(number);
  }
  const [first, ...further] = named;
  if (first !== undefined) return chosen(first, further);
  if (missing[0] !== undefined) return { kind: "not_found", number: missing[0], orders };
  if (orders.length === 0) return { kind: "no_orders" };

  const left = orders.filter(({ number }) => !references.excluded.includes(number));
  const current = left.find((order) => isMeant(order, memory.order)) ?? null;
  const only = (some: readonly OrderView[]): OrderView | null =>
    some.length === 1 ? (some[0] ?? null) : null;

  if (memory.asked === "order") {
    const pick = pickFromList(turn, left);
    if (pick !== null) return chosen(pick);
  }
  if (references.latest && left[0] !== undefined) return chosen(left[0]);
  const oldest = left.at(-1);
  if (references.oldest && oldest !== undefined) return chosen(oldest);
  if (references.other && current !== null) {
    const others = left.filter((it) => it !== current && possible(it));
    const other = only(others);
    return other === null
      ? { kind: "open", among: others.length > 0 ? others : left, orders }
      : chosen(other);
  }
  const holding = holdersOf(turn, left, current);
  if (holding.length > 0) {
    const holder = only(holding) ?? only(holding.filter(possible));
    return holder === null ? { kind: "open", among: holding, orders } : chosen(holder);
  }
  if (current !== null && references.excluded.length === 0) return chosen(current);
  const fitting = left.filter(possible);
  const fit = only(fitting) ?? only(left);
  return fit === null ? { kind: "open", among: fitting.length > 0 ? fitting : left, orders } : chosen(fit);
}

/** A reference in memory or in an offer's arguments is an ID or a number. */
export const isMeant = (order: OrderView, reference: string | null): boolean =>
  reference !== null && (order.orderId === reference || order.number === reference.replace(/^#/, ""));

/**
 * The words in which to look for items: those before the question for the order, and the answer's own
 * only when it names its order by number ("the one with the jacket" answers the question, no more).
 */
export function itemWords(turn: Turn, order: OrderView, references: OrderReferences): readonly Word[] {
  const { words, memory, core } = turn;
  if (memory.asked !== "order") {
    if (core === undefined) return words;
    const { mentions, whole } = itemsSaid(core, order.lineItems);
    return mentions.length > 0 || whole ? core : words;
  }
  const earlier = memory.said === null ? [] : readWords(memory.said);
  const isButton = words.some(({ text }) => text === BUTTON_MARK);
  if (references.numbers.length === 0 || isButton) return earlier;
  return [...earlier, LINE_END, ...words];
}
const BUTTON_MARK = "·";

function numberIsExpected({ memory }: Turn): boolean {
  return memory.asked === "order" || memory.order === null;
}

/** The answer to a list: a place in it, or an amount that only one of them has. */
function pickFromList({ words, memory }: Turn, left: readonly OrderView[]): OrderView | null {
  const shown = memory.choices.flatMap((id) => left.find(({ orderId }) => orderId === id) ?? []);
  const place = placeInList(words, shown.length);
  if (place !== null) return shown[place] ?? null;
  if (shown.length === 1 && courtesyIn(words) === "yes") return shown[0] ?? null;
  const priced = shown.filter((order) =>
    amountsIn(words, order.currency, new Set()).includes(order.totalMinor),
  );
  return priced.length === 1 ? (priced[0] ?? null) : null;
}

/** The orders that have most of the items that are named; the current order goes first when it has any. */
function holdersOf({ words }: Turn, orders: readonly OrderView[], current: OrderView | null): OrderView[] {
  const counted = orders.map((order) => ({ order, hits: itemsSaid(words, order.lineItems).mentions.length }));
  if (current !== null && counted.some(({ order, hits }) => order === current && hits > 0)) return [current];
  const most = Math.max(0, ...counted.map(({ hits }) => hits));
  return most === 0 ? [] : counted.filter(({ hits }) => hits === most).map(({ order }) => order);
}

const MOST_LISTED = 5;
const MOST_REPLIES = 4;

/** The question that goes with a choice that is not made; `memory` is what to keep besides. */
export function askForOrder(
  turn: Turn,
  choice: Exclude<OrderChoice, { kind: "chosen" }>,
  workflow: "order-status" | "return" | "refund",
  memory: Partial<Memory>,
): Say {
  const { view } = turn;
  const talk = talkOf(view);
  if (choice.kind === "no_orders") {
    return {
      type: "say",
      text: talk.noOrders,
      quickReplies: [talk.buttons.person],
      dialogue: null,
    };
  }
  const among = choice.kind === "open" ? choice.among : choice.orders;
  const shown = among.slice(0, MOST_LISTED);
  const again = turn.memory.asked === "order" && turn.memory.workflow === workflow;
  const misses = again ? turn.memory.misses + 1 : 0;
  const lead =
    choice.kind === "not_found" ? talk.notFound(`#${choice.number}`) : again ? talk.whichOrderAgain : "";
  if (shown.length === 0) {
    return {
      type: "say",
      text: `${lead} ${talk.noOtherOrders}`,
      quickReplies: [talk.buttons.person],
      dialogue: null,
    };
  }
  const question = shown.length === 1 ? talk.thisOne : talk.whichOrder;
  const rest = among.length > shown.length ? `\n${talk.olderOne}` : "";
  return {
    type: "say",
    text: `${lead === "" ? "" : `${lead} `}${question}\n${shown.map((order) => orderLine(order, view)).join("\n")}${rest}`,
    quickReplies: shown.slice(0, MOST_REPLIES).map((order) => orderReply(order, view)),
    dialogue: remember(workflow, {
      ...memory,
      asked: "order",
      misses,
      choices: shown.map(({ orderId }) => orderId),
      order: null,
      said: memory.said ?? turn.memory.said ?? memorable(written(turn.words)),
    }),
  };
}

/** For summaries, which people of the shop read: `#1042 (Trail jacket, 2 × Wool socks)`. */
export const shortOrder = (order: OrderView): string =>
  `#${order.number} (${itemsOf(order.lineItems, FOR_PEOPLE_OF_THE_SHOP)})`;
const FOR_PEOPLE_OF_THE_SHOP: Speaking = { language: "en" };
