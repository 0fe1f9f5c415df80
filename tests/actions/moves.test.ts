/** Moves of one action, and what an action counts for while nobody knows its outcome. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ActionConflict, moveAction, readAction } from "../../src/actions/ledger.ts";
import { refundHistory } from "../../src/actions/record.ts";
import { lockConversation } from "../../src/conversations/events.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem;
beforeEach(async () => {
  world = await createTestSystem();
});
afterEach(() => world.close());

async function refundThatHangs() {
  const scope = world.scope("ada");
  const conversation = await world.open(scope);
  await world.say(scope, conversation, "refund the socks from order 1042");
  await world.fault("error_500_before_accept");
  await world.say(scope, conversation, "yes");
  const [action] = await world.actions();
  if (action === undefined) throw new Error("no action");
  expect(action.state).toBe("unknown");
  return { scope, conversation, action };
}

test("two moves of one reading: the second is a conflict, and changes neither money nor log", async () => {
  const { action } = await refundThatHangs();
  const move = { to: "failed", because: "test", by: "test", patch: { next_attempt_ms: null } } as const;
  const seen = await world.store.transact(tenantScope(NORTHWIND), (tx) => readAction(tx, action.id));
  if (seen === null) throw new Error("no action");
  const tryIt = () =>
    world.store.transact(tenantScope(NORTHWIND), async (tx) => {
      await lockConversation(tx, seen.conversation_id);
      return moveAction(tx, world.hub, world.clock.now(), seen, move);
    });
  await tryIt();
  const entries = (await world.audit()).length;
  await expect(tryIt()).rejects.toThrow(ActionConflict);
  expect(await world.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 0 });
  expect(await world.audit()).toHaveLength(entries);
});

describe("the rolling limits", () => {
  test("count a refund whose outcome is open, and one that waits for a person; not one that failed", async () => {
    const { scope, action } = await refundThatHangs();
    const counted = () =>
      world.store.transact(scope, async (tx) => {
        const { refunds } = await refundHistory(tx, scope.customerId, world.clock.now());
        return refunds.map(({ amountMinor }) => amountMinor);
      });
    const put = (state: string) =>
      world.store.transact(tenantScope(NORTHWIND), (tx) =>
        tx
          .updateTable("actions")
          .set({ state: state as never })
          .where("id", "=", action.id)
          .execute(),
      );
    for (const state of [
      "unknown",
      "pending",
      "needs_person",
      "awaiting_approval",
      "scheduled",
      "executing",
      "succeeded",
    ]) {
      await put(state);
      expect(await counted(), state).toEqual([2_400]);
    }
    for (const state of ["denied", "rejected", "expired", "cancelled", "failed"]) {
      await put(state);
      expect(await counted(), state).toEqual([]);
    }
  });
});
