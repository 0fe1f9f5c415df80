/** A mailbox for everybody: takes what is sent to any address, and shows it. Nothing leaves the machine. */
import { Hono } from "hono";

/** The latest are kept, in memory. */
const MAILS_MAX = 1_000;

export interface SandboxMail {
  readonly id: string;
  readonly to: readonly string[];
  readonly from: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `GET /sandbox/mail?to=` answers with `{smtp_port, mails}`, oldest first. */
export async function startSandboxMail(host: string): Promise<{
  readonly port: number;
  readonly app: Hono;
  stop(): Promise<void>;
}> {
  const mails: SandboxMail[] = [];
  const { SMTPServer } = await import("smtp-server");
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, session, callback) {
      import("mailparser")
        .then(({ simpleParser }) => simpleParser(stream))
        .then(
          (mail) => {
            mails.push({
              id: String(mail.messageId ?? ""),
              to: session.envelope.rcptTo.map(({ address }) => address),
              from: mail.from?.text ?? "",
              replyTo: mail.replyTo?.value[0]?.address ?? "",
              subject: mail.subject ?? "",
              text: mail.text ?? "",
              html: mail.html || "",
              headers: headersOf(mail.headerLines),
            });
            if (mails.length > MAILS_MAX) mails.shift();
            callback();
          },
          (error: Error) => callback(error),
        );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(0, host, () => resolve());
  });
  const bound = server.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  const app = new Hono();
  app.get("/sandbox/mail", (c) => {
    const to = c.req.query("to");
    return c.json({
      smtp_port: port,
      mails: to === undefined ? mails : mails.filter((mail) => mail.to.includes(to)),
    });
  });
  return { port, app, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

const headersOf = (lines: readonly { key: string; line: string }[]): Record<string, string> =>
  Object.fromEntries(lines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]));
