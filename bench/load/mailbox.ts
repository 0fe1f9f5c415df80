/** Customers' mailboxes: an SMTP server for what is sent to them, and their senders by SMTP and LMTP. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";

export interface Arrived {
  readonly messageId: string;
  readonly inReplyTo: string;
  readonly replyTo: string;
  readonly text: string;
  readonly atMs: number;
}

export interface Mailboxes {
  readonly port: number;
  /** How often a mail came, by its Message-ID. */
  readonly arrived: ReadonlyMap<string, number>;
  /** The next mail that answers this Message-ID and has not been asked for yet; null when none comes in time. */
  answerTo(messageId: string, withinMs: number): Promise<Arrived | null>;
  stop(): Promise<void>;
}

export async function openMailboxes(): Promise<Mailboxes> {
  const arrived = new Map<string, number>();
  const waiting = new Map<string, (mail: Arrived) => void>();
  const unread = new Map<string, Arrived[]>();
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const mail = readMail(Buffer.concat(chunks).toString("latin1"));
        const before = arrived.get(mail.messageId) ?? 0;
        arrived.set(mail.messageId, before + 1);
        callback();
        // Sent again, recognisably the same: its reader has it.
        if (before > 0) return;
        const reader = waiting.get(mail.inReplyTo);
        waiting.delete(mail.inReplyTo);
        if (reader !== undefined) reader(mail);
        else unread.set(mail.inReplyTo, [...(unread.get(mail.inReplyTo) ?? []), mail]);
      });
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    async answerTo(messageId, withinMs) {
      const there = unread.get(messageId)?.shift();
      if (there !== undefined) return there;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), withinMs);
      });
      const coming = new Promise<Arrived>((resolve) => waiting.set(messageId, resolve));
      const mail = await Promise.race([coming, late]);
      clearTimeout(timer);
      if (mail === null) waiting.delete(messageId);
      return mail;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The headers that a mail program goes by, and the plain text; ours is quoted-printable or plain ASCII. */
function readMail(raw: string): Arrived {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const header = (name: string): string =>
    new RegExp(`^${name}:\\s*((?:.|\\r\\n[ \\t])*)`, "im")
      .exec(head)?.[1]
      ?.replaceAll(/\r\n[ \t]/g, "")
      .trim() ?? "";
  const text = rest
    .join("\n\n")
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    messageId: header("message-id"),
    inReplyTo: header("in-reply-to"),
    replyTo: /<([^>]+)>/.exec(header("reply-to"))?.[1] ?? header("reply-to"),
    text,
    atMs: performance.now(),
  };
}

export interface Sender {
  /** Resolves when the server says that it has it. */
  send(envelope: { from: string; to: string }, raw: string): Promise<void>;
  close(): void;
}

export function createSender(port: number, isLmtp: boolean): Sender {
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    lmtp: isLmtp,
    pool: true,
    maxConnections: 8,
    secure: false,
    ignoreTLS: true,
    connectionTimeout: 5_000,
    socketTimeout: 30_000,
  } as Parameters<typeof createTransport>[0]);
  return {
    async send(envelope, raw) {
      await transport.sendMail({ envelope, raw });
    },
    close: () => transport.close(),
  };
}
