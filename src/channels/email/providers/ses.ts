/**
 * Notifications of Amazon SES: a mail that came in, or what became of one that we sent. Pure.
 *
 * Source: AWS, "Contents of notifications for Amazon SES email receiving" (content up to 150 KB, else in S3) and
 * "Amazon SNS notification contents" for bounces and complaints (`notificationType`; `eventType` by event publishing).
 */
import { z } from "zod";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Envelope } from "../mail.ts";

export type SesNotification =
  | { readonly kind: "mail"; readonly envelope: Envelope; readonly content: SesContent }
  | {
      readonly kind: "report";
      readonly reason: "bounced" | "complained";
      readonly recipients: readonly string[];
      /** Of the mail that we sent, under Amazon's name and, where it says so, under ours. */
      readonly messageIds: readonly string[];
    }
  | { readonly kind: "nothing" };

export type SesContent =
  | { readonly in: "message"; readonly mime: Buffer }
  | { readonly in: "s3"; readonly bucket: string; readonly key: string };

const address = z.string().max(LIMITS.mailHeaderChars);
const recipients = z.array(z.object({ emailAddress: address })).max(LIMITS.mailReferences);
const shape = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  mail: z.object({
    source: address.default(""),
    messageId: z.string().max(LIMITS.mailHeaderChars).default(""),
    commonHeaders: z.object({ messageId: z.string().max(LIMITS.mailHeaderChars).optional() }).optional(),
  }),
  receipt: z
    .object({
      recipients: z.array(address).max(LIMITS.mailReferences),
      action: z.object({
        type: z.string(),
        encoding: z.string().optional(),
        bucketName: z.string().optional(),
        // A URL would lead `..` out of the bucket.
        objectKey: z
          .string()
          .max(1_024)
          .refine((key) => !key.split("/").some((part) => part === "." || part === ".."))
          .optional(),
      }),
    })
    .optional(),
  content: z.string().optional(),
  bounce: z.object({ bounceType: z.string(), bouncedRecipients: recipients }).optional(),
  complaint: z.object({ complainedRecipients: recipients }).optional(),
});

/** Null when it is none. */
export function readSes(text: string): SesNotification | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = shape.safeParse(value);
  if (!read.success) return null;
  const { mail, receipt, content, bounce, complaint } = read.data;
  const type = read.data.notificationType ?? read.data.eventType;
  if (type === "Received" && receipt !== undefined) {
    const envelope = { from: mail.source, to: receipt.recipients };
    const { action } = receipt;
    if (action.bucketName !== undefined && action.objectKey !== undefined) {
      const at = { in: "s3", bucket: action.bucketName, key: action.objectKey } as const;
      return { kind: "mail", envelope, content: at };
    }
    if (content === undefined) return null;
    const isBase64 = action.encoding?.toUpperCase() === "BASE64";
    const mime = Buffer.from(content, isBase64 ? "base64" : "utf8");
    return { kind: "mail", envelope, content: { in: "message", mime } };
  }
  const messageIds = [mail.messageId, mail.commonHeaders?.messageId ?? ""].filter((id) => id !== "");
  const report = (reason: "bounced" | "complained", to: z.output<typeof recipients>) =>
    ({
      kind: "report",
      reason,
      recipients: to.map(({ emailAddress }) => emailAddress),
      messageIds,
    }) as const;
  // One that passes is tried again by Amazon.
  if (type === "Bounce" && bounce?.bounceType === "Permanent")
    return report("bounced", bounce.bouncedRecipients);
  if (type === "Complaint" && complaint !== undefined) {
    return report("complained", complaint.complainedRecipients);
  }
  return { kind: "nothing" };
}
