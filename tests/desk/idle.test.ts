/** A conversation in which nobody writes any more ends by itself, once; nothing that is under way is left behind. */
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  expect(world?.errors).toEqual([]);
  await world?.close();
  world = undefined;
});

const HOUR_MS = 3_600_000;
async function asked(options: TestOptions, ...texts: readonly string[]) {
  const w = await createTestSystem(options);
  world = w;
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  for (const text of texts) await w.say(scope, conversation, text);
  const status = async () => (await w.system.conversations.view(scope, conversation)).status;
  const ends = async () =>
    (await w.audit()).flatMap(({ kind, body }) => (kind === "conversation.ended" ? [body.by] : []));
  return { w, scope, conversation, status, ends };
}

describe("a conversation that went silent", () => {
  test("ends after the time that is set, and not a moment before, and a message opens it again", async () => {
    const { w, scope, conversation, status, ends } = await asked({}, "where is order 1042?");
    w.clock.jump(LIMITS.idleMs - 1);
    expect(await w.system.recovery.endIdle()).toBe(0);
    w.clock.jump(1);
    expect(await w.system.recovery.endIdle()).toBe(1);
    expect(await status()).toBe("resolved");
    expect((await w.events(scope, conversation)).at(-1)).toMatchObject({
      type: "status",
      status: "resolved",
    });
    expect(await ends()).toEqual(["idle"]);
    await w.say(scope, conversation, "and order 1043?");
    expect(await status()).toBe("with_agent");
    expect(await w.system.recovery.endIdle()).toBe(0);
  });

  test("ends once with three processes that look at the same time", async () => {
    const { w, scope, conversation, ends } = await asked({}, "where is order 1042?");
    const others = [w.another(), w.another()];
    w.clock.jump(LIMITS.idleMs);
    const counts = await Promise.all([w.system, ...others].map(({ recovery }) => recovery.endIdle()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await ends()).toEqual(["idle"]);
    const events = await w.events(scope, conversation);
    expect(events.filter(({ type, status }) => type === "status" && status === "resolved")).toHaveLength(1);
  });

  test("ends by the sweep of a process that runs, without anybody asking", async () => {
    const { w, status } = await asked({ tenant: { idleMs: HOUR_MS } }, "where is order 1042?");
    w.clock.jump(HOUR_MS);
    w.system.recovery.start();
    await w.clock.advance(LIMITS.sweepMs);
    await expect.poll(status, { timeout: 5_000 }).toBe("resolved");
    w.system.recovery.stop();
  });

  test.each(["2026-03-29", "2026-10-25"])(
    "[76] ends once in the night in which the clocks change (%s), after the hours that went by",
    async (night) => {
      // 02:30 in Berlin: an hour that there is not in March, and twice in October.
      const { w, ends } = await asked(
        { startMs: Date.parse(`${night}T00:30:00Z`) - LIMITS.idleMs },
        "where is order 1042?",
      );
      const counts: number[] = [];
      for (let quarters = 0; quarters <= 12; quarters += 1) {
        counts.push(await w.system.recovery.endIdle());
        w.clock.jump(quarters === 0 ? LIMITS.idleMs : HOUR_MS / 4);
      }
      expect(counts).toEqual([0, 1, ...Array(11).fill(0)]);
      expect(await ends()).toEqual(["idle"]);
    },
  );

  test("stays open where the shop has set no time", async () => {
    const { w, status } = await asked({ tenant: { idleMs: null } }, "where is order 1042?");
    w.clock.jump(400 * 24 * HOUR_MS);
    expect(await w.system.recovery.endIdle()).toBe(0);
    expect(await status()).toBe("with_agent");
  });

  test("stays with the person who has it", async () => {
    const { w, status } = await asked({}, "I want to talk to a person");
    w.clock.jump(LIMITS.idleMs);
    expect(await w.system.recovery.endIdle()).toBe(0);
    expect(await status()).toBe("with_person");
  });

  test("waits for a refund that a person has to approve, and ends once that is settled and told", async () => {
    const { w, status } = await asked(
      { tenant: { idleMs: HOUR_MS, reviews: { undoMs: 0 } } },
      "refund everything from order 1042",
      "yes",
    );
    const [review] = await w.reviews();
    w.clock.jump(HOUR_MS);
    expect(await w.system.recovery.endIdle()).toBe(0);
    await w.system.reviews.decide(tenantScope(NORTHWIND), review?.review_id ?? "", {
      decision: "approve",
      argsHash: review?.args_hash ?? "",
      version: review?.version ?? 0,
      note: null,
      operator: "olivia",
    });
    await w.settle();
    expect((await w.refunds("1042")).map(({ status: state }) => state)).toEqual(["succeeded"]);
    w.clock.jump(HOUR_MS);
    expect(await w.system.recovery.endIdle()).toBe(1);
    expect(await status()).toBe("resolved");
  });

  test("is one of many: a batch at a time, longest silent first", async () => {
    const { w, scope, status } = await asked({}, "where is order 1042?");
    const more = LIMITS.idleEndsPerSweep + 2;
    for (let n = 0; n < more; n += 1) {
      w.clock.jump(1);
      await w.open(scope);
    }
    w.clock.jump(LIMITS.idleMs);
    expect(await w.system.recovery.endIdle()).toBe(LIMITS.idleEndsPerSweep);
    expect(await status()).toBe("resolved");
    expect(await w.system.recovery.endIdle()).toBe(more + 1 - LIMITS.idleEndsPerSweep);
    expect(await w.system.recovery.endIdle()).toBe(0);
  });
});
