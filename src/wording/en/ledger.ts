import type { LedgerWords, RefundSaid, ReturnSaid } from "../ledger-words.ts";

const refund = ({ amount, order }: RefundSaid) => `refund of ${amount} for order ${order}`;
const goods = ({ items, order }: ReturnSaid) => `return of ${items} from order ${order}`;
const after = (why: string | null) => (why === null ? "" : ` ${why}`);
const quoted = (note: string | null) => (note === null ? "" : ` They wrote: “${note}”`);

export const ledger: LedgerWords = {
  language: "en",
  refund: {
    denied: (it) => `The ${refund(it)} was not possible under our policy. Nothing was paid out.`,
    awaitingApproval: (it) =>
      `Your ${refund(it)} (${it.items}) is with a colleague for approval. Nothing has been paid out yet; I will write here as soon as it is decided.`,
    rejected: (it, note) =>
      `A colleague has looked at your ${refund(it)} and could not approve it.${quoted(note)} Nothing was paid out.`,
    expired: (it) =>
      `Your ${refund(it)} was not decided in time, so the request has ended. Nothing was paid out. Write here if you still want it and I will start again.`,
    underWay: (it) =>
      `Your ${refund(it)} is being sent to the payment provider. It is not confirmed yet; I will write here as soon as it is.`,
    cancelled: (it, why) =>
      `Your ${refund(it)} was cancelled before anything was sent to the payment provider. Nothing was paid out.${after(why)}`,
    unknown: (it) =>
      `Your ${refund(it)} is still being checked: the payment provider has not given us a clear answer yet. It cannot be paid twice, and I will write here as soon as we know.`,
    needsPerson: (it) =>
      `Your ${refund(it)} is still being checked, now by a colleague together with the payment provider. It cannot be paid twice, and we will write here as soon as we know.`,
    pending: (it) =>
      `The payment provider has accepted your ${refund(it)} and is processing it. It is not final yet; I will write here when it is.`,
    succeeded: (it) =>
      `The payment provider has confirmed your ${refund(it)} (${it.items}). It goes back to the way you paid and usually shows on your statement within 5 to 10 days.`,
    failed: (it, why) =>
      `Your ${refund(it)} did not go through and nothing was paid out.${after(why)} A colleague will look at it.`,
    sentBackByBank: (it) =>
      `The payment provider has told us that your ${refund(it)} was sent back by the bank, so the money has not reached you. A colleague will contact you to find another way.`,
  },
  return: {
    denied: (it) => `The ${goods(it)} was not possible under our policy.`,
    awaitingApproval: (it) =>
      `Your ${goods(it)} is with a colleague for approval. I will write here as soon as it is decided.`,
    rejected: (it, note) =>
      `A colleague has looked at your ${goods(it)} and could not approve it.${quoted(note)}`,
    expired: (it) =>
      `Your ${goods(it)} was not decided in time, so the request has ended. Write here if you still want it.`,
    underWay: (it) => `Your ${goods(it)} is being registered. I will write here as soon as it is confirmed.`,
    cancelled: (it, why) => `Your ${goods(it)} was cancelled before it was registered.${after(why)}`,
    unknown: (it) =>
      `Your ${goods(it)} is still being checked: the shop system has not given us a clear answer yet. It cannot be registered twice, and I will write here as soon as we know.`,
    pending: (it) => `Your ${goods(it)} has been accepted and is being processed.`,
    succeeded: (it, instructions, labelUrl) =>
      `Your ${goods(it)} is registered.${after(instructions)}${labelUrl === null ? "" : ` Your return label: ${labelUrl}`} The refund is decided once the parcel has arrived.`,
    failed: (it, why) =>
      `Your ${goods(it)} could not be registered.${after(why)} A colleague will look at it.`,
  },
  cause: {
    refunded_elsewhere: "The order has been refunded by other means in the meantime.",
    declined: "The payment provider declined it.",
    no_longer_permitted: "The order or the policy has changed since you asked.",
    customer_cancelled: "You asked for that.",
    amount_changed: "A colleague has approved another amount instead.",
    handed_back: "A colleague has looked at it and given it back to me: tell me how you would like to go on.",
  },
  partOfAmount: "part of the amount",
  restOfOrder: "the rest of the order",
  reasons: {
    Damaged: "Damaged",
    "Not as described": "Not as described",
    "Too small": "Too small",
    "Too big": "Too big",
    "Does not fit": "Does not fit",
    "Arrived too late": "Arrived too late",
    "Changed my mind": "Changed my mind",
    "No reason given": "No reason given",
  },
  offer: {
    changed: "Something about this has changed, so here it is again.",
    refund: ({ amount, order, items, shipping, needsApproval }) =>
      `I can refund ${amount} for order ${order} (${items})${shipping === null ? "" : `, including ${shipping} shipping`}. The money goes back to the way you paid.${needsApproval ? " A colleague has to approve it first. Shall I send it to them?" : " Shall I go ahead?"}`,
    return: ({ order, items, reason, needsApproval }) =>
      `I can register a return for order ${order}: ${items}${reason === null ? "" : ` (reason: ${reason})`}. You will get instructions for sending it back.${needsApproval ? " A colleague has to approve it first." : ""} Shall I go ahead?`,
  },
};
