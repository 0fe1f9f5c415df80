/**
 * Every sentence of the catalogue, rendered: a sentence with parameters in each of its forms. Names of
 * parameters do not exist at run time, so that what to render with is written here, by the sentence.
 */
import type { FrameWords } from "../../src/wording/frame-words.ts";
import type { LedgerWords } from "../../src/wording/ledger-words.ts";
import type { TalkWords } from "../../src/wording/talk-words.ts";
import type { Words } from "../../src/wording/words.ts";

export const ORDER = "#1042";
export const ITEMS = "2 × Wool socks";
export const LINK = "https://track.example/SW123456";
export const TRACKING_NUMBER = "SW123456";

export interface Rendered {
  /** `talk.where.parcel.packed/2`: the second of its forms. */
  readonly name: string;
  readonly text: string;
}

type Forms<F> = F extends (...values: infer Values) => string ? readonly Values[] : never;
/** For each sentence with parameters the values of its forms; the same tree, without plain texts. */
type FormsOf<Tree> = {
  readonly [Name in keyof Tree as HasForms<Tree[Name]> extends true ? Name : never]: Tree[Name] extends (
    ...values: never[]
  ) => string
    ? Forms<Tree[Name]>
    : FormsOf<Tree[Name]>;
};
type HasForms<Part> = Part extends string
  ? false
  : Part extends (...values: never[]) => string
    ? true
    : true extends { [Name in keyof Part]: HasForms<Part[Name]> }[keyof Part]
      ? true
      : false;

const MONEY = "24,00 EUR";
const OTHER = "30,00 EUR";
const DAYS = {
  en: "on Tuesday 10 November",
  es: "el martes, 10 de noviembre",
  de: "am Dienstag, 10. November",
  fr: "le mardi 10 novembre",
  pt: "na terça-feira, 10 de novembro",
  it: "martedì 10 novembre",
} as const;

export function talkForms({ language, frame }: Words): FormsOf<TalkWords> {
  const day = DAYS[language];
  const order: [[string]] = [[ORDER]];
  const its: [[string | null, string | null], [string | null, string | null]] = [
    [ORDER, "DHL"],
    [null, null],
  ];
  return {
    buttons: { only: [["Wool socks"]], the: [["Wool socks"]], all: [["3"]] },
    where: {
      cancelled: order,
      delivered: order,
      onItsWay: order,
      preparing: order,
      inParcels: [[ORDER, 2]],
      thatParcelHas: [[ITEMS]],
      stillPreparing: [[ITEMS]],
      parcel: {
        packed: its,
        inTransit: its,
        outForDelivery: its,
        delivered: [
          [ORDER, "DHL", day],
          [null, null, null],
        ],
        failed: its,
      },
      shouldArrive: [[day]],
      late: [[day]],
      lastUpdate: [
        [day, "Left the depot", "Columbus"],
        [day, "Left the depot", null],
      ],
      tracking: [
        [TRACKING_NUMBER, LINK],
        [TRACKING_NUMBER, null],
        [null, LINK],
      ],
    },
    greeting: [["Ada"], [null]],
    identity: [["Northwind Outfitters"]],
    whatAboutOrder: order,
    notFound: order,
    orderLine: [[ORDER, day, ITEMS, MONEY]],
    andMore: [[ITEMS, 2]],
    orderHas: order,
    refundAllOrSome: [
      [MONEY, true],
      [MONEY, false],
    ],
    onlySoMany: {
      refund: [
        [2, ITEMS, ORDER],
        [1, "1 × Wool socks", ORDER],
      ],
      return: [
        [2, ITEMS, ORDER],
        [1, "1 × Wool socks", ORDER],
      ],
    },
    oneOrBoth: [[ITEMS], [null]],
    howMany: [[ITEMS], [null]],
    whichOne: [["Wool socks, Trail jacket"]],
    policySays: [[frame.inLanguage.en], [null]],
    onlyHaveIt: [[frame.inLanguage.en]],
    noSuchOrder: { refund: order, return: order },
    noRefundNothingLeft: order,
    noRefundSoFar: [[ORDER], [null]],
    providerConfirms: [[ORDER, MONEY]],
    refundUnderWay: [[ORDER, MONEY]],
    noReturn: [[ORDER], [null]],
    yourReturns: [[1], [2]],
    alsoOnTheWay: [
      [ORDER, true],
      [ORDER, false],
    ],
    saysDelivered: [["…"]],
    priceOrWanted: [[ORDER, ITEMS, MONEY, OTHER]],
    whatIsItFor: [[MONEY, ORDER]],
    atMost: [[ORDER, MONEY, OTHER]],
    nothingPaid: order,
    onlyLeft: [[ORDER, ITEMS, OTHER, MONEY]],
    lineSpent: [["Wool socks", ORDER]],
    underWayNothingLeft: [[ORDER, MONEY]],
    confirmedNothingLeft: [[ORDER, MONEY]],
    noPayment: order,
    whatReason: [[ITEMS]],
    wholeOrder: order,
    lineCannotGoBack: [["Wool socks"]],
    cancelledNothingToSend: order,
    nothingToSend: order,
    notShippedNothingToSend: order,
  };
}

export function frameForms({ language, frame, ledger }: Words): FormsOf<FrameWords> {
  return {
    disclosure: [["Northwind Outfitters"]],
    hours: {
      open: [["17:30"]],
      later: [["13:00"]],
      opens: [[frame.hours.at(DAYS[language], "09:00")]],
      at: [[DAYS[language], "09:00"]],
    },
    confirmByLink: [[15]],
    mail: {
      noSubject: [["Northwind Outfitters"]],
      ask: [["ada@example.com"]],
      transcript: {
        subject: [["Northwind Outfitters"]],
        asking: {
          subject: [["Northwind Outfitters"]],
          text: [["Northwind Outfitters"]],
          page: [["ada@example.com"]],
        },
      },
    },
    confirmed: [[ledger.refund.pending({ amount: MONEY, order: ORDER, items: ITEMS })]],
    clauseQuoted: [["A colleague decides.", frame.inLanguage.en]],
  };
}

const it = { amount: MONEY, order: ORDER, items: ITEMS };
const goods = { order: ORDER, items: ITEMS };
export function ledgerForms({ ledger }: Words): FormsOf<LedgerWords> {
  const one: [[typeof it]] = [[it]];
  const because: [[typeof it, string], [typeof it, null]] = [
    [it, ledger.cause.declined],
    [it, null],
  ];
  const back: [[typeof goods]] = [[goods]];
  const backBecause: [[typeof goods, string], [typeof goods, null]] = [
    [goods, ledger.cause.no_longer_permitted],
    [goods, null],
  ];
  return {
    refund: {
      denied: one,
      awaitingApproval: one,
      rejected: because,
      expired: one,
      underWay: one,
      cancelled: because,
      unknown: one,
      needsPerson: one,
      pending: one,
      succeeded: one,
      failed: because,
      sentBackByBank: one,
    },
    return: {
      denied: back,
      awaitingApproval: back,
      rejected: backBecause,
      expired: back,
      underWay: back,
      cancelled: backBecause,
      unknown: back,
      pending: back,
      succeeded: [
        [goods, "Print the label.", LINK],
        [goods, null, null],
      ],
      failed: backBecause,
    },
    offer: {
      refund: [
        [{ ...it, shipping: "5,00 EUR", needsApproval: true }],
        [{ ...it, shipping: null, needsApproval: false }],
      ],
      return: [
        [{ ...goods, reason: ledger.reasons["Too small"], needsApproval: true }],
        [{ ...goods, reason: null, needsApproval: false }],
      ],
    },
  };
}

/** All texts of a tree of sentences, in order. @throws when a sentence with parameters has no forms */
export function rendered(tree: object, forms: object, path: string): Rendered[] {
  return Object.entries(tree).flatMap(([key, value]): Rendered[] => {
    const name = `${path}.${key}`;
    const own = (forms as Readonly<Record<string, unknown>>)[key];
    if (typeof value === "string") return [{ name, text: value }];
    if (typeof value !== "function") return rendered(value as object, (own ?? {}) as object, name);
    if (!Array.isArray(own) || own.length === 0) throw new Error(`${name} has no forms to be rendered in`);
    return own.map((values: unknown[], index) => ({
      name: own.length === 1 ? name : `${name}/${index + 1}`,
      text: String((value as (...all: unknown[]) => string)(...values)),
    }));
  });
}
