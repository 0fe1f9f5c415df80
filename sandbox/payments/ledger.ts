/**
 * The provider's books in SQLite: charges, refunds, events, idempotency keys, deliveries. They survive a
 * restart and a kill. Lists are newest first, as Stripe's are.
 */
import { DatabaseSync } from "node:sqlite";
import type { Charge, Refund, StripeEvent } from "./shapes.ts";

export interface KeyRecord {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly createdMs: number;
}

export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  readonly attempt: number;
  readonly dueMs: number;
}

export class Ledger {
  readonly #db: DatabaseSync;

  constructor(storage: string) {
    this.#db = new DatabaseSync(storage);
    this.#db.exec(`pragma journal_mode = wal; pragma synchronous = full;
      create table if not exists charges (n integer primary key, id text unique, json text not null);
      create table if not exists refunds (n integer primary key, id text unique, charge text not null, json text not null);
      create index if not exists refunds_charge on refunds (charge);
      create table if not exists events (n integer primary key, id text unique, type text not null, json text not null);
      create table if not exists keys (key text primary key, fingerprint text, status integer, body text, created_ms integer);
      create table if not exists outcomes (refund text primary key, status text not null, due_ms integer not null);
      create table if not exists deliveries (n integer primary key, event text not null, attempt integer not null, due_ms integer not null);`);
  }

  /** Everything inside happens or nothing. */
  atomically<T>(fn: () => T): T {
    this.#db.exec("begin immediate");
    try {
      const answer = fn();
      this.#db.exec("commit");
      return answer;
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
  }

  charge(id: string): Charge | null {
    return this.#one("select json from charges where id = ?", id);
  }
  addCharge(charge: Charge): boolean {
    return (
      this.#run("insert or ignore into charges (id, json) values (?, ?)", charge.id, JSON.stringify(charge)) >
      0
    );
  }
  saveCharge(charge: Charge): void {
    this.#run("update charges set json = ? where id = ?", JSON.stringify(charge), charge.id);
  }
  charges(): Charge[] {
    return this.#all("select json from charges order by json_extract(json, '$.created') desc, n desc");
  }

  refund(id: string): Refund | null {
    return this.#one("select json from refunds where id = ?", id);
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
  refunds(charge?: string): Refund[] {
    return charge === undefined
      ? this.#all("select json from refunds order by n desc")
      : this.#all("select json from refunds where charge = ? order by n desc", charge);
  }

  /** A pending refund's outcome, due at an instant. */
  setOutcome(refund: string, status: "succeeded" | "failed", dueMs: number): void {
    this.#run("insert or replace into outcomes values (?, ?, ?)", refund, status, dueMs);
  }
  outcomes(): { refund: string; status: "succeeded" | "failed"; dueMs: number }[] {
    return this.#db
      .prepare("select refund, status, due_ms as dueMs from outcomes order by due_ms")
      .all() as never;
  }
  clearOutcome(refund: string): void {
    this.#run("delete from outcomes where refund = ?", refund);
  }

  event(id: string): StripeEvent | null {
    return this.#one("select json from events where id = ?", id);
  }
  addEvent(event: StripeEvent): void {
    this.#run(
      "insert into events (id, type, json) values (?, ?, ?)",
      event.id,
      event.type,
      JSON.stringify(event),
    );
  }
  events(): StripeEvent[] {
    return this.#all("select json from events order by n desc");
  }

  key(key: string): KeyRecord | null {
    const row = this.#db
      .prepare("select fingerprint, status, body, created_ms as createdMs from keys where key = ?")
      .get(key);
    return (row as unknown as KeyRecord | undefined) ?? null;
  }
  saveKey(key: string, record: KeyRecord): void {
    this.#run(
      "insert or replace into keys values (?, ?, ?, ?, ?)",
      key,
      record.fingerprint,
      record.status,
      record.body,
      record.createdMs,
    );
  }

  addDelivery(eventId: string, dueMs: number, attempt = 1): void {
    this.#run("insert into deliveries (event, attempt, due_ms) values (?, ?, ?)", eventId, attempt, dueMs);
  }
  takeDelivery(id: number): void {
    this.#run("delete from deliveries where n = ?", id);
  }
  deliveries(): Delivery[] {
    return this.#db
      .prepare(
        "select n as id, event as eventId, attempt, due_ms as dueMs from deliveries order by due_ms, n",
      )
      .all() as never;
  }

  close(): void {
    this.#db.close();
  }

  #one<T>(sql: string, ...parameters: string[]): T | null {
    const row = this.#db.prepare(sql).get(...parameters) as { json: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.json) as T);
  }
  #all<T>(sql: string, ...parameters: string[]): T[] {
    return (this.#db.prepare(sql).all(...parameters) as { json: string }[]).map(
      (row) => JSON.parse(row.json) as T,
    );
  }
  #run(sql: string, ...parameters: (string | number)[]): number {
    return Number(this.#db.prepare(sql).run(...parameters).changes);
  }
}
