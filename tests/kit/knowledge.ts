/**
 * The room `knowledge` for tests: the real one on the real database, with an embedding model that needs no
 * thread, and documents as short as a test needs them.
 */
import { policiesExcept } from "../../src/gateway/policy/book.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { type Clock, systemClock } from "../../src/kernel/ports.ts";
import { type Scope, tenantScope } from "../../src/kernel/scope.ts";
import type { Embedder } from "../../src/knowledge/embedding/embedder.ts";
import { createHashedEmbedder } from "../../src/knowledge/embedding/hashed.ts";
import {
  type AddedDocument,
  createKnowledge,
  type DocumentDetails,
  type DocumentFormat,
  type Knowledge,
} from "../../src/knowledge/knowledge.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { emptiedDatabase, KESTREL, NORTHWIND } from "./database.ts";

const TIME_ZONES: Readonly<Record<string, string>> = {
  northwind: "America/New_York",
  kestrel: "Europe/Berlin",
};
export const timeZoneOf = (tenantId: TenantId): string => TIME_ZONES[tenantId] ?? "UTC";

export interface RoomParts {
  readonly store: Store;
  readonly clock?: Clock;
  readonly embedders?: readonly [Embedder, ...Embedder[]];
  readonly onError?: (error: unknown, about: string) => void;
}

/** A second one on the same store is a second process. */
export function testKnowledge({ store, clock, embedders, onError }: RoomParts): Knowledge {
  return createKnowledge({
    store,
    clock: clock ?? systemClock,
    embedders: embedders ?? [createHashedEmbedder()],
    timeZoneOf,
    tenants: [NORTHWIND, KESTREL],
    policies: policiesExcept,
    onError:
      onError ??
      ((error) => {
        throw error;
      }),
  });
}

export interface Written extends Partial<DocumentDetails> {
  readonly tenant?: TenantId;
  readonly format?: DocumentFormat;
  readonly bytes?: Uint8Array;
}

/** Publishes a text; unless told: Northwind's document `help`, version 1, an FAQ in force since 1970. */
export function publish(knowledge: Knowledge, text: string, more: Written = {}): Promise<AddedDocument> {
  const { tenant = NORTHWIND, ...details } = more;
  return knowledge.add(
    tenantScope(tenant),
    {
      documentId: "help",
      version: "1",
      kind: "faq",
      language: "en",
      audience: "customer",
      title: "Help",
      effectiveFromMs: 0,
      effectiveUntilMs: null,
      format: "markdown",
      bytes: Buffer.from(text),
      ...details,
    },
    "test",
  );
}

/** The texts that would answer a customer, best first: none when the answer is "I don't know". */
export async function answersTo(
  knowledge: Knowledge,
  text: string,
  scope: Scope = tenantScope(NORTHWIND),
): Promise<string[]> {
  const answer = await knowledge.search(scope, { text });
  return answer.answered ? answer.passages.map((passage) => passage.text) : [];
}

/** Everything that a search finds, answered or not. */
export async function foundFor(
  knowledge: Knowledge,
  text: string,
  scope: Scope = tenantScope(NORTHWIND),
): Promise<string[]> {
  return (await knowledge.search(scope, { text })).passages.map((passage) => passage.text);
}

/** An empty store with the two tenants. */
export async function tenantsOnly(): Promise<Store> {
  const store = createStore(await emptiedDatabase());
  for (const tenantId of [NORTHWIND, KESTREL]) {
    await store.transact(tenantScope(tenantId), (tx) =>
      tx
        .insertInto("tenants")
        .values({
          tenant_id: tenantId,
          name: tenantId,
          currency: "USD",
          time_zone: timeZoneOf(tenantId),
        })
        .execute(),
    );
  }
  return store;
}
