/** Everything that is not a customer's or an operator's: health, documents, webhooks. */
import { demoRoutes } from "./demo-routes.ts";
import { docsPage, landingPage } from "./docs-page.ts";
import { errorsPage } from "./error-page.ts";
import type { ServerState } from "./guard.ts";
import { PAGE_HEADERS } from "./html.ts";
import type { OpenApiDocument } from "./openapi.ts";
import type { HttpLimits, HttpParts, Readiness } from "./parts.ts";
import { type Answer, type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";

export interface ServerRouteParts {
  readonly parts: HttpParts;
  readonly limits: HttpLimits;
  readonly state: ServerState;
  /** The document of all routes, these among them. */
  openApi(): OpenApiDocument;
}

export function serverRoutes({ parts, limits, state, openApi }: ServerRouteParts): Route[] {
  const pages = new Map<string, string>();
  const pageAnswer = (name: string, make: () => string): Answer => {
    const text = pages.get(name) ?? make();
    pages.set(name, text);
    return {
      status: 200,
      text,
      contentType: "text/html; charset=utf-8",
      headers: { ...PAGE_HEADERS, "cache-control": "no-cache" },
    };
  };
  const readiness = sharedReadiness(parts);
  const { demo } = parts;
  return [
    route(
      {
        method: "get",
        path: "/",
        access: "public",
        operationId: "landing",
        tag: "Server",
        summary: "What runs here",
        answers: { 200: { description: "A page.", contentType: "text/html" } },
      },
      () => pageAnswer("landing", () => landingPage(state.baseUrl, demo !== undefined)),
    ),
    route(
      {
        method: "get",
        path: "/docs",
        access: "public",
        operationId: "docs",
        tag: "Server",
        summary: "This API, for people",
        answers: { 200: { description: "A page.", contentType: "text/html" } },
      },
      () => pageAnswer("docs", () => docsPage(openApi())),
    ),
    route(
      {
        method: "get",
        path: "/docs/errors",
        access: "public",
        operationId: "errorDocs",
        tag: "Server",
        summary: "Error codes, for people",
        answers: { 200: { description: "A page.", contentType: "text/html" } },
      },
      () => pageAnswer("errors", errorsPage),
    ),
    route(
      {
        method: "get",
        path: "/openapi.json",
        access: "public",
        operationId: "openapi",
        tag: "Server",
        summary: "This API, for machines",
        answers: { 200: { description: "An OpenAPI 3.1 document.", contentType: "application/json" } },
      },
      () => ({
        status: 200,
        text: JSON.stringify(openApi()),
        contentType: "application/json",
        headers: { "cache-control": "no-cache" },
      }),
    ),
    route(
      {
        method: "get",
        path: "/healthz",
        access: "public",
        operationId: "health",
        tag: "Server",
        summary: "Whether the process lives",
        answers: { 200: { description: "It does.", schema: shapes.healthy, example: { status: "ok" } } },
      },
      () => ({ status: 200, json: { status: "ok" } }),
    ),
    route(
      {
        method: "get",
        path: "/readyz",
        access: "public",
        operationId: "readiness",
        tag: "Server",
        summary: "Whether it can do its work, and what is missing",
        answers: {
          200: {
            description: "Ready.",
            schema: shapes.readiness,
            example: { ready: true, checks: [{ name: "database", ok: true, detail: "embedded" }] },
          },
          503: {
            description: "Not ready: see the checks that are not `ok`.",
            schema: shapes.readiness,
            example: {
              ready: false,
              checks: [{ name: "payments", ok: false, detail: "The payment provider cannot be reached." }],
            },
          },
        },
      },
      async () => {
        if (state.stopping) {
          const checks = [{ name: "server", ok: false, detail: "The server is stopping." }];
          return { status: 503, json: { ready: false, checks } };
        }
        const { ready, checks } = await readiness();
        return { status: ready ? 200 : 503, json: { ready, checks } };
      },
    ),
    route(
      {
        method: "post",
        path: "/webhooks/stripe",
        access: "signature",
        operationId: "stripeWebhook",
        tag: "Webhooks",
        summary: "Take an event of the payment provider",
        description:
          "Verified by its signature over the raw bytes, deduplicated by its ID, tolerant of order. Answers before anything is done with it.",
        rawBodyBytes: limits.webhookBytes,
        answers: {
          200: {
            description: "Taken, known already, or not ours.",
            schema: shapes.webhookTaken,
            example: { outcome: "applied" },
          },
        },
        problems: ["webhook_signature_invalid", "webhook_payload_invalid"],
      },
      async ({ rawBody, header }) => ({
        status: 200,
        json: await parts.webhook.stripe(rawBody, header("stripe-signature")),
      }),
    ),
    ...(demo === undefined ? [] : demoRoutes(demo, parts.demoShop)),
  ];
}

/** Anyone may ask: questions at the same time share one answer, and a good one holds for a moment. */
function sharedReadiness({ readiness, clock }: HttpParts): () => Promise<Readiness> {
  let asked: Promise<Readiness> | undefined;
  return () => {
    asked ??= readiness().then(
      (answer) => {
        if (answer.ready) clock.after(READY_HOLDS_MS, forget);
        else forget();
        return answer;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return asked;
  };
  function forget(): void {
    asked = undefined;
  }
}

const READY_HOLDS_MS = 500;
