/**
 * A write under its idempotency key: once, and the same answer afterwards.
 *
 * Order, as at Stripe: the key (in flight? used before, with these parameters?), validation (its refusals
 * are not kept), execution (its answers are, errors of the server too), answer. A fault "before accept"
 * strikes before execution, one "after accept" once books and key are written, in one transaction.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../src/kernel/ports.ts";
import { BrokenConnection } from "./connection.ts";
import { invalid, rateLimited, StripeError, serverError } from "./errors.ts";
import type { ArmedFault, Faults, Operation } from "./faults.ts";
import { decodeForm, type Form } from "./form.ts";
import type { Ledger } from "./ledger.ts";

const KEY_CHARS = 255;
const SLOW_MS = 3_000;
const RETRY_AFTER_MS = 1_000;

export interface WriteRequest {
  readonly operation: Operation;
  readonly key: string | null;
  readonly path: string;
  readonly body: string;
}

export interface WriteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly replayed: boolean;
}

/** Validates, and answers with what is to be done inside the transaction. */
type Prepare = (form: Form) => (fault: ArmedFault | null) => unknown;

export interface Striking {
  readonly faults: Faults;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

/** Lets a fault strike, if this is its moment. */
export async function strike(
  { clock, stopping }: Striking,
  fault: ArmedFault | null,
  when: "before" | "after",
): Promise<void> {
  switch (fault?.fault) {
    case `timeout_${when}_accept`:
      throw new BrokenConnection("silence");
    case `reset_${when}_accept`:
      throw new BrokenConnection("reset");
    case `error_500_${when}_accept`:
      throw serverError();
    case "rate_limited":
      if (when === "before") throw rateLimited(fault.delayMs ?? RETRY_AFTER_MS);
      return;
    case "slow":
      if (when === "before") await clock.sleep(fault.delayMs ?? SLOW_MS, stopping);
      if (stopping.aborted) throw new BrokenConnection("reset");
      return;
    default:
      return;
  }
}

export function createWrites(
  parts: Striking & { readonly ledger: Ledger; readonly keyRetentionMs: number },
): (request: WriteRequest, prepare: Prepare) => Promise<WriteAnswer> {
  const { ledger, clock, faults, keyRetentionMs } = parts;
  /** Keys whose request is being carried out, with its fingerprint. */
  const inFlight = new Map<string, string>();

  return async ({ operation, key, path, body }, prepare) => {
    if (key !== null && (key.length > KEY_CHARS || key.trim() === "")) {
      throw invalid(`Idempotency keys are 1 to ${KEY_CHARS} characters long.`);
    }
    const fingerprint = createHash("sha256").update(`${path}\n${body}`).digest("hex");
    const kept = key === null ? null : ledger.key(key);
    if (key !== null) {
      const used = inFlight.get(key) ?? (kept !== null && isKept(kept.createdMs) ? kept.fingerprint : null);
      if (used !== null && used !== fingerprint) throw otherParameters(key);
      if (inFlight.has(key)) throw keyInUse(key);
      if (kept !== null && isKept(kept.createdMs)) {
        const fault = faults.take(operation, true);
        await strike(parts, fault, "before");
        await strike(parts, fault, "after");
        return { status: kept.status, body: JSON.parse(kept.body), replayed: true };
      }
    }
    const execute = prepare(decodeForm(body));
    if (key !== null) inFlight.set(key, fingerprint);
    try {
      return await carryOut(key, fingerprint, execute, faults.take(operation));
    } finally {
      if (key !== null) inFlight.delete(key);
    }
  };

  function isKept(createdMs: number): boolean {
    return clock.now() - createdMs < keyRetentionMs;
  }

  async function carryOut(
    key: string | null,
    fingerprint: string,
    execute: (fault: ArmedFault | null) => unknown,
    fault: ArmedFault | null,
  ): Promise<WriteAnswer> {
    const keep = (status: number, body: unknown): WriteAnswer => {
      if (key !== null) {
        ledger.saveKey(key, { fingerprint, status, body: JSON.stringify(body), createdMs: clock.now() });
      }
      return { status, body, replayed: false };
    };
    if (fault?.fault === "error_500_before_accept") return keep(500, serverError().body);
    await strike(parts, fault, "before");
    const answer = ledger.atomically((): WriteAnswer => {
      try {
        const body = execute(fault);
        // The refund exists, and the key will say 500 for as long as it is kept.
        return fault?.fault === "error_500_after_accept" ? keep(500, serverError().body) : keep(200, body);
      } catch (error) {
        // A refusal is an answer. What stands in the books by then stays, such as the intent of a declined card.
        if (error instanceof StripeError) return keep(error.status, error.body);
        throw error;
      }
    });
    if (fault?.fault !== "error_500_after_accept") await strike(parts, fault, "after");
    return answer;
  }
}

const otherParameters = (key: string) =>
  new StripeError(400, {
    type: "idempotency_error",
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });

const keyInUse = (key: string) =>
  new StripeError(
    409,
    {
      type: "idempotency_error",
      code: "idempotency_key_in_use",
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    { "Retry-After": "1", "Stripe-Should-Retry": "true" },
  );
