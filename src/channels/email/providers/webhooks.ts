/**
 * What mail providers post to us. A mail is kept before it is acknowledged, once, however often it comes; what can never be
 * taken is told so, that the provider stops; what cannot be taken just now is left to its next try.
 */
import { ProblemError } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Clock } from "../../../kernel/ports.ts";
import type { Store } from "../../../store/store.ts";
import type { MailTenant } from "../addresses.ts";
import type { Receive } from "../receiving.ts";
import { takeToken } from "./deliveries.ts";
import { checkMailgun, readMailgunEvent, readMailgunMail } from "./mailgun.ts";
import { takeReport } from "./reports.ts";
import type { ReadObject } from "./s3.ts";
import { readSes } from "./ses.ts";
import type { Sns } from "./sns.ts";

export interface MailWebhooks {
  /**
   * A mail in a form, with its MIME.
   * @throws ProblemError `webhook_signature_invalid`, `mail_refused`
   */
  mailgunMail(contentType: string | undefined, body: Buffer): Promise<WebhookOutcome>;
  /** @throws ProblemError `webhook_signature_invalid`, `mail_refused` */
  mailgunEvent(event: unknown): Promise<WebhookOutcome>;
  /**
   * A message of SNS.
   * @throws ProblemError `webhook_payload_invalid`, `mail_topic_unknown`, `webhook_signature_invalid`,
   * `mail_source_unavailable`
   */
  ses(message: unknown): Promise<WebhookOutcome>;
}

/** `kept`: a mail of a tenant; `noted`: a bounce or a complaint; `ignored`: nothing for us in it. */
export interface WebhookOutcome {
  readonly outcome: "kept" | "noted" | "ignored";
}

export interface MailWebhookParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly MailTenant[];
  readonly receive: Receive;
  readonly isOurs: (address: string) => boolean;
  /** Null: Mailgun sends us nothing. */
  readonly mailgunKeys: readonly string[] | null;
  /** Null: Amazon sends us nothing. */
  readonly sns: Sns | null;
  /** The one bucket that is read; null: none. */
  readonly bucket: { readonly name: string; readonly read: ReadObject } | null;
}

export function createMailWebhooks(parts: MailWebhookParts): MailWebhooks {
  const { store, clock, tenants, receive } = parts;
  const home = [...tenants.map(({ id }) => id)].sort()[0] as TenantId;
  const keys = (): readonly string[] => {
    if (parts.mailgunKeys === null) throw new ProblemError("not_found");
    return parts.mailgunKeys;
  };
  return {
    async mailgunMail(contentType, body) {
      const known = keys();
      const { signed, envelope, mime } = readMailgunMail(contentType, body);
      checkMailgun(known, signed, clock.now());
      if (!envelope.to.some(parts.isOurs)) {
        throw new ProblemError("mail_refused", "There is no such mailbox here.");
      }
      const content = [envelope.from, envelope.to.join(","), mime];
      await takeToken(store, home, signed.token, content, clock.now());
      await receive(envelope, mime);
      return { outcome: "kept" };
    },
    async mailgunEvent(value) {
      const known = keys();
      const { signed, reason, recipient, messageIds } = readMailgunEvent(value);
      checkMailgun(known, signed, clock.now());
      await takeToken(
        store,
        home,
        signed.token,
        [String(reason), recipient, messageIds.join(",")],
        clock.now(),
      );
      if (reason === null) return { outcome: "ignored" };
      const count = await takeReport(parts, { reason, recipients: [recipient], messageIds }, clock.now());
      return { outcome: count === 0 ? "ignored" : "noted" };
    },
    async ses(value) {
      if (parts.sns === null) throw new ProblemError("not_found");
      const text = await parts.sns.open(value);
      if (text === null) return { outcome: "ignored" };
      const notification = readSes(text);
      if (notification === null) throw new ProblemError("webhook_payload_invalid");
      if (notification.kind === "nothing") return { outcome: "ignored" };
      if (notification.kind === "report") {
        const count = await takeReport(parts, notification, clock.now());
        return { outcome: count === 0 ? "ignored" : "noted" };
      }
      const { envelope, content } = notification;
      if (!envelope.to.some(parts.isOurs)) return { outcome: "ignored" };
      if (content.in === "message") {
        await receive(envelope, content.mime);
        return { outcome: "kept" };
      }
      if (content.bucket !== parts.bucket?.name) {
        throw new ProblemError("webhook_payload_invalid", "The mail is in a bucket that is not ours.");
      }
      const { bytes, isWhole } = await parts.bucket.read(content.key, LIMITS.mailBytes);
      await receive(envelope, bytes, isWhole ? undefined : { isCut: true });
      return { outcome: "kept" };
    },
  };
}
