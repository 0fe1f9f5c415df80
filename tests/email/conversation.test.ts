/** A refund by mail, from the first word to the provider: who writes is a claim until the mailbox is confirmed. */
import { afterEach, describe, expect, test } from "vitest";
import { MailRefused, MailUncertain } from "../../src/channels/email/mailer.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { createMailSystem, type MailSystem, SUPPORT } from "./kit.ts";

let it: MailSystem;
const start = async (options = {}) => {
  it = await createMailSystem(options);
  return it;
};
afterEach(async () => {
  expect(it.errors).toEqual([]);
  await it.close();
});

/** Ada asks by mail, confirms, and has an offer in her mailbox. */
async function offered() {
  const first = await it.receive({ subject: "Refund", text: "Please refund the socks from order #1042." });
  const [offer] = await it.confirm(it.linkIn(first.answers[0]));
  return { first, offer, id: String(first.receipt?.conversationId) };
}

describe("a mail", () => {
  test("about documents is answered to its writer, in the thread, once", async () => {
    await start();
    const { answers, receipt, bytes } = await it.receive({ id: "<q1@example.com>", subject: "Returns" });
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({
      to: "ada@example.com",
      subject: "Re: Returns",
      inReplyTo: "<q1@example.com>",
      headers: { "Auto-Submitted": "auto-replied" },
    });
    expect(answers[0]?.text).toContain("30 days");
    // Delivered again, by a server that did not hear our answer.
    for (let n = 0; n < 3; n += 1) await it.email.receive({ from: "ada@example.com", to: [SUPPORT] }, bytes);
    await it.drain();
    expect(await it.email.mailer.sweep()).toBe(0);
    const said = await it.messagesOf(String(receipt?.conversationId));
    expect(said.filter(({ author }) => author === "customer")).toHaveLength(1);
  });

  test("G3 opens nothing of the customer whose address it claims: no order, no name, no money", async () => {
    await start();
    for (const text of ["Where is my order #1042?", "Refund order #1042, all of it.", "yes"]) {
      const { answers } = await it.receive({ text });
      for (const { text: told } of answers) {
        expect(told).not.toMatch(/delivered|tracking|jacket|113/i);
      }
    }
    expect(await it.refunds("1042")).toEqual([]);
    expect((await it.rows("mail_outbox")).every(({ address }) => address === "ada@example.com")).toBe(true);
  });

  test("is answered with what was asked once the mailbox is confirmed, and the refund happens once", async () => {
    await start();
    const { offer, id } = await offered();
    expect(offer?.text).toContain("24.00 USD");
    expect(await it.conversation(id)).toMatchObject({ customer_id: "ada", assurance: "email_verified" });
    const quoted = `Yes please\n\nOn Mon, Nov 30, 2026 at 5:00 PM Northwind Outfitters <${SUPPORT}> wrote:\n> No refund is possible. Shall I go ahead?\n`;
    await it.receive({ to: offer?.replyTo ?? "", subject: "Re: Refund", text: quoted });
    await it.settle();
    await it.email.mailer.sweep();
    expect(await it.refunds("1042")).toHaveLength(1);
    expect(it.sent.at(-1)?.text).toContain("has confirmed your refund of 24.00 USD");
    // The same wish in a chat: the same ledger.
    const chat = await it.open(it.as("ada"));
    for (const text of ["refund the socks from #1042", "yes"]) await it.say(it.as("ada"), chat, text);
    await it.settle();
    expect(await it.refunds("1042")).toHaveLength(1);
  });

  test("is one that we do not know after a quarter of an hour: a yes then moves nothing until it is confirmed again", async () => {
    await start();
    const { offer } = await offered();
    await it.pass(LIMITS.identityLinkMs + 1_000);
    const late = await it.receive({ to: offer?.replyTo ?? "", text: "yes" });
    await it.settle();
    expect(await it.refunds("1042")).toEqual([]);
    expect(late.answers[0]?.text).toContain("/confirm/");
  });
});

describe("a one-time link", () => {
  test("works once, within a quarter of an hour, for who has it whole", async () => {
    await start();
    const token = it.linkIn((await it.receive({ text: "Where is order #1042?" })).answers[0]);
    expect(await it.email.links.look(token)).toMatchObject({ address: "ada@example.com" });
    for (const other of [
      token.slice(0, -1),
      `${token}a`,
      token.replace("northwind", "kestrel"),
      "",
      "a.b.c",
    ]) {
      await expect(it.email.links.confirm(other)).rejects.toMatchObject({ code: "link_invalid" });
    }
    const both = await Promise.allSettled([it.email.links.confirm(token), it.email.links.confirm(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await it.drain();
    // Later, when nothing else stands in its way.
    for (const again of [it.email.links.look(token), it.email.links.confirm(token)])
      await expect(again).rejects.toMatchObject({ code: "link_invalid" });
    await it.email.mailer.sweep();
    const second = it.linkIn(
      (await it.receive({ from: "ben@example.com", text: "Where is order #1043?" })).answers[0],
    );
    await it.clock.advance(LIMITS.identityLinkMs);
    await expect(it.email.links.confirm(second)).rejects.toMatchObject({ code: "link_invalid" });
  });

  test("of an address that the shop does not know shows nobody's orders", async () => {
    await start();
    const { answers, receipt } = await it.receive({
      from: "stranger@example.org",
      text: "Where is order #1042?",
    });
    const told = await it.confirm(it.linkIn(answers[0]));
    expect(told).toHaveLength(1);
    expect(told[0]?.text).not.toMatch(/delivered|tracking|jacket/i);
    expect((await it.conversation(String(receipt?.conversationId))).customer_id).toMatch(/^visitor_/);
  });
});

describe("a thread", () => {
  test("G3 is gone on with from its participant's address only: whoever else answers has their own, and sees nothing", async () => {
    await start();
    const { offer, id } = await offered();
    const before = (await it.messagesOf(id)).length;
    for (const from of ["ben@example.com", "ada@example.com.evil.example", "colleague@example.com"]) {
      const { receipt, answers } = await it.receive({
        from,
        to: offer?.replyTo ?? "",
        text: "yes",
        headers: { "in-reply-to": offer?.messageId ?? "", references: offer?.messageId ?? "" },
      });
      expect(receipt?.conversationId).not.toBe(id);
      for (const mail of answers) {
        expect(mail.to).toBe(from);
        expect(mail.text).not.toContain("24.00");
      }
    }
    await it.settle();
    expect(await it.refunds("1042")).toEqual([]);
    expect(await it.messagesOf(id)).toHaveLength(before);
  });

  test("is found by our own Message-ID too, never by a subject or a forged reference", async () => {
    await start();
    const { first, id } = await offered();
    const ours = it.sent.at(-1)?.messageId ?? "";
    const answered = await it.receive({
      subject: "Something else",
      text: "thanks",
      headers: { references: ours },
    });
    expect(answered.receipt?.conversationId).toBe(id);
    const bySubject = await it.receive({ subject: first.answers[0]?.subject ?? "", text: "thanks" });
    expect(bySubject.receipt?.conversationId).not.toBe(id);
    const forged = (first.answers[0]?.replyTo ?? "").replace(
      /\.(.)/,
      (_, char) => `.${char === "a" ? "b" : "a"}`,
    );
    expect((await it.receive({ to: forged, text: "thanks" })).receipt?.conversationId).not.toBe(id);
  });
});

describe("what goes out", () => {
  test("is sent again under the same Message-ID until the server has taken it", async () => {
    await start();
    it.refuseWith(new Error("connection reset"));
    await it.receive();
    expect(it.sent).toEqual([]);
    const [row] = await it.rows("mail_outbox");
    it.refuseWith(null);
    await it.clock.advance(LIMITS.mailRetryBaseMs);
    expect(await it.email.mailer.sweep()).toBe(1);
    expect(it.sent.map(({ messageId }) => messageId)).toEqual([row && "id" in row ? row.id : ""]);
    expect(await it.email.mailer.sweep()).toBe(0);
  });

  test("to an address that is refused for good stops, and nothing more is sent there", async () => {
    await start();
    it.refuseWith(new MailRefused("550 5.1.1 no such user", true));
    await it.receive();
    it.refuseWith(null);
    expect(await it.rows("mail_suppressions")).toMatchObject([
      { address: "ada@example.com", reason: "refused" },
    ]);
    expect((await it.receive()).answers).toEqual([]);
    expect(it.errors.splice(0).map(({ about }) => about)).toHaveLength(1);
  });

  test("a bounce of it is recognised, answered by nothing, and stops the address", async () => {
    await start();
    const { answers } = await it.receive();
    const bounced = await it.receive({
      from: "Mail Delivery System <mailer-daemon@example.com>",
      returnPath: "",
      to: answers[0]?.replyTo ?? "",
      headers: { "content-type": 'multipart/report; report-type="delivery-status"; boundary=b' },
      text: "--b\r\ncontent-type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ada@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--",
    });
    expect(bounced.receipt?.verdict).toBe("bounce");
    expect(bounced.answers).toEqual([]);
    expect(await it.rows("mail_outbox")).toMatchObject([{ state: "bounced" }]);
    expect(await it.rows("mail_suppressions")).toMatchObject([
      { address: "ada@example.com", reason: "bounced" },
    ]);
  });

  test("[6] is not sent again when the server broke off with all of it in hand: nobody knows, and a person can see it", async () => {
    await start();
    it.refuseWith(new MailUncertain("timeout"));
    await it.receive();
    it.refuseWith(null);
    await it.clock.advance(LIMITS.mailGiveUpMs);
    expect(await it.email.mailer.sweep()).toBe(0);
    expect(await it.rows("mail_outbox")).toMatchObject([{ state: "unknown", attempts: 1 }]);
    expect((await it.audit()).map(({ kind }) => kind)).toContain("mail.unknown");
    it.errors.length = 0;
  });

  test("is looked for when something is said by mail, and not at every word of a chat", async () => {
    await start();
    const heard: string[] = [];
    it.hub.subscribeAll((_tenantId, _conversationId, channel) => heard.push(channel));
    await it.say(it.as("ada"), await it.open(it.as("ada")), "hello");
    expect(new Set(heard.splice(0))).toEqual(new Set(["chat"]));
    await it.receive();
    expect(new Set(heard)).toEqual(new Set(["email"]));
  });

  test("two senders at once send each mail once", async () => {
    await start();
    await it.email.receive(
      { from: "ada@example.com", to: [SUPPORT] },
      (await import("./kit.ts")).mailBytes({}),
    );
    await it.drain();
    await Promise.all([it.email.mailer.sweep(), it.email.mailer.sweep()]);
    expect(it.sent).toHaveLength(1);
  });
});

describe("a flood", () => {
  test("from one address is kept and not answered beyond the limit", async () => {
    await start();
    for (let n = 0; n < LIMITS.mailsPerAddressPerHour; n += 1) {
      await it.email.receive(
        { from: "ada@example.com", to: [SUPPORT] },
        (await import("./kit.ts")).mailBytes({}),
      );
    }
    expect((await it.receive()).receipt).toEqual({ verdict: "too_many", conversationId: null });
    await it.clock.advance(3_600_000);
    expect((await it.receive()).receipt?.verdict).toBe("accepted");
  });

  test("a mail whose DMARC our own server found to fail is kept and not answered; one that passes is a claim", async () => {
    await start({ trustedServer: "mx.northwind.example" });
    const results = (server: string, verdict: string) => ({
      "authentication-results": `${server}; spf=pass; dmarc=${verdict} header.from=example.com`,
    });
    const failed = await it.receive({ headers: results("mx.northwind.example", "fail") });
    expect([failed.receipt?.verdict, failed.answers.length]).toEqual(["unauthentic", 0]);
    const passed = await it.receive({ headers: results("mx.northwind.example", "pass") });
    expect((await it.conversation(String(passed.receipt?.conversationId))).assurance).toBe("claimed");
    // Written by the sender: it is not our server's.
    const claimed = await it.receive({ headers: results("mx.evil.example", "pass") });
    expect((await it.conversation(String(claimed.receipt?.conversationId))).assurance).toBe("anonymous");
  });
});
