/**
 * The sandbox's shops as they are at their start: tenants, customers, orders and the charges that paid
 * them. The same start instant and seed always give the same world. Dates are relative to the start, in
 * each shop's own time zone, so that return windows are always at the same distance.
 */

import { makeCrowd } from "./crowd.ts";
import { generateOrders } from "./generator.ts";
import { type FixedPerson, fixedOrders, fixedPeople } from "./people.ts";
import {
  SHOP_TENANTS,
  type ShopCharge,
  type ShopCustomer,
  type ShopTenant,
  type WorldOrder,
} from "./tenants.ts";

export interface World {
  readonly startMs: number;
  readonly tenants: readonly ShopTenant[];
  readonly customers: readonly ShopCustomer[];
  readonly orders: readonly WorldOrder[];
}

/** @param crowd how many customers more it has, for a load (`crowd.ts`) */
export function buildWorld({
  startMs,
  seed,
  crowd = 0,
}: {
  startMs: number;
  seed: number;
  crowd?: number;
}): World {
  const people = fixedPeople();
  const fixed = fixedOrders(startMs);
  const { customers, orders } = generateOrders({ startMs, seed });
  const more = makeCrowd(startMs, crowd);
  return {
    startMs,
    tenants: SHOP_TENANTS,
    customers: [
      ...people.map(({ tenant, id, name, email }) => ({ tenant, id, name, email })),
      ...customers,
      ...more.customers,
    ],
    orders: [...fixed, ...orders, ...more.orders],
  };
}

/** What the payment server is seeded with: one charge an order, with the refunds it had before the start. */
export const chargesOf = (world: World): readonly ShopCharge[] => world.orders.map(({ charge }) => charge);

/** The fixed people with what they have, for docs and for people who look around. */
export const demoPeople = (world: World): readonly FixedPerson[] =>
  fixedPeople().filter((person) =>
    world.customers.some(({ tenant, id }) => tenant === person.tenant && id === person.id),
  );
