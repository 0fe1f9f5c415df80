/** Mail put together for a running server: the listener, the sender, and what lies between them. */
import { createEmail, type Email, type EmailParts, type IdentityLinks } from "./channels/email/email.ts";
import { createBucket } from "./channels/email/providers/s3.ts";
import { createMailgunSender, createSesSender } from "./channels/email/providers/senders.ts";
import { createSns } from "./channels/email/providers/sns.ts";
import { createMailWebhooks, type MailWebhooks } from "./channels/email/providers/webhooks.ts";
import { createSmtpSender, type MailListener, startMailListener } from "./channels/email/smtp.ts";
import type { Transcripts } from "./channels/email/transcripts.ts";
import type { UnansweredMails } from "./channels/email/unanswered.ts";
import type { Orders } from "./commerce/orders.ts";
import type { Configuration } from "./configuration.ts";
import type { MailConfiguration } from "./configuration-mail.ts";
import { ProblemError } from "./kernel/errors.ts";
import type { TenantId } from "./kernel/ids.ts";

export interface RunningMail {
  readonly links: IdentityLinks;
  readonly transcripts: Transcripts;
  readonly unanswered: UnansweredMails;
  /** Null where no provider posts anything here. */
  readonly webhooks: MailWebhooks | null;
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
    "store" | "hub" | "queue" | "clock" | "random" | "conversations" | "attachments" | "secret" | "onError"
  > & {
    readonly configuration: Pick<Configuration, "mail" | "tenants" | "host" | "role">;
    readonly orders: Orders;
    readonly sandboxUrl: string | null;
    readonly baseUrl: () => string;
  },
): Promise<RunningMail | null> {
  const { configuration, onError } = parts;
  const { mail, host } = configuration;
  if (mail === null) return null;
  const sender = await senderOf(mail, parts);
  const tenants = configuration.tenants.flatMap(({ id, name, mailAddress, mailFormSenders }) =>
    mailAddress === null
      ? []
      : [{ id: id as TenantId, name, address: mailAddress, formSenders: mailFormSenders }],
  );
  const email = createEmail({
    ...parts,
    tenants,
    firstLanguage: (tenantId) => configuration.tenants.find(({ id }) => id === tenantId)?.language ?? "en",
    trustedServer: mail.trustedServer,
    send: sender.send,
    confirmUrl: (token) => `${parts.baseUrl()}/confirm/${token}`,
    transcriptUrl: (token) => `${parts.baseUrl()}/transcript/${token}`,
    customer: (scope, signal) => parts.orders.customer(scope, signal),
    timeZoneOf: (tenantId) => configuration.tenants.find(({ id }) => id === tenantId)?.timeZone ?? "UTC",
    customerByEmail: (scope, address, signal) => parts.orders.customerByEmail(scope, address, signal),
  });
  const listeners: MailListener[] = [];
  const listen = async (port: number, isLmtp: boolean) => {
    const { isOurs, receive } = email;
    const listener = await startMailListener({ host, port, isOurs, receive, isLmtp, onError });
    listeners.push(listener);
    return listener.port;
  };
  let smtpPort: number | null = null;
  return {
    links: email.links,
    transcripts: email.transcripts,
    unanswered: email.unanswered,
    webhooks: webhooksOf(mail, { ...parts, ...email, tenants }),
    port: () => smtpPort,
    async start() {
      const { listen: asked, lmtpPort } = mail;
      const serves = configuration.role !== "work";
      if (serves && asked !== null) {
        smtpPort = await listen(asked.port, false).catch((error: unknown) => {
          // Nobody asked for this port: another one will do.
          if (asked.isGiven || !(error instanceof ProblemError)) throw error;
          return listen(0, false);
        });
      }
      if (serves && lmtpPort !== null) await listen(lmtpPort, true);
      if (configuration.role !== "serve") email.mailer.start();
    },
    async stop() {
      await Promise.all(listeners.map((listener) => listener.stop()));
      await email.mailer.stop();
      sender.stop();
    },
  };
}

type SendingParts = Pick<EmailParts, "clock"> & { readonly sandboxUrl: string | null };

async function senderOf({ sending, dkim }: MailConfiguration, { clock, sandboxUrl }: SendingParts) {
  const there = { clock, fetch, stop: () => {} };
  switch (sending.by) {
    case "mailgun":
      return { send: createMailgunSender({ ...there, ...sending }), stop: there.stop };
    case "ses":
      return { send: createSesSender({ ...there, ...sending }), stop: there.stop };
    case "smtp":
      return createSmtpSender(sending.url, dkim);
    case "sandbox":
      return createSmtpSender(await sandboxMailbox(sandboxUrl), dkim);
  }
}

function webhooksOf(
  { mailgunKeys, ses }: MailConfiguration,
  parts: Pick<EmailParts, "store" | "clock" | "tenants"> & Pick<Email, "receive" | "isOurs">,
): MailWebhooks | null {
  if (mailgunKeys === null && ses === null) return null;
  const there = { clock: parts.clock, fetch };
  const bucket = ses?.bucket ?? null;
  return createMailWebhooks({
    ...parts,
    mailgunKeys,
    sns: ses === null ? null : createSns({ ...there, topics: ses.topics }),
    bucket:
      bucket === null
        ? null
        : { name: bucket.name, read: createBucket({ ...there, ...bucket, bucket: bucket.name }) },
  });
}

/** The sandbox's own mailbox: nothing that is sent there leaves the machine. */
async function sandboxMailbox(sandboxUrl: string | null): Promise<string> {
  const answer = await fetch(`${sandboxUrl}/sandbox/mail`).then((response) => response.json());
  const { smtp_port: port } = answer as { smtp_port: number };
  return `smtp://${new URL(String(sandboxUrl)).hostname}:${port}`;
}
