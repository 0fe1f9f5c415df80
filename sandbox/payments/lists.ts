/** Reading as Stripe does it: pages with cursors and filters, and `expand`, which puts objects in place of IDs. */
import { invalid, missing } from "./errors.ts";
import { arrayOf, type Form, integerOf, onlyKnown, textOf } from "./form.ts";
import type { Ledger, PageQuery } from "./ledger.ts";
import { showCharge, showIntent, showRefund } from "./shapes.ts";

export type Kind = "charge" | "payment_intent" | "refund" | "event";
type Shown = Record<string, unknown>;

const TABLES = { charge: "charges", payment_intent: "intents", refund: "refunds", event: "events" } as const;
/** Members that a list can be filtered by. */
const FILTERS: Readonly<Record<Kind, readonly ("charge" | "payment_intent")[]>> = {
  charge: ["payment_intent"],
  payment_intent: [],
  refund: ["charge", "payment_intent"],
  event: [],
};
const PAGING = ["limit", "starting_after", "ending_before", "created", "expand"];
const LIMIT = 10;
const LIMIT_MAX = 100;
const EXPAND_DEPTH = 4;

/** One page of a list: `{object: "list", data, has_more, url}`. */
export function listOf(ledger: Ledger, kind: Kind, form: Form, url: string): Shown {
  onlyKnown(form, [...PAGING, ...FILTERS[kind], ...(kind === "event" ? ["type", "types"] : [])]);
  const query = readQuery(kind, form);
  const paths = readExpand(kind, form, true);
  // An ID that names nothing is an error at Stripe, not a list of nothing.
  for (const name of FILTERS[kind]) {
    const id = query.equal[name];
    if (id !== undefined && rowOf(ledger, name, id) === null) throw missing(name, id, name);
  }
  const page = ledger.page(TABLES[kind], query);
  if (page === null) {
    const param = query.after === null ? "ending_before" : "starting_after";
    throw missing(kind, query.after ?? query.before ?? "", param);
  }
  const data = page.rows.map((row) => expanded(ledger, kind, show(kind, row), paths));
  return { object: "list", data, has_more: page.more, url };
}

/** One object by its ID. */
export function objectOf(ledger: Ledger, kind: Kind, id: string, form: Form): Shown {
  onlyKnown(form, ["expand", ...(kind === "payment_intent" ? ["client_secret"] : [])]);
  readExpand(kind, form);
  const record = rowOf(ledger, kind, id);
  if (record === null) throw missing(kind, id, kind === "payment_intent" ? "intent" : "id");
  return shownWith(ledger, kind, record, form);
}

/** A kept record as it is shown, with what the request's `expand` asks for. */
export function shownWith(ledger: Ledger, kind: Kind, record: unknown, form: Form): Shown {
  return expanded(ledger, kind, show(kind, record), readExpand(kind, form));
}

/**
 * The paths of `expand`, such as `["charge", "payment_intent"]`; those of a list start at its `data`.
 * @throws StripeError for a member that holds no ID
 */
export function readExpand(kind: Kind, form: Form, ofList = false): readonly string[][] {
  return arrayOf(form, "expand").map((path) => {
    const members = path.split(".");
    let at: Kind | undefined = kind;
    let inList = ofList;
    for (const member of members) {
      if (inList) {
        if (member !== "data") throw cannotExpand(path);
        inList = false;
        continue;
      }
      at = EXPANDABLE[at][member];
      if (at === undefined) throw cannotExpand(path);
      inList = member === "refunds";
    }
    if (members.length > EXPAND_DEPTH || (ofList && members.length === 1)) throw cannotExpand(path);
    return ofList ? members.slice(1) : members;
  });
}

function readQuery(kind: Kind, form: Form): PageQuery {
  const after = textOf(form, "starting_after");
  const before = textOf(form, "ending_before");
  if (after !== null && before !== null) {
    throw invalid("You can only specify one of these parameters: starting_after, ending_before.");
  }
  const equal: Record<string, string> = {};
  for (const name of FILTERS[kind]) {
    const value = textOf(form, name);
    if (value !== null) equal[name] = value;
  }
  const type = textOf(form, "type");
  const types = arrayOf(form, "types");
  if (type !== null && types.length > 0)
    throw invalid("You can only specify one of these parameters: type, types.");
  const patterns = type === null ? types : [type];
  if (patterns.some((pattern) => !/^[a-z0-9_.*]{1,100}$/.test(pattern))) {
    throw invalid("Invalid event type.", { param: type === null ? "types" : "type" });
  }
  return {
    equal,
    like: patterns,
    created: readCreated(form),
    after,
    before,
    limit: integerOf(form, "limit", 1, LIMIT_MAX) ?? LIMIT,
  };
}

const OPERATORS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function readCreated(form: Form): PageQuery["created"] {
  const given = form.created;
  if (given === undefined || given === "") return [];
  if (typeof given === "string") return [{ operator: "=", seconds: integerOf(form, "created", 0) ?? 0 }];
  onlyKnown(given, Object.keys(OPERATORS));
  return (Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]).flatMap((name) => {
    const seconds = integerOf(given, name, 0);
    return seconds === null ? [] : [{ operator: OPERATORS[name], seconds }];
  });
}

function show(kind: Kind, row: unknown): Shown {
  switch (kind) {
    case "charge":
      return { ...showCharge(row as Parameters<typeof showCharge>[0]) };
    case "payment_intent":
      return { ...showIntent(row as Parameters<typeof showIntent>[0]) };
    case "refund":
      return { ...showRefund(row as Parameters<typeof showRefund>[0]) };
    case "event":
      return { ...(row as Shown) };
  }
}

function lookUp(ledger: Ledger, kind: Kind, id: string): Shown | null {
  const row = rowOf(ledger, kind, id);
  return row === null ? null : show(kind, row);
}

function rowOf(ledger: Ledger, kind: Kind, id: string): unknown {
  switch (kind) {
    case "charge":
      return ledger.charge(id);
    case "payment_intent":
      return ledger.intent(id);
    case "refund":
      return ledger.refund(id);
    case "event":
      return ledger.event(id);
  }
}

/** What stands behind a member that is an ID. */
const EXPANDABLE: Readonly<Record<Kind, Readonly<Record<string, Kind>>>> = {
  charge: { payment_intent: "payment_intent", refunds: "refund" },
  payment_intent: { latest_charge: "charge" },
  refund: { charge: "charge", payment_intent: "payment_intent" },
  event: {},
};

function expanded(ledger: Ledger, kind: Kind, shown: Shown, paths: readonly string[][]): Shown {
  const answer: Shown = { ...shown };
  for (const [member, asked] of Map.groupBy(paths, ([first]) => first ?? "")) {
    const related = EXPANDABLE[kind][member];
    const rest = asked.map((path) => path.slice(1)).filter((path) => path.length > 0);
    if (member === "refunds") {
      answer.refunds = refundsOf(ledger, String(shown.id), rest);
    } else if (related !== undefined && typeof shown[member] === "string") {
      const object = lookUp(ledger, related, shown[member]);
      if (object !== null) answer[member] = expanded(ledger, related, object, rest);
    }
  }
  return answer;
}

/** A charge carries its ten newest refunds. */
function refundsOf(ledger: Ledger, charge: string, paths: readonly string[][]): Shown {
  const page = ledger.page("refunds", {
    equal: { charge },
    created: [],
    after: null,
    before: null,
    limit: LIMIT,
  });
  // The paths go through the list's `data`.
  const inner = paths.map((path) => path.slice(1)).filter((path) => path.length > 0);
  return {
    object: "list",
    data: (page?.rows ?? []).map((row) => expanded(ledger, "refund", show("refund", row), inner)),
    has_more: page?.more ?? false,
    url: `/v1/charges/${charge}/refunds`,
  };
}

const cannotExpand = (path: string) =>
  invalid(`This property cannot be expanded (${path.slice(0, 100)}).`, { param: "expand" });
