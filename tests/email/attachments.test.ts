/** Files in mails: pictures are kept, cleaned and once; everything else is noted and nowhere to be opened. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseMail } from "../../src/channels/email/parse.ts";
import { createMailParser } from "../../src/channels/email/parsing.ts";
import { filesInTnef } from "../../src/channels/email/tnef.ts";
import { SAMPLES } from "../attachments/samples.ts";
import { createMailSystem, type MailSystem, mailBytes, SUPPORT } from "./kit.ts";

let it: MailSystem;
beforeEach(async () => {
  it = await createMailSystem();
});
afterEach(async () => {
  expect(it.errors).toEqual([]);
  await it.close();
});

const PICTURE = SAMPLES.jpeg;
const kept = () =>
  it.store.transact({ kind: "tenant", tenantId: it.as("ada").tenantId }, (tx) =>
    tx.selectFrom("attachment_contents").select(["type", "hash"]).execute(),
  );
const said = async (id: unknown) => (await it.messagesOf(String(id)))[0]?.payload.attachments;

test("a picture is a part of the message, as one of the widget's is; the same one again is kept once", async () => {
  const file = { name: "IMG_1.jpg", type: "image/jpeg", content: PICTURE };
  const { receipt, bytes } = await it.receive({ files: [file, { ...file, name: "IMG_2.jpg" }] });
  expect(await said(receipt?.conversationId)).toMatchObject([{ type: "image/jpeg" }]);
  expect(await kept()).toHaveLength(1);
  for (let n = 0; n < 3; n += 1) await it.email.receive({ from: "ada@example.com", to: [SUPPORT] }, bytes);
  await it.receive({ files: [file] });
  expect(await kept()).toHaveLength(1);
  expect(await it.rows("mail_received")).toMatchObject([
    {
      attachments: [
        {
          name: "IMG_1.jpg",
          bytes: PICTURE.length,
          sha256: createHash("sha256").update(PICTURE).digest("hex"),
        },
        { name: "IMG_2.jpg" },
      ],
    },
    {},
  ]);
});

test("what only says that it is a picture, or is a broken one, is noted, and the mail is answered", async () => {
  const { receipt, answers } = await it.receive({
    files: [
      { name: "a.jpg", type: "image/jpeg", content: Buffer.from("<script>alert(1)</script>") },
      { name: "b.jpg", type: "image/jpeg", content: PICTURE.subarray(0, 40) },
      { name: "c.pdf", type: "application/pdf", content: Buffer.from("%PDF-1.7") },
    ],
  });
  expect([await said(receipt?.conversationId), await kept(), answers.length]).toEqual([undefined, [], 1]);
});

describe("winmail.dat", () => {
  const attribute = (id: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUInt8(2);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(data.length, 5);
    return Buffer.concat([head, data, Buffer.alloc(2)]);
  };
  const packed = Buffer.concat([
    Buffer.from("789f3e220100", "hex"),
    attribute(0x00_06_90_02, Buffer.alloc(14)),
    attribute(0x00_01_80_10, Buffer.from("parcel.jpg\0")),
    attribute(0x00_06_80_0f, PICTURE),
  ]);

  test("is opened: its pictures are kept as others are", async () => {
    const { receipt } = await it.receive({
      files: [{ name: "winmail.dat", type: "application/ms-tnef", content: packed }],
    });
    expect(await said(receipt?.conversationId)).toMatchObject([{ type: "image/jpeg" }]);
    expect(await it.rows("mail_received")).toMatchObject([{ attachments: [{ name: "parcel.jpg" }] }]);
  });

  test("cut anywhere, it is read as far as it goes", () => {
    for (let end = 0; end <= packed.length; end += 1) {
      const files = filesInTnef(packed.subarray(0, end), 50);
      expect(files.length).toBe(end === packed.length ? 1 : 0);
    }
    const many = Buffer.concat([packed, ...Array.from({ length: 100 }, () => packed.subarray(6))]);
    expect(filesInTnef(many, 50)).toHaveLength(50);
  });
});

test("a logo inside of the text is no picture of the customer's; a photo inside of it is", async () => {
  const inline = (content: Buffer) =>
    parseMail(
      Buffer.from(
        `From: ada@example.com\r\nContent-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n<p>Broken</p><img src="cid:1">\r\n--r\r\nContent-Type: image/jpeg\r\nContent-ID: <1>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString("base64")}\r\n--r--\r\n`,
      ),
    );
  expect((await inline(PICTURE.subarray(0, 2_000))).attachments).toMatchObject([{ content: null }]);
  const photo = Buffer.concat([PICTURE, Buffer.alloc(20_000)]);
  expect((await inline(photo)).attachments[0]?.content).not.toBeNull();
});

test("a picture of a large mail comes out of the thread that reads it", async () => {
  const bytes = mailBytes({
    files: [{ name: "big.jpg", type: "image/jpeg", content: Buffer.concat([PICTURE, Buffer.alloc(60_000)]) }],
  });
  const parsed = await createMailParser(it.clock)(bytes);
  expect("mail" in parsed && parsed.mail.attachments[0]?.content?.byteLength).toBe(PICTURE.length + 60_000);
});

test("a mail that takes too long to read is ended with its thread, and the next one is read", async () => {
  const impatient = {
    now: it.clock.now,
    sleep: it.clock.sleep,
    after(_ms: number, fn: () => void) {
      queueMicrotask(fn);
      return () => {};
    },
  };
  const bytes = mailBytes({ text: "x ".repeat(50_000) });
  expect(await createMailParser(impatient)(bytes)).toMatchObject({
    unreadable: expect.stringContaining("longer"),
  });
  expect("mail" in (await createMailParser(it.clock)(bytes))).toBe(true);
});
