/** The pieces that orders of the world are made of: local instants, lines, parcels, charges. Pure. */
import { Temporal } from "temporal-polyfill";
import type { Product } from "./catalog.ts";
import type { Fulfilment, LineItem, Order, ShopReturn } from "./shapes.ts";
import type { ShopTenant, WorldOrder } from "./tenants.ts";

const HOUR_MS = 3_600_000;

/**
 * `daysAgo` calendar days before the date of `fromMs` (negative: after it), at a time of day on the shop's
 * wall clock. A time that a clock change skips is the one after the gap, on the same date.
 */
export function localInstant(
  { timeZone }: ShopTenant,
  fromMs: number,
  daysAgo: number,
  hour: number,
  minute = 0,
): number {
  const wanted = `${timeZone} ${fromMs} ${daysAgo} ${hour} ${minute}`;
  const before = known.get(wanted);
  if (before !== undefined) return before;
  const instant = Temporal.Instant.fromEpochMilliseconds(fromMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .subtract({ days: daysAgo })
    .toZonedDateTime({ timeZone, plainTime: { hour, minute } }).epochMilliseconds;
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(wanted, instant);
  return instant;
}

/** Calendars are slow to ask, and a world asks for the same few hundred instants over and over. */
const known = new Map<string, number>();
const KNOWN_MAX = 2_000;

export interface WantedLine {
  readonly product: Product;
  readonly quantity: number;
  readonly discountMinor?: number;
  readonly taxMinor?: number;
}

export interface WantedOrder {
  readonly tenant: ShopTenant;
  readonly number: string;
  readonly customerId: string;
  readonly currency?: string;
  readonly placedAt: number;
  readonly cancelledAt?: number;
  readonly lines: readonly WantedLine[];
  readonly shippingMinor?: number;
  readonly shippingTaxMinor?: number;
  /** Captured minus total: a cent more or less, as currency conversions leave it. */
  readonly capturedDifferenceMinor?: number;
  readonly gift?: boolean;
  readonly note?: string;
  readonly disputed?: boolean;
  /** Parcels; their items are the lines by index. Default: one with everything that is fulfilled. */
  readonly parcels?: readonly WantedParcel[];
  readonly refunds?: readonly { readonly amountMinor: number | "rest"; readonly createdAt: number }[];
  readonly returns?: readonly Omit<ShopReturn, "id" | "idempotencyKey" | "instructions" | "labelUrl">[];
  readonly tags: readonly string[];
}

export interface WantedParcel {
  readonly state: Fulfilment["state"];
  readonly shippedAt: number;
  readonly deliveredAt?: number;
  readonly estimatedDeliveryAt?: number;
  /** Indexes of lines with quantities; everything when left out. */
  readonly items?: readonly { readonly line: number; readonly quantity: number }[];
}

export function makeOrder(wanted: WantedOrder): WorldOrder {
  const { tenant, number } = wanted;
  const short = tenant.id === "northwind" ? "nw" : "ka";
  const currency = wanted.currency ?? tenant.currency;
  const orderId = `ord_${short}_${number}`;
  const parcels = wanted.parcels ?? [];
  const fulfilledOf = (line: number, quantity: number): number =>
    parcels
      .filter((parcel) => parcel.state !== "label_created")
      .reduce((sum, parcel) => {
        if (parcel.items === undefined) return sum + quantity;
        return sum + (parcel.items.find((item) => item.line === line)?.quantity ?? 0);
      }, 0);
  const lineItems = wanted.lines.map(
    (line, index): LineItem => ({
      id: `li_${short}_${number}_${index + 1}`,
      title: line.product.title,
      sku: line.product.sku,
      quantity: line.quantity,
      unitPriceMinor: line.product.priceMinor,
      discountMinor: line.discountMinor ?? 0,
      taxMinor: line.taxMinor ?? 0,
      finalSale: line.product.finalSale === true,
      fulfilledQuantity: Math.min(line.quantity, fulfilledOf(index, line.quantity)),
    }),
  );
  const shippingMinor = wanted.shippingMinor ?? 0;
  const shippingTaxMinor = wanted.shippingTaxMinor ?? 0;
  const totalMinor =
    lineItems.reduce(
      (sum, line) => sum + line.unitPriceMinor * line.quantity - line.discountMinor + line.taxMinor,
      0,
    ) +
    shippingMinor +
    shippingTaxMinor;
  const capturedMinor = totalMinor + (wanted.capturedDifferenceMinor ?? 0);
  let refundedMinor = 0;
  const refunds = (wanted.refunds ?? []).map(({ amountMinor, createdAt }) => {
    const amount = amountMinor === "rest" ? capturedMinor - refundedMinor : amountMinor;
    refundedMinor += amount;
    return { amountMinor: amount, status: "succeeded" as const, createdAt };
  });
  const order: Order = {
    id: orderId,
    number,
    customerId: wanted.customerId,
    currency,
    placedAt: wanted.placedAt,
    cancelledAt: wanted.cancelledAt ?? null,
    lineItems,
    shippingMinor,
    shippingTaxMinor,
    totalMinor,
    gift: wanted.gift ?? false,
    note: wanted.note ?? "",
    fulfilments: parcels.map((parcel, index) => makeParcel(tenant, number, index, parcel, lineItems)),
    returns: (wanted.returns ?? []).map((entry, index) => ({
      ...entry,
      items: entry.items.map((item) => ({
        ...item,
        lineItemId: lineItems[Number(item.lineItemId)]?.id ?? item.lineItemId,
      })),
      id: `ret_${short}_${number}_${index + 1}`,
      idempotencyKey: null,
      instructions: "Sent back.",
      labelUrl: null,
    })),
    chargeId: `ch_${short}_${number}`,
  };
  return {
    tenant: tenant.id,
    order,
    tags: wanted.tags,
    charge: {
      chargeId: order.chargeId,
      paymentIntentId: `pi_${short}_${number}`,
      amountMinor: capturedMinor,
      capturedMinor,
      currency,
      createdAt: wanted.placedAt,
      disputed: wanted.disputed ?? false,
      metadata: { order_number: number, order_id: orderId, tenant: tenant.id },
      refunds,
    },
  };
}

function makeParcel(
  tenant: ShopTenant,
  number: string,
  index: number,
  parcel: WantedParcel,
  lines: readonly LineItem[],
): Fulfilment {
  const trackingNumber = `${tenant.id === "northwind" ? "NP" : "FP"}${number.padStart(8, "0")}${index + 1}`;
  return {
    id: `ful_${trackingNumber}`,
    state: parcel.state,
    carrier: tenant.id === "northwind" ? "Northeast Parcel" : "Falkenpost",
    trackingNumber,
    trackingUrl: `https://track.example/${trackingNumber}`,
    estimatedDeliveryAt: parcel.estimatedDeliveryAt ?? null,
    deliveredAt: parcel.deliveredAt ?? null,
    items:
      parcel.items?.map((item) => ({ lineItemId: lines[item.line]?.id ?? "", quantity: item.quantity })) ??
      lines.map((line) => ({ lineItemId: line.id, quantity: line.quantity })),
    events: trackingEvents(tenant, parcel),
  };
}

/** What the carrier has said of a parcel so far, oldest first. */
function trackingEvents(tenant: ShopTenant, parcel: WantedParcel): Fulfilment["events"] {
  const hub = tenant.id === "northwind" ? "Albany, NY" : "Kassel";
  const town = tenant.id === "northwind" ? "Boston, MA" : "Berlin";
  const { shippedAt, deliveredAt, estimatedDeliveryAt, state } = parcel;
  const label = { at: shippedAt - 4 * HOUR_MS, description: "Label created", location: null };
  if (state === "label_created") return [label];
  const onTheWay = [
    label,
    { at: shippedAt, description: "Picked up by the carrier", location: hub },
    { at: shippedAt + 8 * HOUR_MS, description: "Left the sorting centre", location: hub },
  ];
  const out = (at: number) => ({ at, description: "Out for delivery", location: town });
  switch (state) {
    case "in_transit":
      return onTheWay;
    case "out_for_delivery":
      return [...onTheWay, out((estimatedDeliveryAt ?? shippedAt + 24 * HOUR_MS) - 6 * HOUR_MS)];
    case "delivery_failed": {
      const failedAt = shippedAt + 30 * HOUR_MS;
      const failed = { at: failedAt, description: "Delivery failed: nobody was there", location: town };
      return [...onTheWay, out(failedAt - 3 * HOUR_MS), failed];
    }
    case "delivered": {
      const at = deliveredAt ?? shippedAt + 48 * HOUR_MS;
      return [...onTheWay, out(at - 3 * HOUR_MS), { at, description: "Delivered", location: town }];
    }
  }
}

/**
 * The order as if everything in it had been delivered at an instant: parcels that were under way or
 * missing, and the dates before it where the order was placed later than that.
 */
export function deliveredAt(tenant: ShopTenant, order: Order, atMs: number): Order {
  const parcel: WantedParcel = { state: "delivered", shippedAt: atMs - 48 * HOUR_MS, deliveredAt: atMs };
  const [first, ...more] = order.fulfilments;
  const whole = makeParcel(tenant, order.number, 0, parcel, order.lineItems);
  return {
    ...order,
    placedAt: Math.min(order.placedAt, parcel.shippedAt - 24 * HOUR_MS),
    lineItems: order.lineItems.map((line) => ({ ...line, fulfilledQuantity: line.quantity })),
    // One parcel takes along what had not left; several stay as they were packed.
    fulfilments:
      first === undefined || more.length === 0
        ? [whole]
        : order.fulfilments.map((entry) => ({
            ...whole,
            id: entry.id,
            trackingNumber: entry.trackingNumber,
            trackingUrl: entry.trackingUrl,
            items: entry.items,
          })),
  };
}
