/** A rendered mail as the library that writes MIME takes it, and as bytes for a provider that takes MIME. */
import type { RenderedMail } from "./rendering.ts";

/** Everything is rendered; nothing is fetched for it. */
export const NOTHING_FETCHED = { disableFileAccess: true, disableUrlAccess: true } as const;

export const partsOf = (mail: RenderedMail) => ({
  messageId: mail.messageId,
  envelope: { from: mail.envelopeFrom, to: mail.to },
  from: mail.from,
  to: mail.to,
  replyTo: { name: mail.from.name, address: mail.replyTo },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { ...mail.headers },
  ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo }),
  references: [...mail.references],
});

export async function mimeOf(mail: RenderedMail): Promise<Buffer> {
  const { createTransport } = await import("nodemailer");
  const writer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await writer.sendMail({ ...partsOf(mail), ...NOTHING_FETCHED });
  return message as Buffer;
}
