/**
 * A return: which order, which items, why; one question at a time. It ends in a proposal of
 * `initiate_return`; whether the window is open, policy decides.
 */
import type { OrderView } from "../../tools/views.ts";
import type { Proposal, Say } from "../agent.ts";
import { proposeEffect } from "../effect.ts";
import type { Flow } from "../flow.ts";
import { handOver } from "../handover.ts";
import {
  askForItems,
  askHowMany,
  askWhichItem,
  chooseItems,
  selectionText,
  stillFits,
  unitsLeftIn,
} from "../item-choice.ts";
import { type Memory, memorable, NOTHING, remember, type Selection } from "../memory.ts";
import { askForOrder, chooseOrder, isMeant, itemWords, shortOrder } from "../order-choice.ts";
import type { Turn } from "../turn.ts";
import { quotable } from "../understanding/card-numbers.ts";
import { reasonIn } from "../understanding/intents.ts";
import { itemsSaid } from "../understanding/item-references.ts";
import { orderReferences } from "../understanding/order-references.ts";
import { phrase } from "../understanding/words.ts";
import { orderName, titleOf, whereItIs } from "../wording.ts";

const canGoBack = (order: OrderView): boolean => unitsLeftIn(order, "return") > 0;

const LONGEST_REASON = 200;
const REASON_REPLIES = ["Too small", "Too big", "Not as described", "Damaged", "Changed my mind"];

export function* returnItems(turn: Turn): Flow<Proposal> {
  const { memory, view } = turn;
  const choice = yield* chooseOrder(turn, canGoBack);
  if (choice.kind !== "chosen") {
    if (memory.asked === "order" && memory.misses > 0 && choice.kind !== "no_orders") {
      return handOver(
        view,
        "not_understood",
        "The customer wants to send something back; from which order is not clear.",
      );
    }
    return askForOrder(turn, choice, "return", { queued: memory.queued, reason: reasonIn(turn.words) });
  }
  const { order, further, references } = choice;
  if (!canGoBack(order)) return cannotGoBack(turn, order);

  const same = isMeant(order, memory.order);
  const own = same ? memory : NOTHING;
  const words = itemWords(turn, order, references);
  const numbers = new Set(choice.orders.map(({ number }) => number));
  const said = itemsSaid(words, order.lineItems, orderReferences(words, numbers).at);
  const before = same ? stillFits(order, memory.selection, "return") : null;
  const asksReason = own.asked === "reason";
  const items = chooseItems({ order, purpose: "return", words, said, before, memory: own });
  const keep: Partial<Memory> = {
    order: order.orderId,
    reason: reasonIn([...words, ...turn.words]) ?? memory.reason,
    queued:
      further.length === 0
        ? memory.queued
        : memorable(
            `return ${said.whole ? "everything from " : ""}order ${further.map(orderName).join(" and ")}`,
          ),
  };
  const openItems = own.asked === "items" || own.asked === "quantity";
  const misses = openItems ? own.misses + 1 : 0;
  const notClear = () =>
    handOver(
      view,
      "not_understood",
      `The customer wants to send back something from order ${shortOrder(order)}; what exactly is not clear.`,
    );

  let selection: Selection;
  if (items.kind === "chosen" && !(asksReason && before !== null && said.mentions.length === 0)) {
    selection = items.selection;
  } else if (before !== null && !openItems) {
    // In the answer to "why?" the items are settled: "the jacket is too small" changes nothing.
    selection = before;
  } else if (items.kind === "none_left") {
    return askForItems(order, "return", keep, `The ${titleOf(items.line)} can't be sent back (again).`);
  } else if (items.kind === "how_many") {
    if (misses > 1) return notClear();
    return askHowMany(order, "return", items, { ...keep, misses });
  } else if (items.kind === "which") {
    if (misses > 1) return notClear();
    return askWhichItem(order, "return", items.lines, { ...keep, misses });
  } else if (!openItems && unitsLeftIn(order, "return") === 1) {
    selection = "whole";
  } else {
    if (misses > 1) return notClear();
    const line = order.lineItems.find(({ lineItemId }) => lineItemId === own.line);
    if (own.asked === "quantity" && line !== undefined) {
      const sofar = Array.isArray(before) ? before : [];
      return askHowMany(
        order,
        "return",
        { kind: "how_many", line, wanted: null, sofar },
        { ...keep, misses },
      );
    }
    return askForItems(order, "return", { ...keep, misses }, misses > 0 ? "Sorry, I didn't catch that." : "");
  }

  const reason = keep.reason ?? (asksReason ? freeReason(turn) : null);
  if (reason === null) return askReason(order, selection, keep);
  return yield* proposeEffect(view, {
    type: "call",
    tool: "initiate_return",
    args: {
      order_id: order.orderId,
      reason,
      ...(selection === "whole"
        ? {}
        : { items: selection.map(({ lineItemId, quantity }) => ({ line_item_id: lineItemId, quantity })) }),
    },
    dialogue: remember("return", { ...keep, reason, asked: "offer", selection }),
  });
}

/** Whatever answers "why?" is a reason; no one is made to explain. */
function freeReason({ view, words }: Turn): string {
  const text = phrase(words);
  const unwilling =
    / (?:no reason|none|rather not|do not (?:know|want to)|why do you|none of your|does not matter) /;
  const reason = quotable(view.focus.text, LONGEST_REASON);
  return reason === "" || words.every(({ kind }) => kind === "mark") || unwilling.test(text)
    ? "No reason given"
    : reason;
}

function askReason(order: OrderView, selection: Selection, keep: Partial<Memory>): Say {
  const what = selection === "whole" ? `order ${orderName(order)}` : selectionText(order, selection);
  return {
    type: "say",
    text: `Happy to help you send back ${what}. What is the reason?`,
    quickReplies: REASON_REPLIES,
    dialogue: remember("return", { ...keep, selection, asked: "reason" }),
  };
}

function cannotGoBack({ view }: Turn, order: OrderView): Say {
  const name = orderName(order);
  const known = view.actions.find((it) => it.kind === "return" && it.orderId === order.orderId);
  const dialogue = remember("order-status", { order: order.orderId });
  if (known !== undefined) {
    return { type: "say", text: known.text, cards: [{ type: "action", action: known }], dialogue };
  }
  const text =
    order.state === "cancelled"
      ? `Order ${name} was cancelled, so there is nothing to send back.`
      : order.state === "delivered"
        ? `Nothing in order ${name} is left to send back. If you think that's wrong, a colleague can look at it.`
        : order.state === "unfulfilled"
          ? `Order ${name} hasn't been shipped yet, so there is nothing to send back so far. A colleague can see whether it can still be stopped.`
          : `${whereItIs(order, view)}\n\nOnce it's with you, I can set up the return.`;
  return {
    type: "say",
    text,
    quickReplies: ["Talk to a person"],
    cards: [{ type: "order", order }],
    dialogue,
  };
}
