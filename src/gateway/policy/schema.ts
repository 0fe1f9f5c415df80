/**
 * The facts and limits that rules may read, as one table: the Cedar schema is generated from it, facts
 * are checked against it before each evaluation, and the compiler holds it to `PolicyFacts`: a fact
 * that is added, renamed or retyped there does not compile until it stands here.
 */
import type { PolicyFacts } from "./facts.ts";

/** Text of a closed set is a record of its words, so that the compiler misses none. */
type ShapeOf<T> = [T] extends [boolean]
  ? "Bool"
  : [T] extends [number]
    ? "Long"
    : [T] extends [string]
      ? string extends T
        ? "Currency"
        : Readonly<Record<T, true>>
      : { readonly [K in keyof T]-?: ShapeOf<T[K]> };

const FACTS = {
  order: {
    currency: "Currency",
    state: { unfulfilled: true, partly_fulfilled: true, in_transit: true, delivered: true, cancelled: true },
    daysSinceDelivery: "Long",
    daysSincePlaced: "Long",
    paidMinor: "Long",
    refundableMinor: "Long",
    gift: "Bool",
    disputed: "Bool",
    returnReceived: "Bool",
  },
  request: {
    amountMinor: "Long",
    namesItems: "Bool",
    includesFinalSale: "Bool",
    wholeOrder: "Bool",
    kind: { refund: true, return: true },
  },
  customer: { lifetimeSpendMinor: "Long", refundsInWindow: "Long", refundedInWindowMinor: "Long" },
} as const satisfies ShapeOf<PolicyFacts>;

/** Limits as rules read them. Optional: absent when the document has none in the order's currency. */
const LIMIT_FACTS = {
  returnWindowDays: "Long",
  highValueLifetimeSpendMinor: "Long",
  refundLimitMaxCount: "Long",
  unattendedMaxMinor: "Long?",
  refundLimitMaxAmountMinor: "Long?",
} as const;

type Shape = "Bool" | "Long" | "Long?" | "Currency" | Readonly<Record<string, true>>;
const GROUPS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = { ...FACTS, limits: LIMIT_FACTS };

/** `order.state`, `limits.returnWindowDays`, …: every name below `context`. */
export const FACT_NAMES: readonly string[] = Object.entries(GROUPS).flatMap(([group, members]) =>
  Object.keys(members).map((name) => `${group}.${name}`),
);

/** ISO 4217 codes: a rule or a limit for `UDS` would silently never apply. */
export const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** The words that a text fact can be, by the fact's name: a rule that asks for another never applies. */
export const VOCABULARY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(GROUPS).flatMap(([group, members]) =>
    Object.entries(members).flatMap(([name, shape]): [string, ReadonlySet<string>][] => {
      if (shape === "Currency") return [[`${group}.${name}`, CURRENCIES]];
      return typeof shape === "object" ? [[`${group}.${name}`, new Set(Object.keys(shape))]] : [];
    }),
  ),
);

const cedarType = (shape: Shape): string =>
  shape === "Bool" ? "Bool" : shape === "Long" || shape === "Long?" ? "Long" : "String";
const cedarRecord = (members: Readonly<Record<string, Shape>>): string =>
  `{ ${Object.entries(members)
    .map(([name, shape]) => `${name}${shape === "Long?" ? "?" : ""}: ${cedarType(shape)}`)
    .join(", ")} }`;

/** The schema that rules are validated against; closed, so an unknown name is refused. */
export const SCHEMA = `
entity Customer;
entity Order;
type Facts = {
${Object.entries(GROUPS)
  .map(([group, members]) => `  ${group}: ${cedarRecord(members)},`)
  .join("\n")}
};
action "refund", "refund.unattended", "return", "return.unattended"
  appliesTo { principal: [Customer], resource: [Order], context: Facts };
`;

/**
 * What is wrong with facts before they are evaluated: a missing, unknown or mistyped one, a fraction, a
 * number too large to be exact, a word outside its set. Facts come from code, but from data of a shop.
 */
export function factFaults(facts: unknown): string[] {
  const groups = recordOf(facts);
  if (groups === null) return ["there are no facts"];
  return [
    ...unknownNames(groups, FACTS, ""),
    ...Object.entries(FACTS).flatMap(([group, shapes]) => {
      const members = recordOf(groups[group]);
      if (members === null) return [`${group} is missing`];
      return [
        ...unknownNames(members, shapes, `${group}.`),
        ...Object.entries(shapes)
          .filter(([name, shape]) => !Object.hasOwn(members, name) || !fits(members[name], shape))
          .map(([name]) => `${group}.${name} is not what it has to be`),
      ];
    }),
  ];
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>) : null;

const unknownNames = (value: object, known: object, prefix: string): string[] =>
  Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `there is no fact ${prefix}${name}`);

function fits(value: unknown, shape: Shape): boolean {
  if (shape === "Bool") return typeof value === "boolean";
  if (shape === "Long" || shape === "Long?") return Number.isSafeInteger(value);
  if (typeof value !== "string") return false;
  return shape === "Currency" ? value !== "" : Object.hasOwn(shape, value);
}
