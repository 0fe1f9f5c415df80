import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CustomerId, TenantId } from "../../src/kernel/ids.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import type { Store } from "../../src/store/store.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { answersTo, foundFor, publish, tenantsOnly, testKnowledge } from "../kit/knowledge.ts";

let store: Store;
let knowledge: Knowledge;
beforeEach(async () => {
  store = await tenantsOnly();
  knowledge = testKnowledge({ store });
});
afterEach(() => knowledge.stop());

const customer = (tenant: TenantId) => customerScope(tenant, "ada" as CustomerId);
const SECRET = "## What does the falcon amplifier cost?\n\nThe falcon amplifier costs 799 EUR.\n";
const PUBLIC = "## What do wool socks cost?\n\nWool socks cost $12.\n";
const TABLES = [
  "knowledge_documents",
  "knowledge_chunks",
  "knowledge_keys",
  "knowledge_embedding_sets",
  "knowledge_embeddings",
] as const;

describe("G3 an article of another tenant never comes back", () => {
  beforeEach(async () => {
    await publish(knowledge, SECRET, { tenant: KESTREL, title: "Falcon" });
    await publish(knowledge, PUBLIC, { tenant: NORTHWIND });
    await knowledge.index(KESTREL);
    await knowledge.index(NORTHWIND);
  });

  test.each([
    "What does the falcon amplifier cost?",
    "falcon amplifier 799 EUR",
    "tenant_id = 'kestrel'",
    "'); select text from knowledge_chunks; --",
    "kestrel:help@1",
    "falcon | amplifier & cost:*",
    "FALCON\u200b AMPLIFIER",
  ])("whatever is asked: %s", async (text) => {
    for (const scope of [tenantScope(NORTHWIND), customer(NORTHWIND)]) {
      expect((await foundFor(knowledge, text, scope)).join()).not.toContain("falcon");
    }
    expect((await foundFor(knowledge, "falcon amplifier", customer(KESTREL))).join()).toContain("falcon");
  });

  test("[113] any text at all is a question: none fails, and none reaches another tenant", async () => {
    const seed = Number(process.env.SEED ?? 20260301);
    console.log(`knowledge scope: seed ${seed}`);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 300 }),
          fc.string({
            unit: fc.constantFrom(
              "falcon",
              " ",
              "'",
              "&",
              "|",
              "!",
              ":*",
              "(",
              ")",
              "\\",
              "\0",
              "cost",
              "\ud800",
            ),
          }),
        ),
        async (text) => {
          const { passages } = await knowledge.search(customer(NORTHWIND), { text });
          expect(passages.every((passage) => passage.text === "Wool socks cost $12.")).toBe(true);
        },
      ),
      { seed, numRuns: 150 },
    );
  });

  test("not with the code's own conditions away either: row-level security shows no row", async () => {
    await store.transact(tenantScope(NORTHWIND), async (tx) => {
      for (const table of TABLES) {
        const { rows } = await sql<{
          tenant_id: string;
        }>`select distinct tenant_id from ${sql.table(table)}`.execute(tx);
        expect(rows, table).toEqual([{ tenant_id: "northwind" }]);
      }
    });
  });

  test("and lets none be written, changed or removed", async () => {
    const others = store.transact(tenantScope(NORTHWIND), (tx) =>
      tx
        .insertInto("knowledge_embedding_sets")
        .values({ tenant_id: KESTREL, model: "x", dimension: 256, state: "building", created_at_ms: 0 })
        .execute(),
    );
    await expect(others).rejects.toThrow(/row-level security/);
    await store.transact(tenantScope(NORTHWIND), async (tx) => {
      const deleted = await tx
        .deleteFrom("knowledge_documents")
        .where("tenant_id", "=", KESTREL)
        .executeTakeFirst();
      expect(deleted.numDeletedRows).toBe(0n);
      const updated = await tx
        .updateTable("knowledge_documents")
        .set({ held_for: "[]" })
        .where("tenant_id", "=", KESTREL)
        .executeTakeFirst();
      expect(updated.numUpdatedRows).toBe(0n);
    });
    expect((await knowledge.list(tenantScope(KESTREL))).map(({ title }) => title)).toEqual(["Falcon"]);
  });

  test("managing documents reaches one's own only", async () => {
    const which = { documentId: "falcon-only", version: null, language: null };
    await publish(knowledge, SECRET, { tenant: KESTREL, documentId: "falcon-only" });
    await expect(knowledge.remove(tenantScope(NORTHWIND), which, "test")).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      knowledge.release(
        tenantScope(NORTHWIND),
        { documentId: "falcon-only", version: "1", language: "en" },
        "test",
      ),
    ).rejects.toMatchObject({ code: "not_found" });
    expect((await knowledge.list(tenantScope(NORTHWIND))).map(({ documentId }) => documentId)).toEqual([
      "help",
    ]);
    // The same ID and version are two documents in two tenants.
    await knowledge.remove(tenantScope(NORTHWIND), { ...which, documentId: "help" }, "test");
    expect((await knowledge.list(tenantScope(KESTREL))).map(({ documentId }) => documentId)).toEqual([
      "falcon-only",
      "help",
    ]);
  });

  test("a tenant with little is found beside one with much", async () => {
    const much = Array.from(
      { length: 400 },
      (_, n) => `## What does sock number ${n} cost?\n\nIt costs $${n}.\n`,
    );
    await publish(knowledge, much.join("\n"), { tenant: KESTREL, documentId: "socks" });
    await knowledge.index(KESTREL);
    expect(await answersTo(knowledge, "what do wool socks cost", customer(NORTHWIND))).toEqual([
      "Wool socks cost $12.",
    ]);
    // By nearness alone, without a word in common.
    const { passages } = await knowledge.search(customer(NORTHWIND), { text: "Socken, Preis?" });
    expect(passages.map(({ text }) => text)).toEqual(["Wool socks cost $12."]);
  });
});

describe("audience", () => {
  const INTERNAL =
    "## How do we handle a lost parcel of a VIP?\n\nSend a new one at once and add a voucher of $20.\n";

  test("what is for operators never answers a customer, whatever they ask", async () => {
    await publish(knowledge, INTERNAL, { documentId: "internal", audience: "operator" });
    await publish(knowledge, PUBLIC);
    await knowledge.index(NORTHWIND);
    for (const text of ["How do we handle a lost parcel of a VIP?", "voucher of $20", "parcel"]) {
      expect((await foundFor(knowledge, text, customer(NORTHWIND))).join()).not.toContain("voucher");
      const { passages } = await knowledge.search(customer(NORTHWIND), { text, audience: "customer" });
      expect(passages.map((passage) => passage.text).join()).not.toContain("voucher");
    }
    const { answered, passages } = await knowledge.search(tenantScope(NORTHWIND), {
      text: "How do we handle a lost parcel of a VIP?",
      audience: "operator",
    });
    expect(answered).toBe(true);
    expect(passages[0]?.text).toContain("voucher");
  });

  test("a customer version superseded by one for operators leaves customers without an answer", async () => {
    await publish(knowledge, PUBLIC, { version: "1" });
    await publish(knowledge, PUBLIC.replace("$12", "$9"), {
      version: "2",
      effectiveFromMs: 1,
      audience: "operator",
    });
    expect(await foundFor(knowledge, "What do wool socks cost?", customer(NORTHWIND))).toEqual([]);
  });
});
