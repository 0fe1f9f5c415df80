/** The corpus, and mails that were made to break something. */
import { describe, expect, test } from "vitest";
import { isPlainAddress, recipientOf, replyAddress } from "../../src/channels/email/addresses.ts";
import { dmarcOf } from "../../src/channels/email/authentic.ts";
import { originOf } from "../../src/channels/email/automatic.ts";
import { parseMail } from "../../src/channels/email/parse.ts";
import { createMailParser } from "../../src/channels/email/parsing.ts";
import { visibleText } from "../../src/channels/email/visible-text.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { AUTOMATIC, PERSONAL, VISIBLE } from "./corpus.ts";
import { mailBytes, SUPPORT, TENANT, type Written } from "./kit.ts";

const OWN = [SUPPORT, "support@kestrel.example"];
const origin = async (mail: Written) => {
  const parsed = await parseMail(mailBytes(mail));
  return originOf(parsed, { from: mail.returnPath ?? parsed.from, to: [SUPPORT] }, OWN);
};

test.each(AUTOMATIC)("never answered: %s", async (_name, kind, mail) => {
  expect((await origin(mail)).kind).toBe(kind);
});

test.each(PERSONAL)("answered: %s", async (_name, mail) => {
  expect(await origin(mail)).toEqual({ kind: "person" });
});

test.each(VISIBLE)("what was written now: %s", (_name, full, visible) => {
  expect(visibleText(full)).toBe(visible);
  expect(visibleText(full.replaceAll("\n", "\r\n"))).toBe(visible);
});

describe("a mail's parts", () => {
  const raw = (lines: readonly string[]) => parseMail(Buffer.from(lines.join("\r\n")));

  test("charsets, encodings, HTML and inline pictures become text and a list", async () => {
    const mail = await raw([
      "From: =?iso-8859-1?Q?Andr=E9?= <Andre@Example.COM>",
      "Subject: =?utf-8?B?UsO8Y2tnYWJl?=",
      "Content-Type: multipart/mixed; boundary=a",
      "",
      "--a",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "Content-Type: text/html; charset=windows-1252",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "<p>Wo ist <b>meine</b> Bestellung?</p><script>alert(1)</script><p>Gr=FC=DFe</p>",
      "--b--",
      "--a",
      'Content-Type: image/png; name="../../x.png"',
      "Content-Disposition: inline",
      "Content-Transfer-Encoding: base64",
      "",
      "iVBORw0KGgo=",
      "--a--",
    ]);
    expect(mail).toMatchObject({ from: "andre@example.com", subject: "Rückgabe" });
    expect(mail.text).toContain("Wo ist meine Bestellung?");
    expect(mail.text).toContain("Grüße");
    expect(mail.text).not.toContain("alert");
    expect(mail.attachments).toMatchObject([{ type: "image/png", bytes: 8 }]);
  });

  test.each([
    ["two authors", "ada@example.com, ben@example.com"],
    ["a group", "friends: ada@example.com, ben@example.com;"],
    ["none", ""],
  ])("%s in From are nobody", async (_name, from) => {
    expect((await raw([`From: ${from}`, "", "hello"])).from).toBe("");
  });

  test("a name that looks like an address is a name", async () => {
    expect((await raw(['From: "ada@example.com" <eve@evil.example>', "", "hello"])).from).toBe(
      "eve@evil.example",
    );
  });

  test("a header cannot be smuggled in by an encoded line break", async () => {
    const mail = await raw([
      "From: a@b.example",
      "Subject: =?utf-8?Q?Hi=0D=0ABcc:_x@y.example?=",
      "",
      "hello",
    ]);
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });

  test.each([
    "a@b@c",
    "a b@c.example",
    "a@c.example\nBcc: x@y.example",
    "<a@c.example>",
    "a,b@c.example",
    "@c.example",
    "a@",
  ])("%j is no address that anything is sent to", (address) => expect(isPlainAddress(address)).toBe(false));
});

describe("a hostile mail", () => {
  const parse = createMailParser(systemClock);
  const cases: readonly (readonly [string, Buffer])[] = [
    ["binary", Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256))],
    ["empty", Buffer.alloc(0)],
    ["headers only", Buffer.from("From: a@b.example\r\n")],
    ["parts in parts, 500 deep", Buffer.from(nested(500))],
    [
      "10,000 parts",
      Buffer.from(
        `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n${"--a\r\n\r\nx\r\n".repeat(10_000)}--a--`,
      ),
    ],
    [
      "a million brackets of HTML",
      Buffer.from(`From: a@b.example\r\nContent-Type: text/html\r\n\r\n${"<div>".repeat(200_000)}`),
    ],
    ["an unclosed quote that is very long", Buffer.from(`From: "${"a".repeat(200_000)}\r\n\r\nhello`)],
    ["a million quote marks", Buffer.from(`From: a@b.example\r\n\r\n${"> ".repeat(500_000)}`)],
    [
      "lines like a quote's head",
      Buffer.from(`From: a@b.example\r\n\r\n${"On Mon, Nov 30, ".repeat(20_000)}`),
    ],
  ];
  test.each(cases)("ends: %s", async (_name, bytes) => {
    const fromMs = performance.now();
    const parsed = await parse(bytes);
    expect("mail" in parsed || "unreadable" in parsed).toBe(true);
    // The limit ends it; what is slow is ended, not waited for.
    expect(performance.now() - fromMs).toBeLessThan(LIMITS.mailReadMs * 6);
    if ("mail" in parsed) expect(parsed.mail.fullText.length).toBeLessThanOrEqual(LIMITS.mailTextChars);
  });

  function nested(depth: number): string {
    let body = "Content-Type: text/plain\r\n\r\nhello";
    for (let n = 0; n < depth; n += 1)
      body = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${body}\r\n--b${n}--`;
    return `From: a@b.example\r\n${body}`;
  }
});

describe("an address that answers come back to", () => {
  const tenant = { id: TENANT, name: "Northwind Outfitters", address: SUPPORT };
  const made = replyAddress("secret", tenant, "abcdefghij234567");

  test("survives being lower- or upper-cased, and fits into a local part", () => {
    expect(made.split("@")[0]?.length).toBeLessThanOrEqual(64);
    for (const written of [made, made.toUpperCase()]) {
      expect(recipientOf("secret", [tenant], written)).toMatchObject({
        kind: "own",
        replyRef: "abcdefghij234567",
      });
    }
  });

  test("is nobody's thread with another secret, reference, signature or tenant", () => {
    const kestrel = { ...tenant, id: "kestrel" as never };
    const refOf = (secret: string, of: typeof tenant, written: string) => {
      const found = recipientOf(secret, [of], written);
      return found.kind === "own" ? found.replyRef : "unknown";
    };
    expect(refOf("other", tenant, made)).toBeNull();
    expect(refOf("secret", kestrel, made)).toBeNull();
    expect(refOf("secret", tenant, made.replace("abc", "abd"))).toBeNull();
    expect(refOf("secret", tenant, made.replace(/\.[a-z2-7]+@/, ".@"))).toBeNull();
    expect(refOf("secret", tenant, SUPPORT)).toBeNull();
    expect(refOf("secret", tenant, "support+tag@northwind.example")).toBeNull();
    expect(refOf("secret", tenant, "other@northwind.example")).toBe("unknown");
  });
});

test.each([
  ["mx.a.example; dmarc=pass", "pass"],
  ["mx.a.example 1; spf=pass; DMARC=Pass (p=none) header.from=x", "pass"],
  ["mx.a.example; dmarc=fail", "fail"],
  ["mx.a.example; spf=pass (dmarc=pass)", "unknown"],
  ["mx.a.example; x=1; (; dmarc=pass)", "unknown"],
  ["mx.evil.example; dmarc=pass", "unknown"],
  ["mx.a.example.evil.example; dmarc=pass", "unknown"],
  ["", "unknown"],
])("DMARC as our own server found it: %j is %s", (results, verdict) => {
  expect(dmarcOf([results], "mx.a.example")).toBe(verdict);
  expect(dmarcOf([results], null)).toBe("unknown");
  // A verdict below another server's is not the topmost, and was there before the mail came to us.
  expect(dmarcOf(["mx.other.example; none", results], "mx.a.example")).toBe("unknown");
});
