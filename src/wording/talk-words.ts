/**
 * What the workflows say. `order` is always `#1042`, money and dates are as the language writes them, and
 * `what` or `items` are titles of the shop.
 */

/** One text for each thing that can be asked for. */
export interface ByKind {
  readonly refund: string;
  readonly return: string;
}

/** Texts of buttons. A pressed button comes back as its text, so each must be clear by itself. */
export interface ButtonWords {
  readonly whereIsMyOrder: string;
  readonly returnSomething: string;
  readonly getRefund: string;
  readonly person: string;
  readonly whereIsIt: string;
  readonly sendItBack: string;
  readonly tryAgain: string;
  readonly askColleague: string;
  readonly thatIsFine: string;
  readonly yes: string;
  readonly no: string;
  readonly yesPlease: string;
  readonly noThanks: string;
  readonly everything: string;
  only(title: string): string;
  the(title: string): string;
  readonly somethingElse: string;
  readonly justOne: string;
  readonly both: string;
  all(count: string): string;
  readonly neverMind: string;
  readonly lookIntoIt: string;
  readonly foundIt: string;
  readonly setUpReturn: string;
  readonly tooSmall: string;
  readonly tooBig: string;
  readonly notAsDescribed: string;
  readonly damaged: string;
  readonly changedMind: string;
}

/** Where an order is. `it`: the order's name, or null in a line that is about one parcel of several. */
export interface WhereWords {
  cancelled(order: string): string;
  delivered(order: string): string;
  onItsWay(order: string): string;
  preparing(order: string): string;
  inParcels(order: string, count: number): string;
  thatParcelHas(items: string): string;
  stillPreparing(items: string): string;
  /** `carrier`: its name, or null. `day`: `yesterday`, `on Tuesday`. */
  readonly parcel: {
    packed(it: string | null, carrier: string | null): string;
    inTransit(it: string | null, carrier: string | null): string;
    outForDelivery(it: string | null, carrier: string | null): string;
    delivered(it: string | null, carrier: string | null, day: string | null): string;
    failed(it: string | null, carrier: string | null): string;
  };
  readonly howToGetIt: string;
  shouldArrive(day: string): string;
  late(day: string): string;
  /** `what` and `where` are the carrier's words. */
  lastUpdate(day: string, what: string, where: string | null): string;
  tracking(number: string | null, url: string | null): string;
}

export interface TalkWords {
  readonly buttons: ButtonWords;
  readonly where: WhereWords;

  // Small talk
  greeting(name: string | null): string;
  readonly welcome: string;
  readonly bye: string;
  identity(shop: string): string;
  readonly help: string;
  readonly noFurther: string;
  readonly whatNext: string;
  readonly leftAlone: ByKind & { readonly nothing: string };
  whatAboutOrder(order: string): string;
  readonly notUnderstood: string;
  readonly whatHelps: string;
  readonly complaint: string;
  readonly sorry: string;
  readonly ordersUnreachable: string;

  // What came of a proposal
  readonly toldWhenConfirmed: string;
  readonly contestHint: string;
  readonly orderBusy: string;
  readonly alreadyRequested: ByKind;
  readonly systemUnreachable: ByKind;
  readonly orderGone: string;
  readonly orderChanged: ByKind;

  // Which order
  readonly noOrders: string;
  notFound(order: string): string;
  readonly whichOrderAgain: string;
  readonly noOtherOrders: string;
  readonly thisOne: string;
  readonly whichOrder: string;
  readonly olderOne: string;
  /** A line of a list. */
  orderLine(order: string, day: string, items: string, total: string): string;

  // Which items
  /** A title of the shop that is empty. */
  readonly item: string;
  readonly everything: string;
  andMore(items: string, count: number): string;
  orderHas(order: string): string;
  refundAllOrSome(amount: string, withShipping: boolean): string;
  readonly returnAllOrSome: string;
  /** Fewer are left than were named. `what`: `2 × Wool socks`. */
  readonly onlySoMany: {
    refund(count: number, what: string, order: string): string;
    return(count: number, what: string, order: string): string;
  };
  readonly takeThatOne: string;
  /** `what` is null when it was just named. */
  oneOrBoth(what: string | null): string;
  howMany(what: string | null): string;
  /** `names` are joined by "or". */
  whichOne(names: string): string;
  readonly notCaught: string;

  // Between questions
  readonly backTo: ByKind;
  readonly backQuestion: {
    readonly order: string;
    readonly items: string;
    readonly quantity: string;
    readonly reason: string;
    readonly amount: string;
    readonly other: string;
  };
  readonly thanksForUnderstanding: string;
  readonly goodToHear: string;
  readonly onlyBackTheWay: ByKind;
  readonly wroteMore: ByKind;
  readonly comeBack: ByKind;
  readonly notStarted: string;
  readonly prepareNow: ByKind;
  readonly restNeedsColleague: string;

  // Documents; `inLanguage` is `in English` where a text is in another language than the conversation
  policySays(inLanguage: string | null): string;
  onlyHaveIt(inLanguage: string): string;
  readonly noPolicyAtHand: string;

  // Where is my money, did my return arrive
  readonly noSuchOrder: {
    refund(order: string): string;
    return(order: string): string;
  };
  readonly noOrdersNoRefund: string;
  noRefundNothingLeft(order: string): string;
  noRefundSoFar(order: string | null): string;
  /** From the provider's own list of refunds. */
  providerConfirms(order: string, amount: string): string;
  refundUnderWay(order: string, amount: string): string;
  readonly returnStates: {
    readonly open: string;
    readonly in_transit: string;
    readonly received: string;
    readonly closed: string;
    readonly cancelled: string;
    readonly other: string;
  };
  noReturn(order: string | null): string;
  yourReturns(count: number): string;

  // Where is my order
  readonly sorryNotThereYet: string;
  readonly latestOrders: string;
  readonly whichCanIHelpWith: string;
  alsoOnTheWay(orders: string, andMore: boolean): string;
  readonly noneOnTheWay: string;
  /** `record`: what the carrier says. */
  saysDelivered(record: string): string;

  // A refund
  priceOrWanted(order: string, items: string, price: string, wanted: string): string;
  whatIsItFor(wanted: string, order: string): string;
  atMost(order: string, most: string, wanted: string): string;
  nothingPaid(order: string): string;
  onlyLeft(order: string, items: string, price: string, left: string): string;
  lineSpent(title: string, order: string): string;
  underWayNothingLeft(order: string, amount: string): string;
  confirmedNothingLeft(order: string, amount: string): string;
  noPayment(order: string): string;

  // A return
  whatReason(what: string): string;
  wholeOrder(order: string): string;
  lineCannotGoBack(title: string): string;
  cancelledNothingToSend(order: string): string;
  nothingToSend(order: string): string;
  notShippedNothingToSend(order: string): string;
  readonly onceItIsThere: string;
}
