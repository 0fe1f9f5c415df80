/**
 * What went wrong in public where people answer in a console, as tests. The number in brackets is the case's, see
 * README.md. Over HTTP, as the console's pages ask.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type Office, openOffice, type Person } from "../desk/office.ts";

let office: Office | undefined;
afterEach(async () => {
  expect(office?.w.errors ?? []).toEqual([]);
  await office?.close();
  office = undefined;
});

async function start(...how: Parameters<typeof openOffice>) {
  const o = await openOffice(...how);
  office = o;
  const ada = o.w.scope("ada");
  const at = (conversation: string, rest = "") => `/v1/operator/conversations/${conversation}${rest}`;
  /** Ada asks for a person, and Olivia takes it. */
  const taken = async (text = "I want to talk to a person") => {
    const conversation = await o.w.open(ada);
    await o.w.say(ada, conversation, text);
    await o.as("olivia", "POST", at(conversation, "/take-over"), {});
    return conversation;
  };
  const look = async (person: Person, conversation: string) =>
    (await o.as(person, "GET", at(conversation))).json;
  const send = (person: Person, conversation: string, id: string, text: string, seen?: number) =>
    o.as(person, "POST", at(conversation, "/messages"), {
      client_message_id: id,
      text,
      ...(seen === undefined ? {} : { seen_seq: seen }),
    });
  const draft = (person: Person, conversation: string, text: string, version = 0) =>
    o.as(person, "POST", at(conversation, "/draft"), { text, version });
  /** What people wrote, as the customer has it. */
  const written = async (conversation: string) =>
    (await o.w.events(ada, conversation as never))
      .filter(({ author }) => author === "operator")
      .map(({ text }) => text);
  /** Ada's whole order: above what may go out unattended. */
  const approval = async () => {
    const conversation = await o.w.open(ada);
    await o.w.say(ada, conversation, "refund everything from order 1042");
    await o.w.say(ada, conversation, "yes");
    const [review] = await o.w.reviews();
    if (review === undefined) throw new Error("no review was opened");
    return { conversation, id: review.review_id };
  };
  const review = async (id: string) => (await o.as("olivia", "GET", `/v1/operator/reviews/${id}`)).json;
  const decide = async (id: string, decision: object) => {
    const { version, args_hash } = await review(id);
    return o.as("olivia", "POST", `/v1/operator/reviews/${id}/decision`, { version, args_hash, ...decision });
  };
  return { ...o, ada, at, taken, look, send, draft, written, approval, review, decide };
}

describe("approvals in the console", () => {
  test("[15] sent back twice with a question, then approved: each is one record, and the money goes once", async () => {
    const { w, ada, approval, decide, review } = await start();
    const { conversation, id } = await approval();
    for (const [n, note] of ["Which size was it?", "And what is wrong with it?"].entries()) {
      expect((await decide(id, { decision: "ask", decision_id: `ask-${n}`, note })).status).toBe(200);
      expect(await review(id)).toMatchObject({ state: "waiting" });
      await w.say(ada, conversation, `Answer ${n}`);
      expect(await review(id)).toMatchObject({
        state: "open",
        asked: { question: note, answer: `Answer ${n}` },
      });
    }
    expect((await decide(id, { decision: "approve", decision_id: "yes" })).status).toBe(200);
    await w.settle();
    expect(await w.refunds("1042")).toHaveLength(1);
    const kinds = (await w.audit())
      .map(({ kind }) => kind)
      .filter((kind) => /^review\.(ask|approve)$/.test(kind));
    expect(kinds).toEqual(["review.ask", "review.ask", "review.approve"]);
    const told = (await w.told(ada, conversation)).filter((text) => /Which size|what is wrong/.test(text));
    expect(told).toHaveLength(2);
    expect(await w.reviews()).toHaveLength(1);
  });

  test("[66] taken back within the time, changed and decided again: the customer hears the second text, once", async () => {
    const { w, ada, approval, decide, as } = await start({ tenant: { reviews: { undoMs: 5_000 } } });
    const { conversation, id } = await approval();
    const [first, second] = ["The first reason.", "The jacket has been worn."];
    await decide(id, { decision: "reject", decision_id: "d-1", note: first });
    const undo = (decision: string) =>
      as("olivia", "POST", `/v1/operator/reviews/${id}/undo`, { decision_id: decision });
    expect((await undo("d-1")).status).toBe(200);
    await decide(id, { decision: "reject", decision_id: "d-2", note: second });
    await w.pass(5_000);
    await w.settle();
    const told = (await w.told(ada, conversation)).join("\n");
    expect([told.split(first).length - 1, told.split(second).length - 1]).toEqual([0, 1]);
    const late = await undo("d-2");
    expect([late.status, late.json.code]).toEqual([409, "undo_too_late"]);
    expect(await w.refunds("1042")).toEqual([]);
  });
});

describe("answers in the console", () => {
  test("[57] who was away while somebody else answered reads that first: their own is not sent over it", async () => {
    const { w, ada, taken, look, send, written } = await start();
    const conversation = await taken();
    const seen = (await look("oscar", conversation)).last_seq;
    expect((await send("olivia", conversation, "m-1", "It is on its way.")).status).toBe(200);
    const stale = await send("oscar", conversation, "m-2", "We do not know yet.", seen);
    expect([stale.status, stale.json.code, stale.json.author]).toEqual([
      409,
      "conversation_changed",
      "operator",
    ]);
    await w.say(ada, conversation, "Thank you, and where is #1042?");
    const after = (await look("oscar", conversation)).last_seq;
    expect((await send("oscar", conversation, "m-2", "It arrives on Friday.", after)).status).toBe(200);
    // One's own message is nothing new, and the same one sent again is answered the same.
    expect((await send("oscar", conversation, "m-3", "By noon.", after)).status).toBe(200);
    expect((await send("oscar", conversation, "m-3", "By noon.", after)).status).toBe(200);
    expect(await written(conversation)).toEqual(["It is on its way.", "It arrives on Friday.", "By noon."]);
  });

  test("[65] what was sent stays as it was sent, whoever throws a draft away at that moment", async () => {
    const { taken, send, draft, written, look } = await start();
    const conversation = await taken();
    await draft("olivia", conversation, "It is on its way.");
    await draft("oscar", conversation, "Something else");
    const [sent] = await Promise.all([
      send("olivia", conversation, "m-1", "It is on its way."),
      draft("olivia", conversation, "", 1),
      draft("oscar", conversation, "", 1),
      send("olivia", conversation, "m-1", "It is on its way."),
    ]);
    expect(sent.status).toBe(200);
    expect(await written(conversation)).toEqual(["It is on its way."]);
    expect((await look("olivia", conversation)).draft).toBeNull();
  });

  test("[67] a draft belongs to its conversation: another one shows and sends nothing of it", async () => {
    const { taken, send, draft, look, written } = await start();
    const [one, two] = [await taken(), await taken()];
    await draft("olivia", one, "For the first");
    expect((await look("olivia", two)).draft).toBeNull();
    await send("olivia", two, "m-1", "For the second");
    expect((await look("olivia", one)).draft).toMatchObject({ text: "For the first" });
    expect([await written(one), await written(two)]).toEqual([[], ["For the second"]]);
  });

  test("[68] once a person has answered, the suggested answer is offered no more and their draft is gone", async () => {
    const { w, taken, send, draft, look, review } = await start();
    const conversation = await taken();
    const [handoff] = await w.reviews();
    const id = handoff?.review_id ?? "";
    expect((await review(id)).draft_reply).not.toBe("");
    await draft("olivia", conversation, "I am here now");
    await send("olivia", conversation, "m-1", "I am here now.");
    expect((await review(id)).draft_reply).toBe("");
    expect((await look("olivia", conversation)).draft).toBeNull();
  });

  test("[69] tags are added and removed one by one: of two changes at a moment neither is lost", async () => {
    const { taken, as, at, look } = await start();
    const conversation = await taken();
    await as("olivia", "POST", at(conversation, "/tags"), { add: ["new"] });
    await Promise.all([
      as("olivia", "POST", at(conversation, "/tags"), { add: ["vip"] }),
      as("oscar", "POST", at(conversation, "/tags"), { remove: ["new"] }),
    ]);
    expect((await look("olivia", conversation)).tags).toEqual(["vip"]);
  });

  test("[138] while a person answers, from wherever they write, the customer's next messages start no run", async () => {
    const { w, ada, taken, send, written } = await start();
    const conversation = await taken();
    await send("olivia", conversation, "m-1", "Hello, this is Olivia.");
    const runs = async () =>
      (await w.events(ada, conversation as never)).filter(({ type }) => type === "run").length;
    const before = await runs();
    for (const text of ["refund everything from order 1042", "yes"])
      await w.say(ada, conversation as never, text);
    expect(await runs()).toBe(before);
    expect(await w.actions()).toEqual([]);
    expect(await written(conversation)).toEqual(["Hello, this is Olivia."]);
  });
});

test("[34] what another shop's people may not see is in no search, no count and no list of theirs", async () => {
  const { w, ada, as } = await start();
  const conversation = await w.open(ada);
  await w.say(ada, conversation, "my zebra-striped parcel, order 1042: I want to talk to a person");
  await as("olivia", "POST", `/v1/operator/conversations/${conversation}/tags`, { add: ["zebra"] });
  const found = async (person: Person, query: string) =>
    (await as(person, "GET", `/v1/operator/conversations?${query}`)).json.conversations.length;
  for (const query of ["q=zebra-striped", "tag=zebra", "customer_id=ada", ""]) {
    expect([query, await found("olivia", query)]).toEqual([query, 1]);
    expect([query, await found("kim", query)]).toEqual([query, 0]);
  }
  const counts = async (person: Person) => (await as(person, "GET", "/v1/operator/review-counts")).json;
  expect(JSON.stringify(await counts("olivia"))).toMatch(/:1\b/);
  expect(JSON.stringify(await counts("kim"))).not.toMatch(/:[1-9]/);
});
