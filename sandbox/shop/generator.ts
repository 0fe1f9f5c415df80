/** The rest of the world: customers and orders of every kind that a shop meets, from a seed. */

import { splitByWeights } from "../../src/kernel/money.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { FIRST_NAMES, KESTREL_PRODUCTS, LAST_NAMES, NORTHWIND_PRODUCTS, type Product } from "./catalog.ts";
import { localInstant, makeOrder, type WantedLine, type WantedOrder, type WantedParcel } from "./making.ts";
import { SHOP_TENANTS, type ShopCustomer, type ShopTenant, type WorldOrder } from "./tenants.ts";

const CUSTOMERS = { northwind: 40, kestrel: 25 } as const;
const ORDERS = { northwind: 200, kestrel: 120 } as const;
/** Numbers start above the fixed people's. */
const FIRST_NUMBER = { northwind: 1100, kestrel: 2100 } as const;
const HOUR_MS = 3_600_000;

interface Draw {
  readonly pick: <T>(list: readonly T[]) => T;
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
}

/** Everything of an order but who and which number. */
type Kind = (
  draw: Draw,
  tenant: ShopTenant,
  startMs: number,
  products: readonly Product[],
) => Omit<WantedOrder, "tenant" | "number" | "customerId">;

export function generateOrders({ startMs, seed }: { startMs: number; seed: number }): {
  customers: ShopCustomer[];
  orders: WorldOrder[];
} {
  const random = seededRandom(seed);
  const draw: Draw = {
    pick: (list) => list[Math.floor(random.fraction() * list.length)] as never,
    between: (low, high) => low + Math.floor(random.fraction() * (high - low + 1)),
  };
  const customers: ShopCustomer[] = [];
  const orders: WorldOrder[] = [];
  for (const tenant of SHOP_TENANTS) {
    const products = (tenant.id === "northwind" ? NORTHWIND_PRODUCTS : KESTREL_PRODUCTS).filter(
      (p) => p.finalSale !== true,
    );
    const prefix = tenant.id === "northwind" ? "c_nw" : "c_ka";
    const own = Array.from({ length: CUSTOMERS[tenant.id] }, (_, index): ShopCustomer => {
      const first = draw.pick(FIRST_NAMES);
      const last = draw.pick(LAST_NAMES);
      const id = `${prefix}_${String(index + 1).padStart(3, "0")}`;
      return {
        tenant: tenant.id,
        id,
        name: `${first} ${last}`,
        email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
      };
    });
    customers.push(...own);
    for (let index = 0; index < ORDERS[tenant.id]; index += 1) {
      const kind = KINDS[index % KINDS.length] as Kind;
      orders.push(
        makeOrder({
          ...kind(draw, tenant, startMs, products),
          tenant,
          number: String(FIRST_NUMBER[tenant.id] + index),
          customerId: draw.pick(own).id,
        }),
      );
    }
  }
  return { customers, orders };
}

const lines = (draw: Draw, products: readonly Product[], most = 3): WantedLine[] => {
  const count = draw.between(1, most);
  const chosen = new Set<Product>();
  while (chosen.size < count) chosen.add(draw.pick(products));
  return [...chosen].map((product) => ({ product, quantity: draw.between(1, 2) }));
};

const arrived = (
  tenant: ShopTenant,
  startMs: number,
  daysAgo: number,
  hour = 13,
  minute = 0,
): Pick<WantedOrder, "placedAt" | "parcels"> => ({
  placedAt: localInstant(tenant, startMs, daysAgo + 5, 11),
  parcels: [
    {
      state: "delivered",
      shippedAt: localInstant(tenant, startMs, daysAgo + 2, 9),
      // A start in the first minutes of a day must not find a parcel that arrives later.
      deliveredAt: Math.min(startMs, localInstant(tenant, startMs, daysAgo, hour, minute)),
    },
  ],
});

const underWay = (
  tenant: ShopTenant,
  startMs: number,
  state: WantedParcel["state"],
): Pick<WantedOrder, "placedAt" | "parcels"> => ({
  placedAt: localInstant(tenant, startMs, 4, 20),
  parcels: [
    {
      state,
      shippedAt: localInstant(tenant, startMs, 2, 8),
      estimatedDeliveryAt:
        state === "out_for_delivery" ? startMs + 4 * HOUR_MS : localInstant(tenant, startMs, -2, 18),
    },
  ],
});

/** Delivered so many days ago, early or late in the day: calendar days count, not hours. */
const deliveredOn =
  (daysAgo: number, hour: number, minute: number): Kind =>
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, daysAgo, hour, minute),
    lines: lines(draw, products),
    tags: [`delivered-${daysAgo}`],
  });

const foreign =
  (currency: string, priceMinor: number, extra: Partial<WantedLine> = {}): Kind =>
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 20)),
    currency,
    lines: [{ product: { ...draw.pick(products), priceMinor }, quantity: 2, ...extra }],
    tags: [currency.toLowerCase()],
  });

const KINDS: readonly Kind[] = [
  (draw, tenant, startMs, products) => ({
    placedAt: localInstant(tenant, startMs, 1, 9),
    lines: lines(draw, products),
    tags: ["unfulfilled"],
  }),
  (draw, tenant, startMs, products) => ({
    placedAt: localInstant(tenant, startMs, 9, 9),
    lines: [
      { product: products[0] as Product, quantity: 2 },
      { product: draw.pick(products.slice(1)), quantity: 1 },
    ],
    parcels: [
      {
        state: "delivered",
        shippedAt: localInstant(tenant, startMs, 5, 9),
        deliveredAt: localInstant(tenant, startMs, 3, 15),
        items: [{ line: 0, quantity: 1 }],
      },
    ],
    tags: ["partly-fulfilled"],
  }),
  (draw, tenant, startMs, products) => ({
    ...underWay(tenant, startMs, "in_transit"),
    lines: lines(draw, products),
    tags: ["in-transit"],
  }),
  (draw, tenant, startMs, products) => ({
    ...underWay(tenant, startMs, "out_for_delivery"),
    lines: lines(draw, products),
    tags: ["out-for-delivery"],
  }),
  (draw, tenant, startMs, products) => ({
    ...underWay(tenant, startMs, "delivery_failed"),
    lines: lines(draw, products),
    tags: ["delivery-failed"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, 0, 0, 20),
    lines: lines(draw, products),
    tags: ["delivered-0"],
  }),
  deliveredOn(29, 23, 40),
  deliveredOn(30, 0, 10),
  deliveredOn(30, 23, 50),
  deliveredOn(31, 23, 55),
  deliveredOn(14, 12, 0),
  deliveredOn(60, 12, 0),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, 12),
    lines: [{ product: draw.pick(products), quantity: 1 }],
    returns: [
      {
        state: "received",
        reason: "too small",
        createdAt: localInstant(tenant, startMs, 6, 10),
        items: [{ lineItemId: "0", quantity: 1 }],
      },
    ],
    tags: ["returned"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, 10),
    lines: [{ product: draw.pick(products), quantity: 2 }],
    refunds: [{ amountMinor: 500, createdAt: localInstant(tenant, startMs, 2, 10) }],
    tags: ["partly-refunded"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, 15),
    lines: lines(draw, products),
    refunds: [{ amountMinor: "rest", createdAt: localInstant(tenant, startMs, 3, 10) }],
    tags: ["fully-refunded"],
  }),
  (draw, tenant, startMs, products) => ({
    placedAt: localInstant(tenant, startMs, 6, 10),
    cancelledAt: localInstant(tenant, startMs, 5, 16),
    lines: lines(draw, products),
    tags: ["cancelled"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 20)),
    lines: lines(draw, products, 1),
    gift: true,
    note: "Happy birthday!",
    tags: ["gift"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 10)),
    lines: [
      {
        product: (tenant.id === "northwind" ? NORTHWIND_PRODUCTS : KESTREL_PRODUCTS).find(
          (p) => p.finalSale === true,
        ) as Product,
        quantity: 1,
      },
      { product: draw.pick(products), quantity: 1 },
    ],
    tags: ["final-sale"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(2, 20)),
    lines: lines(draw, products),
    disputed: true,
    tags: ["disputed"],
  }),
  (draw, tenant, startMs, products) => {
    // An order discount, spread over its lines by their value.
    const chosen = lines(draw, products);
    const values = chosen.map((line) => line.product.priceMinor * line.quantity);
    const shares = splitByWeights(1001, values);
    return {
      ...arrived(tenant, startMs, draw.between(1, 20)),
      lines: chosen.map((line, index) => ({ ...line, discountMinor: shares[index] ?? 0 })),
      tags: ["discount"],
    };
  },
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 20)),
    lines: lines(draw, products).map((line) => ({
      ...line,
      taxMinor: Math.round(line.product.priceMinor * line.quantity * 0.08875),
    })),
    shippingMinor: 695,
    shippingTaxMinor: 62,
    tags: ["tax", "shipping"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 20)),
    lines: [{ product: draw.pick(products), quantity: draw.between(3, 7), discountMinor: 100 }],
    tags: ["quantity"],
  }),
  foreign("JPY", 5800),
  foreign("KWD", 12_345, { taxMinor: 617 }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 20)),
    lines: lines(draw, products),
    capturedDifferenceMinor: -1,
    tags: ["captured-less"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(1, 20)),
    lines: lines(draw, products),
    capturedDifferenceMinor: 1,
    tags: ["captured-more"],
  }),
  (draw, tenant, startMs, products) => ({
    // The label is printed; nothing has left yet.
    placedAt: localInstant(tenant, startMs, 2, 16),
    lines: lines(draw, products),
    parcels: [{ state: "label_created", shippedAt: localInstant(tenant, startMs, 0, 0) }],
    tags: ["label-created"],
  }),
  (draw, tenant, startMs, products) => ({
    ...arrived(tenant, startMs, draw.between(8, 12)),
    lines: [
      { product: draw.pick(products.slice(1)), quantity: 1 },
      { product: products[0] as Product, quantity: 3 },
    ],
    returns: [
      {
        state: "in_transit",
        reason: "ordered the wrong one",
        createdAt: localInstant(tenant, startMs, 2, 10),
        items: [{ lineItemId: "1", quantity: 2 }],
      },
    ],
    tags: ["return-under-way"],
  }),
  (draw, tenant, startMs, products) => ({
    placedAt: localInstant(tenant, startMs, 12, 9),
    lines: [
      { product: products[1] as Product, quantity: 1 },
      { product: products[2] as Product, quantity: 1 },
    ],
    parcels: [
      {
        state: "delivered",
        shippedAt: localInstant(tenant, startMs, 9, 9),
        deliveredAt: localInstant(tenant, startMs, draw.between(5, 7), 12),
        items: [{ line: 0, quantity: 1 }],
      },
      {
        state: "delivered",
        shippedAt: localInstant(tenant, startMs, 6, 9),
        deliveredAt: localInstant(tenant, startMs, draw.between(2, 4), 12),
        items: [{ line: 1, quantity: 1 }],
      },
    ],
    tags: ["two-parcels"],
  }),
];
