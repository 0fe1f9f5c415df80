/** Operators: the documents that answers come from. */
import { z } from "@hono/zod-openapi";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { LANGUAGES } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { DocumentDetails, DocumentSummary, Knowledge } from "../../knowledge/knowledge.ts";
import { effectiveInstant } from "../../knowledge/when.ts";
import { type Route, route } from "./route.ts";

const language = z.enum(LANGUAGES);
const documentId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be lower-case letters, digits, dots, hyphens")
  .openapi({ example: "shipping" });
const version = z
  .string()
  .regex(/^[\w.-]{1,64}$/, "must be letters, digits, dots, hyphens")
  .openapi({ example: "2" });
const when = z.string().max(40).openapi({
  description: "A date of the tenant's calendar, or an instant in RFC 3339.",
  example: "2026-03-01",
});
/** Base64 is a third longer than what it stands for. */
const CONTENT_CHARS = Math.ceil(LIMITS.documentBytes / 3) * 4;

const addBody = z
  .strictObject({
    document_id: documentId,
    version,
    kind: z.enum(["policy", "faq", "product", "resolved_case"]),
    language: language.default("en"),
    audience: z.enum(["customer", "operator"]).default("customer"),
    title: z.string().trim().min(1).max(200).openapi({ example: "Shipping" }),
    effective_from: when.optional().openapi({ description: "Now unless stated." }),
    effective_until: when.optional(),
    format: z.enum(["markdown", "html", "pdf", "text"]),
    content: z.string().max(CONTENT_CHARS).openapi({ description: "The document, in Base64." }),
  })
  .openapi("AddDocument");

const detailsShape = {
  document_id: z.string(),
  version: z.string(),
  language: z.string(),
  kind: z.string(),
  audience: z.string(),
  title: z.string(),
  effective_from: z.string(),
  effective_until: z.string().nullable(),
};
export const added = z
  .object({
    ...detailsShape,
    outcome: z.enum(["published", "unchanged", "held"]),
    passages: z.int(),
    held_for: z.array(z.string()).openapi({
      description:
        "What looks as if it spoke to an assistant, or hides. It answers nobody until it is released.",
    }),
  })
  .openapi("DocumentAdded");
export const document = z
  .object({
    ...detailsShape,
    state: z.enum(["current", "future", "superseded", "ended", "held"]),
    is_policy: z.boolean().openapi({
      description:
        "True: the policy's own text. It is not removed here; another version of the policy takes its place.",
    }),
    passages: z.int(),
    held_for: z.array(z.string()),
    published_at: z.string(),
    published_by: z.string(),
  })
  .openapi("Document");
const whichBody = z
  .strictObject({ document_id: documentId, version: version.optional(), language: language.optional() })
  .openapi("RemoveDocument");
const releaseBody = z
  .strictObject({ document_id: documentId, version, language: language.default("en") })
  .openapi("ReleaseDocument");
const searchBody = z
  .strictObject({
    query: z.string().trim().min(1).max(LIMITS.messageChars).openapi({ example: "How much is shipping?" }),
    language: language.optional(),
    audience: z.enum(["customer", "operator"]).default("operator"),
  })
  .openapi("SearchKnowledge");
export const answer = z
  .object({
    answered: z.boolean().openapi({ description: "False: customers are told that we do not know." }),
    confidence: z.number(),
    doubts: z.array(z.string()),
    passages: z.array(
      z.object({
        document_id: z.string(),
        version: z.string(),
        effective_from: z.string(),
        title: z.string(),
        clause_id: z.string().nullable(),
        language: z.string(),
        kind: z.string(),
        headings: z.array(z.string()),
        text: z.string(),
        score: z.number(),
      }),
    ),
  })
  .openapi("KnowledgeAnswer");

const example = {
  document_id: "shipping",
  version: "2",
  language: "en",
  kind: "policy",
  audience: "customer",
  title: "Shipping",
  effective_from: "2026-03-01T05:00:00.000Z",
  effective_until: null,
};

export function knowledgeRoutes(
  knowledge: Knowledge,
  timeZoneOf: (tenantId: TenantId) => string,
  now: () => number,
): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/knowledge",
        access: "operator",
        permission: "knowledge.read",
        operationId: "listDocuments",
        tag: "Knowledge",
        summary: "List documents with their versions",
        answers: {
          200: {
            description: "By document, newest version first.",
            schema: z.object({ documents: z.array(document) }).openapi("DocumentList"),
            example: {
              documents: [
                {
                  ...example,
                  state: "current",
                  is_policy: false,
                  passages: 5,
                  held_for: [],
                  published_at: "2026-02-20T09:00:00.000Z",
                  published_by: "operator:lead",
                },
              ],
            },
          },
        },
      },
      async ({ operator }) => ({
        status: 200,
        json: { documents: (await knowledge.list(operator.scope)).map(shown) },
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/knowledge",
        access: "operator",
        permission: "knowledge.edit",
        operationId: "addDocument",
        tag: "Knowledge",
        summary: "Add a document, or a new version of one",
        description:
          "A version is in force from `effective_from` until a later one is. The same version with the same bytes again changes nothing.",
        body: addBody,
        bodyBytes: CONTENT_CHARS + 4_096,
        bodyTooLarge: "document_too_large",
        bodyExample: {
          document_id: "shipping",
          version: "2",
          kind: "policy",
          title: "Shipping",
          effective_from: "2026-03-01",
          format: "markdown",
          content: Buffer.from("## What does shipping cost?\n\nIt costs $4.95.\n").toString("base64"),
        },
        answers: {
          200: {
            description: "Published, or held for a person to look at.",
            schema: added,
            example: { ...example, outcome: "published", passages: 1, held_for: [] },
          },
        },
        problems: [
          "document_too_large",
          "document_encrypted",
          "document_unreadable",
          "document_empty",
          "document_invalid",
          "document_is_policy",
          "document_version_conflict",
        ],
      },
      async ({ operator, body }) => {
        const timeZone = timeZoneOf(operator.scope.tenantId);
        const done = await knowledge.add(
          operator.scope,
          {
            documentId: body.document_id,
            version: body.version,
            kind: body.kind,
            language: body.language,
            audience: body.audience,
            title: body.title,
            effectiveFromMs:
              body.effective_from === undefined ? now() : effectiveInstant(body.effective_from, timeZone),
            effectiveUntilMs:
              body.effective_until === undefined ? null : effectiveInstant(body.effective_until, timeZone),
            format: body.format,
            bytes: decoded(body.content),
          },
          `operator:${operator.operator}`,
        );
        return {
          status: 200,
          json: {
            ...detailsOf(done.document),
            outcome: done.outcome,
            passages: done.chunks,
            held_for: done.heldFor,
          },
        };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/knowledge/search",
        access: "operator",
        permission: "knowledge.read",
        operationId: "searchKnowledge",
        tag: "Knowledge",
        summary: "See what would answer a question, and whether it would",
        body: searchBody,
        bodyExample: { query: "How much is shipping?" },
        answers: {
          200: {
            description: "Passages of versions in force, best first.",
            schema: answer,
            example: {
              answered: true,
              confidence: 0.97,
              doubts: [],
              passages: [
                {
                  document_id: "shipping",
                  version: "2",
                  effective_from: "2026-03-01",
                  title: "Shipping",
                  clause_id: "cost",
                  language: "en",
                  kind: "policy",
                  headings: ["What does shipping cost?"],
                  text: "It costs $4.95.",
                  score: 0.81,
                },
              ],
            },
          },
        },
      },
      async ({ operator, body }) => {
        const found = await knowledge.search(operator.scope, {
          text: body.query,
          audience: body.audience,
          language: body.language,
        });
        return {
          status: 200,
          json: {
            answered: found.answered,
            confidence: found.confidence,
            doubts: found.doubts,
            passages: found.passages.map(({ source, ...passage }) => ({
              document_id: source.documentId,
              version: source.version,
              effective_from: source.effectiveFrom,
              title: source.title,
              clause_id: source.clauseId,
              ...passage,
            })),
          },
        };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/knowledge/remove",
        access: "operator",
        permission: "knowledge.edit",
        operationId: "removeDocument",
        tag: "Knowledge",
        summary: "Remove a document, or one version of it",
        description:
          "Its passages and embeddings go with it. What was in force leaves a gap: an older version does not come back.",
        body: whichBody,
        bodyExample: { document_id: "shipping" },
        answers: {
          200: {
            description: "Removed.",
            schema: z.object({ removed: z.int() }).openapi("DocumentsRemoved"),
            example: { removed: 2 },
          },
        },
        problems: ["not_found", "document_invalid", "document_is_policy"],
      },
      async ({ operator, body }) => ({
        status: 200,
        json: await knowledge.remove(
          operator.scope,
          {
            documentId: body.document_id,
            version: body.version ?? null,
            language: body.language ?? null,
          },
          `operator:${operator.operator}`,
        ),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/knowledge/release",
        access: "operator",
        permission: "knowledge.edit",
        operationId: "releaseDocument",
        tag: "Knowledge",
        summary: "Let a held version answer, after looking at it",
        body: releaseBody,
        bodyExample: { document_id: "shipping", version: "2" },
        answers: {
          200: {
            description: "Released.",
            schema: z.object({ released: z.literal(true) }).openapi("DocumentReleased"),
            example: { released: true },
          },
        },
        problems: ["not_found"],
      },
      async ({ operator, body }) => {
        await knowledge.release(
          operator.scope,
          { documentId: body.document_id, version: body.version, language: body.language },
          `operator:${operator.operator}`,
        );
        return { status: 200, json: { released: true } };
      },
    ),
  ];
}

/** @throws ProblemError `document_invalid` for what is no Base64: Node's decoder skips what it does not know. */
function decoded(content: string): Buffer {
  const text = content.replace(/[\r\n]/g, "");
  const bytes = Buffer.from(text, "base64");
  const padding = /={0,2}$/.exec(text)?.[0].length ?? 0;
  if (text.length % 4 !== 0 || bytes.byteLength !== (text.length / 4) * 3 - padding) {
    throw new ProblemError("document_invalid", "content: it is not Base64.");
  }
  return bytes;
}

const detailsOf = (details: DocumentDetails) => ({
  document_id: details.documentId,
  version: details.version,
  language: details.language,
  kind: details.kind,
  audience: details.audience,
  title: details.title,
  effective_from: isoInstant(details.effectiveFromMs),
  effective_until: details.effectiveUntilMs === null ? null : isoInstant(details.effectiveUntilMs),
});

const shown = (summary: DocumentSummary) => ({
  ...detailsOf(summary),
  // In force until the earlier of what was declared and what took its place.
  effective_until:
    summary.supersededFromMs === null && summary.effectiveUntilMs === null
      ? null
      : isoInstant(Math.min(summary.supersededFromMs ?? Infinity, summary.effectiveUntilMs ?? Infinity)),
  state: summary.state,
  is_policy: summary.isPolicy,
  passages: summary.chunks,
  held_for: summary.heldFor,
  published_at: isoInstant(summary.publishedAtMs),
  published_by: summary.publishedBy,
});
