/** Asks a provider for something small, within time and size, and follows no redirect. */
import { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Clock } from "../../../kernel/ports.ts";

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/**
 * Reads at most `maxBytes`; `isWhole` says whether that was all.
 * @throws ProblemError `mail_source_unavailable` for every answer but a good one
 */
export async function fetchBytes(
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
  request: Request,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const cut = new AbortController();
  const cancel = clock.after(LIMITS.mailFetchMs, () => cut.abort(new Error("it took too long")));
  try {
    const response = await fetch(request, { redirect: "error", signal: cut.signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || value === undefined) return { bytes: Buffer.concat(chunks), isWhole: true };
      chunks.push(value);
      bytes += value.byteLength;
      if (bytes <= maxBytes) continue;
      await reader?.cancel();
      return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: false };
    }
  } catch (error) {
    throw new ProblemError(
      "mail_source_unavailable",
      `${new URL(request.url).host} was asked: ${(error as Error).message}.`,
      { cause: error },
    );
  } finally {
    cancel();
  }
}
