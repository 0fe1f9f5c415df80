/** SMTP, both ways: the listener that takes mail for the tenants' addresses (LMTP too), and the sender. */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { NOTHING_FETCHED, partsOf } from "./composing.ts";
import { MailRefused, MailUncertain, type SendMail } from "./mailer.ts";
import type { Receive } from "./receiving.ts";

export interface MailListener {
  readonly port: number;
  /** Lets the mail in hand be kept, and takes no new connection. */
  stop(): Promise<void>;
}

/** An answer with an SMTP status. */
const refusal = (status: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode: status });

/**
 * Takes mail for our own addresses only, so that it relays nothing. "250" is said after the commit; what cannot be
 * kept just now is answered with 451, and the delivering server comes again.
 * @throws ProblemError `port_in_use`
 */
export async function startMailListener(parts: {
  readonly host: string;
  readonly port: number;
  readonly isOurs: (address: string) => boolean;
  readonly receive: Receive;
  /** LMTP (RFC 2033): from the mail server of the same machine, an answer a recipient. */
  readonly isLmtp?: boolean;
  readonly onError: (error: unknown, about: string) => void;
}): Promise<MailListener> {
  const { SMTPServer } = await import("smtp-server");
  const key = parts.isLmtp === true ? "RECOURSE_LMTP_PORT" : "RECOURSE_SMTP_PORT";
  const server = new SMTPServer({
    banner: "Recourse",
    lmtp: parts.isLmtp === true,
    // Larger than what is taken: of a mail that is too large, who wrote it is kept before it is refused.
    size: LIMITS.mailOversizeBytes,
    maxClients: LIMITS.mailConnections,
    socketTimeout: 60_000,
    closeTimeout: LIMITS.shutdownGraceMs,
    authOptional: true,
    // A relay in front of us does both; who a mail is from is judged by its content.
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onRcptTo({ address }, session, callback) {
      if (!parts.isOurs(address)) return callback(refusal(550, "5.1.1 There is no such mailbox here."));
      if (session.envelope.rcptTo.length >= LIMITS.mailReferences) {
        return callback(refusal(452, "4.5.3 Too many recipients at once."));
      }
      callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.byteLength;
        // Read to its end, kept only so far.
        if (bytes <= LIMITS.mailBytes) chunks.push(chunk);
      });
      stream.on("error", (error) => callback(error));
      stream.on("end", () => {
        const isCut = stream.sizeExceeded || bytes > LIMITS.mailBytes;
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
        };
        parts.receive(envelope, Buffer.concat(chunks), { isCut }).then(
          () => (isCut ? callback(refusal(552, "5.3.4 The mail is too large.")) : callback(null, "Kept.")),
          (error: unknown) => {
            parts.onError(error, "a mail that came in");
            callback(refusal(451, "4.3.0 It cannot be kept just now; please come again."));
          },
        );
      });
    },
  });
  server.on("error", (error) => parts.onError(error, "the listener for mail"));
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new ProblemError("port_in_use", `${key}: port ${parts.port} on ${parts.host} is taken.`, {
              next: `Stop that program, or set ${key} to another port.`,
            })
          : error,
      ),
    );
    server.listen(parts.port, parts.host, () => resolve());
  });
  const bound = server.server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : parts.port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** @param url `smtp://user:password@host:587`, `smtps://…` */
export function createSmtpSender(
  url: string,
  dkim: { readonly domainName: string; readonly keySelector: string; readonly privateKey: string } | null,
): { send: SendMail; stop(): void } {
  // Loaded with the first mail that goes out.
  const connect = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url,
      pool: true,
      connectionTimeout: 10_000,
      socketTimeout: 30_000,
      ...NOTHING_FETCHED,
      ...(dkim === null ? {} : { dkim }),
    } as Parameters<typeof createTransport>[0]);
  };
  let transport: ReturnType<typeof connect> | null = null;
  return {
    async send(mail) {
      transport ??= connect();
      const server = await transport;
      try {
        await server.sendMail(partsOf(mail));
        return null;
      } catch (error) {
        const { responseCode, command } = error as { responseCode?: number; command?: string };
        // All of it was handed over, and nothing was said: nobody knows whether it was taken.
        if (command === "DATA" && responseCode === undefined)
          throw new MailUncertain((error as Error).message);
        if (responseCode === undefined || responseCode < 500) throw error;
        throw new MailRefused((error as Error).message, command === "RCPT TO");
      }
    },
    stop: () => void transport?.then((it) => it.close()),
  };
}
