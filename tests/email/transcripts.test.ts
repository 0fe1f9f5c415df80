/** A conversation sent by mail: to its own customer, with what they saw, once for each time it ended. */
import { afterEach, describe, expect, test } from "vitest";
import { suppress } from "../../src/channels/email/suppressions.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { codeOf } from "../actions/reviews-kit.ts";
import { createMailSystem, type MailSystem, TENANT } from "./kit.ts";

let it: MailSystem;
afterEach(async () => {
  expect(it.errors).toEqual([]);
  await it.close();
});

const OPERATORS = tenantScope(TENANT);
/** Ada's chat, ended unless stated. */
async function chat(...texts: readonly string[]) {
  const ada = it.as("ada");
  const id = await it.open(ada);
  for (const text of texts) await it.say(ada, id, text);
  const end = () => it.product.system.conversations.end(ada, id);
  const request = (who = ada) => it.email.transcripts.request(who, id);
  const mailed = async () => {
    await it.email.mailer.sweep();
    return it.sent;
  };
  return { ada, id, end, request, mailed };
}

describe("a conversation that has ended", () => {
  test("goes to its customer's address at the shop, with what both sides said, in order, once however often it is asked for", async () => {
    it = await createMailSystem();
    const { end, request, mailed } = await chat("where is order 1042? <b>now</b>", "thanks");
    await end();
    const answers = await Promise.all(Array.from({ length: 6 }, () => request()));
    expect(new Set(answers.map(({ address }) => address))).toEqual(new Set(["a…@example.com"]));
    const sent = await mailed();
    expect(sent).toHaveLength(1);
    const [mail] = sent;
    expect(mail).toMatchObject({
      to: "ada@example.com",
      subject: "Your conversation with Northwind Outfitters",
      headers: { "Auto-Submitted": "auto-generated" },
    });
    expect(mail?.text).toMatch(
      /You · [^\n]*\nwhere is order 1042\?[\s\S]*Assistant · [\s\S]*You · [^\n]*\nthanks/,
    );
    expect(mail?.html).toContain("&lt;b&gt;now&lt;/b&gt;");
    await request();
    expect(await mailed()).toHaveLength(1);
    expect((await it.audit()).filter(({ kind }) => kind === "mail.transcript")).toHaveLength(1);
  });

  test("has nothing in its mail that the customer did not see: no note, no tag, no draft, no memory of the agent", async () => {
    it = await createMailSystem();
    const { id, end, request, mailed } = await chat("I want to talk to a person");
    const { desk, reviews } = it.product.system;
    await reviews.takeOver(OPERATORS, id, "olivia@northwind.example");
    await desk.note(OPERATORS, id, { text: "SECRET note", author: "olivia", clientNoteId: null });
    await desk.tag(OPERATORS, id, { add: ["secret-tag"], remove: [], by: "olivia" });
    await desk.draft(OPERATORS, id, { text: "SECRET draft", version: 0, operator: "oscar" });
    await desk.send(OPERATORS, id, {
      clientMessageId: "m-1",
      text: "Hello, how can I help?",
      operator: "olivia",
    });
    await end();
    await request();
    const [mail] = await mailed();
    expect(mail?.text).toContain("Northwind Outfitters · ");
    expect(mail?.text).toContain("Hello, how can I help?");
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/secret|olivia|internal|digest|run_/i);
  });

  test("has card numbers masked, whoever wrote them", async () => {
    it = await createMailSystem();
    const { id, end, request, mailed } = await chat("my card is 4242 4242 4242 4242");
    await it.product.store.transact(OPERATORS, (tx) =>
      tx
        .insertInto("events")
        .values({
          tenant_id: TENANT,
          conversation_id: id,
          seq: 90,
          customer_id: "ada" as never,
          at_ms: it.clock.now(),
          type: "message",
          author: "operator",
          payload: JSON.stringify({ text: "You paid with 5555 5555 5555 4444." }),
          internal: null,
          client_message_id: null,
        })
        .execute(),
    );
    await end();
    await request();
    const [mail] = await mailed();
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/4242 4242|5555 5555/);
    expect(mail?.text.match(/removed/g)?.length).toBe(2);
  });

  test("that goes on and ends again is sent with what was added", async () => {
    it = await createMailSystem();
    const { ada, id, end, request, mailed } = await chat("where is order 1042?");
    await end();
    await request();
    await it.say(ada, id, "and one more thing");
    expect(await codeOf(request())).toBe("conversation_not_ended");
    await end();
    await request();
    const sent = await mailed();
    expect(sent.map(({ text }) => text.includes("one more thing"))).toEqual([false, true]);
  });
});

describe("no conversation is sent", () => {
  test("before it has ended, to somebody else, to a visitor, or from another shop", async () => {
    it = await createMailSystem();
    const { id, end, request, mailed } = await chat("where is order 1042?");
    expect(await codeOf(request())).toBe("conversation_not_ended");
    await end();
    expect(await codeOf(request(it.as("ben")))).toBe("not_found");
    const visitor = it.as("visitor_00000000-0000-7000-8000-000000000000");
    expect(it.email.transcripts.isThere(visitor)).toBe(false);
    expect(await codeOf(request(visitor))).toBe("transcript_unavailable");
    const kestrel = { ...it.as("lena"), tenantId: "kestrel" as never };
    expect(await codeOf(it.email.transcripts.request(kestrel, id))).toBe("not_found");
    expect(await codeOf(it.email.transcripts.request(it.as("nobody"), id))).toBe("transcript_unavailable");
    expect(await mailed()).toEqual([]);
  });

  test("to an address that takes no mail, and more often a day than the limit", async () => {
    it = await createMailSystem();
    for (let n = 0; n < LIMITS.transcriptsPerDay; n += 1) {
      const { end, request } = await chat("where is order 1042?");
      await end();
      await request();
      await request();
    }
    const { end, request, mailed } = await chat("where is order 1042?");
    await end();
    expect(await codeOf(request())).toBe("rate_limited");
    expect(await mailed()).toHaveLength(LIMITS.transcriptsPerDay);
    it.clock.jump(86_400_000);
    await it.product.store.transact(OPERATORS, (tx) => suppress(tx, "ada@example.com", "bounced", 1));
    expect(await codeOf(request())).toBe("transcript_unavailable");
    expect(await mailed()).toHaveLength(LIMITS.transcriptsPerDay);
  });
});
