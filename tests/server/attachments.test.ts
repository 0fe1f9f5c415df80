/** Pictures on a server whose login role is no superuser: kept once by many at once, seen through one's own row only. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { SAMPLES } from "../attachments/samples.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";
import { createTestSystem } from "../kit/system.ts";

let database: Database;
beforeAll(async () => {
  database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  await emptyServer(database);
});
afterAll(() => database.close());

test("forty sendings of two people over pooled connections are two attachments of one content", async () => {
  const w = await createTestSystem({ store: createStore(database) });
  const people = await Promise.all(
    ["ada", "ben"].map(async (name) => {
      const scope = w.scope(name);
      return { scope, conversation: await w.open(scope) };
    }),
  );
  const sent = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const { scope, conversation } = people[n % 2] as (typeof people)[number];
      return w.system.attachments.add(scope, conversation, SAMPLES.png);
    }),
  );
  expect(new Set(sent.map(({ attachment_id }) => attachment_id)).size).toBe(2);
  const contents = (scope: ReturnType<typeof w.scope>) =>
    w.store.transact(scope, (tx) => tx.selectFrom("attachment_contents").select("hash").execute());
  for (const { scope } of people) expect(await contents(scope)).toHaveLength(1);
  expect(await contents(w.scope("cleo"))).toEqual([]);
  const [ada] = people as [(typeof people)[number]];
  const { type, bytes } = await w.system.attachments.read(
    ada.scope,
    ada.conversation,
    sent[0]?.attachment_id ?? "",
  );
  expect(type).toBe("image/png");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  await w.close();
});
