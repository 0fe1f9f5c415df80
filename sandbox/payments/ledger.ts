/**
 * The provider's books in SQLite: charges, intents, refunds, events, idempotency keys, deliveries.
 *
 * What happens if it dies here: everything that one request changes is one transaction (WAL, synchronous
 * writes), so after a kill it happened whole or not at all. Lists are newest first, as Stripe's are.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Charge, Intent, Refund, StripeEvent } from "./shapes.ts";

export interface KeyRecord {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly createdMs: number;
}

export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  /** Which of the configured endpoints it is for. */
  readonly endpoint: number;
  readonly attempt: number;
  readonly dueMs: number;
}

/** What becomes of a refund by itself, later. */
export interface Outcome {
  readonly refund: string;
  readonly status: "succeeded" | "failed";
  readonly dueMs: number;
}

interface Tables {
  readonly charges: Charge;
  readonly intents: Intent;
  readonly refunds: Refund;
  readonly events: StripeEvent;
}

/** One page: equalities (and `type` patterns), a range of `created` in seconds, and a cursor. */
export interface PageQuery {
  readonly equal: Readonly<Record<string, string>>;
  readonly like?: readonly string[];
  readonly created: readonly { readonly operator: ">" | ">=" | "<" | "<=" | "="; readonly seconds: number }[];
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
}

const CREATED = "json_extract(json, '$.created')";
const BUSY_MS = 5_000;

export class Ledger {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(storage: string) {
    this.#db = new DatabaseSync(storage, { timeout: BUSY_MS });
    this.#db.exec(`pragma journal_mode = wal; pragma synchronous = full;
      create table if not exists charges (n integer primary key, id text unique, json text not null);
      create table if not exists intents (n integer primary key, id text unique, json text not null);
      create table if not exists refunds (n integer primary key, id text unique, charge text not null, json text not null);
      create table if not exists events (n integer primary key, id text unique, type text not null, json text not null);
      create table if not exists keys (key text primary key, fingerprint text, status integer, body text, created_ms integer);
      create table if not exists outcomes (refund text primary key, status text not null, due_ms integer not null);
      create table if not exists deliveries (n integer primary key, event text not null, attempt integer not null, due_ms integer not null, endpoint integer not null default 0);
      create index if not exists refunds_charge on refunds (charge);
      create index if not exists refunds_created on refunds (${CREATED}, n);
      create index if not exists charges_created on charges (${CREATED}, n);
      create index if not exists charges_intent on charges (json_extract(json, '$.payment_intent'));
      create index if not exists keys_created on keys (created_ms);
      create index if not exists deliveries_due on deliveries (due_ms, n);`);
    // Books of before there could be several endpoints.
    const columns = this.#db.prepare("select name from pragma_table_info('deliveries')").all();
    if (!columns.some(({ name }) => name === "endpoint")) {
      this.#db.exec("alter table deliveries add column endpoint integer not null default 0");
    }
  }

  /** Everything inside happens or nothing. */
  atomically<T>(work: () => T): T {
    this.#db.exec("begin immediate");
    try {
      const answer = work();
      this.#db.exec("commit");
      return answer;
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
  }

  charge(id: string): Charge | null {
    return this.#json("select json from charges where id = ?", id);
  }
  chargeOfIntent(intent: string): Charge | null {
    return this.#json(
      "select json from charges where json_extract(json, '$.payment_intent') = ? order by n desc limit 1",
      intent,
    );
  }
  /** False when there is one with this ID already: then nothing changes. */
  addCharge(charge: Charge): boolean {
    return (
      this.#run("insert or ignore into charges (id, json) values (?, ?)", charge.id, JSON.stringify(charge)) >
      0
    );
  }
  saveCharge(charge: Charge): void {
    this.#run("update charges set json = ? where id = ?", JSON.stringify(charge), charge.id);
  }

  intent(id: string): Intent | null {
    return this.#json("select json from intents where id = ?", id);
  }
  addIntent(intent: Intent): void {
    this.#run("insert or ignore into intents (id, json) values (?, ?)", intent.id, JSON.stringify(intent));
  }
  saveIntent(intent: Intent): void {
    this.#run("update intents set json = ? where id = ?", JSON.stringify(intent), intent.id);
  }

  refund(id: string): Refund | null {
    return this.#json("select json from refunds where id = ?", id);
  }
  addRefund(refund: Refund): void {
    this.#run(
      "insert into refunds (id, charge, json) values (?, ?, ?)",
      refund.id,
      refund.charge,
      JSON.stringify(refund),
    );
  }
  saveRefund(refund: Refund): void {
    this.#run("update refunds set json = ? where id = ?", JSON.stringify(refund), refund.id);
  }

  event(id: string): StripeEvent | null {
    return this.#json("select json from events where id = ?", id);
  }
  addEvent(event: StripeEvent): void {
    this.#run(
      "insert into events (id, type, json) values (?, ?, ?)",
      event.id,
      event.type,
      JSON.stringify(event),
    );
  }

  /** Null when the cursor names nothing. */
  page<T extends keyof Tables>(
    table: T,
    query: PageQuery,
  ): { readonly rows: readonly Tables[T][]; readonly more: boolean } | null {
    const where: string[] = [];
    const values: (string | number)[] = [];
    for (const [member, value] of Object.entries(query.equal)) {
      // `charge` is a column, so that the list that is asked for most uses its index.
      where.push(member === "charge" ? "charge = ?" : `json_extract(json, '$.${member}') = ?`);
      values.push(value);
    }
    if (query.like !== undefined && query.like.length > 0) {
      where.push(`(${query.like.map(() => "type glob ?").join(" or ")})`);
      values.push(...query.like);
    }
    for (const { operator, seconds } of query.created) {
      where.push(`${CREATED} ${operator} ?`);
      values.push(seconds);
    }
    const cursor = query.after ?? query.before;
    const backwards = query.after === null && query.before !== null;
    if (cursor !== null) {
      const at = this.#prepared(`select ${CREATED} as created, n from ${table} where id = ?`).get(cursor) as
        | { created: number; n: number }
        | undefined;
      if (at === undefined) return null;
      where.push(`(${CREATED}, n) ${backwards ? ">" : "<"} (?, ?)`);
      values.push(at.created, at.n);
    }
    const order = backwards ? "asc" : "desc";
    const rows = this.#prepared(
      `select json from ${table} ${where.length === 0 ? "" : `where ${where.join(" and ")}`}
       order by ${CREATED} ${order}, n ${order} limit ?`,
    ).all(...values, query.limit + 1) as { json: string }[];
    const shown = rows.slice(0, query.limit).map((row) => JSON.parse(row.json) as Tables[T]);
    return { rows: backwards ? shown.reverse() : shown, more: rows.length > query.limit };
  }

  setOutcome({ refund, status, dueMs }: Outcome): void {
    this.#run("insert or replace into outcomes values (?, ?, ?)", refund, status, dueMs);
  }
  outcomes(): readonly Outcome[] {
    return this.#prepared(
      "select refund, status, due_ms as dueMs from outcomes order by due_ms, refund",
    ).all() as never;
  }
  clearOutcome(refund: string): void {
    this.#run("delete from outcomes where refund = ?", refund);
  }

  key(key: string): KeyRecord | null {
    const row = this.#prepared(
      "select fingerprint, status, body, created_ms as createdMs from keys where key = ?",
    ).get(key);
    return (row as unknown as KeyRecord | undefined) ?? null;
  }
  saveKey(key: string, { fingerprint, status, body, createdMs }: KeyRecord): void {
    this.#run(
      "insert or replace into keys values (?, ?, ?, ?, ?)",
      key,
      fingerprint,
      status,
      body,
      createdMs,
    );
  }
  /** Forgets keys older than their retention and events as old as Stripe forgets them, so the file does not grow for ever. */
  prune(keysBeforeMs: number, eventsBeforeMs: number): void {
    this.#run("delete from keys where created_ms < ?", keysBeforeMs);
    this.#run(
      `delete from events where ${CREATED} < ? and id not in (select event from deliveries)`,
      Math.floor(eventsBeforeMs / 1000),
    );
  }

  addDelivery(delivery: Omit<Delivery, "id">): void {
    this.#run(
      "insert into deliveries (event, attempt, due_ms, endpoint) values (?, ?, ?, ?)",
      delivery.eventId,
      delivery.attempt,
      delivery.dueMs,
      delivery.endpoint,
    );
  }
  takeDelivery(id: number): void {
    this.#run("delete from deliveries where n = ?", id);
  }
  deliveries(): readonly Delivery[] {
    return this.#prepared(
      "select n as id, event as eventId, endpoint, attempt, due_ms as dueMs from deliveries order by due_ms, n",
    ).all() as never;
  }

  /** What the books hold, for `GET /sandbox/state`. */
  counts() {
    const by = (expression: string): Record<string, number> =>
      Object.fromEntries(
        (
          this.#prepared(
            `select ${expression} as name, count(*) as count from refunds r join charges c on c.id = r.charge
             where ${expression} is not null group by 1 order by 1`,
          ).all() as { name: string; count: number }[]
        ).map(({ name, count }) => [name, count]),
      );
    const count = (table: string) =>
      (this.#prepared(`select count(*) as count from ${table}`).get() as { count: number }).count;
    return {
      charges: count("charges"),
      refunds: count("refunds"),
      refunds_by_action: by("json_extract(r.json, '$.metadata.recourse_action_id')"),
      refunds_by_order: by("json_extract(c.json, '$.metadata.order_number')"),
      refunds_by_charge: by("r.charge"),
      refunds_by_status: by("json_extract(r.json, '$.status')"),
      events: count("events"),
      deliveries_waiting: count("deliveries"),
    };
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
  #json<T>(sql: string, ...parameters: string[]): T | null {
    const row = this.#prepared(sql).get(...parameters) as { json: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.json) as T);
  }
  #run(sql: string, ...parameters: (string | number)[]): number {
    return Number(this.#prepared(sql).run(...parameters).changes);
  }
}
