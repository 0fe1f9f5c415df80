/** Public failures of erasing a person: what a backup, a token or another store brought back. */
import { SignJWT } from "jose";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createHttpServer, type HttpServer } from "../../src/channels/http/server.ts";
import { firstBrokenLink } from "../../src/evidence/chain.ts";
import { auditAfter } from "../../src/evidence/reading.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { SAMPLES } from "../attachments/samples.ts";
import { createMailSystem, type MailSystem } from "../email/kit.ts";
import { fakeParts, NORTHWIND as ISSUER, OPERATOR_TOKEN, tokenFor } from "../http/fixture.ts";
import { emptiedDatabase, everythingIn, NORTHWIND } from "../kit/database.ts";

const SCOPE = tenantScope(NORTHWIND);
/** In everything that Ada and those who helped her wrote. */
const WORD = "heliotrope";
const ADDRESS = "ada@example.com";

// Making the database takes longest: it is not the first test's time.
beforeAll(async () => void (await emptiedDatabase()), 60_000);

let it: MailSystem | undefined;
let http: HttpServer | undefined;
afterEach(async () => {
  await http?.stop();
  await it?.close();
  expect(it?.errors ?? []).toEqual([]);
  it = undefined;
  http = undefined;
});

/** Ada has written by mail and in the chat, sent a picture, was refunded after a person had agreed, and rated it. */
async function lived() {
  const w = await createMailSystem({ startMs: Date.now() });
  it = w;
  const first = await w.receive({ text: `Where is order #1042? My word is ${WORD}.` });
  await w.confirm(w.linkIn(first.answers[0]));
  const mailed = String(first.receipt?.conversationId);
  const ada = w.scope("ada");
  const chat = await w.open(ada);
  await w.say(ada, chat, `refund everything from order 1042, ${WORD}`);
  await w.say(ada, chat, "yes");
  const [review] = await w.reviews();
  if (review === undefined) throw new Error("no review was opened");
  await w.system.reviews.decide(SCOPE, review.review_id, {
    decision: "approve",
    argsHash: review.args_hash,
    version: review.version,
    note: `she is known for ${WORD}`,
    operator: "olivia",
  });
  await w.settle();
  await w.system.desk.note(SCOPE, chat, {
    text: `likes ${WORD}`,
    author: "olivia",
    clientNoteId: "n-1",
  });
  await w.system.desk.tag(SCOPE, chat, { add: [WORD], remove: [], by: "olivia" });
  const picture = await w.system.attachments.add(ada, chat, SAMPLES.png);
  await w.system.conversations.end(ada, chat);
  await w.system.conversations.rate(ada, chat, { score: 5, comment: `thanks, ${WORD}`, givenBy: "chat" });
  expect((await w.conversation(mailed)).customer_id).toBe("ada");
  const before = await everythingIn(w.store.database);
  expect(before.split(WORD).length).toBeGreaterThan(10);
  expect(before).toContain(ADDRESS);
  return { w, ada, chat, mailed, picture };
}

const chainOf = (w: MailSystem) => w.store.transact(SCOPE, (tx) => auditAfter(tx, 0, 1_000));

test("[151] an erasure leaves no word in any table, keeps the money, and says of each other place what is to be done", async () => {
  const { w } = await lived();
  const refund = (await w.actions()).find(({ state }) => state === "succeeded");
  expect(refund?.amount_minor).toBe(11_300);
  const copy = await w.system.privacy.access.export(SCOPE, "ada");
  expect(JSON.stringify(copy)).toContain(WORD);
  expect(copy.conversations).toHaveLength(2);

  const erasure = await w.system.privacy.erasures.erase(SCOPE, "ada", "olivia");
  expect(erasure.erased_at).not.toBeNull();
  const left = await everythingIn(w.store.database);
  for (const gone of [WORD, ADDRESS, SAMPLES.png.toString("base64").slice(0, 60)])
    expect(left).not.toContain(gone);
  expect(erasure.report?.erased).toMatchObject({
    notes: 1,
    tags: 1,
    pictures: 1,
    ratings: 1,
    audit_texts: 1,
  });
  const places = erasure.report?.elsewhere.map(({ place }) => place);
  expect(places).toEqual(
    expect.arrayContaining([
      "language models",
      "search index",
      "mail provider",
      "payment provider",
      "shop",
      "backups",
    ]),
  );

  // What the law wants kept: the refund with its decision, the balance, and a chain that holds.
  const kept = (await w.actions()).find(({ id }) => id === refund?.id);
  expect(kept).toMatchObject({ state: "succeeded", amount_minor: 11_300, decision: refund?.decision });
  expect(await w.refunds("1042")).toHaveLength(1);
  const chain = await chainOf(w);
  expect(firstBrokenLink(chain)).toBeNull();
  expect(chain.at(-1)).toMatchObject({ kind: "customer.erased", subject: erasure.erasure_id });
  expect(JSON.stringify(chain.at(-1))).not.toContain('"ada"');
});

test("[92] a restored backup is erased again from the list, which names nobody", async () => {
  const first = await lived();
  await first.w.system.privacy.erasures.erase(SCOPE, "ada", "olivia");
  const list = await first.w.system.privacy.erasures.list(SCOPE);
  expect(JSON.stringify(list)).not.toContain('"ada"');
  await first.w.close();

  // The database as it was before: emptied, and lived through once more.
  const { w } = await lived();
  expect(await w.system.privacy.erasures.list(SCOPE)).toEqual([]);
  const again = await w.system.privacy.erasures.again(
    SCOPE,
    list.map(({ customer_hash }) => customer_hash),
    "olivia",
  );
  expect(again).toHaveLength(1);
  expect(again[0]?.erased_at).not.toBeNull();
  const left = await everythingIn(w.store.database);
  expect(left).not.toContain(WORD);
  expect(left).not.toContain(ADDRESS);
  expect(await w.system.privacy.erasures.list(SCOPE)).toHaveLength(1);
  expect(firstBrokenLink(await chainOf(w))).toBeNull();
});

test("[93] an old token opens nothing, its stream is closed, and a new mail in the old thread begins anew", async () => {
  const { w, chat, mailed } = await lived();
  const thread = (await w.rows("mail_outbox"))[0] as { id: string };
  const { conversations, runs, reviews, records, actionView, webhooks: webhook, privacy } = w.system;
  http = createHttpServer({
    ...fakeParts(),
    conversations,
    runs,
    reviews,
    records,
    actionView,
    webhook,
    privacy,
  });
  const { url } = await http.start({ host: "127.0.0.1", port: 0 });
  const call = (path: string, token: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...init.headers },
    });
  const old = await tokenFor({ sub: "ada" });
  expect((await call(`/v1/conversations/${chat}`, old)).status).toBe(200);
  const stream = await call(`/v1/conversations/${chat}/stream?after_seq=0`, old, {
    headers: { accept: "text/event-stream" },
  });
  const heard = stream.text();
  await expect.poll(() => http?.streamCount).toBe(1);

  const erased = await call("/v1/operator/customers/erase", OPERATOR_TOKEN, {
    method: "POST",
    body: JSON.stringify({ customer_id: "ada" }),
  });
  expect(erased.status).toBe(200);
  expect(await heard).toContain("token_invalid");
  expect(http.streamCount).toBe(0);
  expect((await call(`/v1/conversations/${chat}`, old)).status).toBe(401);

  // Signed after it: somebody whom the shop vouches for again, who finds nothing of what was.
  const nowS = Math.ceil(w.clock.now() / 1_000) + 1;
  const fresh = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(ISSUER.issuer)
    .setAudience("recourse")
    .setSubject("ada")
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + 3_600)
    .sign(Buffer.from(ISSUER.secret));
  const seen = await call(`/v1/conversations/${chat}/events?after_seq=0`, fresh);
  expect(seen.status).toBe(200);
  expect(await seen.text()).not.toContain(WORD);

  const { receipt, answers } = await w.receive({
    text: "And where is my refund?",
    headers: { references: thread.id, "in-reply-to": thread.id },
  });
  expect(receipt?.conversationId).not.toBe(mailed);
  expect((await w.conversation(String(receipt?.conversationId))).customer_id).toMatch(/^visitor_/);
  for (const mail of answers) expect(JSON.stringify(mail)).not.toMatch(/1042|heliotrope/);
});

test("an erasure while a refund is open takes the words at once, and again once it has settled", async () => {
  const w = await createMailSystem({ startMs: Date.now() });
  it = w;
  const ada = w.scope("ada");
  const chat = await w.open(ada);
  await w.say(ada, chat, `refund everything from order 1042, ${WORD}`);
  await w.say(ada, chat, "yes");
  const open = await w.system.privacy.erasures.erase(SCOPE, "ada", "olivia");
  expect(open.erased_at).toBeNull();
  expect(await everythingIn(w.store.database)).not.toContain(WORD);
  const [review] = await w.reviews();
  expect(review?.state).toBe("open");
  await w.system.reviews.decide(SCOPE, review?.review_id ?? "", {
    decision: "approve",
    argsHash: review?.args_hash ?? null,
    version: review?.version ?? 0,
    note: null,
    operator: "olivia",
  });
  await w.settle();
  expect(await w.refunds("1042")).toHaveLength(1);
  await w.system.privacy.erasures.sweep();
  const [done] = await w.system.privacy.erasures.list(SCOPE);
  expect(done?.erased_at).not.toBeNull();
  const told = await w.messagesOf(chat);
  expect(new Set(told.map(({ payload }) => payload.text))).toEqual(new Set(["[erased]"]));
  expect(firstBrokenLink(await chainOf(w))).toBeNull();
});
