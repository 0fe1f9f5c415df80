import { afterEach, describe, expect, test } from "vitest";
import { tenantScope } from "../../src/kernel/scope.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

const SCOPE = tenantScope(NORTHWIND);
let w: TestSystem;
afterEach(async () => {
  expect(w.errors).toEqual([]);
  await w.close();
});

/** Ben asks for #1044, 64.00 USD: the policy lets it go out by itself. */
async function asks() {
  const ben = w.scope("ben");
  const conversation = await w.open(ben);
  await w.say(ben, conversation, "please refund order 1044");
  return {
    yes: () => w.say(ben, conversation, "yes"),
    told: () => w.told(ben, conversation),
  };
}
const set = (on: boolean, everywhere = false) =>
  w.system.killSwitch.set(SCOPE, { on, everywhere, reason: "odd refunds", by: "olivia" });
const states = async () => (await w.actions()).map(({ state }) => state);

describe("while the kill switch is on", () => {
  test("what the policy would let go waits for a person, and the decision says why; off, it goes", async () => {
    w = await createTestSystem();
    expect(await set(true)).toMatchObject({
      tenant: { on: true, changed_by: "olivia", reason: "odd refunds" },
      everywhere: { on: false },
    });
    const { yes, told } = await asks();
    await yes();
    expect(await states()).toEqual(["awaiting_approval"]);
    expect(await w.refunds("1044")).toEqual([]);
    expect((await told()).join("\n")).toMatch(/colleague/i);
    const [action] = await w.actions();
    expect(action?.decision.verdict.clauses[0].clauseId).toBe("kill-switch");

    // A person's approval still counts.
    const [review] = await w.reviews();
    await w.system.reviews.decide(SCOPE, review?.review_id ?? "", {
      decision: "approve",
      argsHash: review?.args_hash ?? null,
      version: review?.version ?? 0,
      note: null,
      operator: "olivia",
    });
    await w.settle();
    expect(await w.refunds("1044")).toHaveLength(1);

    const kinds = (await w.audit()).map(({ kind }) => kind).filter((kind) => kind.startsWith("kill_switch"));
    expect(kinds).toEqual(["kill_switch.on"]);
    expect(await set(false)).toMatchObject({ tenant: { on: false } });
  });

  test("turned on between offer and yes, in another process: the yes is not enough any more", async () => {
    w = await createTestSystem();
    const { yes } = await asks();
    // Another process on the same database; nothing tells this one.
    const other = w.another();
    await other.killSwitch.set(SCOPE, { on: true, everywhere: false, reason: "stop", by: "olivia" });
    await yes();
    expect(await w.refunds("1044")).toEqual([]);
    expect((await states()).filter((state) => state !== "awaiting_approval")).toEqual([]);
  });

  test("one tenant's stops that tenant, the one for everywhere stops all, and each log says so", async () => {
    w = await createTestSystem();
    await w.system.killSwitch.set(tenantScope(KESTREL), {
      on: true,
      everywhere: false,
      reason: "ours",
      by: "kim",
    });
    const first = await asks();
    await first.yes();
    await w.settle();
    expect(await w.refunds("1044")).toHaveLength(1);

    await set(true, true);
    for (const tenant of [NORTHWIND, KESTREL]) {
      const read = await w.system.killSwitch.read(tenantScope(tenant));
      expect(read.everywhere).toMatchObject({ on: true, reason: "odd refunds" });
      const kinds = (await w.audit(tenant)).filter(
        ({ kind, subject }) => kind === "kill_switch.on" && subject === "everywhere",
      );
      expect(kinds).toHaveLength(1);
    }
    const dev = w.scope("ada");
    const conversation = await w.open(dev);
    await w.say(dev, conversation, "I want to return the socks from order 1042");
    await w.say(dev, conversation, "yes");
    await w.say(dev, conversation, "yes");
    expect((await states()).slice(1).filter((state) => state !== "awaiting_approval")).toEqual([]);
  });
});
