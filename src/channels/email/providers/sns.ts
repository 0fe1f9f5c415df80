/**
 * Messages of Amazon SNS: whose they are is checked before anything is done with them or fetched for them.
 *
 * Order: the topic is one of ours; the certificate's address is Amazon's; only then is it fetched; the signature fits.
 * Source: AWS, "Verifying the signatures of Amazon SNS messages" (SignatureVersion 1: SHA-1, 2: SHA-256).
 */
import { createVerify, X509Certificate } from "node:crypto";
import { z } from "zod";
import { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Clock } from "../../../kernel/ports.ts";
import { type Fetch, fetchBytes } from "./fetching.ts";

const text = z.string().max(LIMITS.mailSnsBytes);
const shape = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: text,
  TopicArn: text,
  Message: text,
  Timestamp: text,
  SignatureVersion: z.enum(["1", "2"]),
  Signature: text,
  SigningCertURL: text,
  Subject: text.nullish(),
  Token: text.optional(),
  SubscribeURL: text.optional(),
});
export type SnsMessage = z.output<typeof shape>;

export interface Sns {
  /**
   * Checks it, and confirms a subscription. Answers with a notification's text; null when there is nothing more to do.
   * @throws ProblemError `webhook_payload_invalid`, `mail_topic_unknown`, `webhook_signature_invalid`,
   * `mail_source_unavailable` when Amazon cannot be asked just now
   */
  open(value: unknown): Promise<string | null>;
}

export function createSns(parts: {
  readonly topics: readonly string[];
  readonly clock: Clock;
  readonly fetch: Fetch;
}): Sns {
  const { topics, clock, fetch } = parts;
  const certificates = new Map<string, X509Certificate>();
  const certificateAt = async (url: string): Promise<X509Certificate> => {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    const { bytes } = await fetchBytes({ fetch, clock }, new Request(url), CERTIFICATE_BYTES);
    let read: X509Certificate;
    try {
      read = new X509Certificate(bytes);
    } catch {
      throw new ProblemError("webhook_signature_invalid", "The signing certificate is none.");
    }
    if (certificates.size >= CERTIFICATES_MAX) certificates.clear();
    certificates.set(url, read);
    return read;
  };
  return {
    async open(value) {
      const read = shape.safeParse(value);
      if (!read.success) throw new ProblemError("webhook_payload_invalid");
      const message = read.data;
      if (!topics.includes(message.TopicArn)) throw new ProblemError("mail_topic_unknown");
      if (!isAmazons(message.SigningCertURL) || !new URL(message.SigningCertURL).pathname.endsWith(".pem")) {
        throw new ProblemError("webhook_signature_invalid", "The certificate's address is not Amazon's.");
      }
      const certificate = await certificateAt(message.SigningCertURL);
      const nowMs = clock.now();
      const isInTime =
        certificate.validFromDate.getTime() <= nowMs && nowMs <= certificate.validToDate.getTime();
      const verifier = createVerify(message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256");
      verifier.update(signedText(message), "utf8");
      if (!isInTime || !verifier.verify(certificate.publicKey, message.Signature, "base64")) {
        throw new ProblemError("webhook_signature_invalid");
      }
      if (message.Type === "Notification") return message.Message;
      if (message.Type === "SubscriptionConfirmation") {
        const url = message.SubscribeURL ?? "";
        if (!isAmazons(url)) {
          throw new ProblemError("webhook_payload_invalid", "The address to confirm at is not Amazon's.");
        }
        await fetchBytes({ fetch, clock }, new Request(url), LIMITS.webhookBytes);
      }
      return null;
    },
  };
}

const CERTIFICATE_BYTES = 16_384;
const CERTIFICATES_MAX = 10;

/** `https://sns.eu-west-1.amazonaws.com/…`, also in China; no port, no name and password. */
export function isAmazons(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return (
    parsed !== null &&
    parsed.protocol === "https:" &&
    parsed.port === "" &&
    parsed.username === "" &&
    parsed.password === "" &&
    /^sns\.[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?$/.test(parsed.hostname)
  );
}

/** What is signed: these fields in this order, each name and value on a line of its own. */
export function signedText(message: SnsMessage): string {
  const names =
    message.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : (["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const);
  return names
    .flatMap((name) => {
      const value = message[name];
      return value === undefined || value === null ? [] : [`${name}\n${value}\n`];
    })
    .join("");
}
