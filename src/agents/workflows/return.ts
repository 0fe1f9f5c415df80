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
import { itemsSaid } from "../understanding/item-references.ts";
import { orderReferences } from "../understanding/order-references.ts";
import { reasonIn, refusesReason } from "../understanding/reasons.ts";
import { orderName, type Speaking, talkOf, titleOf, whereItIs } from "../wording.ts";

const canGoBack = (order: OrderView): boolean => unitsLeftIn(order, "return") > 0;

const LONGEST_REASON = 200;

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
    return askForItems(view, order, "return", keep, talkOf(view).lineCannotGoBack(titleOf(items.line, view)));
  } else if (items.kind === "how_many") {
    if (misses > 1) return notClear();
    return askHowMany(view, order, "return", items, { ...keep, misses });
  } else if (items.kind === "which") {
    if (misses > 1) return notClear();
    return askWhichItem(view, order, "return", items.lines, { ...keep, misses });
  } else if (!openItems && unitsLeftIn(order, "return") === 1) {
    selection = "whole";
  } else {
    if (misses > 1) return notClear();
    const line = order.lineItems.find(({ lineItemId }) => lineItemId === own.line);
    if (own.asked === "quantity" && line !== undefined) {
      const sofar = Array.isArray(before) ? before : [];
      return askHowMany(
        view,
        order,
        "return",
        { kind: "how_many", line, wanted: null, sofar },
        { ...keep, misses },
      );
    }
    return askForItems(view, order, "return", { ...keep, misses }, misses > 0 ? talkOf(view).notCaught : "");
  }

  const reason = keep.reason ?? (asksReason ? freeReason(turn) : null);
  if (reason === null) return askReason(view, order, selection, keep);
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
  const reason = quotable(view.focus.text, LONGEST_REASON);
  return reason === "" || words.every(({ kind }) => kind === "mark") || refusesReason(words)
    ? "No reason given"
    : reason;
}

function askReason(to: Speaking, order: OrderView, selection: Selection, keep: Partial<Memory>): Say {
  const talk = talkOf(to);
  const { tooSmall, tooBig, notAsDescribed, damaged, changedMind } = talk.buttons;
  const what =
    selection === "whole" ? talk.wholeOrder(orderName(order)) : selectionText(order, selection, to);
  return {
    type: "say",
    text: talk.whatReason(what),
    quickReplies: [tooSmall, tooBig, notAsDescribed, damaged, changedMind],
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
  const talk = talkOf(view);
  const text =
    order.state === "cancelled"
      ? talk.cancelledNothingToSend(name)
      : order.state === "delivered"
        ? talk.nothingToSend(name)
        : order.state === "unfulfilled"
          ? talk.notShippedNothingToSend(name)
          : `${whereItIs(order, view)}\n\n${talk.onceItIsThere}`;
  return {
    type: "say",
    text,
    quickReplies: [talk.buttons.person],
    cards: [{ type: "order", order }],
    dialogue,
  };
}
