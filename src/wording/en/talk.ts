import type { TalkWords } from "../talk-words.ts";

const ABILITIES = "I can tell you where an order is, set up a return, or help with a refund";
const by = (preposition: string, carrier: string | null) =>
  carrier === null ? "" : ` ${preposition} ${carrier}`;
const named = (order: string | null) => (order === null ? "it" : `Order ${order}`);

export const talk: TalkWords = {
  buttons: {
    whereIsMyOrder: "Where is my order?",
    returnSomething: "Return something",
    getRefund: "Get a refund",
    person: "Talk to a person",
    whereIsIt: "Where is it?",
    sendItBack: "Send it back",
    tryAgain: "Try again",
    askColleague: "Ask a colleague",
    thatIsFine: "That's fine",
    yes: "Yes",
    no: "No",
    yesPlease: "Yes, please",
    noThanks: "No, thanks",
    everything: "Everything",
    only: (title) => `Only the ${title}`,
    the: (title) => `The ${title}`,
    somethingElse: "Something else",
    justOne: "Just one",
    both: "Both",
    all: (count) => `All ${count}`,
    neverMind: "Never mind",
    lookIntoIt: "Yes, please look into it",
    foundIt: "Found it, thanks",
    setUpReturn: "Set up a return",
    tooSmall: "Too small",
    tooBig: "Too big",
    notAsDescribed: "Not as described",
    damaged: "Damaged",
    changedMind: "Changed my mind",
  },
  where: {
    cancelled: (order) => `Order ${order} was cancelled, so nothing is on its way.`,
    delivered: (order) => `Order ${order} was delivered.`,
    onItsWay: (order) => `Order ${order} is on its way. I have no tracking details for it yet.`,
    preparing: (order) =>
      `Order ${order} is confirmed and being prepared. It has not been handed to a carrier yet, so there is no tracking number so far.`,
    inParcels: (order, count) => `Order ${order} comes in ${count} parcels.`,
    thatParcelHas: (items) => `That parcel has ${items}.`,
    stillPreparing: (items) => `Still being prepared: ${items}.`,
    parcel: {
      packed: (it, carrier) =>
        `${named(it)} is packed and waiting for ${carrier ?? "the carrier"} to collect it.`,
      inTransit: (it, carrier) => `${named(it)} is on its way${by("with", carrier)}.`,
      outForDelivery: (it, carrier) =>
        `${named(it)} is out for delivery${by("with", carrier)} and should be with you soon.`,
      delivered: (it, carrier, day) =>
        `${named(it)} was delivered${day === null ? "" : ` ${day}`}${by("by", carrier)}.`,
      failed: (it, carrier) =>
        `${carrier ?? "The carrier"} tried to deliver ${it === null ? "it" : `order ${it}`} and could not.`,
    },
    howToGetIt: "The tracking page shows how to get a new delivery or where to collect it.",
    shouldArrive: (day) => `It should arrive ${day}.`,
    late: (day) => `It was expected ${day}, so it is running late. I'm sorry about that.`,
    lastUpdate: (day, what, where) => `Last update ${day}: ${what}${where === null ? "" : `, ${where}`}.`,
    tracking: (number, url) =>
      number === null ? `Tracking: ${url}` : `Tracking number: ${number}${url === null ? "" : ` (${url})`}.`,
  },

  greeting: (name) => `Hi${name === null ? "" : ` ${name}`}, how can I help?`,
  welcome: "You're welcome. Is there anything else I can do for you?",
  bye: "Take care, and write any time.",
  identity: (shop) => `I'm the automated assistant of ${shop}. ${ABILITIES}, and I can bring in a person.`,
  help: `Of course. ${ABILITIES}. What would you like?`,
  noFurther: "Alright. I'm here if you need anything.",
  whatNext: `Good. ${ABILITIES}. What would you like to do?`,
  leftAlone: {
    nothing: "Alright, I've stopped there. Nothing has been changed.",
    refund: "Alright, I won't go on with the refund. Nothing has been changed.",
    return: "Alright, I won't go on with the return. Nothing has been changed.",
  },
  whatAboutOrder: (order) => `What would you like to do about order ${order}?`,
  notUnderstood: `I'm not sure I understood that. ${ABILITIES}. What would you like?`,
  whatHelps:
    "I'm sorry about that. Would you like to send it back, or would you rather have a refund? A colleague can also look into it.",
  complaint: "I'm sorry, that isn't the experience you should have. What would help you most right now?",
  sorry: "I'm sorry for the trouble.",
  ordersUnreachable:
    "I can't reach our order system right now. Nothing has been changed. Please try again in a few minutes, or I can pass this to a colleague.",

  toldWhenConfirmed: "I'll tell you here as soon as the outcome is confirmed.",
  contestHint: "If you see it differently, I can ask a colleague to look at it.",
  orderBusy:
    "Another request for this order is being worked on right now. Please give it a moment, then write to me again.",
  alreadyRequested: {
    refund: "There is a request for these items already, so I can't add a second refund for them.",
    return: "There is a request for these items already, so I can't add a second return for them.",
  },
  systemUnreachable: {
    refund:
      "I can't reach one of our systems right now, so nothing has been done about your refund yet. Please try again in a few minutes, or I can pass it to a colleague.",
    return:
      "I can't reach one of our systems right now, so nothing has been done about your return yet. Please try again in a few minutes, or I can pass it to a colleague.",
  },
  orderGone:
    "I can't find that order in your account any more, so nothing has been done. Could you check the order number?",
  orderChanged: {
    refund:
      "The order has changed since I looked at it, so I've left the refund alone. Shall I look again and tell you what is possible now?",
    return:
      "The order has changed since I looked at it, so I've left the return alone. Shall I look again and tell you what is possible now?",
  },

  noOrders:
    "I don't see any orders in your account. If you ordered with another email address or as a guest, a colleague can look it up for you.",
  notFound: (order) => `I can't find an order ${order} in your account.`,
  whichOrderAgain: "Sorry, I didn't catch which order you mean.",
  noOtherOrders:
    "I don't see any other orders there either. If it was placed with another email address, a colleague can look it up.",
  thisOne: "Did you mean this one?",
  whichOrder: "Which order is it about?",
  olderOne: "If it's an older one, tell me its number.",
  orderLine: (order, day, items, total) => `• ${order}, placed ${day}: ${items} (${total})`,

  item: "item",
  everything: "everything",
  andMore: (items, count) => `${items} and ${count} more`,
  orderHas: (order) => `Order ${order} has:`,
  refundAllOrSome: (amount, withShipping) =>
    `Is the refund for everything (${amount}${withShipping ? " with shipping" : ""}), or only some of it?`,
  returnAllOrSome: "Would you like to send back everything, or only some of it?",
  onlySoMany: {
    refund: (count, what, order) =>
      `There ${count === 1 ? "is" : "are"} ${what} open for a refund in ${order}.`,
    return: (count, what, order) =>
      `There ${count === 1 ? "is" : "are"} ${what} that can go back in ${order}.`,
  },
  takeThatOne: "Should I take that one?",
  oneOrBoth: (what) => `Is it for one ${what === null ? "" : `of the ${what} `}or for both?`,
  howMany: (what) => `How many ${what === null ? "" : `of the ${what} `}is it for?`,
  whichOne: (names) => `Which one do you mean: ${names}?`,
  notCaught: "Sorry, I didn't catch that.",

  backTo: { refund: "Back to the refund:", return: "Back to the return:" },
  backQuestion: {
    order: "which order is it about?",
    items: "is it for everything, or only some of it?",
    quantity: "how many is it for?",
    reason: "what is the reason?",
    amount: "what is the amount for?",
    other: "shall I go on?",
  },
  thanksForUnderstanding: "Thanks for understanding. Is there anything else I can do?",
  goodToHear: "Good to hear. Is there anything else I can do?",
  onlyBackTheWay: {
    refund:
      "I can only send a refund back the way you paid. Anything else needs a colleague. Shall I go ahead with it as described, or bring one in?",
    return: "That part needs a colleague. Shall I go ahead with the return as described, or bring one in?",
  },
  wroteMore: {
    refund: "I see you wrote more after that, so I haven't gone ahead with the refund. Let me read it first.",
    return: "I see you wrote more after that, so I haven't gone ahead with the return. Let me read it first.",
  },
  comeBack: { refund: "Shall I come back to the refund?", return: "Shall I come back to the return?" },
  notStarted:
    "The refund has not been started yet. Once it is confirmed, I'll tell you here; your bank may then take a few days to show the money.",
  prepareNow: {
    refund: "About the refund: shall I prepare it now? You'll see the details before anything happens.",
    return: "About the return: shall I prepare it now? You'll see the details before anything happens.",
  },
  restNeedsColleague: "The rest of what you ask needs a colleague. Shall I bring one in?",

  policySays: (inLanguage) => `Here is what our policy says${inLanguage === null ? "" : ` (${inLanguage})`}:`,
  onlyHaveIt: (inLanguage) => `I only have this ${inLanguage}:`,
  noPolicyAtHand: "I don't have the policy at hand. A colleague can tell you what applies.",

  noSuchOrder: {
    refund: (order) =>
      `I can't find an order ${order} in your account, so I can't see a refund for it either. Could you check the number?`,
    return: (order) =>
      `I can't find an order ${order} in your account, so I can't see a return for it either. Could you check the number?`,
  },
  noOrdersNoRefund: "I don't see any orders in your account, so there is no refund either.",
  noRefundNothingLeft: (order) =>
    `I can't see any refund for order ${order}, and nothing is left to refund on it.`,
  noRefundSoFar: (order) =>
    `I can't see any refund${order === null ? "" : ` for order ${order}`} so far. Would you like me to start one?`,
  providerConfirms: (order, amount) =>
    `For order ${order} the payment provider confirms ${amount} sent back to you. Your bank may take a few days to show it.`,
  refundUnderWay: (order, amount) => `For order ${order} a refund of ${amount} is still under way.`,
  returnStates: {
    open: "registered and waiting for your parcel",
    in_transit: "on its way back to us",
    received: "with us",
    closed: "closed",
    cancelled: "called off",
    other: "in progress",
  },
  noReturn: (order) =>
    `I can't see a return${order === null ? "" : ` for order ${order}`} on record. If you sent something back already, a colleague can look for the parcel; otherwise I can set up a return.`,
  yourReturns: (count) => `This is what I see of your ${count === 1 ? "return" : "returns"}:`,

  sorryNotThereYet: "I'm sorry it isn't with you yet.",
  latestOrders: "These are your latest orders:",
  whichCanIHelpWith: "Which one can I help you with?",
  alsoOnTheWay: (orders, andMore) => `Also on the way: ${orders}${andMore ? " and more" : ""}.`,
  noneOnTheWay: "None of your orders is on its way at the moment. About your latest one:",
  saysDelivered: (record) =>
    `I'm sorry it isn't with you. The carrier's record says otherwise: ${record} It may be with a neighbour or at a safe place. If you have looked there already, I can ask a colleague to take it up with the carrier. Shall I?`,

  priceOrWanted: (order, items, price, wanted) =>
    `On order ${order}, ${items} comes to ${price}. Should the refund be ${price}, or ${wanted}?`,
  whatIsItFor: (wanted, order) =>
    `What is the ${wanted} on order ${order} for? If it's for an item, tell me which one; otherwise a short reason is enough.`,
  atMost: (order, most, wanted) =>
    `On order ${order} a refund can be ${most} at most, so ${wanted} isn't possible.`,
  nothingPaid: (order) =>
    `Nothing was paid for that part of order ${order}, so there is no money to give back for it. A colleague can look at it if you like.`,
  onlyLeft: (order, items, price, left) =>
    `On order ${order}, ${items} comes to ${price}, but only ${left} is left to refund. Should it be the ${left}?`,
  lineSpent: (title, order) => `For the ${title} in order ${order} there is nothing left to refund.`,
  underWayNothingLeft: (order, amount) =>
    `A refund of ${amount} for order ${order} is still under way, so nothing is left to refund on it.`,
  confirmedNothingLeft: (order, amount) =>
    `For order ${order} the payment provider confirms ${amount} sent back to you, so nothing is left to refund on it.`,
  noPayment: (order) =>
    `I don't see a payment on order ${order} to give back. A colleague can look at it if you like.`,

  whatReason: (what) => `Happy to help you send back ${what}. What is the reason?`,
  wholeOrder: (order) => `order ${order}`,
  lineCannotGoBack: (title) => `The ${title} can't be sent back (again).`,
  cancelledNothingToSend: (order) => `Order ${order} was cancelled, so there is nothing to send back.`,
  nothingToSend: (order) =>
    `Nothing in order ${order} is left to send back. If you think that's wrong, a colleague can look at it.`,
  notShippedNothingToSend: (order) =>
    `Order ${order} hasn't been shipped yet, so there is nothing to send back so far. A colleague can see whether it can still be stopped.`,
  onceItIsThere: "Once it's with you, I can set up the return.",
};
