/** Over real sockets: a customer's mail program, our listener, our sender, their server. */
import { generateKeyPairSync } from "node:crypto";
import { connect } from "node:net";
import { createTransport } from "nodemailer";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startSandboxMail } from "../../sandbox/mail.ts";
import { createSmtpSender, startMailListener } from "../../src/channels/email/smtp.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { createMailSystem, SUPPORT } from "./kit.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Says each line once the one before it is answered; answers with every line that came. */
function spoken(port: number, lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const heard: string[] = [];
    const left = [...lines];
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      const complete = text.split("\r\n");
      text = complete.pop() ?? "";
      heard.push(...complete);
      if (complete.some((line) => /^\d{3} /.test(line)) && left.length > 0)
        socket.write(`${left.shift()}\r\n`);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

async function start(isLmtp = false) {
  const it = await createMailSystem();
  stops.push(() => it.close());
  const state = { down: false };
  const listener = await startMailListener({
    host: "127.0.0.1",
    port: 0,
    isLmtp,
    isOurs: it.email.isOurs,
    receive: (envelope, bytes, how) =>
      state.down ? Promise.reject(new Error("the database is away")) : it.email.receive(envelope, bytes, how),
    onError: () => {},
  });
  stops.push(() => listener.stop());
  const transport = createTransport({ host: "127.0.0.1", port: listener.port, ignoreTLS: true });
  stops.push(() => transport.close());
  const send = (over: object = {}) =>
    transport
      .sendMail({
        from: "Ada <ada@example.com>",
        to: SUPPORT,
        subject: "A question",
        text: "What is your return policy?",
        messageId: "<one@example.com>",
        date: new Date(0),
        ...over,
      })
      .then(
        () => 250,
        ({ responseCode }) => responseCode as number,
      );
  return { it, send, listener, state };
}

describe("the listener", () => {
  test("says 250 once a mail is kept, 451 when it cannot be, and the same mail again is the same", async () => {
    const { it, send, state } = await start();
    state.down = true;
    expect(await send()).toBe(451);
    expect(await it.rows("mail_received")).toEqual([]);
    state.down = false;
    expect([await send(), await send()]).toEqual([250, 250]);
    expect(await it.rows("mail_received")).toMatchObject([
      { verdict: "accepted", address: "ada@example.com" },
    ]);
  });

  test("relays nothing", async () => {
    const { it, send } = await start();
    expect(await send({ to: "somebody@elsewhere.example" })).toBe(550);
    expect(await it.rows("mail_received")).toEqual([]);
  });

  test("refuses what is too large, and keeps who wrote it and about what", async () => {
    const { it, send } = await start();
    for (let n = 0; n < 2; n += 1) {
      expect(await send({ subject: "Photos", text: "x".repeat(LIMITS.mailBytes + 1) })).toBe(552);
    }
    expect(await it.rows("mail_received")).toMatchObject([
      { verdict: "too_large", address: "ada@example.com", subject: "Photos", full_text: "" },
    ]);
  });

  test("[51] a mail of 40 files and 60 MB holds up none of the ten behind it; its head is kept and flagged", async () => {
    const { it, send } = await start();
    const content = Buffer.alloc(1_100_000, 7);
    const files = Array.from({ length: 40 }, (_, n) => ({ filename: `${n}.pdf`, content }));
    const codes = await Promise.all([
      send({ attachments: files, messageId: "<huge@example.com>" }),
      ...Array.from({ length: 10 }, (_, n) =>
        send({ messageId: `<${n}@example.com>`, text: `Question ${n}?` }),
      ),
    ]);
    expect(codes).toEqual([552, ...Array.from({ length: 10 }, () => 250)]);
    const verdicts = (await it.rows("mail_received")).map((row) => "verdict" in row && row.verdict).sort();
    expect(verdicts).toEqual([...Array.from({ length: 10 }, () => "accepted"), "too_large"]);
  });

  test("speaks LMTP: an answer for each recipient, after the mail is kept", async () => {
    const { it, listener } = await start(true);
    const said = await spoken(listener.port, [
      "LHLO mail.example",
      "MAIL FROM:<ada@example.com>",
      `RCPT TO:<${SUPPORT}>`,
      "RCPT TO:<support@kestrel.example>",
      "RCPT TO:<nobody@northwind.example>",
      "DATA",
      "From: ada@example.com\r\nMessage-ID: <lmtp@example.com>\r\n\r\nWhat is your return policy?\r\n.",
      "QUIT",
    ]);
    expect(said.filter((line) => /^\d{3} /.test(line)).map((line) => line.slice(0, 3))).toEqual([
      "220",
      "250",
      "250",
      "250",
      "250",
      "550",
      "354",
      "250",
      "250",
      "221",
    ]);
    expect(await it.rows("mail_received")).toMatchObject([{ verdict: "accepted" }]);
  });

  test("a port that is taken is said at once", async () => {
    const { it, listener } = await start();
    const again = startMailListener({
      host: "127.0.0.1",
      port: listener.port,
      isOurs: () => true,
      receive: it.email.receive,
      onError: () => {},
    });
    await expect(again).rejects.toMatchObject({ code: "port_in_use" });
  });
});

test("an answer arrives whole: text and HTML, headers of a thread, nothing of it executable", async () => {
  const { it, send } = await start();
  const mailbox = await startSandboxMail("127.0.0.1");
  stops.push(() => mailbox.stop());
  const sender = createSmtpSender(`smtp://127.0.0.1:${mailbox.port}`, {
    domainName: "northwind.example",
    keySelector: "mail",
    privateKey: generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    }).privateKey,
  });
  stops.push(() => sender.stop());
  await send({ subject: "<img src=x onerror=alert(1)> order 1042", text: "Where is it?" });
  await it.drain();
  await it.email.mailer.sweep();
  const [mail] = it.sent;
  if (mail === undefined) throw new Error("nothing was sent");
  await sender.send(mail);
  const read = async () =>
    ((await (await mailbox.app.request("/sandbox/mail?to=ada@example.com")).json()) as { mails: never[] })
      .mails;
  await vi.waitFor(async () => expect(await read()).toHaveLength(1));
  const [arrived] = (await read()) as unknown as Record<string, never>[];
  expect(arrived).toMatchObject({
    id: mail.messageId,
    replyTo: mail.replyTo,
    headers: { "in-reply-to": "<one@example.com>", "auto-submitted": "auto-replied" },
  });
  expect(JSON.stringify(arrived)).toMatch(/"dkim-signature":"[^"]*d=northwind\.example;[^"]*s=mail;/);
  expect(String(arrived?.text)).toContain("/confirm/");
  expect(String(arrived?.html)).toContain('href="https://support.example/confirm/');
  expect(String(arrived?.html)).not.toContain("<img");
});
