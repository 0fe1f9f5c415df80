/** What may be done to a database that is at work: events exchanged for parts, and the index of meanings made anew. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { dropParts, makeParts, partEvents } from "../../src/store/partitions.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { run } from "../cli/io.ts";
import { SERVER_URL, scripts } from "../kit/server-database.ts";
import { createTestSystem } from "../kit/system.ts";

const SUPER_URL = process.env.RECOURSE_BACKUP_DATABASE_URL as string;
const NAME = "recourse_online";
const inDatabase = (url: string): string => Object.assign(new URL(url), { pathname: `/${NAME}` }).href;

let database: Database;
const remove = () => scripts(SUPER_URL, `drop database if exists ${NAME} with (force)`);

beforeAll(async () => {
  await remove();
  await scripts(SUPER_URL, `create database ${NAME} owner recourse_login`);
  await scripts(inDatabase(SUPER_URL), "create extension vector");
  database = openServer(inDatabase(SERVER_URL), systemClock);
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await remove();
});

test("events are exchanged for parts while customers write: each message is there once, in order, and refunds go on", async () => {
  const w = await createTestSystem({ store: createStore(database) });
  const scope = w.scope("ben");
  const conversation = await w.open(scope);
  let writing = true;
  let said = 0;
  const writer = (async () => {
    while (writing) {
      await w.system.conversations.accept(scope, conversation, {
        clientMessageId: `m${said}`,
        text: `note ${said}`,
      });
      said += 1;
    }
  })();
  const reach = async (count: number) => {
    // A writer that fails ends the wait.
    while (said < count) await Promise.race([systemClock.sleep(5), writer]);
  };
  await reach(5);
  expect(await partEvents(database)).toBe(true);
  await reach(said + 5);
  writing = false;
  await writer;
  await w.drain();
  const events = await w.store.transact(scope, (tx) =>
    tx
      .selectFrom("events")
      .select(["seq", "client_message_id", "author"])
      .where("conversation_id", "=", conversation)
      .orderBy("seq")
      .execute(),
  );
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const written = events.filter(({ author }) => author === "customer").map((row) => row.client_message_id);
  expect(written).toEqual(Array.from({ length: said }, (_, n) => `m${n}`));

  const other = await w.open(scope);
  await w.say(scope, other, "I want a refund for order 1044");
  await w.say(scope, other, "yes");
  expect(await w.refunds("1044")).toMatchObject([{ amount: 6400, status: "succeeded" }]);
  await w.close();
});

test("two processes make the months to come once; the command takes away what is old enough and refuses what is not", async () => {
  const second = openServer(inDatabase(SERVER_URL), systemClock, 2);
  const nowMs = systemClock.now();
  const made = await Promise.all([makeParts(database, nowMs), makeParts(second, nowMs)]);
  expect(new Set(made.flat()).size).toBe(made.flat().length);
  expect(made.flat().length).toBeGreaterThan(0);
  expect(await dropParts(second, Date.UTC(2020, 0, 1))).toEqual([]);
  await second.close();
  const env = { DATABASE_URL: inDatabase(SERVER_URL) };
  const young = await run(
    ["migrate", "--drop-events-before", new Date(nowMs).toISOString().slice(0, 7)],
    "",
    env,
  );
  expect(young).toMatchObject({ code: 2, err: expect.stringContaining("months back") });
  const old = await run(["migrate", "--json", "--drop-events-before", "2020-01"], "", env);
  expect(JSON.parse(old.out)).toMatchObject({ ran: [], made: [], dropped: [] });
});

test("the index of meanings is made anew while documents are searched and added: the same answers, a valid index after it", async () => {
  const url = inDatabase(SUPER_URL);
  const [index] = await scripts(
    url,
    "select indexname as name, substring(indexdef from 'width = (\\d+)')::int as width from pg_indexes where schemaname = 'recourse' and indexdef like '%hnsw%' order by 2 limit 1",
  );
  const width = Number(index?.width);
  const columns = await scripts(
    url,
    "select column_name as name, data_type as type from information_schema.columns where table_schema = 'recourse' and table_name = 'knowledge_embeddings' and is_nullable = 'NO' order by ordinal_position",
  );
  const add = (from: number, count: number) =>
    scripts(
      url,
      `set session_replication_role = replica; insert into recourse.knowledge_embeddings (${columns.map((c) => c.name).join(", ")})
       select ${columns
         .map(({ name, type }) =>
           name === "embedding"
             ? `(select array_agg(sin(n * 7.1 + k))::real[]::vector from generate_series(1, ${width}) k)`
             : name === "width"
               ? String(width)
               : type === "text"
                 ? "'t' || n"
                 : "n",
         )
         .join(", ")} from generate_series(${from}, ${from + count - 1}) n`,
    );
  await add(1, 400);
  const nearest = () =>
    scripts(
      url,
      `select embedding <=> (select array_agg(sin(3 * 7.1 + k))::real[]::vector from generate_series(1, ${width}) k) as d from recourse.knowledge_embeddings where width = ${width} order by d limit 1`,
    );
  const before = await nearest();
  let rebuilding = true;
  let searched = 0;
  const work = (async () => {
    while (rebuilding || searched === 0) {
      expect(await nearest()).toEqual(before);
      await add(1_000 + searched * 10, 10);
      searched += 1;
    }
  })();
  await scripts(inDatabase(SERVER_URL), `reindex index concurrently recourse.${index?.name}`);
  rebuilding = false;
  await work;
  expect(searched).toBeGreaterThan(0);
  const state = await scripts(
    url,
    `select bool_and(indisvalid) as valid, count(*) as n from pg_index where indrelid = 'recourse.knowledge_embeddings'::regclass and indexrelid::regclass::text like '%${index?.name}%'`,
  );
  expect(state).toEqual([{ valid: true, n: 1 }]);
  expect(await nearest()).toEqual(before);
});
