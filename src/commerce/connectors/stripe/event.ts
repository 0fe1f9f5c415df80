/**
 * Stripe's webhook events: first the signature over the bytes as they came, then what they say.
 * Pure: the time comes in as a value.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { RefundEvents } from "../../payments.ts";
import { MalformedAnswer, refundOf } from "./refund.ts";

const HEADER_CHARS = 4_096;

/**
 * Scheme v1: HMAC-SHA256 over `timestamp.body`. Any signature of the header may fit any of the secrets
 * (both rotate); every pair is computed and compared in constant time.
 * @throws ProblemError `webhook_signature_invalid`
 */
export function verifySignature(
  rawBody: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  nowMs: number,
): void {
  const parts = (header ?? "").slice(0, HEADER_CHARS).split(",");
  const valuesOf = (name: string) =>
    parts
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${name}=`))
      .map((part) => part.slice(name.length + 1));
  const [timestamp = "", ...furtherTimestamps] = valuesOf("t");
  const given = valuesOf("v1")
    .filter((value) => /^[0-9a-f]{64}$/.test(value))
    .map((value) => Buffer.from(value, "hex"));
  let fits = false;
  for (const secret of secrets) {
    const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest();
    for (const candidate of given) fits = timingSafeEqual(candidate, expected) || fits;
  }
  const plain = /^\d{1,12}$/.test(timestamp) && furtherTimestamps.length === 0;
  if (!fits || !plain) throw new ProblemError("webhook_signature_invalid");
  if (Math.abs(nowMs - Number(timestamp) * 1000) > LIMITS.webhookToleranceMs) {
    throw new ProblemError(
      "webhook_signature_invalid",
      "The webhook's signature is too old, or of the future.",
      {
        next: "Compare the clocks of both sides; a delivery is signed anew each time it is sent.",
      },
    );
  }
}

/**
 * The refunds that an event speaks of; null when it is about none.
 * @throws ProblemError `webhook_payload_invalid`
 */
export function readRefundEvents(rawBody: Uint8Array): RefundEvents | null {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(rawBody));
  } catch {
    throw new ProblemError("webhook_payload_invalid");
  }
  const { object, id, type, created, data } = (event ?? {}) as Readonly<Record<string, unknown>>;
  // A "thin" event of API v2 at the same endpoint: genuine, and not about a refund.
  if (object === "v2.core.event") return null;
  if (
    object !== "event" ||
    typeof id !== "string" ||
    typeof type !== "string" ||
    !Number.isSafeInteger(created)
  ) {
    throw new ProblemError("webhook_payload_invalid");
  }
  const base = { eventId: id, type, createdAt: (created as number) * 1000 };
  const about = ((data ?? {}) as Readonly<Record<string, unknown>>).object;
  try {
    if (type.startsWith("refund.") || type === "charge.refund.updated") {
      const refund = refundOf(about);
      return { ...base, chargeId: refund.chargeId === "" ? null : refund.chargeId, refunds: [refund] };
    }
    if (type === "charge.refunded") return { ...base, ...refundsOfCharge(about) };
    return null;
  } catch (error) {
    if (error instanceof MalformedAnswer)
      throw new ProblemError("webhook_payload_invalid", undefined, { cause: error });
    throw error;
  }
}

/** Since 2022-11-15 a charge comes without its refunds: then its ID alone says what to look up. */
function refundsOfCharge(value: unknown): Pick<RefundEvents, "chargeId" | "refunds"> {
  const charge = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (charge.object !== "charge" || typeof charge.id !== "string") throw new MalformedAnswer("not a charge");
  const list = charge.refunds as { data?: unknown; has_more?: unknown } | null | undefined;
  // A list that goes on elsewhere is not all of them: looked up as well.
  const complete = Array.isArray(list?.data) && list.has_more !== true;
  return { chargeId: charge.id, refunds: complete ? (list.data as unknown[]).map(refundOf) : [] };
}
