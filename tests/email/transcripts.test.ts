/** A conversation sent by mail: to whoever had it, with what they saw, once for each time it ended. */
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
          seq: 0,
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

const VISITOR = "visitor_00000000-0000-7000-8000-000000000000";
/** A visitor's chat that has ended. */
async function visit(...texts: readonly string[]) {
  const visitor = it.as(VISITOR);
  const id = await it.open(visitor);
  for (const text of texts) await it.say(visitor, id, text);
  await it.product.system.conversations.end(visitor, id);
  const ask = (address: string) => it.email.transcripts.ask(visitor, id, address);
  const mailed = async () => {
    await it.email.mailer.sweep();
    return it.sent;
  };
  const tokenIn = (mail: { readonly text: string } | undefined): string =>
    /https:\/\/support\.example\/transcript\/(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  return { visitor, id, ask, mailed, tokenIn };
}

describe("a visitor's conversation", () => {
  test("is sent to the address that they name, once its mailbox has agreed: nothing of it goes there before", async () => {
    it = await createMailSystem();
    const { ask, mailed, tokenIn } = await visit("What is your return policy? BUY PILLS https://bad.example");
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(" Ivy@Example.com ")));
    expect(new Set(answers.map(({ address }) => address))).toEqual(new Set(["i…@example.com"]));
    const [asking, ...more] = await mailed();
    expect(more).toEqual([]);
    expect(asking).toMatchObject({ to: "ivy@example.com" });
    expect(`${asking?.subject} ${asking?.text} ${asking?.html}`).not.toMatch(/pills|bad\.example|30 days/i);
    const token = tokenIn(asking);
    expect(await it.email.transcripts.look(token)).toMatchObject({ address: "ivy@example.com" });
    expect(await mailed()).toHaveLength(1);
    await Promise.all(Array.from({ length: 5 }, () => it.email.transcripts.confirm(token)));
    const sent = await mailed();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ to: "ivy@example.com" });
    expect(sent[1]?.text).toContain("What is your return policy?");
    expect(sent[1]?.text).toMatch(/30 days/);
    const kinds = (await it.audit()).map(({ kind }) => kind).filter((kind) => kind.startsWith("mail."));
    expect(kinds).toEqual(["mail.transcript_asked", "mail.transcript"]);
  });

  test("has in its copy what was said up to that end, and no copy once it is a customer's", async () => {
    it = await createMailSystem();
    const { visitor, id, ask, mailed, tokenIn } = await visit("What is your return policy?");
    await ask("ivy@example.com");
    const token = tokenIn((await mailed())[0]);
    await it.say(visitor, id, "SECRET second part");
    await it.email.transcripts.confirm(token);
    expect((await mailed())[1]?.text).not.toContain("SECRET");
    await it.product.system.conversations.end(visitor, id);
    await ask("ivy@example.com");
    const second = tokenIn((await mailed())[2]);
    await it.product.system.conversations.adopt(it.as("ada"), id, VISITOR as never);
    expect(await codeOf(it.email.transcripts.look(second))).toBe("transcript_link_invalid");
    expect(await codeOf(it.email.transcripts.confirm(second))).toBe("transcript_link_invalid");
    expect(await mailed()).toHaveLength(3);
  });

  test("is sent by no link that is old, changed, or made for something else", async () => {
    it = await createMailSystem();
    const { ask, mailed, tokenIn } = await visit("What is your return policy?");
    await ask("ivy@example.com");
    const token = tokenIn((await mailed())[0]);
    const { answers } = await it.receive({ from: "ada@example.com", text: "Where is order 1042?" });
    const identity = it.linkIn(answers[0]);
    const [head = "", body = "", signed = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, to: "mallory@example.com" })).toString(
      "base64url",
    );
    for (const wrong of [`${head}.${forged}.${signed}`, token.slice(0, -3), identity, "x", ""]) {
      expect(await codeOf(it.email.transcripts.confirm(wrong)), wrong).toBe("transcript_link_invalid");
    }
    expect(await codeOf(it.email.links.confirm(token))).toBe("link_invalid");
    it.clock.jump(LIMITS.transcriptLinkMs + 60_000);
    expect(await codeOf(it.email.transcripts.confirm(token))).toBe("transcript_link_invalid");
    expect((await mailed()).filter(({ to }) => to === "ivy@example.com")).toHaveLength(1);
  });

  test.each([
    "ivy",
    "ivy@example.com, mallory@example.com",
    "ivy@example.com\r\nBcc: mallory@example.com",
    '"Ivy" <ivy@example.com>',
    "support@northwind.example",
    "support+abc.def@northwind.example",
    "support@kestrel.example",
    `${"x".repeat(300)}@example.com`,
  ])("is not sent to %j", async (address) => {
    it = await createMailSystem();
    const { ask, mailed } = await visit("What is your return policy?");
    expect(await codeOf(ask(address))).toBe("address_invalid");
    expect(await mailed()).toEqual([]);
  });

  test("cannot be used to fill a stranger's mailbox, nor to send from the shop to the whole world", async () => {
    it = await createMailSystem();
    const { ask: first, mailed } = await visit("What is your return policy?");
    await first("ivy@example.com");
    for (let n = 1; n < LIMITS.transcriptsPerDay; n += 1) await (await visit("hello")).ask("ivy@example.com");
    const { ask } = await visit("hello");
    expect(await codeOf(ask("ivy@example.com"))).toBe("rate_limited");
    expect(await mailed()).toHaveLength(LIMITS.transcriptsPerDay);
    for (let n = LIMITS.transcriptsPerDay; n < LIMITS.transcriptAsksPerHour; n += 1)
      await ask(`a${n}@example.com`);
    expect(await codeOf(ask("one-more@example.com"))).toBe("rate_limited");
    expect(await mailed()).toHaveLength(LIMITS.transcriptAsksPerHour);
    it.clock.jump(3_600_001);
    await ask("one-more@example.com");
    // One that takes no mail gets none, and nobody learns of it.
    await it.product.store.transact(OPERATORS, (tx) => suppress(tx, "gone@example.com", "bounced", 1));
    expect(await ask("gone@example.com")).toEqual({ address: "g…@example.com" });
    expect(await mailed()).toHaveLength(LIMITS.transcriptAsksPerHour + 1);
  });

  test("is asked for by a visitor only, of their own that has ended", async () => {
    it = await createMailSystem();
    const { id } = await visit("hello");
    const { ask, needsAddress } = it.email.transcripts;
    expect([needsAddress(it.as(VISITOR)), needsAddress(it.as("ada"))]).toEqual([true, false]);
    expect(await codeOf(ask(it.as("ada"), id, "ivy@example.com"))).toBe("transcript_unavailable");
    const other = it.as("visitor_00000000-0000-7000-8000-000000000001");
    expect(await codeOf(ask(other, id, "ivy@example.com"))).toBe("not_found");
    const open = await it.open(it.as(VISITOR));
    await it.say(it.as(VISITOR), open, "hello");
    expect(await codeOf(ask(it.as(VISITOR), open, "ivy@example.com"))).toBe("conversation_not_ended");
  });
});
