/** G7 for what was denied: kept with its facts, once, so that another version of the policy can be tried on it. */
import { expect, test } from "vitest";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createPolicies } from "../../src/operators/policies/policies.ts";
import { KESTREL, NORTHWIND } from "../kit/database.ts";
import { createTestSystem } from "../kit/system.ts";
import { sourceOf } from "../policy/facts.ts";

const DAY_MS = 86_400_000;

test("G7 a refund that the policy denied is kept with its facts, and a preview says what a wider window would do", async () => {
  const w = await createTestSystem();
  try {
    await w.clock.advance(60 * DAY_MS);
    const ada = w.scope("ada");
    const conversation = await w.open(ada);
    await w.say(ada, conversation, "refund the socks from #1042");
    const rows = () =>
      w.store.transact(tenantScope(NORTHWIND), (tx) => tx.selectFrom("denials").selectAll().execute());
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ customer_id: "ada", kind: "refund", order_number: "1042", currency: "USD" });
    expect(row?.decision.verdict.decision).toBe("deny");
    expect(row?.decision.facts.order.daysSinceDelivery).toBeGreaterThan(30);
    expect(await w.actions()).toEqual([]);
    expect(await w.refunds("1042")).toEqual([]);

    const policies = createPolicies({ store: w.store, clock: w.clock, timeZoneOf: () => "America/New_York" });
    const wider = sourceOf("northwind-refunds-v2").replace(
      /return_window_days: \d+/,
      "return_window_days: 365",
    );
    expect(await policies.preview(tenantScope(NORTHWIND), wider, 10)).toMatchObject({
      decisions: 1,
      changed: [{ action_id: null, state: "denied", order_number: "1042", was: "deny", would_be: "allow" }],
    });
    expect((await policies.preview(tenantScope(KESTREL), wider, 10)).decisions).toBe(0);
    // Another customer's scope does not see it.
    const seen = await w.store.transact(w.scope("ben"), (tx) =>
      tx.selectFrom("denials").selectAll().execute(),
    );
    expect(seen).toEqual([]);
  } finally {
    await w.close();
  }
});
