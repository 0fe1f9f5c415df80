/**
 * Customers beyond the world's own, as many as a load needs: `RECOURSE_SANDBOX_CROWD` says how many. Each has the same
 * four orders, so that who plays them knows their numbers without asking. Nothing of it is drawn by chance. Pure.
 */
import { KESTREL_PRODUCTS, NORTHWIND_PRODUCTS, type Product } from "./catalog.ts";
import { localInstant, makeOrder, type WantedOrder } from "./making.ts";
import { SHOP_TENANTS, type ShopCustomer, type ShopTenant, type WorldOrder } from "./tenants.ts";

/** A member of the crowd with the numbers of their orders. */
export interface CrowdMember extends ShopCustomer {
  /** Delivered five days ago, below what needs a person. */
  readonly refundable: string;
  readonly underWay: string;
  /** Delivered nine days ago. */
  readonly returnable: string;
  /** Delivered long before the return window. */
  readonly old: string;
}

/** Above every number of the world's own orders. */
const FIRST_NUMBER = 100_000;
const ORDERS_EACH = 4;
/** Every fifth buys at the other shop. */
const SHARE = 5;

/** The member number `index`, from 0. */
export function crowdMember(index: number): CrowdMember {
  const tenant = index % SHARE === SHARE - 1 ? "kestrel" : "northwind";
  const name = String(index + 1).padStart(6, "0");
  const number = (n: number) => String(FIRST_NUMBER + index * ORDERS_EACH + n);
  return {
    tenant,
    id: `${tenant === "northwind" ? "c_nw" : "c_ka"}_crowd_${name}`,
    name: `Crowd ${name}`,
    email: `member.${name}@crowd.example`,
    refundable: number(0),
    underWay: number(1),
    returnable: number(2),
    old: number(3),
  };
}

export function makeCrowd(
  startMs: number,
  size: number,
): { customers: ShopCustomer[]; orders: WorldOrder[] } {
  const customers: ShopCustomer[] = [];
  const orders: WorldOrder[] = [];
  for (let index = 0; index < size; index += 1) {
    const member = crowdMember(index);
    const { tenant, id, name, email } = member;
    customers.push({ tenant, id, name, email });
    orders.push(...ordersOf(member, index, startMs));
  }
  return { customers, orders };
}

const CHEAP: Readonly<Record<ShopTenant["id"], readonly Product[]>> = {
  northwind: affordable(NORTHWIND_PRODUCTS),
  kestrel: affordable(KESTREL_PRODUCTS),
};

function affordable(products: readonly Product[]): readonly Product[] {
  return products.filter(({ priceMinor, finalSale }) => priceMinor <= 5_000 && finalSale !== true);
}

function ordersOf(member: CrowdMember, index: number, startMs: number): WorldOrder[] {
  const tenant = SHOP_TENANTS.find(({ id }) => id === member.tenant) as ShopTenant;
  const products = CHEAP[tenant.id];
  const product = (n: number) => products[(index + n) % products.length] as Product;
  const at = (daysAgo: number, hour: number) => localInstant(tenant, startMs, daysAgo, hour);
  const arrived = (daysAgo: number): Pick<WantedOrder, "placedAt" | "parcels"> => ({
    placedAt: at(daysAgo + 5, 11),
    parcels: [{ state: "delivered", shippedAt: at(daysAgo + 2, 9), deliveredAt: at(daysAgo, 13) }],
  });
  const of = (number: string, n: number, rest: Pick<WantedOrder, "placedAt" | "parcels">): WorldOrder =>
    makeOrder({
      tenant,
      number,
      customerId: member.id,
      lines: [{ product: product(n), quantity: 1 }],
      tags: ["crowd"],
      ...rest,
    });
  return [
    of(member.refundable, 0, arrived(5)),
    of(member.underWay, 1, {
      placedAt: at(4, 20),
      parcels: [{ state: "in_transit", shippedAt: at(2, 8), estimatedDeliveryAt: at(-2, 18) }],
    }),
    of(member.returnable, 2, arrived(9)),
    of(member.old, 3, arrived(45)),
  ];
}
