/** Faults of shop and payment provider, armed in the sandbox one by one. */

const PROVIDER = [
  { fault: "timeout_before_accept" },
  { fault: "timeout_after_accept" },
  { fault: "reset_before_accept" },
  { fault: "reset_after_accept" },
  { fault: "error_500_before_accept" },
  { fault: "error_500_after_accept" },
  { fault: "rate_limited" },
  { fault: "pending_then_succeeded" },
  { fault: "lost" },
  { fault: "duplicated" },
  { fault: "reordered" },
  { on: "refund.list", fault: "reset_before_accept" },
] as const;
const SHOP = [
  { on: "orders.read", fault: "error_500" },
  { on: "orders.read", fault: "reset_after_accept" },
  { on: "returns.create", fault: "timeout_after_accept" },
  { on: "returns.create", fault: "error_500_after_accept" },
] as const;

/** Arms one of them, which the next request that it fits has. */
export async function armOne(sandboxUrl: string, chance: () => number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const [path, fault] =
    chance() < 0.5 ? ["/sandbox/faults", pick(PROVIDER)] : ["/shop/sandbox/faults", pick(SHOP)];
  await post(sandboxUrl + path, fault);
}

/** Everything works again. */
export async function clearFaults(sandboxUrl: string): Promise<void> {
  for (const path of ["/sandbox/faults", "/shop/sandbox/faults"])
    await fetch(sandboxUrl + path, { method: "DELETE" });
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}
