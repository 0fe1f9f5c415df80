/** Public failures of help desks with mail: whose thread, which copy, who answers whom. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseMail } from "../../src/channels/email/parse.ts";
import { createMailSystem, FORM, type MailSystem, mailBytes, SUPPORT } from "../email/kit.ts";

let it: MailSystem;
beforeEach(async () => {
  it = await createMailSystem({ trustedServer: "mx.northwind.example" });
});
afterEach(async () => {
  expect(it.errors).toEqual([]);
  await it.close();
});
const conversations = async () =>
  new Set((await it.rows("mail_threads")).map((row) => "conversation_id" in row && row.conversation_id));
const refers = (...ids: string[]) => ({ references: ids.join(" "), "in-reply-to": ids.at(-1) ?? "" });

describe("a thread is its writer's", () => {
  test("[36] a subject with somebody else's conversation or order in it joins nothing", async () => {
    const ada = await it.receive({ subject: "Order 1042", text: "What is your return policy?" });
    const ben = await it.receive({
      from: "ben@example.com",
      subject: ada.answers[0]?.subject ?? "",
      text: "Where is it?",
    });
    expect(ben.receipt?.conversationId).not.toBe(ada.receipt?.conversationId);
    for (const mail of ben.answers)
      expect([mail.to, mail.text.includes("return")]).toEqual(["ben@example.com", false]);
    expect(await it.messagesOf(String(ada.receipt?.conversationId))).toHaveLength(2);
  });

  test("[45] [46] mails that share a reference which we sent or saw or never saw go on in one conversation", async () => {
    const first = await it.receive({ id: "<first@example.com>" });
    // Answered from a colleague's own program, whose mail we never had.
    const second = await it.receive({
      id: "<second@example.com>",
      headers: refers("<first@example.com>", "<colleague@other.example>"),
    });
    const third = await it.receive({ headers: refers("<colleague@other.example>") });
    expect([second, third].map(({ receipt }) => receipt?.conversationId)).toEqual(
      [1, 2].map(() => first.receipt?.conversationId),
    );
    // The same references from somebody else are theirs alone.
    const other = await it.receive({
      from: "ben@example.com",
      headers: refers("<first@example.com>", "<colleague@other.example>"),
    });
    expect(other.receipt?.conversationId).not.toBe(first.receipt?.conversationId);
  });

  test("[54] [117] [128] several people who answer one mail of ours each have their own, and hear nothing of the others", async () => {
    const { answers, receipt } = await it.receive({
      text: "I am Ada and my code word is heliotrope. What is your return policy?",
    });
    for (const from of ["bcc@example.com", "ben@example.com"]) {
      const theirs = await it.receive({
        from,
        to: answers[0]?.replyTo ?? "",
        headers: { ...refers(answers[0]?.messageId ?? ""), cc: "ada@example.com" },
      });
      expect(theirs.receipt?.conversationId).not.toBe(receipt?.conversationId);
      for (const mail of theirs.answers)
        expect([mail.to, JSON.stringify(mail).includes("heliotrope")]).toEqual([from, false]);
    }
    expect((await it.conversation(String(receipt?.conversationId))).customer_id).toMatch(/^visitor_/);
    expect(await it.messagesOf(String(receipt?.conversationId))).toHaveLength(2);
  });

  test("[55] a forged sender reaches the thread neither by its address nor by its references", async () => {
    const { answers, receipt } = await it.receive();
    const forged = await it.receive({
      to: answers[0]?.replyTo ?? "",
      text: "Change my refund to my new card.",
      headers: {
        ...refers(answers[0]?.messageId ?? ""),
        "authentication-results": "mx.northwind.example; spf=fail; dkim=none; dmarc=fail",
      },
    });
    expect([forged.receipt?.verdict, forged.answers]).toEqual(["unauthentic", []]);
    expect(await it.messagesOf(String(receipt?.conversationId))).toHaveLength(2);
  });

  test("[130] one person however their address is written", async () => {
    const [a, b] = [
      await it.receive({ from: "Test@Example.com" }),
      await it.receive({ from: "test@example.com" }),
    ];
    const owners = await Promise.all(
      [a, b].map(({ receipt }) => it.conversation(String(receipt?.conversationId))),
    );
    expect(new Set(owners.map(({ customer_id }) => customer_id)).size).toBe(1);
  });
});

describe("two programs do not talk to each other", () => {
  test("[47] a carrier's automatic answers to our answers make no conversation and get none", async () => {
    for (let n = 0; n < 11; n += 1) {
      const { answers } = await it.receive({
        from: "noreply@carrier.example",
        text: `Ticket ${n} received.`,
      });
      expect(answers).toEqual([]);
    }
    expect((await conversations()).size).toBe(0);
    expect((await it.receive()).answers[0]?.headers["Auto-Submitted"]).toBe("auto-replied");
  });

  test("[48] a delivery report belongs to the mail that it is about, opens nothing, and is not answered", async () => {
    const { answers, receipt } = await it.receive();
    const report = await it.receive({
      from: "MAILER-DAEMON@mx.example",
      returnPath: "",
      to: answers[0]?.replyTo ?? "",
      headers: { "content-type": "multipart/report; report-type=delivery-status; boundary=b" },
      text: "--b\r\ncontent-type: message/delivery-status\r\n\r\nStatus: 4.4.1\r\n--b--",
    });
    expect(report.receipt).toEqual({ verdict: "bounce", conversationId: receipt?.conversationId });
    expect(await it.rows("mail_outbox")).toMatchObject([{ state: "bounced" }]);
    expect([report.answers, (await conversations()).size]).toEqual([[], 1]);
    // Not for good: the address is written to again.
    expect(await it.rows("mail_suppressions")).toEqual([]);
  });

  test("[122] bounces of what we sent, for now or for good, send nothing more", async () => {
    const { answers } = await it.receive();
    const sent = it.sent.length;
    for (const status of ["4.4.1", "4.2.2", "4.4.7", "5.1.1"]) {
      await it.receive({
        from: "MAILER-DAEMON@mx.example",
        returnPath: "",
        to: answers[0]?.replyTo ?? "",
        headers: { "content-type": "multipart/report; report-type=delivery-status; boundary=b" },
        text: `--b\r\ncontent-type: message/delivery-status\r\n\r\nStatus: ${status}\r\n--b--`,
      });
      await it.settle();
      await it.email.mailer.sweep();
    }
    expect(it.sent).toHaveLength(sent);
    expect((await conversations()).size).toBe(1);
  });

  test("[123] an absence notice reopens nothing", async () => {
    const { answers, receipt } = await it.receive();
    const id = String(receipt?.conversationId);
    await it.store.transact({ kind: "tenant", tenantId: it.as("ada").tenantId }, (tx) =>
      tx
        .updateTable("conversations")
        .set({ status: "resolved" })
        .where("id", "=", id as never)
        .execute(),
    );
    const away = await it.receive({
      to: answers[0]?.replyTo ?? "",
      headers: { "auto-submitted": "auto-replied" },
    });
    expect(away.answers).toEqual([]);
    expect((await it.conversation(id)).status).toBe("resolved");
    expect(await it.messagesOf(id)).toHaveLength(2);
  });
});

describe("one mail is one message", () => {
  const deliver = (bytes: Buffer, to: readonly string[] = [SUPPORT]) =>
    it.email.receive({ from: "ada@example.com", to }, bytes);

  test("[52] two mails with one Message-ID are two; the same one again is the same", async () => {
    const [a, b] = ["Your parcel 1?", "Your parcel 2?"].map((text) =>
      mailBytes({ id: "<same@carrier.example>", text }),
    ) as [Buffer, Buffer];
    for (const bytes of [a, b, a, b]) await deliver(bytes);
    expect(await it.rows("mail_received")).toHaveLength(2);
  });

  test("[126] without a Message-ID, fetched three times, it is one", async () => {
    const bytes = mailBytes({ id: "" });
    for (let n = 0; n < 3; n += 1) await deliver(bytes);
    expect(await it.rows("mail_received")).toHaveLength(1);
  });

  test("[53] to two addresses of one shop it is one message with one answer", async () => {
    const { answers } = await it.receive();
    const bytes = mailBytes({ text: "And what about gifts?" });
    await deliver(bytes, [SUPPORT, answers[0]?.replyTo ?? "", SUPPORT.toUpperCase()]);
    await it.drain();
    expect((await it.rows("mail_received")).length).toBe(2);
    expect((await conversations()).size).toBe(1);
  });

  test("[127] two deliveries at once leave one conversation with the message in it", async () => {
    const bytes = mailBytes({});
    await Promise.allSettled([deliver(bytes), deliver(bytes), deliver(bytes)]);
    await deliver(bytes);
    expect((await conversations()).size).toBe(1);
    const [id] = await conversations();
    expect((await it.messagesOf(String(id))).filter(({ author }) => author === "customer")).toHaveLength(1);
  });

  test("[125] what cannot be read is kept once, with why, and holds up nothing", async () => {
    const bytes = Buffer.from("\u0000\u0001 nothing that is a mail");
    for (let n = 0; n < 5; n += 1) await deliver(bytes);
    expect(await it.rows("mail_received")).toMatchObject([{ verdict: "unreadable", conversation_id: null }]);
    expect((await it.receive()).answers).toHaveLength(1);
  });
});

describe("what is read of a mail", () => {
  const head = (subject: string) =>
    parseMail(Buffer.from(`From: a@b.example\r\nSubject: ${subject}\r\n\r\nhello`));

  test("[49] words between encoded words stay, raw spaces in them too", async () => {
    expect((await head("=?iso-8859-1?Q?Caf=E9 au lait?=")).subject).toBe("Café au lait");
    const mixed = "=?utf-8?Q?R=C3=BCckgabe?= of order =?utf-8?Q?=23?=\r\n =?utf-8?Q?1042?= please";
    expect((await head(mixed)).subject).toBe("Rückgabe of order #1042 please");
  });

  test("[50] [124] only what was written now is acted on, and all of it: an old wish below is none, an answer between quotes is one", async () => {
    const danish =
      "Tak for hjælpen.\n\nFra: Northwind\nSendt: 30. november 2026\nTil: Ada\nEmne: Re: x\n\nPlease refund order 1042.";
    await it.receive({ text: danish });
    const inline = "> Which order?\n1042\n> Which item?\nThe socks";
    await it.receive({ text: inline });
    const texts = (await it.rows("mail_received")).map((row) => "full_text" in row && row.full_text);
    expect(texts[0]).toContain("Please refund order 1042.");
    const said = await Promise.all([...(await conversations())].map((id) => it.messagesOf(String(id))));
    const written = said
      .flat()
      .filter(({ author }) => author === "customer")
      .map(({ payload }) => String(payload.text));
    expect(written.some((text) => text.includes("refund"))).toBe(false);
    expect(written.some((text) => text.includes("1042") && text.includes("The socks"))).toBe(true);
  });

  test("[131] what a mail would load from elsewhere is not kept", async () => {
    const html =
      '<p>Hello</p><img src="https://tracker.example/1.gif"><div style="background:url(https://tracker.example/2)">x</div>';
    const mail = await parseMail(Buffer.from(`From: a@b.example\r\nContent-Type: text/html\r\n\r\n${html}`));
    expect(JSON.stringify(mail)).not.toContain("tracker.example");
  });
});

describe("what comes with a mail", () => {
  test("[56] a picture with a script in it and a page are kept nowhere that a console could open them", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const { receipt } = await it.receive({
      files: [
        { name: "xss.svg", type: "image/svg+xml", content: svg },
        { name: "page.html", type: "text/html", content: Buffer.from("<script>alert(1)</script>") },
        { name: "xss.png", type: "image/png", content: svg },
      ],
    });
    const [message] = await it.messagesOf(String(receipt?.conversationId));
    expect(message?.payload.attachments).toBeUndefined();
    const contents = await it.store.transact({ kind: "tenant", tenantId: it.as("ada").tenantId }, (tx) =>
      tx.selectFrom("attachment_contents").select("hash").execute(),
    );
    expect(contents).toEqual([]);
    expect(JSON.stringify(await it.messagesOf(String(receipt?.conversationId)))).not.toMatch(/onload|script/);
  });

  test("[129] who filled in the shop's form is in Reply-To; of any other mail, Reply-To is nobody", async () => {
    const form = await it.receive({
      from: FORM,
      headers: { "reply-to": "Ada <ada@example.com>", "auto-submitted": "auto-generated" },
    });
    expect(form.answers.map(({ to }) => to)).toEqual(["ada@example.com"]);
    expect(await it.rows("mail_received")).toMatchObject([
      { verdict: "accepted", address: "ada@example.com" },
    ]);
    expect((await it.conversation(String(form.receipt?.conversationId))).assurance).toBe("anonymous");
    const other = await it.receive({ from: "eve@evil.example", headers: { "reply-to": "ada@example.com" } });
    expect(other.answers.map(({ to }) => to)).toEqual(["eve@evil.example"]);
    // Without anybody in it, or with several, a form is a program like others.
    for (const replyTo of ["", "a@b.example, c@d.example"]) {
      expect((await it.receive({ from: FORM, headers: { "reply-to": replyTo } })).answers).toEqual([]);
    }
  });
});
