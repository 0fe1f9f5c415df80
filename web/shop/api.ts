/** The demo's own routes. */
export interface Person {
  readonly customer: string;
  readonly name: string;
  readonly tenant: string;
  readonly has: string;
}
export interface DemoOrder {
  readonly number: string;
  readonly placed_at: string;
  readonly currency: string;
  readonly total: string;
  readonly state: string;
  readonly items: readonly { readonly title: string; readonly quantity: number; readonly total: string }[];
  readonly tracking: {
    readonly carrier: string;
    readonly number: string;
    readonly url: string | null;
  } | null;
  readonly refunds: readonly { readonly amount: string; readonly state: string }[];
}
export interface People {
  readonly shops: readonly { readonly tenant: string; readonly name: string }[];
  readonly people: readonly Person[];
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...init, cache: "no-store" }).catch(() => {
    throw new Error("The server does not answer. Is it still running?");
  });
  const body = (await response.json().catch(() => ({}))) as { detail?: string };
  if (!response.ok) throw new Error(body.detail ?? `The server answered ${response.status}.`);
  return body as T;
}
const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const people = (): Promise<People> => ask("/demo/people");
export const tokenOf = async ({ customer, tenant }: Person): Promise<string> =>
  (await ask<{ token: string }>("/demo/token", post({ customer, tenant }))).token;
export const ordersOf = async (token: string): Promise<readonly DemoOrder[]> =>
  (
    await ask<{ orders: readonly DemoOrder[] }>("/demo/orders", {
      headers: { authorization: `Bearer ${token}` },
    })
  ).orders;
export const faults = async (fault?: string): Promise<readonly string[]> =>
  (await ask<{ faults: readonly string[] }>("/demo/faults", fault === undefined ? {} : post({ fault })))
    .faults;
