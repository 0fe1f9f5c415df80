/** Mail out by Mailgun and Amazon SES: what is handed over, and what each answer means for the outbox. */
import { simpleParser } from "mailparser";
import { afterEach, expect, test } from "vitest";
import { MailRefused, MailUncertain, type SendMail } from "../../src/channels/email/mailer.ts";
import type { Fetch } from "../../src/channels/email/providers/fetching.ts";
import { createMailgunSender, createSesSender } from "../../src/channels/email/providers/senders.ts";
import { createMailSystem, type MailSystem } from "./kit.ts";

let it: MailSystem;
afterEach(() => it.close());

const CASES = [
  [
    "Mailgun",
    200,
    { id: "<queued@mg.example>", message: "Queued. Thank you." },
    400,
    "",
    (parts: { fetch: Fetch; clock: MailSystem["clock"] }): SendMail =>
      createMailgunSender({
        ...parts,
        endpoint: "https://api.mailgun.net",
        domain: "mg.example",
        key: "canary",
      }),
  ],
  [
    "SES",
    200,
    { MessageId: "0102-abc" },
    400,
    "MessageRejected",
    (parts: { fetch: Fetch; clock: MailSystem["clock"] }): SendMail =>
      createSesSender({
        ...parts,
        endpoint: "https://email.eu-west-1.amazonaws.com",
        access: { region: "eu-west-1", accessKeyId: "AKIA", secretAccessKey: "canary", sessionToken: null },
      }),
  ],
] as const;

test.each(CASES)(
  "%s takes the mail as it was rendered; what it answers settles the mail",
  async (name, taken, answer, refused, errorType, create) => {
    it = await createMailSystem();
    const mail = (await it.receive({ id: "<q@example.com>" })).answers[0];
    if (mail === undefined) throw new Error("nothing was sent");
    let respond: () => Response | Promise<Response> = () => Response.json(answer, { status: taken });
    const asked: { url: string; authorization: string; body: string }[] = [];
    const send = create({
      clock: it.clock,
      fetch: async (request) => {
        asked.push({
          url: request.url,
          authorization: request.headers.get("authorization") ?? "",
          body: await request.clone().text(),
        });
        return respond();
      },
    });
    expect(await send(mail)).toBe(name === "SES" ? "<0102-abc@eu-west-1.amazonses.com>" : null);
    const [first] = asked;
    const mime =
      name === "SES"
        ? Buffer.from(JSON.parse(first?.body ?? "").Content.Raw.Data, "base64")
        : Buffer.from(
            first?.body.slice(first.body.indexOf("\r\n\r\n", first.body.indexOf("message.mime")) + 4) ?? "",
          );
    const read = await simpleParser(mime);
    expect(read).toMatchObject({ messageId: mail.messageId, inReplyTo: "<q@example.com>" });
    expect(read.text).toContain("30 days");
    expect(first?.url).toMatch(/\/v3\/mg\.example\/messages\.mime$|\/v2\/email\/outbound-emails$/);
    expect(first?.authorization).not.toContain("canary");

    const failing = async (it: () => Response | Promise<Response>) => {
      respond = it;
      return send(mail).then(
        () => null,
        (error: unknown) => error,
      );
    };
    const headers = { "x-amzn-errortype": errorType };
    expect(await failing(() => new Response("no", { status: refused, headers }))).toBeInstanceOf(MailRefused);
    // What passes, and what an operator puts right, is tried again: it was not taken.
    for (const status of [401, 403, 429, 500, 503]) {
      const error = await failing(() => new Response("later", { status }));
      expect(error).toBeInstanceOf(Error);
      expect([error instanceof MailRefused, error instanceof MailUncertain]).toEqual([false, false]);
    }
    const broken = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
    expect(await failing(() => Promise.reject(broken))).toBeInstanceOf(MailUncertain);
    const unreachable = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
    expect(await failing(() => Promise.reject(unreachable))).not.toBeInstanceOf(MailUncertain);
  },
);
