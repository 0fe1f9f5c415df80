/**
 * Statements on the path of every message: built and compiled once, their values put in at each use. Building one
 * anew takes about as long as the embedded database takes to run it. What is asked more rarely is simply built where
 * it is needed.
 */
import type { Compilable, CompiledQuery, Kysely } from "kysely";
import { builder } from "./binding.ts";
import type { Tables } from "./schema.ts";
import type { Tx } from "./store.ts";

/** Stands in a statement for the value of that name. It can only be passed on: to calculate with it is a defect. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`the value "${String(this.name)}" is there only once the statement runs`);
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

const SLOTS = new Proxy({}, { get: (_, name) => new Slot(name) });
const BUILDER = builder<Tables>();

/**
 * @example
 * const nameOf = compiled((db, { tenantId }: { tenantId: TenantId }) =>
 *   db.selectFrom("tenants").select("name").where("tenant_id", "=", tenantId));
 * const [tenant] = await nameOf(tx, { tenantId });
 */
export function compiled<Values extends object, Row>(
  build: (db: Kysely<Tables>, slots: Values) => Compilable<Row>,
): (tx: Tx, values: Values) => Promise<Row[]> {
  let query: CompiledQuery<Row> | undefined;
  return async (tx, values) => {
    query ??= build(BUILDER, SLOTS as Values).compile();
    const parameters = query.parameters.map((it) =>
      it instanceof Slot ? values[it.name as keyof Values] : it,
    );
    return (await tx.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
