/** The operators' API over the whole product: what two people of one shop do, and what nobody else may see. */
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { tokenFor, until } from "../http/fixture.ts";
import { NORTHWIND } from "../kit/database.ts";
import { type Office, openOffice, TOKENS } from "./office.ts";

let office: Office | undefined;
afterEach(async () => {
  expect(office?.w.errors).toEqual([]);
  await office?.close();
  office = undefined;
});
async function start(...how: Parameters<typeof openOffice>) {
  office = await openOffice(...how);
  return office;
}
const NOWHERE = {
  conv: "conv_00000000-0000-7000-8000-000000000000",
  rev: "rev_00000000-0000-7000-8000-000000000000",
  act: "act_00000000-0000-7000-8000-000000000000",
  rpl: "rpl_00000000-0000-7000-8000-000000000000",
};

/** Ada asks for more than may go out unattended; ben only asks. */
async function twoCustomers(o: Office) {
  const [ada, ben] = [o.w.scope("ada"), o.w.scope("ben")];
  const first = await o.w.open(ada);
  await o.w.say(ada, first, "refund everything from order 1042");
  await o.w.say(ada, first, "yes");
  o.w.clock.jump(1_000);
  const second = await o.w.open(ben);
  await o.w.say(ben, second, "where is order 1044? The box was 100% empty");
  return { ada: first, ben: second };
}

test("the order that a review is about is there with its units and what is left, as it is now; another shop sees none", async () => {
  const o = await start();
  await twoCustomers(o);
  const { json } = await o.as("olivia", "GET", "/v1/operator/reviews");
  const { review_id: id } = json.reviews[0];
  const order = (await o.as("olivia", "GET", `/v1/operator/reviews/${id}/order`)).json;
  expect(order).toMatchObject({
    order_number: "1042",
    state: "delivered",
    currency: "USD",
    paid: "113.00",
    refunded: "0.00",
    pending: "113.00",
    refundable: "0.00",
    items: [
      { title: "Trail jacket", quantity: 1, paid: "89.00", refundable_units: 0 },
      { title: "Wool socks", quantity: 2, paid: "24.00", refundable_units: 0 },
    ],
  });
  expect((await o.as("kim", "GET", `/v1/operator/reviews/${id}/order`)).status).toBe(404);
});

describe("conversations", () => {
  test("are found by text, order, customer, state, tag and assignee; latest first, in pages without repeats", async () => {
    const o = await start();
    const { ada, ben } = await twoCustomers(o);
    const find = async (query: string) => {
      const { status, json } = await o.as("olivia", "GET", `/v1/operator/conversations?${query}`);
      expect(status, query).toBe(200);
      return json.conversations.map((each: { conversation_id: string }) => each.conversation_id);
    };
    expect(await find("")).toEqual([ben, ada]);
    expect(await find("q=EVERYTHING")).toEqual([ada]);
    expect(await find("q=100%25%20empty")).toEqual([ben]);
    expect(await find("q=100_")).toEqual([]);
    expect(await find("order_number=%231042")).toEqual([ada]);
    expect(await find("customer_id=ben")).toEqual([ben]);
    expect(await find("status=with_person")).toEqual([]);
    expect(await find("language=de")).toEqual([]);
    await o.as("olivia", "POST", `/v1/operator/conversations/${ada}/tags`, { add: ["vip", "late"] });
    expect(await find("tag=vip")).toEqual([ada]);
    await o.as("oscar", "POST", `/v1/operator/conversations/${ben}/assign`, { assignee: "me" });
    expect(await find("assignee=oscar")).toEqual([ben]);
    expect(await find("assignee=me")).toEqual([]);
    expect(await find("assignee=nobody")).toEqual([ada]);
    const page = await o.as("olivia", "GET", "/v1/operator/conversations?limit=1");
    expect(page.json.conversations[0]).toMatchObject({ conversation_id: ben, assignee: "oscar" });
    const next = await find(`limit=1&cursor=${page.json.next_cursor}`);
    expect(next).toEqual([ada]);
    const wrong = await o.as("olivia", "GET", "/v1/operator/conversations?cursor=zzz");
    expect([wrong.status, wrong.json.code]).toEqual([400, "cursor_unknown"]);
  });

  test("show what came about and how: log, runs with steps and verdicts, reviews, ledger with its timeline", async () => {
    const o = await start();
    const { ada } = await twoCustomers(o);
    const { json: inside } = await o.as("olivia", "GET", `/v1/operator/conversations/${ada}`);
    expect(inside).toMatchObject({ customer_id: "ada", assurance: "authenticated", language: "en" });
    const { json: log } = await o.as("olivia", "GET", `/v1/operator/conversations/${ada}/events`);
    expect(log.events.map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: inside.last_seq }, (_, index) => index + 1),
    );
    expect(log.events.some(({ internal }: { internal: { offer?: unknown } }) => internal?.offer)).toBe(true);
    const { json: trace } = await o.as("olivia", "GET", `/v1/operator/conversations/${ada}/runs`);
    expect(trace.runs).toHaveLength(2);
    const outcomes = trace.runs.flatMap((run: { steps: { outcome: { kind: string } }[] }) =>
      run.steps.map(({ outcome }) => outcome.kind),
    );
    expect(outcomes).toEqual(expect.arrayContaining(["offered", "recorded"]));
    const [review] = inside.open_reviews;
    const { json: seen } = await o.as("olivia", "GET", `/v1/operator/reviews/${review.review_id}`);
    await o.as("olivia", "POST", `/v1/operator/reviews/${review.review_id}/decision`, {
      decision: "approve",
      args_hash: seen.args_hash,
      version: seen.version,
    });
    await o.w.drain();
    const { json: ledger } = await o.as("olivia", "GET", "/v1/operator/actions?order_number=1042");
    expect(ledger.actions).toMatchObject([{ state: "succeeded", amount: "113.00", approved_by: "olivia" }]);
    const { json: action } = await o.as("olivia", "GET", `/v1/operator/actions/${seen.action_id}`);
    expect(action.timeline.map(({ from, to }: { from: string; to: string }) => `${from}>${to}`)).toEqual([
      "proposed>awaiting_approval",
      "awaiting_approval>scheduled",
      "scheduled>executing",
      "executing>succeeded",
    ]);
    expect(action.evidence.provider.refund_id).toBe(action.provider_ref);
  });
});

describe("what stands beside a conversation", () => {
  test("no customer ever sees: not in events, streams, runs or actions, and not with the database's own tools", async () => {
    const o = await start();
    const { ada } = await twoCustomers(o);
    const secret = "INTERNAL-7391";
    const path = `/v1/operator/conversations/${ada}`;
    const token = await tokenFor({ sub: "ada" });
    const heard = { text: "" };
    const stop = new AbortController();
    const stream = await fetch(`${o.running.url}/v1/conversations/${ada}/stream`, {
      signal: stop.signal,
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) heard.text += Buffer.from(chunk).toString();
    })().catch(() => {});
    expect((await o.as("olivia", "POST", `${path}/notes`, { text: `${secret} note` })).status).toBe(201);
    await o.as("olivia", "POST", `${path}/tags`, { add: [secret] });
    await o.as("olivia", "POST", `${path}/draft`, { text: `${secret} draft`, version: 0 });
    await o.as("olivia", "POST", `${path}/assign`, { assignee: "me" });
    await o.as("olivia", "POST", `${path}/take-over`);
    await o.as("olivia", "POST", `${path}/messages`, { client_message_id: "m-1", text: "Good day." });
    await until(() => heard.text.includes("Good day."));
    stop.abort();
    await reading;
    const events = await o.asCustomer("ada", "GET", `/v1/conversations/${ada}/events`);
    const view = await o.asCustomer("ada", "GET", `/v1/conversations/${ada}`);
    const [action] = await o.w.actions();
    const shown = await o.asCustomer("ada", "GET", `/v1/actions/${action?.id}`);
    const all = heard.text + JSON.stringify([events.json, view.json, shown.json]);
    expect(all).toContain("Good day.");
    for (const word of [secret, "olivia"]) expect(all).not.toContain(word);
    // Even a query that forgot its customer sees nothing under their scope.
    await o.w.store.transact(o.w.scope("ada"), async (tx) => {
      for (const table of [
        "conversation_notes",
        "conversation_tags",
        "conversation_desk",
        "drafts",
        "canned_replies",
        "review_decisions",
      ] as const) {
        expect(await tx.selectFrom(table).selectAll().execute(), table).toEqual([]);
      }
    });
    const { json: inside } = await o.as("oscar", "GET", path);
    expect(inside).toMatchObject({
      notes: [{ text: `${secret} note`, author: "olivia" }],
      tags: [secret],
      assignee: "olivia",
      draft: null,
    });
  });

  test("a draft is one person's own; two pages do not overwrite each other; sending ends it", async () => {
    const o = await start();
    const { ada } = await twoCustomers(o);
    const path = `/v1/operator/conversations/${ada}`;
    const save = (text: string, version: number, person: "olivia" | "oscar" = "olivia") =>
      o.as(person, "POST", `${path}/draft`, { text, version });
    expect((await save("Dear Ada", 0)).json.draft).toMatchObject({ text: "Dear Ada", version: 1 });
    expect((await save("Hello", 0)).json).toMatchObject({
      code: "draft_changed",
      draft: { text: "Dear Ada", version: 1 },
    });
    expect((await save("Hi from Oscar", 0, "oscar")).status).toBe(200);
    expect((await save("Dear Ada, I", 1)).json.draft.version).toBe(2);
    expect((await o.as("olivia", "GET", path)).json.draft).toMatchObject({ text: "Dear Ada, I" });
    await o.as("olivia", "POST", `${path}/take-over`);
    await o.as("olivia", "POST", `${path}/messages`, {
      client_message_id: "m-1",
      text: "Dear Ada, I am here.",
    });
    expect((await o.as("olivia", "GET", path)).json.draft).toBeNull();
    expect((await o.as("oscar", "GET", path)).json.draft).toMatchObject({ text: "Hi from Oscar" });
    expect((await save("", 0)).json.draft).toBeNull();
  });

  test("has a note that is sent again once, in parallel too; the ID is its author's, and of that one text", async () => {
    const o = await start();
    const { ada, ben } = await twoCustomers(o);
    const path = `/v1/operator/conversations/${ada}/notes`;
    const body = { client_note_id: "note-1", text: "The parcel is on its way back." };
    const sent = await Promise.all(Array.from({ length: 5 }, () => o.as("olivia", "POST", path, body)));
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(sent.map(({ json }) => json.note_id)).size).toBe(1);
    const inside = async () => (await o.as("olivia", "GET", `/v1/operator/conversations/${ada}`)).json.notes;
    expect(await inside()).toMatchObject([{ note_id: sent[0]?.json.note_id, author: "olivia" }]);
    const other = await o.as("olivia", "POST", path, { ...body, text: "It is lost." });
    expect([other.status, other.json.code]).toEqual([409, "client_note_id_reused"]);
    // Nobody else's note stands in the way, nor one beside another conversation.
    expect((await o.as("oscar", "POST", path, { ...body, text: "Seen." })).status).toBe(201);
    const bens = await o.as("olivia", "POST", `/v1/operator/conversations/${ben}/notes`, {
      ...body,
      text: "Another parcel.",
    });
    expect(bens.status).toBe(201);
    // Without an ID each is a note of its own, as before.
    for (const _ of [1, 2]) await o.as("olivia", "POST", path, { text: "Called." });
    expect(await inside()).toHaveLength(4);
    // What was kept is answered even where no more fit.
    for (let n = 4; n < LIMITS.notesPerConversation; n += 1) await o.as("oscar", "POST", path, { text: "…" });
    expect((await o.as("oscar", "POST", path, { text: "one more" })).json.code).toBe("notes_exhausted");
    expect((await o.as("olivia", "POST", path, body)).json).toEqual(sent[0]?.json);
  });

  test("has limits: tags and notes", async () => {
    const o = await start();
    const { ada } = await twoCustomers(o);
    const path = `/v1/operator/conversations/${ada}/tags`;
    const many = Array.from({ length: LIMITS.tagsPerConversation }, (_, index) => `tag-${index}`);
    expect((await o.as("olivia", "POST", path, { add: many })).json.tags).toHaveLength(many.length);
    expect((await o.as("olivia", "POST", path, { add: ["one-more"] })).json.code).toBe("tags_exhausted");
    expect((await o.as("olivia", "POST", path, { add: ["<b>"] })).status).toBe(400);
    const swapped = await o.as("olivia", "POST", path, { add: ["one-more"], remove: ["tag-0"] });
    expect(swapped.json.tags).toContain("one-more");
    const note = await o.as("olivia", "POST", `/v1/operator/conversations/${ada}/notes`, { text: " \0 " });
    expect(note.status).toBe(400);
  });
});

describe("canned replies", () => {
  test("are filled in for a conversation; what is not known is named and stays", async () => {
    const o = await start();
    const { ada, ben } = await twoCustomers(o);
    const body = {
      shortcut: "sorry",
      title: "Sorry",
      text: "Dear {{customer.first_name}}, your {{refund.amount}} for #{{order.number}}. {{operator.name}}, {{shop.name}}",
      language: "en",
    };
    const made = await o.as("olivia", "POST", "/v1/operator/canned-replies", body);
    expect(made.status).toBe(201);
    const fill = async (conversation_id: string) =>
      (
        await o.as("oscar", "POST", `/v1/operator/canned-replies/${made.json.reply_id}/fill`, {
          conversation_id,
        })
      ).json;
    expect(await fill(ada)).toEqual({
      text: expect.stringMatching(/^Dear Ada, your 113\.00 USD for #1042\. oscar, Northwind Outfitters$/),
      missing: [],
    });
    expect(await fill(ben)).toMatchObject({ missing: ["refund.amount", "order.number"] });
    const twin = await o.as("oscar", "POST", "/v1/operator/canned-replies", body);
    expect(twin.json.code).toBe("canned_reply_invalid");
    const typo = { ...body, shortcut: "typo", text: "{{customer.nmae}}" };
    const refused = await o.as("oscar", "POST", "/v1/operator/canned-replies", typo);
    expect(refused.json).toMatchObject({
      code: "canned_reply_invalid",
      detail: expect.stringContaining("customer.nmae"),
    });
  });

  test("are changed by the version that was read: of two at once one is first", async () => {
    const o = await start();
    const body = { shortcut: "hi", title: "Hi", text: "Hello!" };
    const { json: made } = await o.as("olivia", "POST", "/v1/operator/canned-replies", body);
    const path = `/v1/operator/canned-replies/${made.reply_id}`;
    const answers = await Promise.all(
      (["olivia", "oscar"] as const).map((person) =>
        o.as(person, "POST", path, { ...body, text: `Hello from ${person}`, version: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await o.as("olivia", "POST", `${path}/remove`, { version: 1 })).json.code).toBe(
      "canned_reply_changed",
    );
    expect((await o.as("olivia", "POST", `${path}/remove`, { version: 2 })).status).toBe(200);
    expect((await o.as("olivia", "GET", "/v1/operator/canned-replies")).json.replies).toEqual([]);
  });
});

describe("of another tenant", () => {
  test("everything is the same as nothing, to the letter", async () => {
    const o = await start();
    const { ada } = await twoCustomers(o);
    const { json: inside } = await o.as("olivia", "GET", `/v1/operator/conversations/${ada}`);
    const review = inside.open_reviews[0].review_id;
    const [action] = await o.w.actions();
    const reply = { shortcut: "hi", title: "Hi", text: "Hello!" };
    const { json: canned } = await o.as("olivia", "POST", "/v1/operator/canned-replies", reply);
    const decision = { decision: "approve", args_hash: action?.args_hash, version: 1, decision_id: "d" };
    const calls: readonly [
      string,
      (of: { conv: string; rev: string; act: string; rpl: string }) => string,
      unknown?,
    ][] = [
      ["GET", ({ conv }) => `conversations/${conv}`],
      ["GET", ({ conv }) => `conversations/${conv}/events`],
      ["GET", ({ conv }) => `conversations/${conv}/runs`],
      ["POST", ({ conv }) => `conversations/${conv}/take-over`],
      ["POST", ({ conv }) => `conversations/${conv}/give-back`],
      ["POST", ({ conv }) => `conversations/${conv}/messages`, { client_message_id: "m", text: "#1042" }],
      ["POST", ({ conv }) => `conversations/${conv}/draft`, { text: "x", version: 0 }],
      ["POST", ({ conv }) => `conversations/${conv}/notes`, { text: "x" }],
      ["POST", ({ conv }) => `conversations/${conv}/tags`, { add: ["x"] }],
      ["POST", ({ conv }) => `conversations/${conv}/assign`, { assignee: "me" }],
      ["GET", ({ rev }) => `reviews/${rev}`],
      ["POST", ({ rev }) => `reviews/${rev}/claim`],
      ["POST", ({ rev }) => `reviews/${rev}/release`],
      ["POST", ({ rev }) => `reviews/${rev}/decision`, decision],
      ["POST", ({ rev }) => `reviews/${rev}/undo`, { decision_id: "d" }],
      ["GET", ({ act }) => `actions/${act}`],
      ["POST", ({ rpl }) => `canned-replies/${rpl}`, { ...reply, version: 1 }],
      ["POST", ({ rpl }) => `canned-replies/${rpl}/remove`, { version: 1 }],
      ["POST", ({ rpl }) => `canned-replies/${rpl}/fill`, { conversation_id: ada }],
    ];
    const real = { conv: ada, rev: review, act: action?.id ?? "", rpl: canned.reply_id };
    const before = JSON.stringify([await o.w.reviews(), await o.w.actions(), inside]);
    for (const [method, path, body] of calls) {
      const [theirs, nobodys] = [
        await o.as("kim", method, `/v1/operator/${path(real)}`, body),
        await o.as("kim", method, `/v1/operator/${path(NOWHERE)}`, body),
      ];
      const { request_id: _, ...shown } = theirs.json;
      const { request_id: __, ...unknown } = nobodys.json;
      expect([theirs.status, shown], path(real)).toEqual([404, unknown]);
    }
    for (const list of ["conversations", "reviews?state=all", "actions", "canned-replies"]) {
      const { json } = await o.as("kim", "GET", `/v1/operator/${list}`);
      expect(Object.values(json)[0], list).toEqual([]);
    }
    const after = await o.as("olivia", "GET", `/v1/operator/conversations/${ada}`);
    expect(JSON.stringify([await o.w.reviews(), await o.w.actions(), after.json])).toBe(before);
  });
});

describe("live changes", () => {
  /** Reads a stream until `enough`, then closes it. */
  async function listen(o: Office, person: keyof typeof TOKENS, headers: Record<string, string> = {}) {
    const stop = new AbortController();
    const response = await fetch(`${o.running.url}/v1/operator/stream`, {
      headers: { authorization: `Bearer ${TOKENS[person]}`, accept: "text/event-stream", ...headers },
      signal: stop.signal,
    });
    const heard = { text: "", status: response.status, type: response.headers.get("content-type") };
    const done = (async () => {
      for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    })().catch(() => {});
    return {
      heard,
      events: () =>
        [...heard.text.matchAll(/id: (\S+)\nevent: (\w+)\ndata: (.*)\n/g)].map(([, id, event, data]) => ({
          id: id ?? "",
          event: event ?? "",
          data: JSON.parse(data ?? "{}"),
        })),
      async close() {
        stop.abort();
        await done;
      },
    };
  }

  test("name what to read again, of the own tenant, and nothing of what is in it", async () => {
    const o = await start();
    const [olivia, kim] = [await listen(o, "olivia"), await listen(o, "kim")];
    await until(() => olivia.events().length > 0 && kim.events().length > 0);
    expect(olivia.events()).toMatchObject([{ event: "reset" }]);
    const { ada } = await twoCustomers(o);
    const [review] = await o.w.reviews();
    await o.as("oscar", "POST", `/v1/operator/reviews/${review?.review_id}/claim`);
    await o.as("oscar", "POST", `/v1/operator/conversations/${ada}/notes`, { text: "SECRET" });
    await o.as("oscar", "POST", "/v1/operator/canned-replies", { shortcut: "x", title: "x", text: "x" });
    await until(() => olivia.events().some(({ data }) => data.kind === "canned_replies"));
    const changes = olivia.events().map(({ data }) => `${data.kind} ${data.id}`);
    expect(changes).toEqual(expect.arrayContaining([`conversation ${ada}`, `review ${review?.review_id}`]));
    expect(olivia.heard.text).not.toMatch(/SECRET|ada|1042/);
    expect(kim.events()).toHaveLength(1);
    await Promise.all([olivia.close(), kim.close()]);
  });

  test("go on where a lost connection was; from an unknown place everything is read anew", async () => {
    const o = await start();
    const first = await listen(o, "olivia");
    await until(() => first.events().length > 0);
    const place = first.events().at(-1)?.id ?? "";
    await first.close();
    const { ada, ben } = await twoCustomers(o);
    const resumed = await listen(o, "olivia", { "last-event-id": place });
    await until(() => resumed.events().some(({ data }) => data.id === ben));
    expect(resumed.events().map(({ event }) => event)).not.toContain("reset");
    expect(resumed.events().map(({ data }) => data.id)).toContain(ada);
    const last = resumed.events().at(-1)?.id ?? "";
    await resumed.close();
    const caughtUp = await listen(o, "olivia", { "last-event-id": last });
    const lost = await listen(o, "olivia", { "last-event-id": "abcdefabcdef-7" });
    await until(() => lost.events().length > 0);
    expect(lost.events()).toMatchObject([{ event: "reset" }]);
    expect(caughtUp.events()).toEqual([]);
    await Promise.all([caughtUp.close(), lost.close()]);
  });

  test("of the same thing in a moment are told once", async () => {
    const o = await start();
    const stream = await listen(o, "olivia");
    await until(() => stream.events().length > 0);
    const { ada } = await twoCustomers(o);
    await until(() => stream.events().some(({ data }) => data.id === ada));
    const rows = await o.w.store.transact(tenantScope(NORTHWIND), (tx) =>
      tx.selectFrom("events").select("seq").where("conversation_id", "=", ada).execute(),
    );
    expect(stream.events().filter(({ data }) => data.id === ada).length).toBeLessThan(rows.length);
    await stream.close();
  });
});
