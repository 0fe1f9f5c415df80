/**
 * What has changed in the shop since its start, kept in SQLite beside the start instant: returns that
 * were created, states of returns, edits of orders. The world itself is built again from its seed.
 *
 * A method is one statement or a read; the process may die between any two of them.
 */
import { DatabaseSync } from "node:sqlite";
import { deliveredAt } from "./making.ts";
import type { Order, ShopReturn } from "./shapes.ts";
import { SHOP_TENANTS, type ShopTenant, type WorldOrder } from "./tenants.ts";

/** How an order differs from what it was at the start. Instants, so that it does not move with time. */
export interface Edit {
  readonly note?: string;
  readonly gift?: boolean;
  readonly cancelledAt?: number | null;
  readonly deliveredAt?: number;
}

/** A return that was created under a key. */
export interface CreatedReturn {
  readonly orderId: string;
  readonly bodyHash: string;
  readonly shopReturn: ShopReturn;
}

export class Books {
  readonly startMs: number;
  readonly seed: number;
  readonly #db: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;

  /** The first opening keeps `startMs` and `seed`; later ones find them. @param storage a path, or `:memory:` */
  constructor(storage: string, startMs: number, seed: number) {
    this.#db = new DatabaseSync(storage);
    this.#db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 2000;
      create table if not exists meta (start_ms integer not null, seed integer not null);
      create table if not exists returns (
        tenant text, order_id text, key text, body_hash text, json text, primary key (tenant, key));
      create index if not exists returns_of_order on returns (tenant, order_id);
      create table if not exists return_states (return_id text primary key, state text not null);
      create table if not exists edits (order_id text primary key, json text)`);
    this.#db.prepare("insert into meta select ?, ? where not exists (select 1 from meta)").run(startMs, seed);
    const kept = this.#db.prepare("select start_ms, seed from meta").get() as {
      start_ms: number;
      seed: number;
    };
    this.startMs = kept.start_ms;
    this.seed = kept.seed;
    this.#statements = prepare(this.#db);
  }

  /** The order as it is now. */
  current({ tenant, order }: WorldOrder): Order {
    const created = this.#statements.returnsOf.all(tenant, order.id) as { json: string }[];
    const withReturns: Order = {
      ...order,
      returns: [...order.returns, ...created.map(({ json }) => JSON.parse(json) as ShopReturn)].map((entry) =>
        this.#withState(entry),
      ),
    };
    return applied(withReturns, this.#edit(order.id), tenantOf(tenant));
  }

  /** Adds to what was edited before. */
  edit(orderId: string, change: Edit): void {
    this.#statements.putEdit.run(orderId, JSON.stringify({ ...this.#edit(orderId), ...change }));
  }

  createdUnder(tenant: string, key: string): CreatedReturn | null {
    const row = this.#statements.returnByKey.get(tenant, key) as
      | { order_id: string; body_hash: string; json: string }
      | undefined;
    if (row === undefined) return null;
    return {
      orderId: row.order_id,
      bodyHash: row.body_hash,
      shopReturn: this.#withState(JSON.parse(row.json) as ShopReturn),
    };
  }

  create(tenant: string, key: string, { orderId, bodyHash, shopReturn }: CreatedReturn): void {
    this.#statements.putReturn.run(tenant, orderId, key, bodyHash, JSON.stringify(shopReturn));
  }

  setReturnState(returnId: string, state: ShopReturn["state"]): void {
    this.#statements.putState.run(returnId, state);
  }

  close(): void {
    this.#db.close();
  }

  #withState(entry: ShopReturn): ShopReturn {
    const row = this.#statements.stateOf.get(entry.id) as { state: ShopReturn["state"] } | undefined;
    return row === undefined ? entry : { ...entry, state: row.state };
  }

  #edit(orderId: string): Edit {
    const row = this.#statements.editOf.get(orderId) as { json: string } | undefined;
    return row === undefined ? {} : (JSON.parse(row.json) as Edit);
  }
}

const prepare = (db: DatabaseSync) => ({
  returnsOf: db.prepare("select json from returns where tenant = ? and order_id = ? order by rowid"),
  returnByKey: db.prepare("select order_id, body_hash, json from returns where tenant = ? and key = ?"),
  putReturn: db.prepare(
    "insert into returns (tenant, order_id, key, body_hash, json) values (?, ?, ?, ?, ?)",
  ),
  stateOf: db.prepare("select state from return_states where return_id = ?"),
  putState: db.prepare("insert or replace into return_states (return_id, state) values (?, ?)"),
  editOf: db.prepare("select json from edits where order_id = ?"),
  putEdit: db.prepare("insert or replace into edits (order_id, json) values (?, ?)"),
});

function applied(order: Order, edit: Edit, tenant: ShopTenant): Order {
  const moved = edit.deliveredAt === undefined ? order : deliveredAt(tenant, order, edit.deliveredAt);
  return {
    ...moved,
    note: edit.note ?? moved.note,
    gift: edit.gift ?? moved.gift,
    cancelledAt: edit.cancelledAt === undefined ? moved.cancelledAt : edit.cancelledAt,
  };
}

export function tenantOf(id: WorldOrder["tenant"]): ShopTenant {
  const found = SHOP_TENANTS.find((tenant) => tenant.id === id);
  if (found === undefined) throw new Error(`there is no shop ${id}`);
  return found;
}
