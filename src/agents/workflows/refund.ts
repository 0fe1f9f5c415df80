/**
 * A refund: which order, which items or all of it, how many; one question at a time. It ends in a
 * proposal of `process_refund`, from which code makes the offer, and after the customer's yes the action.
 */
import { formatDecimal } from "../../kernel/money.ts";
import type { LineItemView, OrderView } from "../../tools/views.ts";
import type { Proposal, Say } from "../agent.ts";
import { proposeEffect } from "../effect.ts";
import type { Flow } from "../flow.ts";
import { handOver } from "../handover.ts";
import {
  askForItems,
  askHowMany,
  askWhichItem,
  chooseItems,
  type ItemChoice,
  priceOf,
  selectionCosting,
  selectionText,
  stillFits,
  unitsLeftIn,
} from "../item-choice.ts";
import { type Memory, memorable, NOTHING, remember, type Selection } from "../memory.ts";
import { askForOrder, chooseOrder, isMeant, itemWords, shortOrder } from "../order-choice.ts";
import type { Turn } from "../turn.ts";
import { amountsIn } from "../understanding/amounts.ts";
import { explainsSum, wantsShippingBack } from "../understanding/intents.ts";
import { type ItemsSaid, itemsSaid } from "../understanding/item-references.ts";
import { orderReferences } from "../understanding/order-references.ts";
import { money, orderName, talkOf, titleOf } from "../wording.ts";

const canBeRefunded = ({ refundableMinor }: OrderView): boolean => refundableMinor > 0;

export function* refund(turn: Turn): Flow<Proposal> {
  const { memory, view } = turn;
  const choice = yield* chooseOrder(turn, canBeRefunded);
  if (choice.kind !== "chosen") {
    if (memory.asked === "order" && memory.misses > 0 && choice.kind !== "no_orders") {
      return handOver(
        view,
        "not_understood",
        "The customer wants a refund; which order it is for is not clear.",
      );
    }
    return askForOrder(turn, choice, "refund", { queued: memory.queued });
  }
  const { order, further, references } = choice;
  if (!canBeRefunded(order)) return nothingLeft(turn, order);

  const same = isMeant(order, memory.order);
  const words = itemWords(turn, order, references);
  const numbers = new Set(choice.orders.map(({ number }) => number));
  const taken = orderReferences(words, numbers).at;
  const said = itemsSaid(words, order.lineItems, taken);
  const draft: Draft = {
    turn,
    order,
    said,
    before: same ? stillFits(order, memory.selection, "refund") : null,
    memory: same ? memory : { ...NOTHING, queued: memory.queued },
    amountMinor: amountsIn(words, order.currency, new Set([...taken, ...said.at]))[0] ?? null,
    keep: {
      order: order.orderId,
      queued:
        further.length === 0
          ? memory.queued
          : memorable(
              `refund ${said.whole ? "everything on " : ""}order ${further.map(orderName).join(" and ")}`,
            ),
    },
    items: chooseItems({
      order,
      purpose: "refund",
      words,
      said,
      before: same ? stillFits(order, memory.selection, "refund") : null,
      memory: same ? memory : NOTHING,
    }),
  };
  return yield* decide(draft);
}

interface Draft {
  readonly turn: Turn;
  readonly order: OrderView;
  readonly said: ItemsSaid;
  readonly before: Selection | null;
  /** Of this order only. */
  readonly memory: Memory;
  /** Said in this message. */
  readonly amountMinor: number | null;
  readonly keep: Partial<Memory>;
  readonly items: ItemChoice;
}

function* decide(draft: Draft): Flow<Proposal> {
  const { order, items, memory, before, said } = draft;
  const { view } = draft.turn;
  const amountMinor =
    draft.amountMinor ?? (memory.asked === "amount" || memory.asked === "offer" ? memory.amountMinor : null);
  const answersWhatFor = memory.asked === "amount";
  const wantsOtherItems = items.kind !== "unsaid" && draft.amountMinor === null && !answersWhatFor;
  if (amountMinor !== null && !wantsOtherItems) return yield* byAmount(draft, amountMinor);
  if (items.kind === "unsaid" && wantsShippingBack(draft.turn.words) && order.shippingMinor > 0) {
    const partMinor = Math.min(order.shippingMinor, order.refundableMinor);
    return yield* propose(draft, null, partMinor);
  }
  switch (items.kind) {
    case "chosen":
      return yield* propose(draft, items.selection);
    case "none_left":
      return lineSpent(draft, items.line);
    case "how_many":
      return (
        givenUp(draft, "quantity") ??
        askHowMany(view, order, "refund", items, { ...draft.keep, misses: missesOf(draft, "quantity") })
      );
    case "which":
      return (
        givenUp(draft, "items") ??
        askWhichItem(view, order, "refund", items.lines, { ...draft.keep, misses: missesOf(draft, "items") })
      );
    case "unsaid":
      break;
  }
  const open = memory.asked === "items" || memory.asked === "quantity";
  if (before !== null && !open) return yield* propose(draft, before);
  if (!open && unitsLeftIn(order, "refund") <= 1 && said.mentions.length === 0)
    return yield* propose(draft, "whole");
  const misses = open ? memory.misses + 1 : 0;
  if (misses > 1) return notClear(draft);
  if (memory.asked === "quantity") {
    const line = order.lineItems.find(({ lineItemId }) => lineItemId === memory.line);
    const sofar = Array.isArray(before) ? before : [];
    if (line !== undefined) {
      return askHowMany(
        view,
        order,
        "refund",
        { kind: "how_many", line, wanted: null, sofar },
        { ...draft.keep, misses },
      );
    }
  }
  return askForItems(
    view,
    order,
    "refund",
    { ...draft.keep, misses },
    misses > 0 ? talkOf(view).notCaught : "",
  );
}

const missesOf = ({ memory }: Draft, question: Memory["asked"]): number =>
  memory.asked === question ? memory.misses + 1 : 0;

const givenUp = (draft: Draft, question: Memory["asked"]): Proposal | null =>
  missesOf(draft, question) > 1 ? notClear(draft) : null;

const notClear = ({ turn, order }: Draft): Proposal =>
  handOver(
    turn.view,
    "not_understood",
    `The customer wants a refund for order ${shortOrder(order)}; what exactly it is for is not clear.`,
  );

/** An amount was named: find what it is the price of, or ask once what it is for. */
function* byAmount(draft: Draft, amountMinor: number): Flow<Proposal> {
  const { order, items, said, memory } = draft;
  if (amountMinor > order.refundableMinor) return tooMuch(draft, amountMinor);
  const named = order.lineItems.filter(({ lineItemId }) =>
    said.mentions.some((it) => !it.excluded && it.lineItemIds.includes(lineItemId)),
  );
  const selection = items.kind === "chosen" ? items.selection : null;
  if (selection !== null && priceOf(order, selection) === amountMinor)
    return yield* propose(draft, selection);
  const priced = selectionCosting(order, amountMinor, named.length > 0 ? named : order.lineItems);
  if (priced !== null && priced !== "several") return yield* propose(draft, priced);
  if (memory.asked === "amount" && selection === "whole") return yield* propose(draft, "whole");
  const explained =
    explainsSum(draft.turn.words) || wantsShippingBack(draft.turn.words) || memory.asked === "amount";
  if (explained) return yield* propose(draft, null, amountMinor);
  const { view } = draft.turn;
  const talk = talkOf(view);
  const wanted = money(amountMinor, order, view);
  if (selection !== null) {
    const price = money(priceOf(order, selection), order, view);
    return askAmount(draft, amountMinor, {
      text: talk.priceOrWanted(orderName(order), selectionText(order, selection, view), price, wanted),
      quickReplies: [price, wanted],
    });
  }
  return askAmount(draft, amountMinor, {
    text: talk.whatIsItFor(wanted, orderName(order)),
    quickReplies: [
      ...order.lineItems.slice(0, 3).map((line) => talk.buttons.the(titleOf(line, view))),
      talk.buttons.somethingElse,
    ],
  });
}

function askAmount({ keep }: Draft, amountMinor: number, say: Pick<Say, "text" | "quickReplies">): Say {
  return { type: "say", ...say, dialogue: remember("refund", { ...keep, asked: "amount", amountMinor }) };
}

function tooMuch({ turn: { view }, order, keep }: Draft, amountMinor: number): Say {
  const most = money(order.refundableMinor, order, view);
  const lead = talkOf(view).atMost(orderName(order), most, money(amountMinor, order, view));
  return askForItems(view, order, "refund", keep, lead);
}

function* propose(draft: Draft, selection: Selection | null, bareMinor = 0): Flow<Proposal> {
  const { turn, order, keep } = draft;
  const amountMinor = selection === null ? bareMinor : priceOf(order, selection);
  if (amountMinor <= 0) {
    const talk = talkOf(turn.view);
    return {
      type: "say",
      text: talk.nothingPaid(orderName(order)),
      quickReplies: [talk.buttons.person],
      dialogue: remember("order-status", { order: order.orderId }),
    };
  }
  // A refund that named no items took from the balance but from no unit.
  if (selection !== null && amountMinor > order.refundableMinor) return onlyWhatIsLeft(draft, selection);
  return yield* proposeEffect(turn.view, {
    type: "call",
    tool: "process_refund",
    args: {
      order_id: order.orderId,
      amount: formatDecimal({ amountMinor, currency: order.currency }),
      ...(selection === null || selection === "whole"
        ? {}
        : { items: selection.map(({ lineItemId, quantity }) => ({ line_item_id: lineItemId, quantity })) }),
    },
    dialogue: remember("refund", {
      ...keep,
      asked: "offer",
      selection,
      amountMinor: selection === null ? amountMinor : null,
    }),
  });
}

function onlyWhatIsLeft({ turn: { view }, order, keep }: Draft, selection: Selection): Say {
  const price = money(priceOf(order, selection), order, view);
  const left = money(order.refundableMinor, order, view);
  const { buttons, onlyLeft } = talkOf(view);
  return {
    type: "say",
    text: onlyLeft(orderName(order), selectionText(order, selection, view), price, left),
    quickReplies: [buttons.yesPlease, buttons.noThanks],
    dialogue: remember("refund", { ...keep, asked: "go_on", selection: "whole" }),
  };
}

function lineSpent({ turn, order, keep }: Draft, line: LineItemView): Say {
  const known = turn.view.actions.find((it) => it.kind === "refund" && it.orderId === order.orderId);
  const lead = talkOf(turn.view).lineSpent(titleOf(line, turn.view), orderName(order));
  if (known !== undefined) {
    return {
      type: "say",
      text: `${lead}\n\n${known.text}`,
      cards: [{ type: "action", action: known }],
      dialogue: remember("order-status", { order: order.orderId }),
    };
  }
  return askForItems(turn.view, order, "refund", keep, lead);
}

/** The order has no money left: say what is known of where it went. */
function nothingLeft({ view }: Turn, order: OrderView): Say {
  const known = view.actions.filter((it) => it.kind === "refund" && it.orderId === order.orderId).slice(0, 2);
  const dialogue = remember("order-status", { order: order.orderId });
  if (known.length > 0) {
    return {
      type: "say",
      text: known.map(({ text }) => text).join("\n\n"),
      cards: known.map((action) => ({ type: "action", action })),
      dialogue,
    };
  }
  const name = orderName(order);
  const talk = talkOf(view);
  const text =
    order.pendingRefundMinor > 0
      ? talk.underWayNothingLeft(name, money(order.pendingRefundMinor, order, view))
      : order.refundedMinor > 0
        ? talk.confirmedNothingLeft(name, money(order.refundedMinor, order, view))
        : talk.noPayment(name);
  return {
    type: "say",
    text,
    quickReplies: [talk.buttons.person],
    cards: [{ type: "order", order }],
    dialogue,
  };
}
