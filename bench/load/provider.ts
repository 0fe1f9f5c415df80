/** Every refund that the sandbox's payment provider holds, page by page. */

export interface ProviderRefund {
  readonly id: string;
  readonly charge: string;
  readonly amount: number;
  readonly status: string;
  /** The action of ours that made it; null for one that was there before. */
  readonly actionId: string | null;
}

interface Page {
  readonly data: readonly {
    readonly id: string;
    readonly charge: string;
    readonly amount: number;
    readonly status: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
  readonly has_more: boolean;
}

export async function everyRefund(sandboxUrl: string): Promise<readonly ProviderRefund[]> {
  const all: ProviderRefund[] = [];
  for (let after = ""; ; ) {
    const query = after === "" ? "" : `&starting_after=${after}`;
    const response = await fetch(`${sandboxUrl}/v1/refunds?limit=100${query}`, {
      headers: { authorization: "Bearer sk_test_sandbox" },
    });
    if (!response.ok) throw new Error(`the provider answered ${response.status}`);
    const page = (await response.json()) as Page;
    for (const { id, charge, amount, status, metadata } of page.data)
      all.push({ id, charge, amount, status, actionId: metadata.recourse_action_id ?? null });
    after = page.data.at(-1)?.id ?? "";
    if (!page.has_more || after === "") return all;
  }
}
