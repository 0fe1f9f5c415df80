/** Visitors who have not signed in: what their token opens, and whose their conversation is afterwards. */
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createHttpServer } from "../../src/channels/http/server.ts";
import { createTokens } from "../../src/channels/http/tokens.ts";
import { createVisitors, visitorIssuer } from "../../src/channels/http/visitors.ts";
import type { ConversationId, CustomerId, RunId, TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { seededRandom } from "../../src/kernel/ports.ts";
import { customerScope, tenantScope } from "../../src/kernel/scope.ts";
import { createTestSystem } from "../kit/system.ts";
import { fakeParts, KESTREL, NORTHWIND, tokenFor } from "./fixture.ts";

const SECRET = "a secret of visitors that is long enough";
const TENANTS = ["northwind", "kestrel"] as TenantId[];
const northwind = tenantScope("northwind" as TenantId);
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start() {
  const product = await createTestSystem();
  const { clock, system } = product;
  const visitors = createVisitors({ secret: SECRET, tenants: TENANTS, clock, random: seededRandom(11) });
  const server = createHttpServer({
    ...fakeParts({ clock }),
    ...system,
    visitors,
    tokens: createTokens({
      issuers: [NORTHWIND, KESTREL, ...TENANTS.map((id) => visitorIssuer(SECRET, id))],
      operators: [],
      clock,
    }),
  });
  const { url } = await server.start({ host: "127.0.0.1", port: 0 });
  stops.push(() => server.stop());
  const call = async (method: string, path: string, token: string | null, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look at any member
    return { status: response.status, json: (await response.json()) as any };
  };
  const visit = async (before?: string, tenant = "northwind") =>
    (await call("POST", "/v1/visitors", null, { tenant, ...(before === undefined ? {} : { token: before }) }))
      .json as { token: string; visitor_id: string };
  const open = async (token: string): Promise<ConversationId> =>
    (await call("POST", "/v1/conversations", token, {})).json.conversation_id;
  let said = 0;
  const say = async (token: string, id: string, text: string) => {
    said += 1;
    return call("POST", `/v1/conversations/${id}/messages`, token, { client_message_id: `m-${said}`, text });
  };
  /** An open stream: what came over it so far, and all of it once the server has ended it. */
  const watch = async (token: string, id: string) => {
    const { body } = await fetch(`${url}/v1/conversations/${id}/stream`, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    if (body === null) throw new Error("no stream");
    let text = "";
    const read = async (): Promise<string> => {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) text += chunk;
      return text;
    };
    return { text: () => text, end: read() };
  };
  const adopt = (token: string, id: string, visitor: string) =>
    call("POST", `/v1/conversations/${id}/adopt`, token, { visitor_token: visitor });
  const customer = (sub: string) => tokenFor({ sub, nowMs: clock.now() });
  return { ...product, product, visitors, call, visit, open, say, watch, adopt, customer };
}
type Started = Awaited<ReturnType<typeof start>>;

const OWNED = ["conversations", "events", "runs", "reviews", "csat"] as const;
/** Whose the rows of a conversation are, by table. */
async function ownersOf({ store }: Started, id: string): Promise<Record<string, string[]>> {
  return store.transact(northwind, async (tx) => {
    const owners: Record<string, string[]> = {};
    for (const table of OWNED) {
      const key = sql.ref(table === "conversations" ? "id" : "conversation_id");
      const { rows } = await sql<{ customer_id: string }>`
        select distinct customer_id from ${sql.table(table)} where ${key} = ${id}`.execute(tx);
      owners[table] = rows.map(({ customer_id }) => customer_id);
    }
    const { rows } = await sql<{ customer_id: string }>`
      select distinct s.customer_id from steps s join runs r on r.id = s.run_id
      where r.conversation_id = ${id}`.execute(tx);
    return { ...owners, steps: rows.map(({ customer_id }) => customer_id) };
  });
}

describe("a visitor's token", () => {
  test("opens conversations, and reaches no order and no money", async () => {
    const it = await start();
    const { token } = await it.visit();
    const id = await it.open(token);
    for (const text of ["where is my order #1042?", "refund #1042 please, all of it", "yes"]) {
      expect((await it.say(token, id, text)).status).toBe(202);
      await it.drain();
    }
    await it.settle();
    const { json } = await it.call("GET", `/v1/conversations/${id}/events`, token);
    expect(json.events.some(({ type }: { type: string }) => type === "action")).toBe(false);
    expect(JSON.stringify(json.events)).not.toContain('"type":"order"');
    expect(await it.product.refunds("1042")).toEqual([]);
  });

  test("sends no pictures: what nobody answers for must not fill the database", async () => {
    const it = await start();
    const { token } = await it.visit();
    const id = await it.open(token);
    const answer = await it.call("POST", `/v1/conversations/${id}/attachments`, token, {});
    expect(answer).toMatchObject({ status: 403, json: { code: "forbidden" } });
  });

  test("is told why it reaches none, once; whoever signs in then is answered what they had asked", async () => {
    const it = await start();
    const { token, visitor_id } = await it.visit();
    const id = await it.open(token);
    const asked = ["where is my order #1042?", "what is your return policy?", "refund the socks from #1042"];
    for (const text of asked) await it.say(token, id, text);
    await it.drain();
    const before = await it.product.events(
      customerScope("northwind" as TenantId, visitor_id as CustomerId),
      id,
    );
    expect(before.filter((event) => event.identity_needed === true)).toHaveLength(1);
    expect(before.at(-1)).toMatchObject({ type: "run", state: "completed" });
    expect(await it.product.reviews()).toEqual([]);

    expect((await it.adopt(await it.customer("ada"), id, token)).status).toBe(200);
    await it.drain();
    const after = (await it.product.events(it.scope("ada"), id)).slice(before.length);
    const text = JSON.stringify(after);
    expect(text).toContain('"number":"1042"');
    expect(text).toContain("24.00 USD");
    expect(await it.product.refunds("1042")).toEqual([]);
    await it.product.say(it.scope("ada"), id, "yes");
    await it.settle();
    expect(await it.product.refunds("1042")).toHaveLength(1);
  });

  test("does not make do even where the customer's own ID stands beside it: assurance decides", async () => {
    const it = await start();
    const ada = it.scope("ada");
    const id = await it.system.conversations.open(ada, { channel: "chat", assurance: "anonymous" });
    for (const text of ["refund #1042 please, all of it", "yes"]) await it.product.say(ada, id, text);
    await it.settle();
    expect(await it.product.refunds("1042")).toEqual([]);
    expect(JSON.stringify(await it.product.events(ada, id))).not.toContain('"type":"order"');
  });

  test("is good at its own tenant only, and a merchant cannot sign one", async () => {
    const it = await start();
    const visitor = await it.visit();
    expect(await it.visitors.verify("kestrel" as TenantId, visitor.token)).toBeNull();
    const ofMerchant = await it.customer(visitor.visitor_id);
    expect((await it.call("POST", "/v1/conversations", ofMerchant, {})).status).toBe(401);
    expect((await it.call("POST", "/v1/visitors", null, { tenant: "nobody" })).status).toBe(404);
  });

  test("shown again gives the same visitor, until it is too old", async () => {
    const it = await start();
    const first = await it.visit();
    await it.clock.advance(LIMITS.visitorTokenMs + 60_000);
    expect((await it.call("POST", "/v1/conversations", first.token, {})).status).toBe(401);
    expect((await it.visit(first.token)).visitor_id).toBe(first.visitor_id);
    await it.clock.advance(LIMITS.visitorReturnMs);
    expect((await it.visit(first.token)).visitor_id).not.toBe(first.visitor_id);
  });
});

describe("a visitor who signs in", () => {
  test("takes along every row of the conversation; repeated, it is answered the same", async () => {
    const it = await start();
    const { token, visitor_id } = await it.visit();
    const id = await it.open(token);
    await it.say(token, id, "I want to talk to a person");
    await it.drain();
    await it.call("POST", `/v1/conversations/${id}/csat`, token, { score: 4 });
    const before = await ownersOf(it, id);
    for (const table of ["conversations", "events", "runs", "reviews", "steps"]) {
      expect([table, before[table]]).toEqual([table, [visitor_id]]);
    }
    const ada = await it.customer("ada");
    const answers = [await it.adopt(ada, id, token), await it.adopt(ada, id, token)];
    expect(answers).toEqual([1, 2].map(() => ({ status: 200, json: { conversation_id: id } })));
    for (const [table, owners] of Object.entries(await ownersOf(it, id))) {
      expect([table, owners]).toEqual([table, before[table]?.map(() => "ada")]);
    }
    expect((await it.call("GET", `/v1/conversations/${id}/events`, ada)).json.events[0].text).toContain(
      "person",
    );
    expect((await it.call("GET", `/v1/conversations/${id}/events`, token)).status).toBe(404);
    expect((await it.say(token, id, "still me?")).status).toBe(404);
  });

  test("G3 a stream that the visitor's token opened ends there: not a word said afterwards goes over it", async () => {
    const it = await start();
    const { token } = await it.visit();
    const id = await it.open(token);
    await it.say(token, id, "I was here before");
    await it.drain();
    const watching = await it.watch(token, id);
    await vi.waitFor(() => expect(watching.text()).toContain("I was here before"));
    const ada = await it.customer("ada");
    expect((await it.adopt(ada, id, token)).status).toBe(200);
    // In the same turn of the event loop as the adoption's answer: the stream may not have read the log yet.
    const scope = it.scope("ada");
    await it.system.conversations.accept(scope, id, {
      clientMessageId: "of-ada",
      text: "where is my order #1042?",
    });
    await it.drain();
    const over = await watching.end;
    expect(over).toContain("event: problem");
    expect(over).toContain('"not_found"');
    expect(over).not.toContain("1042");
    expect(JSON.stringify(await it.product.events(scope, id))).toContain("1042");
  });

  test("G3 what comes along with a wake-up, event or draft, is for the owner of that moment", async () => {
    const it = await start();
    const { token, visitor_id } = await it.visit();
    const id = await it.open(token);
    const heard = { visitor: [] as unknown[], ada: [] as unknown[] };
    const visitor = customerScope("northwind" as TenantId, visitor_id as CustomerId);
    const ada = it.scope("ada");
    let woken = 0;
    for (const [who, scope] of [["visitor", visitor] as const, ["ada", ada] as const]) {
      it.system.conversations.subscribe(
        scope,
        id,
        (events = []) => {
          woken += 1;
          heard[who].push(...events.map(({ type }) => type));
        },
        ({ text }) => heard[who].push(text),
      );
    }
    await it.say(token, id, "hello");
    await it.drain();
    expect(heard.ada).toEqual([]);
    const before = [...heard.visitor];
    expect(before).toContain("message");
    woken = 0;
    await it.adopt(await it.customer("ada"), id, token);
    expect(woken).toBe(2);
    await it.product.say(ada, id, "where is my order #1042?");
    await it.hub.draft(ada, id, { runId: "run_1" as RunId, text: "a draft" });
    expect(heard.visitor).toEqual(before);
    expect(heard.ada).toContain("message");
    expect(heard.ada.at(-1)).toBe("a draft");
  });

  test("waits while a run works on it, and keeps everything meanwhile", async () => {
    const it = await start();
    const { token, visitor_id } = await it.visit();
    const id = await it.open(token);
    await it.say(token, id, "what is your return policy?");
    const ada = await it.customer("ada");
    const busy = await it.adopt(ada, id, token);
    expect([busy.status, busy.json.code]).toEqual([409, "conversation_busy"]);
    expect((await ownersOf(it, id)).conversations).toEqual([visitor_id]);
    await it.drain();
    expect((await it.adopt(ada, id, token)).status).toBe(200);
  });

  test("gets only the conversation whose visitor's token is shown, and never another customer's", async () => {
    const it = await start();
    const [mine, theirs, elsewhere] = [
      await it.visit(),
      await it.visit(),
      await it.visit(undefined, "kestrel"),
    ];
    const id = await it.open(theirs.token);
    const ada = await it.customer("ada");
    for (const shown of [mine.token, elsewhere.token, ada, "nonsense"]) {
      expect((await it.adopt(ada, id, shown)).status).toBe(404);
    }
    expect((await it.adopt(mine.token, id, theirs.token)).status).toBe(404);
    expect((await it.adopt(ada, id, theirs.token)).status).toBe(200);
    // It is ada's now: who has the visitor's token has nothing to give away any more.
    expect((await it.adopt(await it.customer("ben"), id, theirs.token)).status).toBe(404);
    expect((await ownersOf(it, id)).conversations).toEqual(["ada"]);
  });

  test("the database itself lets no row go from a customer to another", async () => {
    const it = await start();
    const ada = it.scope("ada");
    const id = await it.product.open(ada);
    await it.product.say(ada, id, "I want to talk to a person");
    for (const table of ["conversations", "events", "runs", "reviews"] as const) {
      const key = sql.ref(table === "conversations" ? "id" : "conversation_id");
      for (const thief of ["ben", "visitor_1"] as CustomerId[]) {
        const moved = it.store.transact(northwind, (tx) =>
          sql`update ${sql.table(table)} set customer_id = ${thief} where ${key} = ${id}`.execute(tx),
        );
        await expect(moved).rejects.toThrow(/visitor/);
      }
    }
    const moved = it.store.transact(northwind, (tx) => sql`update steps set customer_id = 'ben'`.execute(tx));
    await expect(moved).rejects.toThrow(/visitor/);
  });
});
