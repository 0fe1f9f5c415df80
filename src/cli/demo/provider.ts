/** What the sandbox's payment provider holds, asked of it directly: nothing that Recourse says is taken for it. */
import { CliError, EXIT } from "../command.ts";
import type { HeldRefund } from "./judge.ts";

export interface Provider {
  /** Refunds of an order's charge, oldest first, whatever their status. */
  refundsOf(orderNumber: string): Promise<readonly HeldRefund[]>;
  /** The next `times` refund requests meet this fault of the sandbox. */
  fail(fault: "timeout_after_accept", times: number): Promise<void>;
  /** No webhook arrives until the faults are cleared: what became of a refund has to be asked. */
  loseWebhooks(): Promise<void>;
  clearFaults(): Promise<void>;
}

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly has_more: boolean;
}

const PAGES_MAX = 50;

export function createProvider(url: string, signal: AbortSignal): Provider {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      signal,
      headers: { authorization: "Bearer sk_test_sandbox", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new CliError(
        `The sandbox answered ${response.status} to ${method} ${path}.`,
        "",
        EXIT.unreachable,
      );
    }
    return response.json().catch(() => null);
  };

  const pages = async function* (path: string) {
    let after = "";
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer = (await call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100${after}`)) as Page;
      yield* answer.data;
      const last = answer.data.at(-1)?.id;
      if (!answer.has_more || typeof last !== "string") return;
      after = `&starting_after=${encodeURIComponent(last)}`;
    }
  };

  const charges = new Map<string, string>();
  const chargeOf = async (orderNumber: string): Promise<string> => {
    if (charges.size === 0) {
      for await (const charge of pages("/v1/charges")) {
        const { order_number: number } = (charge.metadata ?? {}) as { order_number?: unknown };
        if (typeof number === "string" && typeof charge.id === "string") charges.set(number, charge.id);
      }
    }
    const id = charges.get(orderNumber);
    if (id === undefined) throw new CliError(`The sandbox has no charge for order #${orderNumber}.`, "");
    return id;
  };

  return {
    async refundsOf(orderNumber) {
      const refunds: HeldRefund[] = [];
      for await (const refund of pages(
        `/v1/refunds?charge=${encodeURIComponent(await chargeOf(orderNumber))}`,
      )) {
        refunds.push({
          id: String(refund.id),
          amountMinor: Number(refund.amount),
          currency: String(refund.currency).toUpperCase(),
          status: String(refund.status),
        });
      }
      // The provider lists newest first.
      return refunds.reverse();
    },
    async fail(fault, times) {
      await call("POST", "/sandbox/faults", { on: "refund.create", fault, times });
    },
    async loseWebhooks() {
      await call("POST", "/sandbox/faults", { on: "webhook", fault: "lost", times: 1_000 });
    },
    async clearFaults() {
      await call("DELETE", "/sandbox/faults");
    },
  };
}
