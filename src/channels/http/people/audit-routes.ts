/** The audit log for people: search it, and take it away as a file. Its order and chain are read with `readAudit`. */
import type { Records } from "../../../actions/records.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { type Route, route } from "../route.ts";
import { auditPage, auditQuery } from "../schemas.ts";
import * as shapes from "./shapes.ts";

const SHOWN = 100;

export function auditRoutes(records: Records): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/audit/search",
        access: "operator",
        permission: "audit.read",
        operationId: "searchAudit",
        tag: "Operators",
        summary: "Search the audit log, the latest first",
        description: "Go on with `before_n` = the `n` of the last entry while `more` is true.",
        query: shapes.auditSearchQuery,
        answers: {
          200: {
            description: "Entries that fit.",
            schema: auditPage,
            example: {
              entries: [
                {
                  n: 7,
                  at_ms: 1_772_446_530_123,
                  kind: "operator.role_changed",
                  subject: shapes.SAMPLE.operator,
                  body: { by: "ada@northwind.example", from: "agent", to: "lead" },
                  prev_hash: "0".repeat(64),
                  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                },
              ],
              last_n: 7,
              more: false,
            },
          },
        },
      },
      async ({ operator, query }) => {
        const limit = query.limit ?? SHOWN;
        const entries = await records.searchAudit(operator.scope, {
          kind: query.kind ?? null,
          subject: query.subject ?? null,
          by: query.by ?? null,
          fromMs: query.from === undefined ? null : Date.parse(query.from),
          toMs: query.to === undefined ? null : Date.parse(query.to),
          beforeN: query.before_n ?? null,
          limit: limit + 1,
        });
        const shown = entries.slice(0, limit);
        return {
          status: 200,
          json: { entries: shown, last_n: shown.at(-1)?.n ?? 0, more: entries.length > limit },
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/audit/export",
        access: "operator",
        permission: "audit.read",
        operationId: "exportAudit",
        tag: "Operators",
        summary: "Export the audit log as lines of JSON",
        description: `At most ${LIMITS.auditExported} entries; go on with \`after_n\` = the \`n\` of the last line. \`recourse audit verify\` reads such files.`,
        query: auditQuery,
        answers: { 200: { description: "One entry a line.", contentType: "application/x-ndjson" } },
      },
      async ({ operator, query }) => {
        const entries = await records.audit(operator.scope, query.after_n ?? 0, LIMITS.auditExported);
        const { tenantId } = operator.scope;
        const [from, to] = [entries[0]?.n ?? 0, entries.at(-1)?.n ?? 0];
        return {
          status: 200,
          text: entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
          contentType: "application/x-ndjson",
          headers: { "content-disposition": `attachment; filename="audit-${tenantId}-${from}-${to}.jsonl"` },
        };
      },
    ),
  ];
}
