/** Audit entries as CSV (RFC 4180), for people and their spreadsheets; what is verified is the export in JSON lines. Pure. */
import { isoInstant } from "../kernel/calendar.ts";
import type { AuditRowOf } from "./reading.ts";

const COLUMNS = ["n", "at", "kind", "subject", "customer_id", "by", "body", "texts", "hash"] as const;

export const AUDIT_CSV_HEAD = `${COLUMNS.join(",")}\r\n`;

/** One line, with its end. */
export function auditCsvLine(row: AuditRowOf): string {
  const { by } = (row.body ?? {}) as { readonly by?: unknown };
  const texts = Object.entries(row.texts ?? {}).map(([name, { text }]) => `${name}: ${text}`);
  const cells: Record<(typeof COLUMNS)[number], string> = {
    n: String(row.n),
    at: isoInstant(row.at_ms),
    kind: row.kind,
    subject: row.subject,
    customer_id: row.customer_id === "*" ? "" : row.customer_id,
    by: typeof by === "string" ? by : "",
    body: JSON.stringify(row.body),
    texts: texts.join("\n"),
    hash: row.hash,
  };
  return `${COLUMNS.map((name) => csvCell(cells[name])).join(",")}\r\n`;
}

/**
 * A cell that no spreadsheet runs as a formula: one that begins as a formula does gets an apostrophe in front, which
 * Excel, LibreOffice and Google Sheets take for "this is text". Source: OWASP, CSV Injection. White space and marks that
 * cannot be seen are skipped by some programs before they look for the sign, and full-width signs count as theirs.
 */
export function csvCell(text: string): string {
  const guarded = /^[\s\p{C}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
