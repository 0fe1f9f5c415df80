/** The queue: one list, soonest due first, that stays fast and never shows a review twice. */
import { afterEach, describe, expect, test } from "vitest";
import { priorityOf } from "../../src/actions/reviews/priority.ts";
import type { QueueQuery } from "../../src/actions/reviews/reviews.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { executeIn } from "../../src/store/store.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";
import { codeOf, OPERATORS } from "./reviews-kit.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const page = (w: TestSystem, query: Partial<QueueQuery> = {}) =>
  w.system.reviews.queue(OPERATORS, { state: "open", limit: 50, ...query }, "olivia");

/** One of each kind, in the order in which they came. */
async function oneOfEach(...how: Parameters<typeof createTestSystem>) {
  const w = await createTestSystem(...how);
  world = w;
  const ada = w.scope("ada");
  const asked = await w.open(ada);
  await w.say(ada, asked, "I want to talk to a person");
  w.clock.jump(1_000);
  const money = await w.open(ada);
  await w.say(ada, money, "refund everything from order 1042");
  await w.say(ada, money, "yes");
  w.clock.jump(1_000);
  const legal = await w.open(ada);
  await w.say(ada, legal, "I will sue you, you will hear from my lawyer");
  return w;
}

describe("the order", () => {
  test("is by when each is due: urgent ones have less time, and old ones are not overtaken for good", async () => {
    const w = await oneOfEach();
    const { reviews } = await page(w);
    expect(reviews.map(({ reason, priority }) => [reason, priority])).toEqual([
      ["legal_or_safety", "urgent"],
      ["asked_for_person", "normal"],
      ["amount_over_limit", "normal"],
    ]);
    expect(reviews.map(({ sla }) => Math.round(sla.left_ms / 60_000))).toEqual([4, 15, 60]);
    w.clock.jump(50 * 60_000);
    const late = await w.open(w.scope("ben"));
    await w.say(w.scope("ben"), late, "I will sue you, you will hear from my lawyer");
    const now = (await page(w)).reviews;
    expect(now.map(({ customer_id }) => customer_id)).toEqual(["ada", "ada", "ben", "ada"]);
    expect(now.map(({ sla }) => sla.overdue)).toEqual([true, true, false, false]);
  });

  test("the clock stands still while nobody is there", async () => {
    const span = [{ from: "09:00", to: "11:00" }];
    const openingHours = { week: { tue: span, wed: span } };
    // A Tuesday, 10:00 in New York.
    const w = await oneOfEach({ tenant: { openingHours, reviews: { undoMs: 0 } } });
    w.clock.jump(2 * 3_600_000);
    const [, , approval] = (await page(w)).reviews;
    expect(approval).toMatchObject({ sla: { running: false, overdue: false } });
    expect(Math.round((approval?.sla.left_ms ?? 0) / 60_000)).toBe(0);
    const due = new Date(approval?.sla.due_at ?? "");
    expect(due.getTime()).toBeLessThanOrEqual(Date.parse("2026-12-02T14:01:00Z"));
  });

  test("priorities are a pure rule", () => {
    const of = (kind: "approval" | "handoff" | "uncertain", reason: string, more = {}) =>
      priorityOf({ kind, reason, effect: null, needsTwoPeople: false, ...more });
    expect(of("handoff", "legal_or_safety")).toBe("urgent");
    expect(of("uncertain", "outcome_uncertain")).toBe("high");
    expect(of("handoff", "complaint")).toBe("high");
    expect(of("approval", "approval_needed", { effect: "refund", needsTwoPeople: true })).toBe("high");
    expect(of("approval", "approval_needed", { effect: "refund" })).toBe("normal");
    expect(of("approval", "approval_needed", { effect: "return" })).toBe("low");
    expect(of("handoff", "a_reason_of_tomorrow")).toBe("normal");
  });
});

describe("filters and counts", () => {
  test("tell what there is, by kind, priority, reason, claim and time", async () => {
    const w = await oneOfEach();
    const [legal, person, approval] = (await page(w)).reviews;
    await w.system.reviews.claim(OPERATORS, person?.review_id ?? "", "olivia");
    await w.system.reviews.claim(OPERATORS, legal?.review_id ?? "", "oscar");
    const found = async (query: Partial<QueueQuery>) =>
      (await page(w, query)).reviews.map((each) => each.review_id);
    expect(await found({ kind: "approval" })).toEqual([approval?.review_id]);
    expect(await found({ priority: "urgent" })).toEqual([legal?.review_id]);
    expect(await found({ reason: "asked_for_person" })).toEqual([person?.review_id]);
    expect(await found({ claim: "mine" })).toEqual([person?.review_id]);
    expect(await found({ claim: "others" })).toEqual([legal?.review_id]);
    expect(await found({ claim: "free" })).toEqual([approval?.review_id]);
    expect(await found({ orderNumber: "1042" })).toEqual([approval?.review_id]);
    expect(await found({ customerId: "ben" })).toEqual([]);
    expect(await found({ language: "en" })).toHaveLength(3);
    expect(await found({ state: "decided" })).toEqual([]);
    expect(approval).toMatchObject({ amount: "113.00", currency: "USD", order_number: "1042" });
    w.clock.jump(16 * 60_000);
    expect(await found({ overdue: true })).toEqual([legal?.review_id, person?.review_id]);
    // Both claims are over by now.
    expect(await w.system.reviews.counts(OPERATORS, "olivia")).toEqual({
      open: 3,
      waiting: 0,
      overdue: 2,
      unclaimed: 3,
      mine: 0,
      by_kind: { approval: 1, handoff: 2, uncertain: 0 },
      by_priority: { urgent: 1, high: 0, normal: 2, low: 0 },
      by_reason: { amount_over_limit: 1, asked_for_person: 1, legal_or_safety: 1 },
    });
  });
});

describe("ten thousand reviews", () => {
  const COUNT = 10_000;
  /** Copies of one, due every second, kinds and customers mixed. */
  async function filled() {
    const w = await oneOfEach();
    await w.store.transact(OPERATORS, (tx) =>
      executeIn(
        tx,
        `insert into reviews (tenant_id, id, customer_id, conversation_id, kind, state, version, reason, packet,
             created_at_ms, updated_at_ms, priority, due_at_ms, language, order_number, amount_minor, currency)
         select tenant_id, 'rev_00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'c' || (n % 97), conversation_id,
             (array['approval', 'handoff', 'uncertain'])[1 + n % 3], 'open', 1, 'reason_' || (n % 7), packet,
             created_at_ms + n, created_at_ms, 1 + n % 4, created_at_ms + 1000 * (n / 2), 'en', (1000 + n)::text, n, 'USD'
           from (select * from reviews order by id limit 1) one, generate_series(1, ${COUNT}) n`,
      ),
    );
    await w.store.tidy();
    return w;
  }
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const from = systemClock.now();
      await work();
      times.push(systemClock.now() - from);
    }
    return times.toSorted((a, b) => a - b)[4] ?? 0;
  };

  test("are read page by page, each once, whatever is decided in between; a page takes milliseconds", async () => {
    const w = await filled();
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { reviews, next_cursor }: Awaited<ReturnType<typeof page>> = await page(w, {
        limit: 200,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...reviews.map(({ review_id }) => review_id));
      cursor = next_cursor ?? undefined;
      pages += 1;
      // Somebody decides what was shown, and something else comes in at the front.
      if (pages % 10 === 0) {
        await w.store.transact(OPERATORS, (tx) =>
          tx
            .updateTable("reviews")
            .set({ state: "decided" })
            .where(
              "id",
              "in",
              reviews.slice(0, 50).map(({ review_id }) => review_id),
            )
            .execute(),
        );
      }
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(COUNT + 3);

    const measured = {
      first: await timed(() => page(w)),
      deep: await timed(() =>
        page(w, {
          cursor: Buffer.from(JSON.stringify([w.clock.now() + 4_000_000, "rev_x"])).toString("base64url"),
        }),
      ),
      filtered: await timed(() => page(w, { kind: "uncertain", reason: "reason_3", claim: "free" })),
      order: await timed(() => page(w, { orderNumber: "9876" })),
      counts: await timed(() => w.system.reviews.counts(OPERATORS, "olivia")),
    };
    // Measured on two shared cores: a page 2 to 4, one order 21, counts 33 ms; the limits are for a busy machine.
    expect(measured.first, JSON.stringify(measured)).toBeLessThan(100);
    expect(measured.deep, JSON.stringify(measured)).toBeLessThan(100);
    expect(measured.filtered, JSON.stringify(measured)).toBeLessThan(150);
    expect(measured.order, JSON.stringify(measured)).toBeLessThan(250);
    expect(measured.counts, JSON.stringify(measured)).toBeLessThan(400);
    process.stderr.write(`queue of ${COUNT}, medians in ms: ${JSON.stringify(measured)}\n`);
  }, 120_000);

  test("a cursor of nobody's is refused", async () => {
    const w = await createTestSystem();
    world = w;
    for (const cursor of ["", "x", "WzEsMl0", Buffer.from('["a","b"]').toString("base64url")]) {
      expect(await codeOf(page(w, { cursor })), cursor).toBe("cursor_unknown");
    }
  });
});
