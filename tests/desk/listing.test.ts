/** Operators' list of conversations among ten thousand: found, in order, in bounded time. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { ConversationQuery } from "../../src/operators/desk/listing.ts";
import { executeIn } from "../../src/store/store.ts";
import { OPERATORS } from "../actions/reviews-kit.ts";
import { createTestSystem, type TestSystem } from "../kit/system.ts";

const COUNT = 10_000;
const MESSAGES = 6;
let w: TestSystem;

beforeAll(async () => {
  w = await createTestSystem();
  await w.store.transact(OPERATORS, async (tx) => {
    await executeIn(
      tx,
      `insert into conversations (tenant_id, id, customer_id, channel, assurance, status, next_seq, answered_seq, created_at_ms, updated_at_ms)
       select 'northwind', 'conv_00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'c' || (n % 500), 'chat', 'authenticated',
         'open', ${MESSAGES + 1}, ${MESSAGES}, 1000 * n, 1000 * (n / 2) from generate_series(1, ${COUNT}) n`,
    );
  });
  // The database plans the look-up of each event's conversation once, for as many as it knows of: from files before this
  // one, a handful.
  await w.store.tidy();
  await w.store.transact(OPERATORS, async (tx) => {
    await executeIn(
      tx,
      `insert into events (tenant_id, conversation_id, seq, customer_id, at_ms, type, author, payload)
       select 'northwind', 'conv_00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), m, 'c' || (n % 500), 1000 * n + m, 'message',
         case when m % 2 = 1 then 'customer' else 'agent' end,
         jsonb_build_object('text', 'Message ' || m || ' of conversation ' || n || ': where is my parcel, it should have been here on Tuesday?')
       from generate_series(1, ${COUNT}) n, generate_series(1, ${MESSAGES}) m`,
    );
  });
  await w.store.tidy();
}, 60_000);
afterAll(() => w.close());

const list = (query: Partial<ConversationQuery> = {}) =>
  w.system.desk.list(OPERATORS, { limit: 50, ...query }, "olivia");
const all = async (query: Partial<ConversationQuery>) => {
  const ids: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({
      ...query,
      ...(cursor === null ? {} : { cursor }),
    });
    ids.push(...page.conversations.map(({ conversation_id }) => conversation_id));
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== null);
  return { ids, pages };
};
const median = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const from = systemClock.now();
    await work();
    times.push(systemClock.now() - from);
  }
  return times.toSorted((a, b) => a - b)[3] ?? 0;
};

test("every conversation is in the pages once, the latest first", async () => {
  const { ids } = await all({ limit: 100 });
  expect(ids).toHaveLength(COUNT);
  expect(new Set(ids).size).toBe(COUNT);
  expect(ids).toEqual([...ids].toSorted((a, b) => Number(b.slice(-12)) - Number(a.slice(-12))));
}, 60_000);

test("a search goes through all of them, a stretch at a time, and finds what is there", async () => {
  const found = await all({ text: "OF CONVERSATION 777:" });
  expect(found.ids.map((id) => Number(id.slice(-12)))).toEqual([777]);
  expect(found.pages).toBeGreaterThan(2);
  expect((await all({ text: "nobody wrote this" })).ids).toEqual([]);
  const many = await all({ text: "message 3 of conversation 99", limit: 20 });
  expect(many.ids.map((id) => Number(id.slice(-12)))).toEqual([
    ...Array.from({ length: 100 }, (_, n) => 9_999 - n),
    ...Array.from({ length: 10 }, (_, n) => 999 - n),
    99,
  ]);
}, 60_000);

test("a page and a stretch of a search take milliseconds", async () => {
  const measured = {
    page: await median(() => list()),
    customer: await median(() => list({ customerId: "c77" })),
    order: await median(() => list({ orderNumber: "1042" })),
    found: await median(() => list({ text: "conversation 9999" })),
    notFound: await median(() => list({ text: "nobody wrote this" })),
  };
  process.stderr.write(`list of ${COUNT} conversations, medians in ms: ${JSON.stringify(measured)}\n`);
  expect(measured.page, JSON.stringify(measured)).toBeLessThan(150);
  expect(measured.customer, JSON.stringify(measured)).toBeLessThan(150);
  expect(measured.order, JSON.stringify(measured)).toBeLessThan(3_000);
  expect(measured.found, JSON.stringify(measured)).toBeLessThan(3_000);
  expect(measured.notFound, JSON.stringify(measured)).toBeLessThan(3_000);
}, 60_000);
