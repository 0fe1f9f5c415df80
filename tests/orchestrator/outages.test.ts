import { afterEach, describe, expect, test } from "vitest";
import { createStore } from "../../src/store/store.ts";
import { emptiedDatabase } from "../kit/database.ts";
import { failingDatabase } from "../kit/failing-database.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function offered(agentErrors: "expected" | "none" = "expected") {
  const database = failingDatabase(await emptiedDatabase());
  const w = await createTestSystem({
    store: createStore(database),
    ...(agentErrors === "expected" ? { onError: () => {} } : {}),
  });
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, "refund the socks from order 1042");
  return { w, database, scope, conversation };
}

async function closed({ w }: Awaited<ReturnType<typeof offered>>) {
  world = undefined;
  await w.close();
}

/** As a client does: the same message, until it is accepted. */
async function sendUntilAccepted({ w, scope, conversation }: Awaited<ReturnType<typeof offered>>) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await w.say(scope, conversation, "yes", "the-yes");
      return;
    } catch (error) {
      if (attempt > 5) throw error;
    }
  }
}

async function expectOneRefund({ w, scope, conversation }: Awaited<ReturnType<typeof offered>>) {
  expect(await w.refunds("1042")).toMatchObject([{ amount: 2400, status: "succeeded" }]);
  expect(await w.actions()).toMatchObject([{ state: "succeeded", amount_minor: 2400 }]);
  expect(await w.balance("ord_nw_1042")).toMatchObject({ held_minor: 0, refunded_minor: 2400 });
  const told = await w.told(scope, conversation);
  expect(told.filter((text) => text.includes("has confirmed your refund"))).toHaveLength(1);
}

describe("the database fails", () => {
  for (const how of ["disk_full", "answer_lost"] as const) {
    test(`at any one round trip of a yes (${how}): one refund, told once, nothing lost`, async () => {
      const story = await offered();
      const before = story.database.count;
      await sendUntilAccepted(story);
      const roundTrips = story.database.count - before;
      await expectOneRefund(story);
      await closed(story);
      for (let n = 1; n <= roundTrips; n += 1) {
        const failing = await offered();
        failing.database.failAt = { n: failing.database.count + n, how };
        await sendUntilAccepted(failing);
        // Leases run out, sweeps find what was left; a sweep that fails is followed by the next one.
        await failing.w.settle().catch(() => failing.w.settle());
        expect(failing.database.failed, `round trip ${n} of ${roundTrips}`).toBe(true);
        await expectOneRefund(failing).catch((cause: unknown) => {
          throw new Error(`round trip ${n} of ${roundTrips} (${how})`, { cause });
        });
        await closed(failing);
      }
      // Fewer would mean that the fault does not reach the product.
      expect(roundTrips).toBeGreaterThan(15);
    }, 120_000);
  }

  for (const how of ["disk_full", "answer_lost"] as const) {
    test(`a message that it could not take is refused as database_unavailable (${how})`, async () => {
      const { w, database, scope, conversation } = await offered("none");
      database.failAt = { n: database.count + 1, how };
      await expect(
        w.system.conversations.accept(scope, conversation, { clientMessageId: "the-yes", text: "yes" }),
      ).rejects.toMatchObject({ code: "database_unavailable", status: 503 });
    });
  }

  test("it is away for ten minutes while a refund is at the provider, and back: one refund, told once", async () => {
    const story = await offered();
    const { w, database } = story;
    w.setBoundary(async (name) => {
      if (name === "action.after-provider") database.down = true;
    });
    await sendUntilAccepted(story);
    await w.clock.advance(600_000);
    await w.system.recovery.sweep().catch(() => {});
    expect(database.down).toBe(true);
    w.setBoundary(async () => {});
    database.down = false;
    await w.settle();
    await expectOneRefund(story);
  });

  test("while it is away a message is refused and not half taken; sent again, it is answered once", async () => {
    const story = await offered("none");
    const { w, database, scope, conversation } = story;
    database.down = true;
    await expect(
      w.system.conversations.accept(scope, conversation, { clientMessageId: "the-yes", text: "yes" }),
    ).rejects.toThrow();
    database.down = false;
    await sendUntilAccepted(story);
    await sendUntilAccepted(story);
    await w.settle();
    await expectOneRefund(story);
  });
});

describe("the clock jumps", () => {
  for (const [what, ms] of [
    ["forward by two days", 172_800_000],
    ["back by two hours", -7_200_000],
  ] as const) {
    for (const where of [
      "run.after-claim-commit",
      "action.after-record-commit",
      "action.after-provider",
    ] as const) {
      test(`${what} at ${where}: one refund, told once`, async () => {
        const story = await offered();
        const { w } = story;
        w.setBoundary(async (name) => {
          if (name !== where) return;
          w.setBoundary(async () => {});
          w.clock.jump(ms);
        });
        await sendUntilAccepted(story);
        await w.settle();
        await expectOneRefund(story);
      });
    }
  }
});
