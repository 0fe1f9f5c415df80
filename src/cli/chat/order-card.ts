/** An order as a card of text lines: items with amounts, where the parcel is, what was refunded. Pure. */
import { formatMoney } from "../../kernel/money.ts";
import { displayWidth, type Paint, padTo, plainLine, wrap } from "../terminal.ts";

export interface CardLook {
  readonly width: number;
  readonly paint: Paint;
  /** IANA time zone in which dates are shown. */
  readonly timeZone: string;
}

/** Under the text of the message that the card belongs to. */
const INDENT = "       ";

/** A loose view of the API's order card: every member may be missing. */
type Loose = Readonly<Record<string, unknown>>;

const STATE_WORDS: Readonly<Record<string, string>> = {
  unfulfilled: "not sent yet",
  partly_fulfilled: "partly sent",
  in_transit: "on its way",
  delivered: "delivered",
  cancelled: "cancelled",
  label_created: "label made, not with the carrier yet",
  out_for_delivery: "out for delivery",
  delivery_failed: "delivery failed",
};

/** The lines of an order card; empty when the value is no order. */
export function orderCard(value: unknown, look: CardLook): string[] {
  const order = (value ?? {}) as Loose;
  const currency = plainLine(order.currency, 8);
  if (typeof order.number !== "string" || currency === "") return [];
  const { paint } = look;
  const money = (minor: unknown) =>
    Number.isSafeInteger(minor) ? formatMoney({ amountMinor: minor as number, currency }) : "";
  const room = look.width - INDENT.length - 2;
  const head = [
    paint("bold", `Order #${plainLine(order.number, 30)}`),
    stateWords(order.state),
    money(order.totalMinor),
  ];
  const lines = [
    head.filter((part) => part !== "").join(" · "),
    ...listOf(order.lineItems).map((item) => {
      const quantity = typeof item.quantity === "number" ? item.quantity : 1;
      const title = `${quantity} × ${plainLine(item.title, 120)}${item.finalSale === true ? " (final sale)" : ""}`;
      return twoColumns(title, money(item.totalMinor), room);
    }),
    ...(positive(order.shippingMinor) ? [twoColumns("Shipping", money(order.shippingMinor), room)] : []),
    ...(positive(order.refundedMinor) ? [twoColumns("Refunded", money(order.refundedMinor), room)] : []),
    ...(positive(order.pendingRefundMinor)
      ? [twoColumns("Refund under way, not final", money(order.pendingRefundMinor), room)]
      : []),
    ...listOf(order.fulfilments).flatMap((parcel) => parcelLines(parcel, look, room)),
    ...listOf(order.returns).map(
      (entry) => `Return of ${itemsText(entry.items)}: ${plainLine(entry.state, 40)}`,
    ),
    ...(order.disputed === true ? [paint("yellow", "The payment is disputed at the bank.")] : []),
  ];
  return lines
    .flatMap((line) => (displayWidth(line) <= room ? [line] : wrap(line, room)))
    .map((line, index) => `${paint("dim", `${INDENT}${index === 0 ? "╭" : "│"} `)}${line}`);
}

function parcelLines(parcel: Loose, look: CardLook, room: number): string[] {
  const { paint, timeZone } = look;
  const carrier = [plainLine(parcel.carrier, 40), plainLine(parcel.trackingNumber, 60)].filter(
    (part) => part !== "",
  );
  const when = isInstant(parcel.deliveredAt)
    ? `delivered ${day(parcel.deliveredAt, timeZone)}`
    : isInstant(parcel.estimatedDeliveryAt)
      ? `${stateWords(parcel.state)}, expected ${day(parcel.estimatedDeliveryAt, timeZone)}`
      : stateWords(parcel.state);
  const last = (parcel.lastEvent ?? {}) as Loose;
  const lastText = [plainLine(last.description, 120), plainLine(last.location, 60)]
    .filter((part) => part !== "")
    .join(", ");
  const url = plainLine(parcel.trackingUrl, 300);
  return [
    `${paint("cyan", "▸")} ${carrier.length > 0 ? `${carrier.join(" ")}: ` : ""}${when}`,
    ...(lastText === ""
      ? []
      : [`  last seen: ${lastText}${isInstant(last.at) ? ` (${day(last.at, timeZone)})` : ""}`]),
    ...(/^https?:\/\/\S+$/.test(url) && displayWidth(url) <= room - 2
      ? [`  ${paint("underline", url)}`]
      : []),
  ];
}

const stateWords = (state: unknown): string =>
  STATE_WORDS[String(state)] ?? plainLine(state, 40).replaceAll("_", " ");

const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value)
    ? value.slice(0, 100).filter((item): item is Loose => item !== null && typeof item === "object")
    : [];

const itemsText = (items: unknown): string =>
  listOf(items)
    .map((item) => `${typeof item.quantity === "number" ? item.quantity : 1} × ${plainLine(item.title, 80)}`)
    .join(", ") || "items";

const positive = (minor: unknown): boolean => typeof minor === "number" && minor > 0;

const isInstant = (value: unknown): value is number => typeof value === "number" && Math.abs(value) < 8e15;

function day(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
  }).format(new Date(atMs));
}

function twoColumns(left: string, right: string, width: number): string {
  const room = width - displayWidth(right) - 2;
  return displayWidth(left) > room ? `${left}  ${right}` : `${padTo(left, Math.min(room, 44))}  ${right}`;
}
