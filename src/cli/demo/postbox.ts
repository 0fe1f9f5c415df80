/** A customer of the demo who writes mails: over SMTP to the server, and reads what the sandbox's mailbox got for them. */
import { CliError, type CommandIo } from "../command.ts";
import { plainLine } from "../terminal.ts";
import type { Narrator } from "./narrator.ts";

const ANSWER_MS = 20_000;
const POLL_MS = 60;

export interface ReadMail {
  readonly replyTo: string;
  readonly subject: string;
  readonly text: string;
}

export interface Postbox {
  readonly address: string;
  /** What came so far, oldest first. */
  mails(): Promise<readonly ReadMail[]>;
  /** Sends a mail; `from` may be a lie. */
  write(
    text: string,
    over?: { readonly to?: string; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<void>;
  /** Resolves with the mail that comes next after the first `count`. */
  next(count: number): Promise<ReadMail>;
  /** Opens the one-time link in a mail and presses its button. */
  confirm(mail: ReadMail): Promise<void>;
  lastTold(): string;
}

export function openPostbox(
  parts: {
    readonly io: CommandIo;
    readonly narrator: Narrator;
    readonly smtpPort: number;
    readonly serverUrl: string;
    readonly sandboxUrl: string;
  },
  address: string,
): Postbox {
  const { io, narrator } = parts;
  let told = "";
  const mails = async (): Promise<readonly ReadMail[]> => {
    const response = await fetch(`${parts.sandboxUrl}/sandbox/mail?to=${encodeURIComponent(address)}`, {
      signal: io.interrupted,
    });
    return ((await response.json()) as { mails: readonly ReadMail[] }).mails;
  };
  return {
    address,
    mails,
    lastTold: () => told,
    async write(text, { to = "support@northwind.example", headers = {} } = {}) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ host: "127.0.0.1", port: parts.smtpPort, ignoreTLS: true });
      narrator.mail(address, text);
      try {
        await transport.sendMail({ from: address, to, subject: "My order", text, headers });
      } finally {
        transport.close();
      }
    },
    async next(count) {
      const giveUpMs = io.clock.now() + ANSWER_MS;
      for (;;) {
        const mail = (await mails())[count];
        if (mail !== undefined) {
          told = mail.text.split(/\n+-- /)[0]?.trim() ?? "";
          narrator.mail("shop", told);
          return mail;
        }
        if (io.clock.now() > giveUpMs) throw new CliError(`No mail came for ${address}.`, "");
        await io.clock.sleep(POLL_MS, io.interrupted);
      }
    },
    async confirm(mail) {
      const link = /https?:\/\/\S+\/confirm\/\S+/.exec(mail.text)?.[0];
      if (link === undefined) throw new CliError(`There is no link in: "${plainLine(mail.text, 300)}"`, "");
      narrator.does(`${address} opens the link and confirms`);
      const response = await fetch(link, {
        method: "POST",
        headers: { origin: parts.serverUrl, "content-type": "application/x-www-form-urlencoded" },
        body: "",
        signal: io.interrupted,
      });
      if (!response.ok) throw new CliError(`The link was answered with ${response.status}.`, "");
    },
  };
}
