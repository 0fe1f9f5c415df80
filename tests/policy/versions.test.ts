import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { governingPolicy, publishPolicies } from "../../src/gateway/policy/book.ts";
import { parsePolicy } from "../../src/gateway/policy/document.ts";
import type { PolicyVersion } from "../../src/gateway/policy/policy.ts";
import { collisions, governingVersion, loadPolicyFiles } from "../../src/gateway/policy/versions.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createStore, type Store, type Tx } from "../../src/store/store.ts";
import { emptiedDatabase, KESTREL, NORTHWIND, temporaryFolder } from "../kit/database.ts";
import { FOLDER, sourceOf, version } from "./facts.ts";

const V1 = version("northwind-refunds-v1");
const V2 = version("northwind-refunds-v2");
const ZONE = "America/New_York";
const when = (placed: string, asked: string) => ({
  orderPlacedAt: Date.parse(placed),
  requestedAt: Date.parse(asked),
  timeZone: ZONE,
});

describe("which version governs", () => {
  test("each version is asked by its own rule, the newest first, whatever their order", () => {
    const byRequest: PolicyVersion = {
      ...V2,
      version: "3",
      effectiveFrom: "2026-06-01",
      governedBy: "request_made",
    };
    for (const all of [
      [V1, V2, byRequest],
      [byRequest, V2, V1],
    ]) {
      const of = (placed: string, asked: string) => governingVersion(all, when(placed, asked)).version;
      expect(of("2026-02-01T12:00:00Z", "2026-05-31T12:00:00Z")).toBe("1");
      expect(of("2026-03-02T12:00:00Z", "2026-05-31T12:00:00Z")).toBe("2");
      expect(of("2026-02-01T12:00:00Z", "2026-06-02T12:00:00Z")).toBe("3");
    }
  });

  test("one that is not in effect yet does not govern, and none is none", () => {
    for (const all of [[], [V1]])
      expect(() => governingVersion(all, when("2024-12-01T00:00:00Z", "2024-12-31T00:00:00Z"))).toThrow(
        expect.objectContaining({ code: "policy_missing" }),
      );
  });

  test("of two from the same day neither is picked by chance", () => {
    const twin = { ...V2, version: "9" };
    for (const all of [
      [V2, twin],
      [twin, V2],
    ])
      expect(() => governingVersion(all, when("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"))).toThrow(
        expect.objectContaining({ code: "policy_invalid" }),
      );
  });

  test("collisions: a version twice, a date twice, two policies of one tenant; tenants do not collide", () => {
    expect(collisions([V1, V2, version("kestrel-refunds-v1")])).toEqual([]);
    expect(collisions([V1, { ...V2, version: "1" }])).toHaveLength(1);
    expect(collisions([V1, { ...V2, effectiveFrom: V1.effectiveFrom }])).toHaveLength(1);
    expect(collisions([V1, { ...V2, id: "shipping" }])).toHaveLength(1);
  });
});

describe("the documents of a folder", () => {
  test("those that are shipped can all be published", async () => {
    expect((await loadPolicyFiles(FOLDER)).map(({ tenant, version }) => `${tenant}@${version}`)).toEqual([
      "kestrel@1",
      "kestrel@2",
      "northwind@1",
      "northwind@2",
      "northwind@3",
    ]);
  });

  test("the faults of all documents are told at once, each with its file and place", async () => {
    const folder = temporaryFolder();
    try {
      mkdirSync(join(folder.path, "old.md"));
      writeFileSync(join(folder.path, "notes.txt"), "no policy");
      writeFileSync(
        join(folder.path, "a.md"),
        sourceOf("northwind-refunds-v1").replace("{#gift}", "{#final-sale}"),
      );
      writeFileSync(join(folder.path, "b.md"), "nothing");
      writeFileSync(join(folder.path, "c.md"), sourceOf("northwind-refunds-v2"));
      writeFileSync(join(folder.path, "d.md"), sourceOf("northwind-refunds-v2"));
      const error = await loadPolicyFiles(folder.path).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: "policy_invalid" });
      expect((error as Error).message).toMatch(/^a\.md:\d+:\d+: /m);
      expect((error as Error).message).toMatch(/^b\.md:1: /m);
      expect((error as Error).message).toContain("northwind/refunds@2");
    } finally {
      folder.remove();
    }
  });

  test("a folder that is not there is an error with a code", async () => {
    await expect(loadPolicyFiles("/nowhere/at/all")).rejects.toMatchObject({ code: "policy_invalid" });
  });
});

describe("a published version never changes", () => {
  let store: Store;
  const inNorthwind = <T>(work: (tx: Tx) => Promise<T>) => store.transact(tenantScope(NORTHWIND), work);
  const publish = (...versions: PolicyVersion[]) =>
    inNorthwind((tx) => publishPolicies(tx, versions, 1_000, "files"));
  const kept = () =>
    inNorthwind(async (tx) => {
      const rows = await tx.selectFrom("policy_versions").select("hash").orderBy("version").execute();
      const entries = await tx
        .selectFrom("audit")
        .select("kind")
        .where("kind", "=", "policy.published")
        .execute();
      return { hashes: rows.map(({ hash }) => hash), audited: entries.length };
    });
  const edited = (text: string) =>
    parsePolicy(sourceOf("northwind-refunds-v2").replace('version: "2"', text));

  beforeEach(async () => {
    store = createStore(await emptiedDatabase());
    for (const [tenantId, currency, timeZone] of [
      [NORTHWIND, "USD", ZONE],
      [KESTREL, "EUR", "Europe/Berlin"],
    ] as const)
      await store.transact(tenantScope(tenantId), (tx) =>
        tx
          .insertInto("tenants")
          .values({ tenant_id: tenantId, name: tenantId, currency, time_zone: timeZone })
          .execute(),
      );
  });
  afterAll(() => store.close());

  test("publishing again publishes nothing, and each version is in the audit log once", async () => {
    expect(await publish(V1, V2)).toBe(2);
    expect(await publish(V1, V2)).toBe(0);
    expect(await kept()).toEqual({ hashes: [V1.hash, V2.hash], audited: 2 });
  });

  test("another text under a published version is refused, and nothing else is published with it", async () => {
    await publish(V2);
    const other = edited('version: "2"\n# twenty');
    expect(other.hash).not.toBe(V2.hash);
    await expect(publish(V1, other)).rejects.toMatchObject({ code: "policy_invalid" });
    expect(await kept()).toEqual({ hashes: [V2.hash], audited: 1 });
  });

  test("another version from the day of a published one is refused", async () => {
    await publish(V1, V2);
    await expect(publish(edited('version: "3"'))).rejects.toMatchObject({ code: "policy_invalid" });
    expect((await kept()).hashes).toEqual([V1.hash, V2.hash]);
  });

  test("a policy whose limits are in another currency than the tenant's is refused", async () => {
    const euros = parsePolicy(sourceOf("northwind-refunds-v2").replaceAll("USD:", "EUR:"));
    await expect(publish(euros)).rejects.toMatchObject({ code: "policy_invalid" });
    expect((await kept()).hashes).toEqual([]);
  });

  test("a version in another language than those before it is refused: it would answer beside them", async () => {
    await publish(V1);
    const german = parsePolicy(sourceOf("northwind-refunds-v2").replace("title: ", "language: de\ntitle: "));
    await expect(publish(german)).rejects.toMatchObject({ code: "policy_invalid" });
    expect((await kept()).hashes).toEqual([V1.hash]);
  });

  test("what governs is read back as it was published", async () => {
    await publish(V1, V2);
    const governing = await inNorthwind((tx) =>
      governingPolicy(tx, when("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")),
    );
    expect(governing.version).toEqual(V2);
    await expect(
      store.transact(tenantScope(KESTREL), (tx) =>
        governingPolicy(tx, when("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")),
      ),
    ).rejects.toMatchObject({ code: "policy_missing" });
  });
});
