/** Mail by Mailgun and Amazon SES, over the routes that they post to. */
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { Fetch } from "../../src/channels/email/providers/fetching.ts";
import { createBucket } from "../../src/channels/email/providers/s3.ts";
import { createSns, isAmazons } from "../../src/channels/email/providers/sns.ts";
import { createMailWebhooks } from "../../src/channels/email/providers/webhooks.ts";
import { createHttpServer } from "../../src/channels/http/server.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { fakeParts } from "../http/fixture.ts";
import { CERTIFICATE_URL, createTopic, startBucket, TOPIC } from "./amazon.ts";
import { createMailSystem, mailBytes, SUPPORT, TENANT } from "./kit.ts";

const KEY = "key-of-mailgun";
const ACCESS = {
  accessKeyId: "AKIAEXAMPLE",
  secretAccessKey: "secret",
  sessionToken: null,
  region: "eu-west-1",
};
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(options: Parameters<typeof createMailSystem>[0] = {}) {
  const it = await createMailSystem(options);
  stops.push(() => it.close());
  const store = await startBucket(ACCESS);
  stops.push(() => store.stop());
  const topic = createTopic();
  const web = { certificate: topic.certificate, asked: [] as string[], isDown: false };
  const fetchAmazon: Fetch = async (request) => {
    web.asked.push(request.url);
    if (web.isDown) throw new Error("unreachable");
    return new Response(request.url === CERTIFICATE_URL ? web.certificate : "<ConfirmSubscriptionResponse/>");
  };
  const webhooks = createMailWebhooks({
    store: it.store,
    clock: it.clock,
    tenants: [{ id: TENANT, name: "Northwind Outfitters", address: SUPPORT }],
    receive: it.email.receive,
    isOurs: it.email.isOurs,
    mailgunKeys: ["an older key", KEY],
    sns: createSns({ topics: [TOPIC], clock: it.clock, fetch: fetchAmazon }),
    bucket: {
      name: "mails",
      read: createBucket({
        access: ACCESS,
        endpoint: store.endpoint,
        bucket: "mails",
        clock: it.clock,
        fetch,
      }),
    },
  });
  const { app } = createHttpServer({ ...fakeParts(), mailWebhooks: webhooks });
  const post = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
    const response = await app.request(path, { method: "POST", body, headers });
    const { outcome, code } = (await response.json()) as { outcome?: string; code?: string };
    return [response.status, outcome ?? code];
  };
  const signedNow = (over: { token?: string; timestamp?: string; key?: string } = {}) => {
    const timestamp = over.timestamp ?? String(Math.floor(it.clock.now() / 1_000));
    tokens += 1;
    const token = over.token ?? `token-${tokens}`;
    const signature = createHmac("sha256", over.key ?? KEY)
      .update(timestamp + token)
      .digest("hex");
    return { timestamp, token, signature };
  };
  const mailgun = (mime: Buffer, signed = signedNow(), recipient = SUPPORT, isForm = false) => {
    const fields = { ...signed, recipient, sender: "ada@example.com" };
    if (!isForm) {
      const encoded = [...mime].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      return post("/webhooks/mailgun/mime", `${new URLSearchParams(fields)}&body-mime=${encoded}`, {
        "content-type": "application/x-www-form-urlencoded",
      });
    }
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const body = Buffer.concat([
      Buffer.from(`${parts.join("")}--b\r\ncontent-disposition: form-data; name="body-mime"\r\n\r\n`),
      mime,
      Buffer.from("\r\n--b--\r\n"),
    ]);
    return post("/webhooks/mailgun/mime", new Uint8Array(body), {
      "content-type": "multipart/form-data; boundary=b",
    });
  };
  const event = (data: object, signed = signedNow()) =>
    post("/webhooks/mailgun", JSON.stringify({ signature: signed, "event-data": data }));
  const sns = (message: unknown) =>
    post("/webhooks/ses", JSON.stringify(message), { "content-type": "text/plain; charset=UTF-8" });
  const notify = (message: object, version: "1" | "2" = "2") =>
    sns(topic.sign({ Message: JSON.stringify(message) }, version));
  const answered = async () => {
    await it.drain();
    await it.email.mailer.sweep();
    return it.sent;
  };
  return { it, store, topic, web, signedNow, mailgun, event, sns, notify, answered, post };
}
let tokens = 0;

const receivedBySes = (action: object, content?: string) => ({
  notificationType: "Received",
  mail: { source: "ada@example.com", messageId: "ses-1", destination: [SUPPORT] },
  receipt: { recipients: [SUPPORT], dmarcVerdict: { status: "PASS" }, action },
  ...(content === undefined ? {} : { content }),
});

describe("Mailgun", () => {
  test("a mail is kept and answered; each of its retries is the same mail", async () => {
    const { it, mailgun, answered, signedNow } = await start();
    const mime = mailBytes({ id: "<mg1@example.com>" });
    const signed = signedNow();
    expect(await mailgun(mime, signed)).toEqual([200, "kept"]);
    // It did not hear us: the same comes again, for eight hours.
    for (let n = 0; n < 8; n += 1) {
      await it.pass(3_600_000);
      expect(await mailgun(mime, signed)).toEqual([200, "kept"]);
    }
    expect(await answered()).toHaveLength(1);
    expect(await it.rows("mail_received")).toMatchObject([{ verdict: "accepted" }]);
  });

  test.each([false, true])("every byte of a mail comes through (multipart: %s)", async (isForm) => {
    const { it, mailgun } = await start();
    const mime = Buffer.concat([
      mailBytes({
        headers: { "content-type": "text/plain; charset=iso-8859-1" },
        text: "Wo ist es? Gr",
      }).subarray(0, -2),
      Buffer.from([0xfc, 0xdf, 0x65, 0x20, 0x2b, 0x26, 0x25, 0x0d, 0x0a]),
    ]);
    expect(await mailgun(mime, undefined, SUPPORT, isForm)).toEqual([200, "kept"]);
    const [row] = await it.rows("mail_received");
    expect(row).toMatchObject({ full_text: expect.stringContaining("Wo ist es? Grüße +&%") });
  });

  test("of a mail as large as Mailgun takes any, who wrote it is kept, and it does not come again", async () => {
    const { it, mailgun } = await start();
    const mime = mailBytes({ subject: "Photos", text: "x".repeat(25_000_000) });
    expect(await mailgun(mime, undefined, SUPPORT, true)).toEqual([200, "kept"]);
    expect(await it.rows("mail_received")).toMatchObject([
      { verdict: "too_large", address: "ada@example.com", subject: "Photos", full_text: "" },
    ]);
  });

  test("a token with another content, a wrong signature, and an old one are refused, and keep nothing", async () => {
    const { it, mailgun, signedNow, event } = await start();
    const signed = signedNow();
    expect(await mailgun(mailBytes({}), signed)).toEqual([200, "kept"]);
    expect(await mailgun(mailBytes({ from: "eve@evil.example" }), signed)).toEqual([406, "mail_refused"]);
    expect(await event({ event: "complained", recipient: "ada@example.com" }, signed)).toEqual([
      406,
      "mail_refused",
    ]);
    const wrong = signedNow({ key: "another" });
    expect(await mailgun(mailBytes({}), wrong)).toEqual([401, "webhook_signature_invalid"]);
    const old = String(Math.floor((it.clock.now() - LIMITS.mailDeliveryMs) / 1_000) - 1);
    expect(await mailgun(mailBytes({}), signedNow({ timestamp: old }))).toEqual([406, "mail_refused"]);
    expect(await mailgun(mailBytes({}), signedNow(), "nobody@northwind.example")).toEqual([
      406,
      "mail_refused",
    ]);
    expect(await it.rows("mail_received")).toHaveLength(1);
  });

  test("two at once with one token and different mails: one is kept", async () => {
    const { it, mailgun, signedNow } = await start();
    const signed = signedNow();
    const both = await Promise.all([1, 2].map(() => mailgun(mailBytes({}), signed)));
    expect(both.map(([status]) => status).sort()).toEqual([200, 406]);
    expect(await it.rows("mail_received")).toHaveLength(1);
  });

  test("a permanent failure and a complaint of a mail of ours stop its address; anything else changes nothing", async () => {
    const { it, mailgun, event, answered } = await start();
    await mailgun(mailBytes({}));
    const id = (await answered())[0]?.messageId.replace(/[<>]/g, "");
    const about = { recipient: "ada@example.com", message: { headers: { "message-id": id } } };
    expect(await event({ event: "failed", severity: "temporary", ...about })).toEqual([200, "ignored"]);
    expect(
      await event({ event: "failed", severity: "permanent", ...about, recipient: "ben@example.com" }),
    ).toEqual([200, "ignored"]);
    expect(await it.rows("mail_suppressions")).toEqual([]);
    expect(await event({ event: "failed", severity: "permanent", ...about })).toEqual([200, "noted"]);
    expect(await it.rows("mail_suppressions")).toMatchObject([
      { address: "ada@example.com", reason: "bounced" },
    ]);
    expect(await it.rows("mail_outbox")).toMatchObject([{ state: "bounced" }]);
    await mailgun(mailBytes({}));
    expect(await answered()).toHaveLength(1);
  });
});

describe("Amazon SES", () => {
  test.each(["1", "2"] as const)(
    "a mail in a signed notification is kept once (signature %s)",
    async (version) => {
      const { it, topic, sns, answered, web } = await start();
      const mime = mailBytes({});
      const message = topic.sign(
        {
          Message: JSON.stringify(
            receivedBySes({ type: "SNS", encoding: "BASE64" }, mime.toString("base64")),
          ),
          Subject: "Amazon SES Email Receipt Notification",
        },
        version,
      );
      for (let n = 0; n < 3; n += 1) expect(await sns(message)).toEqual([200, "kept"]);
      expect(await answered()).toHaveLength(1);
      expect(await it.rows("mail_received")).toHaveLength(1);
      expect(web.asked).toEqual([CERTIFICATE_URL]);
    },
  );

  test("whose it is, is checked before anything is fetched", async () => {
    const { it, topic, sns, web } = await start();
    const body = JSON.stringify(receivedBySes({ type: "SNS", encoding: "UTF-8" }, mailBytes({}).toString()));
    const other = topic.sign({ Message: body, TopicArn: "arn:aws:sns:eu-west-1:999999999999:mail" });
    expect(await sns(other)).toEqual([403, "mail_topic_unknown"]);
    for (const url of [
      "https://evil.example/SimpleNotificationService-1.pem",
      "https://sns.eu-west-1.amazonaws.com.evil.example/x.pem",
      "https://sns.eu-west-1.amazonaws.com@evil.example/x.pem",
      "http://sns.eu-west-1.amazonaws.com/x.pem",
      "https://sns.eu-west-1.amazonaws.com:8443/x.pem",
      "https://sns.eu-west-1.amazonaws.com/x.txt",
      "https://mybucket.s3.amazonaws.com/x.pem",
      "nonsense",
    ]) {
      const [status, code] = await sns(topic.sign({ Message: body, SigningCertURL: url }));
      expect([status, code], url).toEqual([401, "webhook_signature_invalid"]);
    }
    expect(web.asked).toEqual([]);
    expect(isAmazons("https://sns.cn-north-1.amazonaws.com.cn/x.pem")).toBe(true);
    // Changed on its way.
    const good = topic.sign({ Message: body });
    expect(await sns({ ...good, Message: body.replace("ada@", "eve@") })).toEqual([
      401,
      "webhook_signature_invalid",
    ]);
    expect(await sns({ ...good, SignatureVersion: "1" })).toEqual([401, "webhook_signature_invalid"]);
    expect(await sns({ nothing: true })).toEqual([400, "webhook_payload_invalid"]);
    expect(await it.rows("mail_received")).toEqual([]);
  });

  test("an expired certificate opens nothing; one that cannot be fetched now is asked for again", async () => {
    const { it, topic, sns, web } = await start();
    const message = topic.sign({
      Message: JSON.stringify(receivedBySes({ type: "SNS" }, mailBytes({}).toString())),
    });
    web.isDown = true;
    expect(await sns(message)).toEqual([503, "mail_source_unavailable"]);
    web.isDown = false;
    expect(await sns(message)).toEqual([200, "kept"]);
    expect(await it.rows("mail_received")).toHaveLength(1);
    const second = await start();
    second.web.certificate = second.topic.expired;
    expect(await second.sns(second.topic.sign({}))).toEqual([401, "webhook_signature_invalid"]);
  });

  test("a subscription is confirmed for a known topic, and at Amazon's address only", async () => {
    const { topic, sns, web } = await start();
    const SubscribeURL = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
    const over = { Type: "SubscriptionConfirmation", Token: "t", SubscribeURL } as const;
    const elsewhere = { ...over, SubscribeURL: "https://evil.example/" };
    expect(await sns(topic.sign(elsewhere))).toEqual([400, "webhook_payload_invalid"]);
    const unknown = { ...over, TopicArn: "arn:aws:sns:eu-west-1:123456789012:other" };
    expect(await sns(topic.sign(unknown))).toEqual([403, "mail_topic_unknown"]);
    expect(web.asked).not.toContain(SubscribeURL);
    expect(await sns(topic.sign(over, "1"))).toEqual([200, "ignored"]);
    expect(web.asked).toContain(SubscribeURL);
  });

  test("a larger mail is fetched from its bucket; while that is away, nothing is acknowledged", async () => {
    const { it, store, notify, answered } = await start();
    const at = receivedBySes({ type: "S3", bucketName: "mails", objectKey: "in/a mail+1" });
    expect(await notify(at)).toEqual([503, "mail_source_unavailable"]);
    store.put(
      "mails",
      "in/a mail+1",
      mailBytes({ text: `What is your return policy?\r\n\r\n${"x ".repeat(200_000)}` }),
    );
    expect(await notify(at)).toEqual([200, "kept"]);
    expect(await notify(at)).toEqual([200, "kept"]);
    expect(await it.rows("mail_received")).toMatchObject([{ verdict: "accepted" }]);
    expect(await answered()).toHaveLength(1);
    const asked = store.asked.length;
    for (const [bucketName, objectKey] of [
      ["somebody-elses", "x"],
      ["mails", "../somebody-elses/x"],
    ]) {
      const other = receivedBySes({ type: "S3", bucketName, objectKey });
      expect(await notify(other)).toEqual([400, "webhook_payload_invalid"]);
    }
    expect(store.asked).toHaveLength(asked);
  });

  test("of a mail in the bucket that is too large, who wrote it is kept", async () => {
    const { it, store, notify } = await start();
    store.put("mails", "huge", mailBytes({ subject: "Photos", text: "x".repeat(LIMITS.mailBytes) }));
    expect(await notify(receivedBySes({ type: "S3", bucketName: "mails", objectKey: "huge" }))).toEqual([
      200,
      "kept",
    ]);
    expect(await it.rows("mail_received")).toMatchObject([
      { verdict: "too_large", address: "ada@example.com", subject: "Photos" },
    ]);
  });

  test("bounces and complaints under Amazon's name of a mail stop its address, and answers to that name find the thread", async () => {
    const { it, notify, answered } = await start({ sentAs: () => "<0102-abc@eu-west-1.amazonses.com>" });
    const first = await it.receive();
    const onward = await it.receive({ headers: { "in-reply-to": "<0102-abc@eu-west-1.amazonses.com>" } });
    expect(onward.receipt?.conversationId).toBe(first.receipt?.conversationId);
    await answered();
    const mail = { source: "x", messageId: "0102-abc" };
    const to = [{ emailAddress: "Ada@example.com" }];
    expect(
      await notify({
        notificationType: "Bounce",
        mail,
        bounce: { bounceType: "Transient", bouncedRecipients: to },
      }),
    ).toEqual([200, "ignored"]);
    expect(
      await notify({
        eventType: "Complaint",
        mail: { ...mail, messageId: "0102-ab" },
        complaint: { complainedRecipients: to },
      }),
    ).toEqual([200, "ignored"]);
    expect(await it.rows("mail_suppressions")).toEqual([]);
    expect(await notify({ eventType: "Complaint", mail, complaint: { complainedRecipients: to } })).toEqual([
      200,
      "noted",
    ]);
    expect(await it.rows("mail_suppressions")).toMatchObject([
      { address: "ada@example.com", reason: "complained" },
    ]);
    expect((await it.receive()).answers).toEqual([]);
  });
});
