/** What customers may ask of their data, carried out by an admin: a copy, and that it goes. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import type { Privacy } from "../../privacy/privacy.ts";
import { type Route, route } from "./route.ts";
import { EXAMPLE } from "./schemas.ts";
import type { VerifiedCustomer } from "./tokens.ts";

const customer = z.string().min(1).max(LIMITS.subjectChars);
const counts = z.record(z.string(), z.int());
const erasure = z
  .object({
    erasure_id: z.string(),
    customer_hash: z.string(),
    asked_by: z.string(),
    asked_at: z.iso.datetime(),
    erased_at: z.iso.datetime().nullable().openapi({
      description: "Null: a refund or a run of theirs is still open; it is erased again until none is.",
    }),
    report: z
      .object({
        erased: counts,
        kept: z.object({ actions: z.int(), audit_entries: z.int() }),
        audit_entries_with_words: z.int(),
        elsewhere: z.array(z.object({ place: z.string(), what: z.string() })),
      })
      .nullable(),
  })
  .openapi("Erasure");
const list = z.object({ erasures: z.array(erasure) }).openapi("Erasures");
const SAMPLE = {
  erasure_id: "ers_019a5f10-7c1e-7a53-9d0a-3f2b8c6d1e50",
  customer_hash: EXAMPLE.argsHash,
  asked_by: "ada@northwind.example",
  asked_at: EXAMPLE.at,
  erased_at: EXAMPLE.at,
  report: {
    erased: { events: 12, reviews: 1 },
    kept: { actions: 1, audit_entries: 4 },
    audit_entries_with_words: 0,
    elsewhere: [{ place: "payment provider", what: "refunds stay, as the law wants" }],
  },
};

/** Whether a customer was erased after their token was signed. */
export const erasedSince =
  ({ erasedAtMs }: Privacy["erased"]) =>
  ({ scope, issuedAtMs }: VerifiedCustomer): boolean => {
    const atMs = erasedAtMs(scope.tenantId, scope.customerId);
    return atMs !== null && issuedAtMs <= atMs;
  };

export function privacyRoutes({ access, erasures }: Pick<Privacy, "access" | "erasures">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/customers/export",
        access: "operator",
        permission: "customers.export",
        operationId: "exportCustomer",
        tag: "Operators",
        summary: "Make a customer's copy of everything that is stored of them",
        description: "One JSON document, pictures inside as base64.",
        query: z.object({ customer_id: customer }),
        answers: { 200: { description: "The copy.", schema: z.looseObject({ customer_id: z.string() }) } },
        problems: ["not_found"],
      },
      async ({ operator, query }) => ({
        status: 200,
        json: await access.export(operator.scope, query.customer_id),
        headers: { "content-disposition": 'attachment; filename="customer.json"' },
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/customers/erase",
        access: "operator",
        permission: "customers.erase",
        operationId: "eraseCustomer",
        tag: "Operators",
        summary: "Erase a customer",
        description:
          "Takes away their words: messages, pictures, mails, notes, drafts, packets and what agents thought. Refunds stay, without words, and the audit log holds. Cannot be undone.",
        body: z.strictObject({ customer_id: customer }),
        bodyExample: { customer_id: "ada" },
        answers: { 200: { description: "What was done.", schema: erasure, example: SAMPLE } },
        problems: ["not_found"],
      },
      async ({ operator, body }) => ({
        status: 200,
        json: await erasures.erase(operator.scope, body.customer_id, operator.operator),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/erasures",
        access: "operator",
        permission: "customers.erase",
        operationId: "listErasures",
        tag: "Operators",
        summary: "List the erasures: keep it where backups are, to erase again after a restore",
        answers: {
          200: { description: "All, oldest first.", schema: list, example: { erasures: [SAMPLE] } },
        },
      },
      async ({ operator }) => ({ status: 200, json: { erasures: await erasures.list(operator.scope) } }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/erasures/again",
        access: "operator",
        permission: "customers.erase",
        operationId: "eraseAgain",
        tag: "Operators",
        summary: "After a restore: erase again whom the list names",
        body: z.strictObject({
          customer_hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(LIMITS.erasuresRepeated),
        }),
        bodyBytes: LIMITS.erasuresRepeated * 80,
        bodyExample: { customer_hashes: [EXAMPLE.argsHash] },
        answers: {
          200: {
            description: "Who was found, and what was done.",
            schema: list,
            example: { erasures: [SAMPLE] },
          },
        },
      },
      async ({ operator, body }) => ({
        status: 200,
        json: {
          erasures: await erasures.again(operator.scope, body.customer_hashes, operator.operator),
        },
      }),
    ),
  ];
}
