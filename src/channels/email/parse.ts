/** Reads a mail's bytes. It runs in a thread that is ended when it takes too long: see `parsing.ts`. */
import { createHash } from "node:crypto";
import { type AddressObject, type Attachment, simpleParser } from "mailparser";
import { LIMITS } from "../../kernel/limits.ts";
import { storableText } from "../../kernel/text.ts";
import { normalAddress } from "./addresses.ts";
import { htmlText } from "./html-text.ts";
import type { MailAttachment, ReceivedMail } from "./mail.ts";
import { filesInTnef } from "./tnef.ts";
import { visibleText } from "./visible-text.ts";

/** @throws Error when it is no mail that we read */
export async function parseMail(bytes: Uint8Array): Promise<ReceivedMail> {
  const mail = await simpleParser(Buffer.from(bytes), {
    skipImageLinks: true,
    skipTextToHtml: true,
    // Ours leaves out what would be loaded from elsewhere.
    skipHtmlToText: true,
  });
  const headers: Record<string, string> = {};
  const authenticationResults: string[] = [];
  for (const { key, line } of mail.headerLines) {
    const value = line
      .slice(line.indexOf(":") + 1)
      .replace(/\r?\n[ \t]+/g, " ")
      .trim();
    if (key === "authentication-results") authenticationResults.push(value);
    else headers[key] ??= value;
  }
  const written = mail.text?.trim() ? mail.text : htmlText(mail.html || "");
  const fullText = storableText(written).slice(0, LIMITS.mailTextChars);
  return {
    messageId: cut(mail.messageId ?? "", LIMITS.mailHeaderChars),
    references: referencesOf(mail.inReplyTo, mail.references),
    from: oneOf(mail.from),
    replyTo: oneOf(mail.replyTo),
    isForm: false,
    subject: cut(
      storableText(mail.subject ?? "")
        .replace(/\s+/g, " ")
        .trim(),
      LIMITS.mailSubjectChars,
    ),
    text: visibleText(fullText),
    fullText,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, cut(value, LIMITS.mailHeaderChars)]),
    ),
    authenticationResults,
    contentType: headers["content-type"] ?? "",
    isHardFailure: /^Status:\s*5\.\d/im.test(
      Buffer.from(bytes.subarray(0, LIMITS.mailTextChars)).toString("latin1"),
    ),
    attachments: mail.attachments.flatMap(filesIn).slice(0, LIMITS.mailAttachments).map(noted),
  };
}

interface File {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
  readonly isInline: boolean;
}

/** An attachment; or those in it, when Outlook has packed them. */
function filesIn({ filename = "", contentType, content, related = false }: Attachment): readonly File[] {
  if (/^application\/(?:vnd\.)?ms-tnef$/i.test(contentType) || /^winmail\.dat$/i.test(filename)) {
    const packed = filesInTnef(content, LIMITS.mailAttachments);
    const type = "application/octet-stream";
    if (packed.length > 0) return packed.map((file) => ({ ...file, type, isInline: false }));
  }
  return [{ name: filename, type: contentType, content, isInline: related }];
}

function noted({ name, type, content, isInline }: File): MailAttachment {
  const bytes = content.byteLength;
  const isOrnament = isInline && bytes < LIMITS.mailInlineBytes;
  return {
    name: cut(storableText(name).replace(/[\r\n]/g, " "), LIMITS.mailHeaderChars),
    type: cut(type, LIMITS.mailHeaderChars),
    bytes,
    sha256: createHash("sha256").update(content).digest("hex"),
    content: looksLikePicture(content) && bytes <= LIMITS.attachmentBytes && !isOrnament ? content : null,
  };
}

/** By its first bytes, whatever it says it is; what it is in truth is seen when it is cleaned. */
const looksLikePicture = (content: Buffer): boolean =>
  /^(?:\xff\xd8\xff|\x89PNG\r\n|RIFF....WEBP)/s.test(content.subarray(0, 12).toString("latin1"));

/** Several authors are nobody in particular. */
function oneOf(addresses: AddressObject | undefined): string {
  const all = addresses?.value.flatMap((entry) => entry.group ?? [entry]) ?? [];
  return all.length === 1 ? normalAddress(all[0]?.address ?? "") : "";
}

/** The nearest first: what it answers, then the thread backwards. */
function referencesOf(inReplyTo: string | undefined, references: string[] | string | undefined): string[] {
  const thread = [references ?? []].flat().reverse();
  const answered = (inReplyTo ?? "").match(/<[^<>\s]+>/g) ?? [];
  return [...new Set([...answered, ...thread])].slice(0, LIMITS.mailReferences);
}

const cut = (text: string, chars: number): string => text.slice(0, chars);
