/** The whole audit log as a file: asked for piece by piece, as the server gives it, and put together here. */
import { Problem } from "../../api/client.ts";

/** @throws Problem */
async function piece(tenant: string, afterN: number): Promise<string> {
  let response: Response;
  try {
    response = await fetch(`/v1/operator/audit/export?after_n=${afterN}`, {
      headers: { "x-recourse-tenant": tenant },
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new Problem(0, { code: "offline", detail: "The server does not answer." }, null);
  }
  const text = await response.text();
  if (response.ok) return text;
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Said by a proxy: the status is all there is to tell.
  }
  throw new Problem(response.status, body, null);
}

/** A browser's link cannot name the tenant in a header, so the file is made here. @throws Problem */
export async function exportAudit(tenant: string): Promise<void> {
  const pieces: string[] = [];
  let afterN = 0;
  for (;;) {
    const text = await piece(tenant, afterN);
    const last = text.trimEnd().split("\n").at(-1) ?? "";
    if (last === "") break;
    pieces.push(text);
    afterN = (JSON.parse(last) as { n: number }).n;
  }
  const address = URL.createObjectURL(new Blob(pieces, { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `audit-${tenant}-1-${afterN}.jsonl`;
  link.click();
  URL.revokeObjectURL(address);
}
