/** Embeds the widget as any shop does: the script with its tenant, and who the customer is. */
interface Recourse {
  identify(identity: () => Promise<string>): void;
}

export function embed(tenant: string, identity: (() => Promise<string>) | null): void {
  const page = window as unknown as { recourse?: Partial<Recourse> & { q?: unknown[] } };
  if (document.querySelector("script[data-tenant]") !== null) return;
  if (identity !== null) page.recourse = { q: [["identify", identity]] };
  const script = document.createElement("script");
  script.async = true;
  script.src = "/widget.js";
  script.dataset.tenant = tenant;
  document.head.append(script);
}
