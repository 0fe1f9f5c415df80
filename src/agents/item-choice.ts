/** Which items of an order a refund or return is for: what the customer said, as units that exist. */
import type { LineItemView, OrderView } from "../tools/views.ts";
import type { Say } from "./agent.ts";
import { type Memory, remember, type Selection, type Unit } from "./memory.ts";
import type { ItemMention, ItemsSaid, Quantity } from "./understanding/item-references.ts";
import { placeInList } from "./understanding/order-references.ts";
import { means, type Word } from "./understanding/words.ts";
import {
  countedTitle,
  listed,
  money,
  orderName,
  plainTitle,
  type Speaking,
  talkOf,
  titleOf,
} from "./wording.ts";

export type Purpose = "refund" | "return";

export type ItemChoice =
  | { readonly kind: "chosen"; readonly selection: Selection }
  /** How many of this line? `wanted` is a number that was said and is more than there is. */
  | {
      readonly kind: "how_many";
      readonly line: LineItemView;
      readonly wanted: number | null;
      readonly sofar: readonly Unit[];
    }
  /** Which of these lines? */
  | { readonly kind: "which"; readonly lines: readonly LineItemView[] }
  /** The line has nothing left for this purpose. */
  | { readonly kind: "none_left"; readonly line: LineItemView }
  | { readonly kind: "unsaid" };

/** Units of a line that can still be refunded or sent back. */
export const unitsLeft = (line: LineItemView, purpose: Purpose): number =>
  purpose === "refund" ? line.refundableUnitsMinor.length : line.returnableUnits;

export const unitsLeftIn = ({ lineItems }: OrderView, purpose: Purpose): number =>
  lineItems.reduce((sum, line) => sum + unitsLeft(line, purpose), 0);

/** What units cost: the exact amounts of the units that would be taken next. */
export function priceOf(order: OrderView, selection: Selection): number {
  if (selection === "whole") return order.refundableMinor;
  return selection.reduce((sum, { lineItemId, quantity }) => {
    const line = order.lineItems.find((it) => it.lineItemId === lineItemId);
    return sum + (line?.refundableUnitsMinor ?? []).slice(0, quantity).reduce((a, b) => a + b, 0);
  }, 0);
}

/** A selection from memory that still fits the order; null when it does not. */
export function stillFits(order: OrderView, selection: Selection | null, purpose: Purpose): Selection | null {
  if (selection === null || selection === "whole") return selection;
  const fits = selection.every(({ lineItemId, quantity }) => {
    const line = order.lineItems.find((it) => it.lineItemId === lineItemId);
    return line !== undefined && quantity <= unitsLeft(line, purpose);
  });
  return fits ? selection : null;
}

interface Said {
  readonly order: OrderView;
  readonly purpose: Purpose;
  readonly words: readonly Word[];
  readonly said: ItemsSaid;
  /** What was chosen before, for "also", "only one", "not the socks". */
  readonly before: Selection | null;
  readonly memory: Memory;
}

export function chooseItems(input: Said): ItemChoice {
  const { order, purpose, said, memory } = input;
  if (memory.asked === "quantity") {
    const line = order.lineItems.find(({ lineItemId }) => lineItemId === memory.line);
    if (line !== undefined && !said.whole && !speaksOfOthers(said, line)) return quantityAnswer(input, line);
  }
  const mentions = latestPerLine(said.mentions, order, purpose);
  const wanted = mentions.filter(({ excluded }) => !excluded);
  const unwanted = mentions.filter(({ excluded }) => excluded);
  if (said.whole && unwanted.length === 0 && wanted.length === 0)
    return { kind: "chosen", selection: "whole" };
  if (wanted.length > 0 && !(said.whole && unwanted.length > 0)) {
    const sofar = said.also && Array.isArray(input.before) ? (input.before as readonly Unit[]) : [];
    return unitsOf(wanted, order, purpose, sofar, said.loose);
  }
  if (unwanted.length > 0) return allBut(unwanted, input);
  if (said.whole) return { kind: "chosen", selection: "whole" };
  if (memory.asked === "items" || (memory.asked === "offer" && said.loose === null)) {
    const lines = order.lineItems.filter((line) => unitsLeft(line, purpose) > 0);
    const place = said.loose === null || lines.length > 1 ? placeInList(input.words, lines.length) : null;
    const line = place === null ? undefined : lines[place];
    if (line !== undefined) return countOfLine(line, { kind: "unsaid" }, purpose, []);
  }
  return said.loose === null ? { kind: "unsaid" } : looseChoice(said.loose, input);
}

/** "both", "just one": of the one line that it can be about. */
function looseChoice(loose: Quantity, { order, purpose, before, memory }: Said): ItemChoice {
  const units = Array.isArray(before) ? (before as readonly Unit[]) : [];
  const inBefore = order.lineItems.filter(
    (line) => units.some(({ lineItemId }) => lineItemId === line.lineItemId) && unitsLeft(line, purpose) > 1,
  );
  const several = order.lineItems.filter((line) => unitsLeft(line, purpose) > 1);
  const [line, ...more] = inBefore.length > 0 ? inBefore : several;
  if (line !== undefined && more.length === 0) {
    const sayingAll = isAll(loose) && inBefore.length === 0 && order.lineItems.length > 1;
    const others = units.filter(({ lineItemId }) => lineItemId !== line.lineItemId);
    if (!sayingAll) return countOfLine(line, loose, purpose, inBefore.length > 0 ? others : []);
  }
  if (isAll(loose) && memory.asked === "items") return { kind: "chosen", selection: "whole" };
  return { kind: "unsaid" };
}

const isAll = ({ kind }: Quantity): boolean => kind === "every" || kind === "both";

function speaksOfOthers(said: ItemsSaid, line: LineItemView): boolean {
  return said.mentions.some(({ lineItemIds }) => !lineItemIds.includes(line.lineItemId));
}

function quantityAnswer(input: Said, line: LineItemView): ItemChoice {
  const { said, purpose, before, words } = input;
  const quantity =
    said.loose ??
    said.mentions.find(({ quantity: it }) => it.kind !== "unsaid")?.quantity ??
    (words.some((it) => means(it, "every", "whole") || it.text === "everything")
      ? ({ kind: "every" } as const)
      : words.some((it) => (means(it, "one") && it.sense.count === 1) || it.text === "single")
        ? ({ kind: "count", count: 1 } as const)
        : null);
  if (quantity === null) return { kind: "unsaid" };
  const others = Array.isArray(before)
    ? (before as readonly Unit[]).filter(({ lineItemId }) => lineItemId !== line.lineItemId)
    : [];
  return countOfLine(line, quantity, purpose, others);
}

/** One mention per line: the last thing that is said of it counts, a count more than none. */
function latestPerLine(
  mentions: readonly ItemMention[],
  order: OrderView,
  purpose: Purpose,
): readonly ItemMention[] {
  const byLines = new Map<string, ItemMention>();
  for (const mention of mentions) {
    const narrowed = { ...mention, lineItemIds: distinctLines(mention.lineItemIds, order, purpose) };
    const key = narrowed.lineItemIds.join("\n");
    const known = byLines.get(key);
    const keepsCount =
      known !== undefined && known.excluded === narrowed.excluded && counts(known) && !says(narrowed);
    byLines.set(key, keepsCount ? known : narrowed);
  }
  // "wool jacket … jacket": a vague mention whose lines a sharper one has settled adds nothing.
  const all = [...byLines.values()];
  const sharp = new Set(all.flatMap((it) => (it.lineItemIds.length === 1 ? it.lineItemIds : [])));
  return all.filter((it) => it.lineItemIds.length === 1 || !it.lineItemIds.some((id) => sharp.has(id)));
}
const counts = ({ quantity }: ItemMention): boolean => quantity.kind === "count";
const says = ({ quantity }: ItemMention): boolean => quantity.kind === "count";

/** Lines of one title are one product: the first that has units left stands for them. */
function distinctLines(ids: readonly string[], order: OrderView, purpose: Purpose): readonly string[] {
  const lines = ids.flatMap((id) => order.lineItems.find(({ lineItemId }) => lineItemId === id) ?? []);
  const withUnits = lines.filter((line) => unitsLeft(line, purpose) > 0);
  const usable = withUnits.length > 0 ? withUnits : lines;
  const seen = new Set<string>();
  return usable.flatMap((line) => {
    const title = plainTitle(line);
    if (seen.has(title)) return [];
    seen.add(title);
    return [line.lineItemId];
  });
}

function unitsOf(
  mentions: readonly ItemMention[],
  order: OrderView,
  purpose: Purpose,
  sofar: readonly Unit[],
  loose: Quantity | null,
): ItemChoice {
  let units = [...sofar];
  for (const mention of mentions) {
    const lines = mention.lineItemIds.flatMap(
      (id) => order.lineItems.find(({ lineItemId }) => lineItemId === id) ?? [],
    );
    const [line, ...others] = lines;
    if (line === undefined) continue;
    if (others.length > 0) return { kind: "which", lines };
    // "the socks, just one": a count that stands alone belongs to the only item that is named.
    const quantity = mentions.length === 1 && !counts(mention) && loose !== null ? loose : mention.quantity;
    const rest = units.filter(({ lineItemId }) => lineItemId !== line.lineItemId);
    const choice = countOfLine(line, quantity, purpose, rest);
    if (choice.kind !== "chosen" || choice.selection === "whole") return choice;
    units = [...choice.selection];
  }
  return units.length === 0 ? { kind: "unsaid" } : { kind: "chosen", selection: units };
}

function countOfLine(
  line: LineItemView,
  quantity: Quantity,
  purpose: Purpose,
  sofar: readonly Unit[],
): ItemChoice {
  const left = unitsLeft(line, purpose);
  if (left === 0) return { kind: "none_left", line };
  const count = countSaid(quantity, left);
  if (count === null || count < 1 || count > left) {
    return { kind: "how_many", line, wanted: count !== null && count > left ? count : null, sofar };
  }
  return { kind: "chosen", selection: [...sofar, { lineItemId: line.lineItemId, quantity: count }] };
}

/** How many of `left` are meant; null when that has to be asked. "Both" of three are not all of them. */
function countSaid(quantity: Quantity, left: number): number | null {
  switch (quantity.kind) {
    case "count":
      return quantity.count;
    case "every":
      return left;
    case "both":
      return left <= 2 ? left : null;
    case "unsaid":
      return left === 1 ? left : null;
  }
}

function allBut(unwanted: readonly ItemMention[], { order, purpose, before }: Said): ItemChoice {
  const start: readonly Unit[] = Array.isArray(before)
    ? (before as readonly Unit[])
    : order.lineItems.map((line) => ({ lineItemId: line.lineItemId, quantity: unitsLeft(line, purpose) }));
  const left = start.flatMap((unit) => {
    const mention = unwanted.find(({ lineItemIds }) => lineItemIds.includes(unit.lineItemId));
    if (mention === undefined) return [unit];
    const removed = mention.quantity.kind === "count" ? mention.quantity.count : unit.quantity;
    return unit.quantity > removed ? [{ ...unit, quantity: unit.quantity - removed }] : [];
  });
  const units = left.filter(({ quantity }) => quantity > 0);
  return units.length === 0 ? { kind: "unsaid" } : { kind: "chosen", selection: units };
}

/**
 * The units that an amount stands for: everything, or the one combination of units that costs exactly
 * that. `several` when more than one combination does.
 */
export function selectionCosting(
  order: OrderView,
  amountMinor: number,
  among: readonly LineItemView[] = order.lineItems,
): Selection | "several" | null {
  if (amountMinor === order.refundableMinor && among === order.lineItems) return "whole";
  let combinations: { units: readonly Unit[]; sum: number }[] = [{ units: [], sum: 0 }];
  for (const line of among) {
    const grown = combinations.flatMap((base) => {
      let sum = base.sum;
      const more = line.refundableUnitsMinor.map((unitMinor, index) => {
        sum += unitMinor;
        return { units: [...base.units, { lineItemId: line.lineItemId, quantity: index + 1 }], sum };
      });
      return [base, ...more];
    });
    combinations = grown.filter(({ sum }) => sum <= amountMinor).slice(0, MOST_COMBINATIONS);
  }
  const exact = combinations.filter(({ sum, units }) => sum === amountMinor && units.length > 0);
  return exact.length > 1 ? "several" : (exact[0]?.units ?? null);
}
/** Orders with more ways to add up than this are not guessed at. */
const MOST_COMBINATIONS = 2_000;

/** `Trail jacket and 2 × Wool socks`, or `everything`. */
export function selectionText(order: OrderView, selection: Selection, to: Speaking): string {
  if (selection === "whole") return talkOf(to).everything;
  return listed(
    selection.flatMap(({ lineItemId, quantity }) => {
      const line = order.lineItems.find((it) => it.lineItemId === lineItemId);
      return line === undefined ? [] : [countedTitle(line, quantity, to)];
    }),
    to,
  );
}

const MOST_REPLIES = 4;
const MOST_LISTED = 12;

/** "Everything, or only some of it?" */
export function askForItems(
  to: Speaking,
  order: OrderView,
  purpose: Purpose,
  memory: Partial<Memory>,
  lead = "",
): Say {
  const talk = talkOf(to);
  const lines = order.lineItems.filter((line) => unitsLeft(line, purpose) > 0);
  const shown = lines.slice(0, MOST_LISTED).map((line) => {
    const left = unitsLeft(line, purpose);
    const price = line.refundableUnitsMinor.reduce((a, b) => a + b, 0);
    return `• ${countedTitle(line, left, to)}${purpose === "refund" ? ` (${money(price, order, to)})` : ""}`;
  });
  const itemsMinor = lines.reduce(
    (sum, { refundableUnitsMinor: units }) => sum + units.reduce((a, b) => a + b, 0),
    0,
  );
  const withShipping = order.refundableMinor > itemsMinor && order.shippingMinor > 0;
  const question =
    purpose === "refund"
      ? talk.refundAllOrSome(money(order.refundableMinor, order, to), withShipping)
      : talk.returnAllOrSome;
  return {
    type: "say",
    text: `${lead === "" ? "" : `${lead} `}${talk.orderHas(orderName(order))}\n${shown.join("\n")}\n${question}`,
    quickReplies: [
      talk.buttons.everything,
      ...lines.slice(0, MOST_REPLIES - 1).map((line) => talk.buttons.only(titleOf(line, to))),
    ],
    dialogue: remember(purpose, { ...memory, asked: "items", order: order.orderId }),
  };
}

export function askHowMany(
  to: Speaking,
  order: OrderView,
  purpose: Purpose,
  { line, wanted, sofar }: Extract<ItemChoice, { kind: "how_many" }>,
  memory: Partial<Memory>,
): Say {
  const left = unitsLeft(line, purpose);
  const talk = talkOf(to);
  const { justOne, neverMind, both, all } = talk.buttons;
  const what = `${left} × ${titleOf(line, to)}`;
  const lead = wanted === null ? "" : `${talk.onlySoMany[purpose](left, what, orderName(order))} `;
  const named = wanted === null ? what : null;
  const question = left === 1 ? talk.takeThatOne : left === 2 ? talk.oneOrBoth(named) : talk.howMany(named);
  return {
    type: "say",
    text: `${lead}${question}`,
    quickReplies:
      left === 1 ? [justOne, neverMind] : left === 2 ? [justOne, both] : [justOne, "2", all(String(left))],
    dialogue: remember(purpose, {
      ...memory,
      asked: "quantity",
      order: order.orderId,
      line: line.lineItemId,
      selection: sofar.length > 0 ? sofar : null,
    }),
  };
}

export function askWhichItem(
  to: Speaking,
  order: OrderView,
  purpose: Purpose,
  lines: readonly LineItemView[],
  memory: Partial<Memory>,
): Say {
  const names = lines.slice(0, MOST_REPLIES).map((line) => titleOf(line, to));
  return {
    type: "say",
    text: talkOf(to).whichOne(listed(names, to, "disjunction")),
    quickReplies: names,
    dialogue: remember(purpose, { ...memory, asked: "items", order: order.orderId }),
  };
}
