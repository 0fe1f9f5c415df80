/** Mail on a PostgreSQL server: deliveries, senders and links of several processes at once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/ports.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openServer } from "../../src/store/server.ts";
import { createStore } from "../../src/store/store.ts";
import { createMailSystem, mailBytes, SUPPORT } from "../email/kit.ts";
import { emptyServer, SERVER_URL } from "../kit/server-database.ts";

let database: Database;
beforeAll(async () => {
  database = openServer(SERVER_URL, systemClock);
  await migrate(database);
  await emptyServer(database);
});
afterAll(() => database.close());

test("one mail delivered twenty times at once is one message; eight senders send its answer once; two clicks are one", async () => {
  const it = await createMailSystem({ store: createStore(database) });
  const bytes = mailBytes({ text: "Please refund the socks from order #1042." });
  const deliver = () => it.email.receive({ from: "ada@example.com", to: [SUPPORT] }, bytes);
  await Promise.allSettled(Array.from({ length: 20 }, deliver));
  // As a server does that was told to come again.
  await deliver();
  await it.drain();
  const received = await it.rows("mail_received");
  expect(received).toHaveLength(1);
  const id = String(received.map((row) => "conversation_id" in row && row.conversation_id)[0]);
  const said = await it.messagesOf(id);
  expect(said.filter(({ author }) => author === "customer")).toHaveLength(1);

  const sweeps = await Promise.allSettled(Array.from({ length: 8 }, () => it.email.mailer.sweep()));
  expect(sweeps.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(it.sent).toHaveLength(1);

  const token = it.linkIn(it.sent[0]);
  const clicks = await Promise.allSettled(Array.from({ length: 8 }, () => it.email.links.confirm(token)));
  expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await it.drain();
  await it.email.mailer.sweep();
  const offer = it.sent.at(-1);
  expect(offer?.text).toContain("24.00 USD");
  const yes = mailBytes({ to: offer?.replyTo ?? "", text: "yes" });
  const agree = () => it.email.receive({ from: "ada@example.com", to: [offer?.replyTo ?? ""] }, yes);
  await Promise.allSettled(Array.from({ length: 10 }, agree));
  await agree();
  await it.settle();
  expect(await it.refunds("1042")).toHaveLength(1);
  expect(it.errors).toEqual([]);
  await it.close();
});
