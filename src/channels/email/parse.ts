/** Reads a mail's bytes. It runs in a thread that is ended when it takes too long: see `parsing.ts`. */
import { createHash } from "node:crypto";
import { simpleParser } from "mailparser";
import { LIMITS } from "../../kernel/limits.ts";
import { storableText } from "../../kernel/text.ts";
import { normalAddress } from "./addresses.ts";
import { htmlText } from "./html-text.ts";
import type { ReceivedMail } from "./mail.ts";
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
  const senders = mail.from?.value.flatMap((entry) => entry.group ?? [entry]) ?? [];
  const [sender] = senders;
  const written = mail.text?.trim() ? mail.text : htmlText(mail.html || "");
  const fullText = storableText(written).slice(0, LIMITS.mailTextChars);
  return {
    messageId: cut(mail.messageId ?? "", LIMITS.mailHeaderChars),
    references: referencesOf(mail.inReplyTo, mail.references),
    // Several authors are nobody in particular.
    from: senders.length === 1 ? normalAddress(sender?.address ?? "") : "",
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
    attachments: mail.attachments.slice(0, LIMITS.mailAttachments).map((attachment) => ({
      name: cut(storableText(attachment.filename ?? "").replace(/[\r\n]/g, " "), LIMITS.mailHeaderChars),
      type: attachment.contentType,
      bytes: attachment.size,
      sha256: createHash("sha256").update(attachment.content).digest("hex"),
    })),
  };
}

/** The nearest first: what it answers, then the thread backwards. */
function referencesOf(inReplyTo: string | undefined, references: string[] | string | undefined): string[] {
  const thread = [references ?? []].flat().reverse();
  const answered = (inReplyTo ?? "").match(/<[^<>\s]+>/g) ?? [];
  return [...new Set([...answered, ...thread])].slice(0, LIMITS.mailReferences);
}

const cut = (text: string, chars: number): string => text.slice(0, chars);
