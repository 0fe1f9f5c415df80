/** The two merchants of the sandbox, and what an order of theirs is together with how it was paid. */
import type { Order } from "./shapes.ts";

export interface ShopTenant {
  readonly id: "northwind" | "kestrel";
  readonly name: string;
  readonly currency: string;
  readonly timeZone: string;
}

export const SHOP_TENANTS: readonly ShopTenant[] = [
  { id: "northwind", name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
  { id: "kestrel", name: "Kestrel Audio", currency: "EUR", timeZone: "Europe/Berlin" },
];

export interface ShopCustomer {
  readonly tenant: ShopTenant["id"];
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A charge for the payment server to be seeded with. */
export interface ShopCharge {
  readonly chargeId: string;
  readonly paymentIntentId: string;
  readonly amountMinor: number;
  readonly capturedMinor: number;
  readonly currency: string;
  readonly createdAt: number;
  readonly disputed: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly refunds: readonly {
    readonly amountMinor: number;
    readonly status: "succeeded";
    readonly createdAt: number;
  }[];
}

/** An order as it was made, with how it was paid. */
export interface WorldOrder {
  readonly tenant: ShopTenant["id"];
  readonly order: Order;
  readonly charge: ShopCharge;
  /** Why it is in the world, for tests: `delivered-30`, `gift`, `jpy`, … */
  readonly tags: readonly string[];
}
