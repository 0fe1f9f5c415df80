/** A customer who writes mail, follows the link that says whose mailbox it is, and answers. */
import { type Book, type Conversation, comesAgain, insist, now, PATIENCE_MS, Refused } from "./customers.ts";
import type { Arrived, Mailboxes, Sender } from "./mailbox.ts";
import type { Talk } from "./talks.ts";

/** The receiving server whose verdict on a mail counts in this load. */
export const TRUSTED_SERVER = "mx.crowd.example";

const HANDED_OVER = /passing this to a colleague|Kollegin|Kollegen/;

export function mailConversation(parts: {
  readonly book: Book;
  readonly talk: Talk;
  readonly name: string;
  readonly mailboxes: Mailboxes;
  readonly sender: Sender;
}): Conversation {
  const { book, talk, name, mailboxes } = parts;
  const { email, tenant } = talk.member;
  let at = 0;
  let sent = 0;
  let to = `support@${tenant}.example`;
  let before: Arrived | null = null;

  const write = async (text: string): Promise<string> => {
    const id = `<${name}-${sent}@crowd.example>`;
    const raw = [
      `Authentication-Results: ${TRUSTED_SERVER}; dmarc=pass header.from=crowd.example`,
      `From: ${talk.member.name} <${email}>`,
      `To: ${to}`,
      `Subject: ${before === null ? "A question" : "Re: A question"}`,
      `Message-ID: ${id}`,
      ...(before === null ? [] : [`In-Reply-To: ${before.messageId}`]),
      "Date: Thu, 03 Dec 2026 08:00:00 +0000",
      "Content-Type: text/plain; charset=utf-8",
      "",
      text,
      "",
    ].join("\r\n");
    await insist(book, () => parts.sender.send({ from: email, to }, raw));
    book.accepted.push({ id, channel: "email", tenant, conversation: null, talk, n: sent });
    sent += 1;
    return id;
  };
  const answer = async (id: string, fromMs: number): Promise<Arrived | null> => {
    const mail = await mailboxes.answerTo(id, PATIENCE_MS);
    if (mail === null) {
      book.slow.push(id);
      at = talk.exchanges.length;
      return null;
    }
    book.measured.mailMs.push(mail.atMs - fromMs);
    to = mail.replyTo;
    before = mail;
    // A person has it now: what is written from here on waits for them.
    if (HANDED_OVER.test(mail.text)) at = talk.exchanges.length;
    return mail;
  };

  return {
    get left() {
      return talk.exchanges[at]?.length ?? 0;
    },
    async next(dueMs) {
      const text = talk.exchanges[at]?.join("\n\n") ?? "";
      at += 1;
      const id = await write(text);
      const mail = await answer(id, dueMs ?? now());
      const link = /https?:\/\/\S+\/confirm\/\S+/.exec(mail?.text ?? "")?.[0];
      if (link === undefined) return;
      await insist(book, async () => {
        const response = await fetch(link, {
          method: "POST",
          // As the page that the link opens does.
          headers: { "content-type": "application/x-www-form-urlencoded", origin: new URL(link).origin },
          body: "",
        });
        await response.text();
        // Clicked again after an answer that was lost: it has been used.
        if (response.ok || response.status === 404 || response.status === 410) return;
        const what = `the link answered ${response.status}`;
        throw comesAgain(response.status) || response.status === 409 ? new Error(what) : new Refused(what);
      });
      await answer(id, now());
    },
    close() {},
  };
}
