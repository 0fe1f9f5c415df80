/**
 * How the workflows put facts into the sentences of the conversation's language (`wording/`). No sentence
 * here says that an effect happened; what may be said of one is an action's own `text`.
 */
import { calendarDaysBetween } from "../kernel/calendar.ts";
import type { Language } from "../kernel/language.ts";
import type { FulfilmentView, LineItemView, OrderView } from "../tools/views.ts";
import { spokenDate, spokenDay, spokenList, spokenMoney } from "../wording/forms.ts";
import type { TalkWords } from "../wording/talk-words.ts";
import { wordsOf } from "../wording/words.ts";
import type { RunView } from "./agent.ts";

/** Whose language is spoken. */
export type Speaking = Pick<RunView, "language">;
type Place = Pick<RunView, "now" | "tenant" | "language">;

export const talkOf = ({ language }: Speaking): TalkWords => wordsOf(language).talk;

/** `in English`: what language a text is in, for somebody who is answered in another one; null for their own. */
export const otherLanguage = (language: Language, to: Speaking): string | null =>
  language === to.language ? null : wordsOf(to.language).frame.inLanguage[language];

const LONGEST_TITLE = 60;

/** A product title on one line; empty where it has nothing to show. */
export function plainTitle({ title }: { readonly title: string }): string {
  const line = title.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line;
}

/** A product title for people. */
export const titleOf = (item: { readonly title: string }, to: Speaking): string =>
  plainTitle(item) || talkOf(to).item;

export const countedTitle = (item: { readonly title: string }, quantity: number, to: Speaking): string =>
  quantity === 1 ? titleOf(item, to) : `${quantity} × ${titleOf(item, to)}`;

/** `a`, `a and b`, `a, b and c`. */
export const listed = (
  parts: readonly string[],
  to: Speaking,
  joint: "conjunction" | "disjunction" = "conjunction",
): string => spokenList(parts, to.language, joint);

const MOST_TITLES = 3;

/** The main items of an order: `Trail jacket, 2 × Wool socks`. */
export function itemsOf(lines: readonly Pick<LineItemView, "title" | "quantity">[], to: Speaking): string {
  const shown = lines.slice(0, MOST_TITLES).map((line) => countedTitle(line, line.quantity, to));
  const more = lines.length - shown.length;
  return more > 0 ? talkOf(to).andMore(shown.join(", "), more) : shown.join(", ");
}

export const orderName = ({ number }: Pick<OrderView, "number">): string => `#${number}`;

export const money = (amountMinor: number, { currency }: Pick<OrderView, "currency">, to: Speaking): string =>
  spokenMoney({ amountMinor, currency }, to.language);

/** `yesterday`, `on Tuesday 10 November`: in the merchant's time zone. */
const dayOf = (atMs: number, { now, tenant, language }: Place): string =>
  spokenDay(atMs, { now, timeZone: tenant.timeZone }, language);

/** One line of a list of orders. */
export function orderLine(order: OrderView, place: Place): string {
  return talkOf(place).orderLine(
    orderName(order),
    dayOf(order.placedAt, place),
    itemsOf(order.lineItems, place),
    money(order.totalMinor, order, place),
  );
}

/** The same, short enough for a button; it is understood when it comes back as text. */
export function orderReply(order: OrderView, place: Place): string {
  const { now, tenant, language } = place;
  const date = spokenDate(order.placedAt, { now, timeZone: tenant.timeZone }, language);
  const withoutWeekday = date.replace(/^[\p{L}-]+,? /u, "");
  return `${orderName(order)} · ${withoutWeekday} · ${itemsOf(order.lineItems.slice(0, 2), place)}`;
}

/** Where an order is, for a customer. */
export function whereItIs(order: OrderView, place: Place): string {
  const { where } = talkOf(place);
  const name = orderName(order);
  if (order.state === "cancelled") return where.cancelled(name);
  const parcels = order.fulfilments;
  if (parcels.length === 0) {
    if (order.state === "delivered") return where.delivered(name);
    return order.state === "in_transit" ? where.onItsWay(name) : where.preparing(name);
  }
  const waiting = order.state === "partly_fulfilled" ? notShipped(order, place) : "";
  if (parcels.length > 1) {
    const lines = parcels.map(
      (parcel) => `• ${itemsOf(parcel.items, place)}: ${parcelText(null, parcel, place)}`,
    );
    return [where.inParcels(name, parcels.length), ...lines, ...(waiting ? [waiting] : [])].join("\n");
  }
  const [parcel] = parcels;
  const said = parcel === undefined ? "" : parcelText(name, parcel, place);
  return waiting ? sentences(said, where.thatParcelHas(itemsOf(parcel?.items ?? [], place)), waiting) : said;
}

function notShipped(order: OrderView, place: Place): string {
  const sent = new Map<string, number>();
  for (const { title, quantity } of order.fulfilments.flatMap(({ items }) => items)) {
    sent.set(title, (sent.get(title) ?? 0) + quantity);
  }
  const left = order.lineItems.flatMap((line) => {
    const used = Math.min(line.quantity, sent.get(line.title) ?? 0);
    sent.set(line.title, (sent.get(line.title) ?? 0) - used);
    return line.quantity > used ? [{ title: line.title, quantity: line.quantity - used }] : [];
  });
  return left.length === 0 ? "" : talkOf(place).where.stillPreparing(itemsOf(left, place));
}

/** `it`: the order's name, or null in a line of several parcels. */
function parcelText(it: string | null, parcel: FulfilmentView, place: Place): string {
  const { where } = talkOf(place);
  const carrier = plainText(parcel.carrier);
  switch (parcel.state) {
    case "label_created":
      return sentences(where.parcel.packed(it, carrier), expected(parcel, place), tracking(parcel, place));
    case "in_transit":
      return sentences(
        where.parcel.inTransit(it, carrier),
        expected(parcel, place),
        lastSeen(parcel, place),
        tracking(parcel, place),
      );
    case "out_for_delivery":
      return sentences(where.parcel.outForDelivery(it, carrier), tracking(parcel, place));
    case "delivered": {
      const day = parcel.deliveredAt === null ? null : dayOf(parcel.deliveredAt, place);
      return sentences(where.parcel.delivered(it, carrier, day), tracking(parcel, place));
    }
    case "delivery_failed":
      return sentences(
        where.parcel.failed(it, carrier),
        lastSeen(parcel, place),
        where.howToGetIt,
        tracking(parcel, place),
      );
  }
}

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");

function expected({ estimatedDeliveryAt }: FulfilmentView, place: Place): string {
  if (estimatedDeliveryAt === null) return "";
  const { where } = talkOf(place);
  const late = calendarDaysBetween(place.tenant.timeZone, place.now, estimatedDeliveryAt) < 0;
  const day = dayOf(estimatedDeliveryAt, place);
  return late ? where.late(day) : where.shouldArrive(day);
}

function lastSeen({ lastEvent }: FulfilmentView, place: Place): string {
  if (lastEvent === null) return "";
  const what = plainText(lastEvent.description);
  if (what === null) return "";
  const spot = lastEvent.location === null ? null : plainText(lastEvent.location);
  return talkOf(place).where.lastUpdate(dayOf(lastEvent.at, place), what.replace(/\.$/, ""), spot);
}

function tracking({ trackingNumber, trackingUrl }: FulfilmentView, place: Place): string {
  const number = /^[A-Za-z0-9-]{4,40}$/.test(trackingNumber) ? trackingNumber : null;
  const url = trackingUrl !== null && /^https?:\/\/[^\s<>"]{3,200}$/.test(trackingUrl) ? trackingUrl : null;
  return number === null && url === null ? "" : talkOf(place).where.tracking(number, url);
}

const CLAIMING = /refund|return|policy|ignore|approv|credit|paid|http|www/i;
const LONGEST_CARRIER_TEXT = 80;

/** Text of a carrier, only when it is plainly a place or a step of a delivery; null otherwise. */
function plainText(text: string): string | null {
  const line = text.trim();
  const plain = line.length <= LONGEST_CARRIER_TEXT && /^[\p{L}\p{N}][\p{L}\p{N} ,.'&()/-]*$/u.test(line);
  return plain && !CLAIMING.test(line) ? line : null;
}
