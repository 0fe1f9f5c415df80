/** The audit log for people: search it, and take it away as a file. Its order and chain are read with `readAudit`. */
import type { Records } from "../../../actions/records.ts";
import { AUDIT_CSV_HEAD, auditCsvLine } from "../../../evidence/audit-csv.ts";
import type { Checkpoints } from "../../../evidence/checkpoints.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { auditPartOf } from "../record-routes.ts";
import { type Route, route } from "../route.ts";
import { auditCheckpoint, auditExportQuery, auditPage, EXAMPLE } from "../schemas.ts";
import * as shapes from "./shapes.ts";

const SHOWN = 100;

export function auditRoutes(records: Records, checkpoints: Checkpoints | undefined): Route[] {
  return [
    ...(checkpoints === undefined ? [] : [checkpointRoute(checkpoints)]),
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
                  customer_id: "*",
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
        summary: "Export the audit log, or a part of it, as lines of JSON or as CSV",
        description: `At most ${LIMITS.auditExported} entries; while the header \`recourse-more\` is \`true\`, go on with \`after_n\` = the header \`recourse-last-n\`. \`recourse audit verify\` reads files of lines of JSON. CSV is for spreadsheets: what would run as a formula there has an apostrophe in front.`,
        query: auditExportQuery,
        answers: { 200: { description: "One entry a line.", contentType: "application/x-ndjson" } },
      },
      async ({ operator, query }) => {
        const { after_n: after = 0, format = "jsonl" } = query;
        const limit = LIMITS.auditExported;
        const entries = await records.audit(operator.scope, after, limit, auditPartOf(query));
        const { tenantId } = operator.scope;
        const [from, to] = [entries[0]?.n ?? 0, entries.at(-1)?.n ?? after];
        const isCsv = format === "csv";
        const lines = entries.map((entry) => (isCsv ? auditCsvLine(entry) : `${JSON.stringify(entry)}\n`));
        return {
          status: 200,
          text: `${isCsv && after === 0 ? AUDIT_CSV_HEAD : ""}${lines.join("")}`,
          contentType: isCsv ? "text/csv; charset=utf-8" : "application/x-ndjson",
          headers: {
            "content-disposition": `attachment; filename="audit-${tenantId}-${from}-${to}.${format}"`,
            "recourse-last-n": String(to),
            "recourse-more": String(entries.length >= limit),
          },
        };
      },
    ),
  ];
}

const checkpointRoute = (checkpoints: Checkpoints): Route =>
  route(
    {
      method: "get",
      path: "/v1/operator/audit/checkpoint",
      access: "operator",
      permission: "audit.read",
      operationId: "checkpointAudit",
      tag: "Operators",
      summary: "Sign how far the audit log goes",
      description:
        "Keep it where nobody who can write the database can: `recourse audit verify FILE --checkpoint CHECKPOINT` then shows an end that was cut off, and entries that were written anew.",
      answers: {
        200: {
          description: "The signed checkpoint.",
          schema: auditCheckpoint,
          example: {
            format: "recourse-audit-checkpoint-v1",
            tenant: "northwind",
            n: 128,
            hash: EXAMPLE.argsHash,
            at: EXAMPLE.at,
            key: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            signature: "5VYGTNhYpWHSHpDVDuKJ2wWBBnXGvAVBFOkB9ZYwM0Q…",
          },
        },
      },
    },
    async ({ operator }) => ({ status: 200, json: await checkpoints.make(operator.scope) }),
  );
