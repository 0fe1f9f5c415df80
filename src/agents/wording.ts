/**
 * How the workflows speak: short, warm, exact, in words a customer uses. No sentence here says that an
 * effect happened; what may be said of one is an action's own `text`.
 */
import { calendarDaysBetween, speakDate } from "../kernel/calendar.ts";
import { formatMoney } from "../kernel/money.ts";
import type { FulfilmentView, LineItemView, OrderView } from "../tools/views.ts";
import type { RunView } from "./agent.ts";

type Place = Pick<RunView, "now" | "tenant">;

const LONGEST_TITLE = 60;

/** A product title on one line. */
export function titleOf({ title }: { readonly title: string }): string {
  const line = title.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line || "item";
}

export const countedTitle = (item: { readonly title: string }, quantity: number): string =>
  quantity === 1 ? titleOf(item) : `${quantity} × ${titleOf(item)}`;

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[], joint = "and"): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${joint} ${last}`;
}

const MOST_TITLES = 3;

/** The main items of an order: `Trail jacket, 2 × Wool socks`. */
export function itemsOf(lines: readonly Pick<LineItemView, "title" | "quantity">[]): string {
  const shown = lines.slice(0, MOST_TITLES).map((line) => countedTitle(line, line.quantity));
  const more = lines.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

export const orderName = ({ number }: Pick<OrderView, "number">): string => `#${number}`;

export const money = (amountMinor: number, { currency }: Pick<OrderView, "currency">): string =>
  formatMoney({ amountMinor, currency });

/** `today`, `yesterday`, `tomorrow` or the date, in the merchant's time zone. */
export function day(atMs: number, { now, tenant }: Place): string {
  const near = NEAR_DAYS.get(calendarDaysBetween(tenant.timeZone, now, atMs));
  return near ?? speakDate(tenant.timeZone, atMs, now);
}
const NEAR_DAYS: ReadonlyMap<number, string> = new Map([
  [-1, "yesterday"],
  [0, "today"],
  [1, "tomorrow"],
]);

const onDay = (atMs: number, place: Place): string => {
  const spoken = day(atMs, place);
  return /^(?:today|yesterday|tomorrow)$/.test(spoken) ? spoken : `on ${spoken}`;
};

/** One line of a list of orders. */
export function orderLine(order: OrderView, place: Place): string {
  return `• ${orderName(order)}, placed ${onDay(order.placedAt, place)}: ${itemsOf(order.lineItems)} (${money(order.totalMinor, order)})`;
}

/** The same, short enough for a button; it is understood when it comes back as text. */
export function orderReply(order: OrderView, { now, tenant }: Place): string {
  const date = speakDate(tenant.timeZone, order.placedAt, now).replace(/^\p{L}+,? /u, "");
  return `${orderName(order)} · ${date} · ${itemsOf(order.lineItems.slice(0, 2))}`;
}

/** Where an order is, for a customer. */
export function whereItIs(order: OrderView, place: Place): string {
  const name = `Order ${orderName(order)}`;
  if (order.state === "cancelled") return `${name} was cancelled, so nothing is on its way.`;
  const parcels = order.fulfilments;
  if (parcels.length === 0) {
    if (order.state === "delivered") return `${name} was delivered.`;
    return order.state === "in_transit"
      ? `${name} is on its way. I have no tracking details for it yet.`
      : `${name} is confirmed and being prepared. It has not been handed to a carrier yet, so there is no tracking number so far.`;
  }
  const several = parcels.length > 1;
  const lines = parcels.map((parcel) =>
    several
      ? `• ${itemsOf(parcel.items)}: ${parcelText("it", parcel, place)}`
      : parcelText(name, parcel, place),
  );
  const waiting = order.state === "partly_fulfilled" ? notShipped(order) : "";
  if (several) {
    return [`${name} comes in ${parcels.length} parcels.`, ...lines, ...(waiting ? [waiting] : [])].join(
      "\n",
    );
  }
  return waiting
    ? `${lines.join("")} That parcel has ${itemsOf(parcels[0]?.items ?? [])}. ${waiting}`
    : lines.join("");
}

function notShipped(order: OrderView): string {
  const sent = new Map<string, number>();
  for (const { title, quantity } of order.fulfilments.flatMap(({ items }) => items)) {
    sent.set(title, (sent.get(title) ?? 0) + quantity);
  }
  const left = order.lineItems.flatMap((line) => {
    const used = Math.min(line.quantity, sent.get(line.title) ?? 0);
    sent.set(line.title, (sent.get(line.title) ?? 0) - used);
    return line.quantity > used ? [{ title: line.title, quantity: line.quantity - used }] : [];
  });
  return left.length === 0 ? "" : `Still being prepared: ${itemsOf(left)}.`;
}

function parcelText(subject: string, parcel: FulfilmentView, place: Place): string {
  const carrier = plainText(parcel.carrier);
  const by = carrier === null ? "" : ` by ${carrier}`;
  switch (parcel.state) {
    case "label_created":
      return sentences(
        `${subject} is packed and waiting for ${carrier ?? "the carrier"} to collect it.`,
        expected(parcel, place),
        tracking(parcel),
      );
    case "in_transit":
      return sentences(
        `${subject} is on its way${carrier === null ? "" : ` with ${carrier}`}.`,
        expected(parcel, place),
        lastSeen(parcel, place),
        tracking(parcel),
      );
    case "out_for_delivery":
      return sentences(
        `${subject} is out for delivery${carrier === null ? "" : ` with ${carrier}`} and should be with you soon.`,
        tracking(parcel),
      );
    case "delivered":
      return sentences(
        `${subject} was delivered${parcel.deliveredAt === null ? "" : ` ${onDay(parcel.deliveredAt, place)}`}${by}.`,
        tracking(parcel),
      );
    case "delivery_failed":
      return sentences(
        `${carrier ?? "The carrier"} tried to deliver ${subject === "it" ? "it" : subject.replace(/^O/, "o")} and could not.`,
        lastSeen(parcel, place),
        "The tracking page shows how to get a new delivery or where to collect it.",
        tracking(parcel),
      );
  }
}

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");

function expected({ estimatedDeliveryAt }: FulfilmentView, place: Place): string {
  if (estimatedDeliveryAt === null) return "";
  const late = calendarDaysBetween(place.tenant.timeZone, place.now, estimatedDeliveryAt) < 0;
  return late
    ? `It was expected ${onDay(estimatedDeliveryAt, place)}, so it is running late. I'm sorry about that.`
    : `It should arrive ${onDay(estimatedDeliveryAt, place)}.`;
}

function lastSeen({ lastEvent }: FulfilmentView, place: Place): string {
  if (lastEvent === null) return "";
  const what = plainText(lastEvent.description);
  if (what === null) return "";
  const where = lastEvent.location === null ? null : plainText(lastEvent.location);
  return `Last update ${onDay(lastEvent.at, place)}: ${what.replace(/\.$/, "")}${where === null ? "" : `, ${where}`}.`;
}

function tracking({ trackingNumber, trackingUrl }: FulfilmentView): string {
  const number = /^[A-Za-z0-9-]{4,40}$/.test(trackingNumber) ? trackingNumber : null;
  const url = trackingUrl !== null && /^https?:\/\/[^\s<>"]{3,200}$/.test(trackingUrl) ? trackingUrl : null;
  if (number === null) return url === null ? "" : `Tracking: ${url}`;
  return url === null ? `Tracking number: ${number}.` : `Tracking number: ${number} (${url}).`;
}

const CLAIMING = /refund|return|policy|ignore|approv|credit|paid|http|www/i;
const LONGEST_CARRIER_TEXT = 80;

/** Text of a carrier, only when it is plainly a place or a step of a delivery; null otherwise. */
function plainText(text: string): string | null {
  const line = text.trim();
  const plain = line.length <= LONGEST_CARRIER_TEXT && /^[\p{L}\p{N}][\p{L}\p{N} ,.'&()/-]*$/u.test(line);
  return plain && !CLAIMING.test(line) ? line : null;
}
