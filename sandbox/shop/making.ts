/** The pieces that orders of the world are made of: local instants, lines, parcels, charges. Pure. */
import { dateIn, startOfDateMs } from "../../src/kernel/calendar.ts";
import type { Product } from "./catalog.ts";
import type { Fulfilment, LineItem, Order, ShopReturn } from "./shapes.ts";
import type { ShopTenant, WorldOrder } from "./tenants.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `days` calendar days before the start (negative: after it), at a local time of day. */
export function localInstant(
  tenant: ShopTenant,
  startMs: number,
  daysAgo: number,
  hour: number,
  minute = 0,
): number {
  // From noon, whole days of milliseconds land on the wanted date on both sides of a clock change.
  const noon = startOfDateMs(tenant.timeZone, dateIn(tenant.timeZone, startMs)) + 12 * HOUR_MS;
  const date = dateIn(tenant.timeZone, noon - daysAgo * DAY_MS);
  return startOfDateMs(tenant.timeZone, date) + hour * HOUR_MS + minute * 60_000;
}

export interface WantedLine {
  readonly product: Product;
  readonly quantity: number;
  readonly discountMinor?: number;
  readonly taxMinor?: number;
  readonly fulfilledQuantity?: number;
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
  const carrier = tenant.id === "northwind" ? "Northeast Parcel" : "Falkenpost";
  const hub = tenant.id === "northwind" ? "Albany, NY" : "Kassel";
  const town = tenant.id === "northwind" ? "Boston, MA" : "Berlin";
  const trackingNumber = `${tenant.id === "northwind" ? "NP" : "FP"}${number.padStart(8, "0")}${index + 1}`;
  const { shippedAt, deliveredAt, state } = parcel;
  const events = [
    { at: shippedAt - 4 * HOUR_MS, description: "Label created", location: null },
    ...(state === "label_created"
      ? []
      : [{ at: shippedAt, description: "Picked up by the carrier", location: hub }]),
    ...(state === "in_transit" || state === "out_for_delivery"
      ? [{ at: shippedAt + 10 * HOUR_MS, description: "Left the sorting centre", location: hub }]
      : []),
    ...(state === "out_for_delivery"
      ? [{ at: shippedAt + 20 * HOUR_MS, description: "Out for delivery", location: town }]
      : []),
    ...(state === "delivery_failed"
      ? [{ at: shippedAt + 30 * HOUR_MS, description: "Delivery failed: nobody was there", location: town }]
      : []),
    ...(deliveredAt === undefined ? [] : [{ at: deliveredAt, description: "Delivered", location: town }]),
  ];
  return {
    id: `ful_${trackingNumber}`,
    state,
    carrier,
    trackingNumber,
    trackingUrl: `https://track.example/${trackingNumber}`,
    estimatedDeliveryAt: parcel.estimatedDeliveryAt ?? null,
    deliveredAt: deliveredAt ?? null,
    items:
      parcel.items?.map((item) => ({ lineItemId: lines[item.line]?.id ?? "", quantity: item.quantity })) ??
      lines.map((line) => ({ lineItemId: line.id, quantity: line.quantity })),
    events,
  };
}
