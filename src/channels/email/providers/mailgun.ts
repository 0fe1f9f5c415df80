/**
 * What Mailgun posts: a mail as MIME (a route's `forward(".../webhooks/mailgun/mime")`), or an event of one that we sent.
 *
 * Its signature is over a timestamp and a token, and not over the content: so a token is good for one content only
 * (`deliveries.ts`). Source: Mailgun, "Securing webhooks" and "Receive, forward and store messages". Pure.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Envelope } from "../mail.ts";

export interface MailgunSignature {
  readonly timestamp: string;
  readonly token: string;
  readonly signature: string;
}

export interface MailgunMail {
  readonly signed: MailgunSignature;
  readonly envelope: Envelope;
  readonly mime: Buffer;
}

export interface MailgunEvent {
  readonly signed: MailgunSignature;
  /** Null: an event that changes nothing, such as a delivery. */
  readonly reason: "bounced" | "complained" | null;
  readonly recipient: string;
  readonly messageIds: readonly string[];
}

/**
 * @param keys all are accepted, so that one can be replaced
 * @throws ProblemError `webhook_signature_invalid`, `mail_refused` when it is older than Mailgun's last try
 */
export function checkMailgun(keys: readonly string[], signed: MailgunSignature, nowMs: number): void {
  const { timestamp, token, signature } = signed;
  const given = Buffer.from(signature);
  const isSigned = keys.some((key) => {
    const made = Buffer.from(createHmac("sha256", key).update(timestamp).update(token).digest("hex"));
    return made.length === given.length && timingSafeEqual(made, given);
  });
  if (!isSigned || token === "" || token.length > 200 || !/^\d{1,12}$/.test(timestamp)) {
    throw new ProblemError("webhook_signature_invalid");
  }
  const ageMs = nowMs - Number(timestamp) * 1_000;
  if (ageMs > LIMITS.mailDeliveryMs || ageMs < -LIMITS.webhookToleranceMs) {
    throw new ProblemError("mail_refused", "The signature's time is not one at which this could come.");
  }
}

/** @throws ProblemError `mail_refused` when it is no such form */
export function readMailgunMail(contentType: string | undefined, body: Buffer): MailgunMail {
  const fields = readFields(contentType ?? "", body);
  const mime = fields.get("body-mime");
  if (mime === undefined) {
    throw new ProblemError(
      "mail_refused",
      "The form has no `body-mime`: forward to the address that ends in /mime.",
    );
  }
  const text = (name: string): string => Buffer.from(fields.get(name) ?? "", "latin1").toString("utf8");
  return {
    signed: { timestamp: text("timestamp"), token: text("token"), signature: text("signature") },
    envelope: { from: text("sender"), to: text("recipient").split(",", LIMITS.mailReferences) },
    mime: Buffer.from(mime, "latin1"),
  };
}

const eventShape = z.object({
  signature: z.object({ timestamp: z.coerce.string(), token: z.string(), signature: z.string() }),
  "event-data": z.object({
    event: z.string(),
    severity: z.string().optional(),
    recipient: z.string().max(LIMITS.mailHeaderChars).default(""),
    message: z.object({ headers: z.object({ "message-id": z.string().optional() }).optional() }).optional(),
  }),
});

/** @throws ProblemError `mail_refused` when it is no event */
export function readMailgunEvent(value: unknown): MailgunEvent {
  const read = eventShape.safeParse(value);
  if (!read.success) throw new ProblemError("mail_refused", "This is no event of Mailgun.");
  const { event, severity, recipient, message } = read.data["event-data"];
  // "failed" is the word for both; one that is temporary is tried again by Mailgun.
  const isBounce = event === "failed" && severity === "permanent";
  const id = message?.headers?.["message-id"]?.replace(/^<|>$/g, "");
  return {
    signed: read.data.signature,
    reason: isBounce ? "bounced" : event === "complained" ? "complained" : null,
    recipient,
    messageIds: id === undefined ? [] : [`<${id}>`],
  };
}

/** A form's fields, a character a byte: a mail has bytes of any charset. */
function readFields(contentType: string, body: Buffer): Map<string, string> {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    const unescaped = (text: string): string =>
      text
        .replaceAll("+", " ")
        .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const pairs = body.toString("latin1").split("&", FIELDS_MAX);
    return new Map(
      pairs.map((pair) => {
        const at = pair.indexOf("=");
        return at === -1 ? [pair, ""] : [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))];
      }),
    );
  }
  // `Response.formData()` takes no boundary shorter than 27 characters, and reads all text as UTF-8.
  const [, boundary] = /^multipart\/form-data\b.*\bboundary="?([^";,\s]{1,70})/i.exec(contentType) ?? [];
  if (boundary === undefined) throw new ProblemError("mail_refused", "This is no form.");
  const [, ...parts] = `\r\n${body.toString("latin1")}`.split(`\r\n--${boundary}`, FIELDS_MAX);
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const end = part.indexOf("\r\n\r\n");
      const name = /\bname="([^"]*)"/i.exec(part.slice(0, Math.max(end, 0)))?.[1];
      return name === undefined ? [] : [[name, part.slice(end + 4)]];
    }),
  );
}

const FIELDS_MAX = 200;
