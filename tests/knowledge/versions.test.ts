import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import { effectiveInstant } from "../../src/knowledge/when.ts";
import type { Store } from "../../src/store/store.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { answersTo, foundFor, publish, tenantsOnly, testKnowledge } from "../kit/knowledge.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const scope = tenantScope(NORTHWIND);
const at = (text: string) => Date.parse(text);
let clock: VirtualClock;
let store: Store;
let knowledge: Knowledge;

beforeEach(async () => {
  clock = new VirtualClock(at("2026-03-01T12:00:00Z"));
  store = await tenantsOnly();
  knowledge = testKnowledge({ store, clock });
});
afterEach(() => knowledge.stop());

const ASKED = "How much does shipping cost?";
const costing = (amount: string) => `## How much does shipping cost?\n\nShipping costs $${amount}.\n`;
const shipping = (amount: string, version: string, from: number, until: number | null = null) =>
  publish(knowledge, costing(amount), {
    documentId: "shipping",
    version,
    effectiveFromMs: from,
    effectiveUntilMs: until,
  });
const told = () => answersTo(knowledge, ASKED);
const states = async () =>
  Object.fromEntries((await knowledge.list(scope)).map(({ version, state }) => [version, state]));

describe("exactly the version in force answers", () => {
  test("a later version takes the place of the earlier one at its instant, and not a moment before", async () => {
    await shipping("4.95", "1", at("2026-01-01T00:00:00Z"));
    await shipping("6.50", "2", at("2026-03-01T12:00:01Z"));
    expect(await told()).toEqual(["Shipping costs $4.95."]);
    expect(await states()).toEqual({ 1: "current", 2: "future" });
    await clock.advance(999);
    expect(await told()).toEqual(["Shipping costs $4.95."]);
    await clock.advance(1);
    expect(await told()).toEqual(["Shipping costs $6.50."]);
    expect(await states()).toEqual({ 1: "superseded", 2: "current" });
    // Not even as a passage that is found and not trusted.
    expect(await foundFor(knowledge, ASKED)).toEqual(["Shipping costs $6.50."]);
  });

  test("versions may be published in any order", async () => {
    await shipping("3.00", "3", at("2026-03-03T00:00:00Z"));
    await shipping("1.00", "1", at("2026-01-01T00:00:00Z"));
    await shipping("2.00", "2", at("2026-03-02T00:00:00Z"));
    expect(await told()).toEqual(["Shipping costs $1.00."]);
    await clock.advance(86_400_000);
    expect(await told()).toEqual(["Shipping costs $2.00."]);
    await clock.advance(86_400_000);
    expect(await told()).toEqual(["Shipping costs $3.00."]);
  });

  test("a version that was published late, for the past, answers at once and ends where the next began", async () => {
    await shipping("2.00", "2", at("2026-03-05T00:00:00Z"));
    await shipping("1.00", "1", at("2026-02-01T00:00:00Z"));
    await shipping("1.50", "1b", at("2026-02-20T00:00:00Z"));
    expect(await told()).toEqual(["Shipping costs $1.50."]);
    expect(await states()).toEqual({ 1: "superseded", "1b": "current", 2: "future" });
  });

  test("what its author ended answers no more", async () => {
    await shipping("4.95", "1", at("2026-01-01T00:00:00Z"), at("2026-03-01T13:00:00Z"));
    expect(await told()).toEqual(["Shipping costs $4.95."]);
    await clock.advance(3_600_000);
    expect(await told()).toEqual([]);
    expect(await foundFor(knowledge, ASKED)).toEqual([]);
    expect(await states()).toEqual({ 1: "ended" });
  });

  test("an end before the beginning is refused and nothing is kept", async () => {
    await expect(
      shipping("1.00", "1", at("2026-03-02T00:00:00Z"), at("2026-03-02T00:00:00Z")),
    ).rejects.toMatchObject({ code: "document_invalid" });
    expect(await knowledge.list(scope)).toEqual([]);
  });

  test("embeddings change nothing of it: by words and by nearness the same versions answer", async () => {
    await shipping("4.95", "1", at("2026-01-01T00:00:00Z"));
    await shipping("6.50", "2", at("2026-03-01T12:00:01Z"));
    await shipping("9.00", "3", at("2026-03-09T00:00:00Z"));
    await knowledge.index(NORTHWIND);
    await clock.advance(1_000);
    expect(await foundFor(knowledge, ASKED)).toEqual(["Shipping costs $6.50."]);
    expect(await foundFor(knowledge, "delivery price")).toEqual(["Shipping costs $6.50."]);
  });
});

describe("a date means the tenant's own calendar", () => {
  test("it begins with the tenant's midnight, also when that is another date in UTC", () => {
    expect(effectiveInstant("2026-03-02", "America/New_York")).toBe(at("2026-03-02T05:00:00Z"));
    expect(effectiveInstant("2026-03-02", "Europe/Berlin")).toBe(at("2026-03-01T23:00:00Z"));
  });

  test("summer time is that of the date, not of the day on which it was published", () => {
    expect(effectiveInstant("2026-03-09", "America/New_York")).toBe(at("2026-03-09T04:00:00Z"));
    expect(effectiveInstant("2026-11-02", "America/New_York")).toBe(at("2026-11-02T05:00:00Z"));
    expect(effectiveInstant("2026-03-29", "Europe/Berlin")).toBe(at("2026-03-28T23:00:00Z"));
    expect(effectiveInstant("2026-03-30", "Europe/Berlin")).toBe(at("2026-03-29T22:00:00Z"));
  });

  test("a midnight that a clock change skips begins with the first instant of the date", () => {
    // In Beirut the clocks of 29 March 2026 go from 00:00 to 01:00.
    expect(effectiveInstant("2026-03-29", "Asia/Beirut")).toBe(at("2026-03-28T22:00:00Z"));
  });

  test("the same date takes effect in two tenants at two instants", async () => {
    for (const tenant of [NORTHWIND, KESTREL]) {
      const zone = tenant === NORTHWIND ? "America/New_York" : "Europe/Berlin";
      for (const [version, date, amount] of [
        ["1", "2026-01-01", "1.00"],
        ["2", "2026-03-08", "2.00"],
      ] as const) {
        await publish(knowledge, costing(amount), {
          tenant,
          version,
          effectiveFromMs: effectiveInstant(date, zone),
        });
      }
    }
    const both = async () => [
      await answersTo(knowledge, ASKED, tenantScope(NORTHWIND)),
      await answersTo(knowledge, ASKED, tenantScope(KESTREL)),
    ];
    clock.jump(at("2026-03-07T22:59:59.999Z") - clock.now());
    expect(await both()).toEqual([["Shipping costs $1.00."], ["Shipping costs $1.00."]]);
    clock.jump(1);
    expect(await both()).toEqual([["Shipping costs $1.00."], ["Shipping costs $2.00."]]);
    // The night in which New York's clocks change: midnight is still five hours behind UTC.
    clock.jump(at("2026-03-08T04:59:59.999Z") - clock.now());
    expect(await both()).toEqual([["Shipping costs $1.00."], ["Shipping costs $2.00."]]);
    clock.jump(1);
    expect(await both()).toEqual([["Shipping costs $2.00."], ["Shipping costs $2.00."]]);
    expect((await knowledge.search(scope, { text: ASKED })).passages[0]?.source.effectiveFrom).toBe(
      "2026-03-08",
    );
  });

  test.each(["2026-02-30", "2026-13-01", "tomorrow", "", "2026-03-01T25:00:00Z", "0000-00-00", "01.03.2026"])(
    "%j is no date and no instant",
    (text) => {
      expect(() => effectiveInstant(text, "America/New_York")).toThrow(
        expect.objectContaining({ code: "document_invalid" }),
      );
    },
  );
});

describe("publishing", () => {
  test("the same version with the same bytes, any number of times and at once, is one", async () => {
    const from = at("2026-01-01T00:00:00Z");
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => shipping("4.95", "1", from)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      "published",
      ...Array.from({ length: 7 }, () => "unchanged"),
    ]);
    expect((await shipping("4.95", "1", from)).outcome).toBe("unchanged");
    const rows = await store.transact(scope, (tx) => tx.selectFrom("knowledge_chunks").select("n").execute());
    expect(rows).toHaveLength(1);
    const audit = await store.transact(scope, (tx) => tx.selectFrom("audit").select("kind").execute());
    expect(audit.map(({ kind }) => kind)).toEqual(["knowledge.published"]);
  });

  test("of two texts for one version, or for one instant, the second is refused", async () => {
    const from = at("2026-01-01T00:00:00Z");
    await shipping("4.95", "1", from);
    await expect(shipping("5.95", "1", from)).rejects.toMatchObject({ code: "document_version_conflict" });
    await expect(shipping("5.95", "1", from + 1)).rejects.toMatchObject({
      code: "document_version_conflict",
    });
    await expect(shipping("5.95", "2", from)).rejects.toMatchObject({ code: "document_version_conflict" });
    expect(await told()).toEqual(["Shipping costs $4.95."]);
  });

  test("twenty processes that publish versions at once leave one in force at every instant", async () => {
    const others = Array.from({ length: 20 }, () => testKnowledge({ store, clock }));
    const begin = at("2026-02-01T00:00:00Z");
    const order = [7, 13, 2, 19, 11, 5, 17, 0, 3, 16, 9, 14, 1, 18, 10, 4, 12, 6, 15, 8];
    await Promise.all(
      order.map((n, index) =>
        publish(others[index] as Knowledge, costing(`${n}.00`), {
          documentId: "shipping",
          version: `v${n}`,
          effectiveFromMs: begin + n * 3_600_000,
        }),
      ),
    );
    for (let n = 0; n < 20; n += 1) {
      for (const offset of [0, 3_599_999]) {
        clock.jump(begin + n * 3_600_000 + offset - clock.now());
        expect(await foundFor(knowledge, ASKED)).toEqual([`Shipping costs $${n}.00.`]);
      }
    }
  });

  test("while versions are published and removed, a question never hears two of them", async () => {
    await shipping("0.00", "0", at("2026-01-01T00:00:00Z"));
    const writing = (async () => {
      for (let n = 1; n <= 15; n += 1) {
        await shipping(`${n}.00`, `${n}`, at("2026-01-01T00:00:00Z") + n * 1_000);
        await knowledge.remove(
          scope,
          { documentId: "shipping", version: `${n - 1}`, language: null },
          "test",
        );
      }
    })();
    let last = 0;
    for (let asked = 0; asked < 40; asked += 1) {
      const found = await foundFor(knowledge, ASKED);
      expect(found.length).toBe(1);
      const amount = Number(/\$(\d+)/.exec(found[0] ?? "")?.[1]);
      expect(amount).toBeGreaterThanOrEqual(last);
      last = amount;
    }
    await writing;
    expect(await told()).toEqual(["Shipping costs $15.00."]);
  });
});

describe("removing", () => {
  const remove = (version: string | null) =>
    knowledge.remove(scope, { documentId: "shipping", version, language: null }, "test");

  test("what was in force leaves a gap: the older text does not come back", async () => {
    await shipping("1.00", "1", at("2026-01-01T00:00:00Z"));
    await shipping("2.00", "2", at("2026-02-01T00:00:00Z"));
    expect(await remove("2")).toEqual({ removed: 1 });
    expect(await told()).toEqual([]);
    expect(await foundFor(knowledge, ASKED)).toEqual([]);
  });

  test("what was still to come leaves its predecessor in force", async () => {
    await shipping("1.00", "1", at("2026-01-01T00:00:00Z"));
    await shipping("2.00", "2", at("2026-04-01T00:00:00Z"));
    await shipping("3.00", "3", at("2026-05-01T00:00:00Z"));
    await remove("2");
    clock.jump(at("2026-04-15T00:00:00Z") - clock.now());
    expect(await told()).toEqual(["Shipping costs $1.00."]);
    clock.jump(at("2026-05-01T00:00:00Z") - clock.now());
    expect(await told()).toEqual(["Shipping costs $3.00."]);
  });

  test("after it is gone it can be added again, and answers again", async () => {
    const from = at("2026-01-01T00:00:00Z");
    await shipping("1.00", "1", from);
    await knowledge.index(NORTHWIND);
    await remove(null);
    expect(await told()).toEqual([]);
    const left = await store.transact(scope, async (tx) => [
      await tx.selectFrom("knowledge_chunks").select("n").execute(),
      await tx.selectFrom("knowledge_keys").select("key_id").execute(),
      await tx.selectFrom("knowledge_embeddings").select("key_id").execute(),
    ]);
    expect(left).toEqual([[], [], []]);
    expect((await shipping("1.00", "1", from)).outcome).toBe("published");
    expect(await told()).toEqual(["Shipping costs $1.00."]);
  });

  test("what there is not is not found, and the audit log has only what happened", async () => {
    await expect(remove(null)).rejects.toMatchObject({ code: "not_found" });
    await shipping("1.00", "1", at("2026-01-01T00:00:00Z"));
    await expect(remove("9")).rejects.toMatchObject({ code: "not_found" });
    await remove("1");
    const audit = await store.transact(scope, (tx) =>
      tx.selectFrom("audit").select(["kind", "subject"]).orderBy("n").execute(),
    );
    expect(audit).toEqual([
      { kind: "knowledge.published", subject: "shipping.en@1" },
      { kind: "knowledge.removed", subject: "shipping.en@1" },
    ]);
  });
});

describe("languages are series of their own", () => {
  test("a version in one language supersedes nothing in another", async () => {
    await shipping("1.00", "1", at("2026-01-01T00:00:00Z"));
    await publish(knowledge, "## Wie viel kostet der Versand?\n\nDer Versand kostet 2,00 $.\n", {
      documentId: "shipping",
      version: "2",
      language: "de",
      effectiveFromMs: at("2026-02-01T00:00:00Z"),
    });
    expect(await states()).toEqual({ 1: "current", 2: "current" });
    expect((await told())[0]).toBe("Shipping costs $1.00.");
    expect((await answersTo(knowledge, "Wie viel kostet der Versand?"))[0]).toBe(
      "Der Versand kostet 2,00 $.",
    );
  });
});
