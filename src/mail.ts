/** Mail put together for a running server: the listener, the sender, and what lies between them. */
import { createEmail, type EmailParts, type IdentityLinks } from "./channels/email/email.ts";
import { createSmtpSender, type MailListener, startMailListener } from "./channels/email/smtp.ts";
import type { Transcripts } from "./channels/email/transcripts.ts";
import type { Orders } from "./commerce/orders.ts";
import type { Configuration } from "./configuration.ts";
import { ProblemError } from "./kernel/errors.ts";
import type { TenantId } from "./kernel/ids.ts";

export interface RunningMail {
  readonly links: IdentityLinks;
  readonly transcripts: Transcripts;
  /** Listens and sends, once the server's own address is known. @throws ProblemError `port_in_use` */
  start(): Promise<void>;
  /** Null where no mail comes in at this process. */
  port(): number | null;
  stop(): Promise<void>;
}

/** Null where this installation has no mail. */
export async function startMail(
  parts: Pick<
    EmailParts,
    "store" | "hub" | "queue" | "clock" | "random" | "conversations" | "secret" | "onError"
  > & {
    readonly configuration: Pick<Configuration, "mail" | "tenants" | "host" | "worker">;
    readonly orders: Orders;
    readonly sandboxUrl: string | null;
    readonly baseUrl: () => string;
  },
): Promise<RunningMail | null> {
  const { configuration, onError } = parts;
  const { mail, host } = configuration;
  if (mail === null) return null;
  const url = mail.url ?? (await sandboxMailbox(parts.sandboxUrl));
  const sender = createSmtpSender(url, mail.dkim);
  const email = createEmail({
    ...parts,
    tenants: configuration.tenants.flatMap(({ id, name, mailAddress }) =>
      mailAddress === null ? [] : [{ id: id as TenantId, name, address: mailAddress }],
    ),
    firstLanguage: (tenantId) => configuration.tenants.find(({ id }) => id === tenantId)?.language ?? "en",
    trustedServer: mail.trustedServer,
    send: sender.send,
    confirmUrl: (token) => `${parts.baseUrl()}/confirm/${token}`,
    customer: (scope, signal) => parts.orders.customer(scope, signal),
    timeZoneOf: (tenantId) => configuration.tenants.find(({ id }) => id === tenantId)?.timeZone ?? "UTC",
    customerByEmail: (scope, address, signal) => parts.orders.customerByEmail(scope, address, signal),
  });
  let listener: MailListener | null = null;
  const listen = (port: number) =>
    startMailListener({ host, port, isOurs: email.isOurs, receive: email.receive, onError });
  return {
    links: email.links,
    transcripts: email.transcripts,
    port: () => listener?.port ?? null,
    async start() {
      const { port, isGiven } = mail.listen;
      listener = await listen(port).catch((error: unknown) => {
        // Nobody asked for this port: another one will do.
        if (isGiven || !(error instanceof ProblemError)) throw error;
        return listen(0);
      });
      if (configuration.worker) email.mailer.start();
    },
    async stop() {
      await listener?.stop();
      await email.mailer.stop();
      sender.stop();
    },
  };
}

/** The sandbox's own mailbox: nothing that is sent there leaves the machine. */
async function sandboxMailbox(sandboxUrl: string | null): Promise<string> {
  const answer = await fetch(`${sandboxUrl}/sandbox/mail`).then((response) => response.json());
  const { smtp_port: port } = answer as { smtp_port: number };
  return `smtp://${new URL(String(sandboxUrl)).hostname}:${port}`;
}
