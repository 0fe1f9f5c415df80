/** The OpenAPI 3.1 document: from the specs and schemas that also guard the routes. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { ERROR_CODES } from "../../kernel/error-codes.ts";
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";
import type { Bindings } from "./guard.ts";
import { problemDocument } from "./problems.ts";
import { problemsOf, type Route, type RouteSpec } from "./route.ts";
import { problem } from "./schemas.ts";

type App = OpenAPIHono<{ Bindings: Bindings }>;
type Registered = Parameters<App["openAPIRegistry"]["registerPath"]>[0];
type Responses = Registered["responses"];

export type OpenApiDocument = ReturnType<App["getOpenAPI31Document"]>;

const TAGS = [
  { name: "Conversations", description: "What a customer's client needs to chat." },
  { name: "Runs and actions", description: "What is being done, and what became of it." },
  { name: "Operators", description: "People of the merchant: approvals, handoffs, uncertain outcomes." },
  { name: "Signing in", description: "Pages on which operators sign in and look after their account." },
  { name: "Team", description: "Who works for a tenant, keys for scripts, and what is set." },
  { name: "Policies", description: "What is promised and enforced: read, try and publish its versions." },
  { name: "Webhooks", description: "What payment providers send." },
  { name: "Pages", description: "The console, the widget and, in the demo, the shop." },
  { name: "Demo", description: "What only the demo has: its people, its shop, the faults of its provider." },
  { name: "Server", description: "Health and documents." },
];

/** Adds a route to the document. */
export function describeRoute(app: App, { spec }: Route, baseUrl: string): void {
  app.openAPIRegistry.registerPath({
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    ...descriptionOf(spec),
    security: securityOf(spec),
    request: {
      ...(spec.params === undefined ? {} : { params: spec.params }),
      ...(spec.query === undefined ? {} : { query: spec.query }),
      ...(spec.headers === undefined ? {} : { headers: spec.headers }),
      ...(spec.body === undefined
        ? {}
        : {
            body: {
              required: !spec.body.safeParse({}).success,
              content: { "application/json": { schema: spec.body, example: spec.bodyExample } },
            },
          }),
      ...(spec.form === undefined
        ? {}
        : {
            body: {
              required: true,
              content: { "application/x-www-form-urlencoded": { schema: spec.form } },
            },
          }),
      ...(spec.rawBodyBytes === undefined
        ? {}
        : {
            body: {
              required: true,
              description: spec.rawBody?.description ?? "The provider's event, byte for byte.",
              content:
                spec.rawBody === undefined
                  ? { "application/json": { schema: { type: "object" as const } } }
                  : {
                      [spec.rawBody.contentType]: {
                        schema: { type: "string" as const, format: "binary" as const },
                      },
                    },
            },
          }),
    },
    responses: { ...answersOf(spec), ...problemAnswers(problemsOf(spec), baseUrl) },
  });
}

export function documentOf(app: App, about: { version: string; baseUrl: string }): OpenApiDocument {
  app.openAPIRegistry.registerComponent("securitySchemes", "customer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A token that the merchant signs for its customer: `iss` (chooses the tenant), `aud` = `recourse`, `sub` (the customer), `exp` (at most 24 hours away).",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "operator", {
    type: "http",
    scheme: "bearer",
    description:
      "A key for scripts (`rck_…`), made by an admin: `Authorization: Bearer rck_…`. In the demo also the token that the server prints.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "recourse.session_token",
    description:
      "The cookie of somebody who signed in (`__Secure-recourse.session_token` behind TLS). Who works for several tenants names one in `X-Recourse-Tenant`. Requests that change something must come from a page of this server.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "stripeSignature", {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "The provider's signature over the raw body.",
  });
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Recourse",
      version: about.version,
      description:
        "Customer support that may act: a message in, an answer out, and refunds that happen at most once.\n\nIDs are prefixed and time-ordered. Errors are problem details (RFC 9457) with a stable `code`. Requests are limited per customer and tenant; answers say what is left in `RateLimit`.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: about.baseUrl }],
    tags: TAGS,
  });
}

/** Operators' routes say which permission they need. */
function descriptionOf(spec: RouteSpec): { description?: string } {
  const parts = [
    ...(spec.description === undefined ? [] : [spec.description]),
    ...(spec.access === "operator" ? [`Needs the permission \`${spec.permission}\`.`] : []),
  ];
  return parts.length === 0 ? {} : { description: parts.join("\n\n") };
}

function securityOf(spec: RouteSpec): Record<string, string[]>[] {
  if (spec.access === "public") return [];
  if (spec.access === "operator") return [{ operator: [] }, { session: [] }];
  return [{ [spec.access === "signature" ? "stripeSignature" : spec.access]: [] }];
}

function answersOf(spec: RouteSpec): Responses {
  return Object.fromEntries(
    Object.entries(spec.answers).map(([status, answer]) => {
      const type = answer.contentType ?? "application/json";
      const hasContent = answer.schema !== undefined || answer.contentType !== undefined;
      return [
        status,
        {
          description: answer.description,
          ...(hasContent
            ? {
                content: {
                  [type]: {
                    schema: answer.schema ?? { type: "string" as const },
                    ...(answer.example === undefined ? {} : { example: answer.example }),
                  },
                },
              }
            : {}),
        },
      ];
    }),
  );
}

function problemAnswers(codes: readonly ErrorCode[], baseUrl: string): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, names]) => [
        String(status),
        {
          description: names.map((name) => `\`${name}\`: ${ERROR_CODES[name].title}`).join("\n"),
          ...(status === 429 ? { headers: LIMIT_HEADERS } : {}),
          content: {
            "application/problem+json": {
              schema: problem,
              examples: Object.fromEntries(
                names.map((name) => [
                  name,
                  { value: problemDocument(new ProblemError(name), baseUrl, "req_4be1f2a90c7d5e6f8a9b0c1d") },
                ]),
              ),
            },
          },
        },
      ]),
  );
}

const LIMIT_HEADERS = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" as const, minimum: 1 } },
  RateLimit: {
    description: "What is left of the limit, and when it is full again.",
    schema: { type: "string" as const },
  },
  "RateLimit-Policy": { description: "The limit.", schema: { type: "string" as const } },
};
