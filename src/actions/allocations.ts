/**
 * What part of an order an action takes: purchased units and minor units of money.
 *
 * G1, second barrier. A partial unique index allows one live allocation per purchased unit, and a
 * check constraint keeps `captured − held − refunded − external ≥ 0`. Both hold for every writer,
 * whatever the code above them believes.
 */
import { sql } from "kysely";
import type { Order } from "../commerce/orders.ts";
import type { ProviderRefund } from "../commerce/payments.ts";
import type { CustomerId, TenantId } from "../kernel/ids.ts";
import { compiled } from "../store/compiled.ts";
import type { Tx } from "../store/store.ts";
import type { ActionRow } from "./ledger.ts";
import { type Hold, holdOf } from "./lifecycle.ts";

/** Taken of one order so far, by live and confirmed actions and by refunds made elsewhere. */
export interface OrderLedger {
  readonly refundUnits: ReadonlyMap<string, ReadonlySet<number>>;
  readonly returnUnits: ReadonlyMap<string, ReadonlySet<number>>;
  readonly heldMinor: number;
  readonly refundedMinor: number;
  readonly externalMinor: number;
  /** A person has turned a refund of this order down, or approved less: what is asked next is for a person too. */
  readonly refusedByPerson: boolean;
}

/** What a decision reads of one order. */
export interface DecidingLedger extends OrderLedger {
  /** The kill switch is on: for this tenant or for all. */
  readonly isStopped: boolean;
}

export interface WantedUnit {
  readonly lineItemId: string;
  readonly unitIndex: number;
  readonly amountMinor: number;
}

/** For a decision: with the kill switch, which is read for each anew and never kept. */
export async function orderLedger(tx: Tx, orderId: string): Promise<DecidingLedger> {
  const ledger = (await orderLedgers(tx, [orderId])).get(orderId) as OrderLedger;
  const [stopped] = await stops(tx, { tenantId: tx.scope.tenantId });
  return { ...ledger, isStopped: stopped !== undefined };
}

/** Ledgers of several orders in two queries; an order that nothing was taken of has an empty one. */
export async function orderLedgers(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderLedger>> {
  if (orderIds.length === 0) return new Map();
  const of = { tenantId: tx.scope.tenantId, orderIds };
  const units = await unitsTaken(tx, of);
  const balances = await balancesOf(tx, of);
  const ledgers = new Map<string, OrderLedger>();
  for (const orderId of orderIds) {
    const balance = balances.find((row) => row.order_id === orderId);
    const taken = { refund: new Map<string, Set<number>>(), return: new Map<string, Set<number>>() };
    for (const unit of units) {
      if (unit.order_id !== orderId) continue;
      const byLine = taken[unit.kind];
      byLine.set(unit.line_item_id, (byLine.get(unit.line_item_id) ?? new Set()).add(unit.unit_index));
    }
    ledgers.set(orderId, {
      refundUnits: taken.refund,
      returnUnits: taken.return,
      heldMinor: balance?.held_minor ?? 0,
      refundedMinor: balance?.refunded_minor ?? 0,
      externalMinor: balance?.external_minor ?? 0,
      refusedByPerson: balance?.refused === true,
    });
  }
  return ledgers;
}

interface Orders {
  readonly tenantId: TenantId;
  readonly orderIds: readonly string[];
}

const stops = compiled((db, { tenantId }: { readonly tenantId: TenantId }) =>
  db
    .selectFrom("kill_switches")
    .select("tenant_id")
    .where("is_on", "=", true)
    .where((eb) => eb.or([eb("tenant_id", "=", tenantId), eb("tenant_id", "=", "*" as TenantId)]))
    .limit(1),
);

const unitsTaken = compiled((db, { tenantId, orderIds }: Orders) =>
  db
    .selectFrom("allocations")
    .select(["order_id", "kind", "line_item_id", "unit_index"])
    .where("tenant_id", "=", tenantId)
    .where("order_id", "=", sql<string>`any(${orderIds})`)
    .where("state", "in", ["held", "captured"]),
);

const balancesOf = compiled((db, { tenantId, orderIds }: Orders) =>
  db
    .selectFrom("order_balances")
    .select(["order_id", "held_minor", "refunded_minor", "external_minor"])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("actions as a")
            .select(sql`1`.as("one"))
            .whereRef("a.tenant_id", "=", "order_balances.tenant_id")
            .whereRef("a.order_id", "=", "order_balances.order_id")
            .where("a.kind", "=", "refund")
            .where((either) =>
              either.or([
                either("a.state", "=", "rejected"),
                either.and([
                  sql<boolean>`a.args ->> 'asked_amount' is not null`,
                  either("a.state", "not in", ["cancelled", "failed"]),
                ]),
              ]),
            ),
        )
        .as("refused"),
    )
    .where("tenant_id", "=", tenantId)
    .where("order_id", "=", sql<string>`any(${orderIds})`),
);

/** Holds units for a new action. The unique index refuses a unit that has a live allocation of this kind. */
export async function holdUnits(tx: Tx, action: ActionRow, units: readonly WantedUnit[]): Promise<void> {
  if (units.length === 0) return;
  await tx
    .insertInto("allocations")
    .values(
      units.map((unit) => ({
        tenant_id: action.tenant_id,
        order_id: action.order_id,
        line_item_id: unit.lineItemId,
        unit_index: unit.unitIndex,
        kind: action.kind,
        action_id: action.id,
        customer_id: action.customer_id,
        amount_minor: unit.amountMinor,
        state: "held" as const,
      })),
    )
    .execute();
}

/** Makes sure that the order has a balance row and locks it: from here on nobody else takes money of this order. */
export async function lockBalance(
  tx: Tx,
  order: Pick<Order, "id" | "currency">,
  customerId: CustomerId,
  charge: { chargeId: string; capturedMinor: number },
): Promise<{ leftMinor: number; capturedMinor: number; heldMinor: number; refundedMinor: number }> {
  await tx
    .insertInto("order_balances")
    .values({
      tenant_id: tx.scope.tenantId,
      order_id: order.id,
      customer_id: customerId,
      charge_id: charge.chargeId,
      currency: order.currency,
      captured_minor: charge.capturedMinor,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom("order_balances")
    .select(["captured_minor", "held_minor", "refunded_minor", "external_minor"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("order_id", "=", order.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    leftMinor: row.captured_minor - row.held_minor - row.refunded_minor - row.external_minor,
    capturedMinor: row.captured_minor,
    heldMinor: row.held_minor,
    refundedMinor: row.refunded_minor,
  };
}

/** Holds money in one statement: false when that much is not left. */
export async function holdMoney(tx: Tx, orderId: string, amountMinor: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("order_balances")
    .set((eb) => ({ held_minor: eb("held_minor", "+", amountMinor) }))
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("order_id", "=", orderId)
    .where((eb) =>
      eb(
        eb("captured_minor", "-", eb.ref("held_minor")),
        ">=",
        eb(eb(eb.ref("refunded_minor"), "+", eb.ref("external_minor")), "+", amountMinor),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Follows an action's state: held units and money become captured, or are released. */
export async function moveHold(tx: Tx, action: ActionRow, from: Hold, to: Hold): Promise<void> {
  if (from === to) return;
  if (action.kind === "refund") {
    const amount = action.amount_minor;
    await tx
      .updateTable("order_balances")
      .set((eb) => ({
        held_minor: eb("held_minor", "+", (to === "held" ? amount : 0) - (from === "held" ? amount : 0)),
        refunded_minor: eb(
          "refunded_minor",
          "+",
          (to === "captured" ? amount : 0) - (from === "captured" ? amount : 0),
        ),
      }))
      .where("tenant_id", "=", action.tenant_id)
      .where("order_id", "=", action.order_id)
      .execute();
    if (to === "released") await countExternal(tx, action.order_id);
  }
  await tx
    .updateTable("allocations")
    .set({ state: to })
    .where("tenant_id", "=", action.tenant_id)
    .where("action_id", "=", action.id)
    .execute();
}

/**
 * Takes in refunds of the order's charge that no live action of ours stands for: made outside this product, by an
 * action whose rows are gone, or by one that has ended as failed and of which the provider has a refund all the same.
 * Each is counted once, and a failed one no longer counts. Needs a balance row. Their sum is bounded by what ours
 * leave, so that facts of others never break our constraint; answers with it unbounded.
 */
export async function takeInExternal(
  tx: Tx,
  order: { id: string; customerId: CustomerId },
  refunds: readonly ProviderRefund[],
  nowMs: number,
): Promise<number> {
  const ours = await tx
    .selectFrom("actions")
    .select(["id", "state"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("order_id", "=", order.id)
    .execute();
  const ourIds = new Set<string>(
    ours.filter(({ state }) => holdOf(state) !== "released").map((row) => row.id),
  );
  const external = refunds.filter((refund) => refund.actionId === null || !ourIds.has(refund.actionId));
  if (external.length > 0) {
    await tx
      .insertInto("external_refunds")
      .values(
        external.map((refund) => ({
          tenant_id: tx.scope.tenantId,
          provider_ref: refund.id,
          order_id: order.id,
          customer_id: order.customerId,
          amount_minor: refund.amountMinor,
          status: refund.status,
          seen_at_ms: nowMs,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["tenant_id", "provider_ref"]).doUpdateSet((eb) => ({
          status: eb.ref("excluded.status"),
          amount_minor: eb.ref("excluded.amount_minor"),
        })),
      )
      .execute();
  }
  await countExternal(tx, order.id);
  return external
    .filter(({ status }) => status === "pending" || status === "succeeded")
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Refunds made elsewhere, as far as ours leave room: counted again whenever either changes. */
async function countExternal(tx: Tx, orderId: string): Promise<void> {
  await tx
    .updateTable("order_balances")
    .set((eb) => ({
      external_minor: eb.fn<number>("least", [
        eb(eb("captured_minor", "-", eb.ref("held_minor")), "-", eb.ref("refunded_minor")),
        eb
          .selectFrom("external_refunds")
          .select((e) => e.fn.coalesce(e.fn.sum<number>("amount_minor"), e.val(0)).as("sum"))
          .where("tenant_id", "=", tx.scope.tenantId)
          .where("order_id", "=", orderId)
          .where("status", "in", ["pending", "succeeded"]),
      ]),
    }))
    .where("tenant_id", "=", tx.scope.tenantId)
    .where("order_id", "=", orderId)
    .execute();
}
