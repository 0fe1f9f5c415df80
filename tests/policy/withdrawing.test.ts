/** What has decided anything stays, whoever asks: decisions name the version by its hash. */
import { expect, test } from "vitest";
import { withdrawPolicy } from "../../src/gateway/policy/book.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem } from "../kit/system.ts";

test.each([
  ["a refund", "refund the socks from order 1042", "ada"],
  ["a denial", "refund order 1031", "cleo"],
])(
  "the database keeps the version by which %s was decided, and lets one go that decided nothing",
  async (_, text, name) => {
    const w = await createTestSystem();
    const scope = tenantScope(NORTHWIND);
    const customer = w.scope(name);
    const conversation = await w.open(customer);
    await w.say(customer, conversation, text);
    await w.say(customer, conversation, "yes");
    const hashes = await w.store.transact(scope, async (tx) => [
      ...(await tx.selectFrom("actions").select("decision").execute()),
      ...(await tx.selectFrom("denials").select("decision").execute()),
    ]);
    const used = new Set(hashes.map(({ decision }) => decision.verdict.policyHash));
    expect(used.size).toBe(1);
    const versions = await w.store.transact(scope, (tx) =>
      tx.selectFrom("policy_versions").select(["version", "hash"]).execute(),
    );
    for (const { version, hash } of versions) {
      const gone = w.store.transact(scope, (tx) => withdrawPolicy(tx, version, w.clock.now(), "test"));
      if (used.has(hash)) await expect(gone).rejects.toThrow(/has decided something/);
      else await gone;
    }
    const left = await w.store.transact(scope, (tx) =>
      tx.selectFrom("policy_versions").select("hash").execute(),
    );
    expect(left.map(({ hash }) => hash)).toEqual([...used]);
    expect((await w.audit()).filter(({ kind }) => kind === "policy.withdrawn")).toHaveLength(
      versions.length - 1,
    );
    await w.close();
  },
);
