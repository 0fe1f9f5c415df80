/** The inventory of routes: each has a guard, a schema, a description, and examples that are true. */
import { readFileSync } from "node:fs";
import type { z } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { errorsMarkdown } from "../../src/channels/http/error-page.ts";
import { problemsOf, routerPath } from "../../src/channels/http/route.ts";
import { createHttpServer } from "../../src/channels/http/server.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/kernel/error-codes.ts";
import { ProblemError } from "../../src/kernel/errors.ts";
import { newId } from "../../src/kernel/ids.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { fakeParts, KESTREL, OPERATOR_TOKEN, startServer, tokenFor } from "./fixture.ts";

const demo = { mint: async () => null };
const optional = {
  demo,
  visitors: { mint: async () => null, verify: async () => null },
  demoShop: { people: [], shops: [], orders: async () => [], faults: async () => [] },
  unansweredMails: {
    received: async () => ({ mails: [], next_cursor: null }),
    sent: async () => [],
    handle: async () => {
      throw new ProblemError("not_found");
    },
  },
  mailWebhooks: {
    mailgunMail: async () => ({ outcome: "kept" as const }),
    mailgunEvent: async () => ({ outcome: "noted" as const }),
    ses: async () => ({ outcome: "kept" as const }),
  },
  traces: {
    latest: async () => [],
    trace: async () => {
      throw new ProblemError("run_not_found");
    },
    replay: async () => {
      throw new ProblemError("run_not_found");
    },
  },
  web: { folder: "nothing", pages: ["console", "shop"] },
} as const;
const { app, specs, openApi } = createHttpServer({
  ...fakeParts(),
  ...optional,
  publicUrl: "https://recourse.example",
});
// biome-ignore lint/suspicious/noExplicitAny: the document is walked as data
const document = openApi() as any;

const PUBLIC = [
  "/",
  "/widget.js",
  "/assets/{file}",
  "/console",
  "/console/{page}",
  "/console/{page}/{item}",
  "/shop",
  "/shop/{page}",
  "/shop/{page}/{item}",
  "/demo/people",
  "/demo/faults",
  "/docs",
  "/docs/errors",
  "/openapi.json",
  "/healthz",
  "/readyz",
  "/demo/token",
  "/v1/visitors",
];
const SIGNED = ["/webhooks/mailgun/mime", "/webhooks/mailgun", "/webhooks/ses", "/webhooks/stripe"];
const ID_OF: Record<string, string> = {
  conversation_id: newId("conv", systemClock, systemRandom),
  run_id: newId("run", systemClock, systemRandom),
  action_id: newId("act", systemClock, systemRandom),
  review_id: newId("rev", systemClock, systemRandom),
};
const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => ID_OF[name] ?? "x");

describe("every route", () => {
  test("came in through the one door", () => {
    const registered = app.routes.map(({ method, path }) => `${method} ${path}`).sort();
    const described = specs.map(({ method, path }) => `${method.toUpperCase()} ${routerPath(path)}`).sort();
    expect(registered).toEqual(described);
  });

  test("is in the OpenAPI document, and nothing else is", () => {
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(specs.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test("that is public is meant to be", () => {
    expect(
      specs
        .filter(({ access }) => access === "public")
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...PUBLIC, "/demo/faults"].sort());
    expect(specs.filter(({ access }) => access === "signature").map(({ path }) => path)).toEqual(SIGNED);
  });

  const guarded = specs.filter(({ access }) => access === "customer" || access === "operator");
  test.each(guarded.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
    "[35] %s refuses without a token, with a wrong one and with one of the other kind",
    async (_, spec) => {
      const running = await startServer(optional);
      const body = spec.method === "post" ? { body: spec.bodyExample ?? {} } : {};
      const call = (token: string | null) =>
        running.call(spec.method.toUpperCase(), filled(spec.path), { token, ...body });
      expect((await call(null)).status).toBe(401);
      expect((await call("nonsense")).status).toBe(401);
      expect((await call(`${await tokenFor()}x`)).status).toBe(401);
      expect((await call(spec.access === "operator" ? await tokenFor() : OPERATOR_TOKEN)).status).toBe(403);
      // A token of another tenant is somebody: it reaches nothing of this one.
      if (spec.access === "customer" && spec.params !== undefined) {
        const { json } = await running.call("POST", "/v1/conversations");
        const path = spec.path.replace("{conversation_id}", json.conversation_id);
        const token = await tokenFor({ issuer: KESTREL });
        const answer = await running.call(spec.method.toUpperCase(), filled(path), {
          token,
          headers: { accept: "text/event-stream" },
          ...body,
        });
        expect([404, 409]).toContain(answer.status);
        expect(answer.status === 409 && path.includes("conversation")).toBe(false);
      }
    },
  );

  test("has an example for its body and answers that its own schemas accept", () => {
    for (const spec of specs) {
      if (spec.body !== undefined)
        expect(spec.body.safeParse(spec.bodyExample).error, spec.path).toBeUndefined();
      for (const [status, answer] of Object.entries(spec.answers)) {
        if (answer.schema === undefined) continue;
        const parsed = (answer.schema as z.ZodType).safeParse(answer.example);
        expect(parsed.error, `${spec.path} ${status}`).toBeUndefined();
      }
    }
  });

  test("declares the parameters of its path", () => {
    for (const spec of specs) {
      const named = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(spec.params?.shape ?? {}), spec.path).toEqual(named);
    }
  });
});

describe("the OpenAPI document", () => {
  test("is 3.1 and whole: every reference resolves, every operation is unique and described", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.info.title).toBeTruthy();
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item as object));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }: { name: string }) => name);
    for (const operation of operations) {
      expect(operation.summary).toBeTruthy();
      expect(tags).toContain(operation.tags[0]);
      for (const scheme of operation.security.flatMap((each: object) => Object.keys(each))) {
        expect(document.components.securitySchemes).toHaveProperty(scheme);
      }
      for (const [status, answer] of Object.entries<{ description: string }>(operation.responses)) {
        expect(status).toMatch(/^[1-5]\d\d$/);
        expect(answer.description).toBeTruthy();
      }
    }
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] as string,
    );
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs) {
      const target = ref
        .split("/")
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      expect(target, ref).toBeDefined();
    }
    // 3.0's way of saying null is not 3.1's.
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  test("lists every problem that a route may answer with, with an example of it", () => {
    for (const spec of specs) {
      const responses = document.paths[spec.path][spec.method].responses;
      for (const code of problemsOf(spec)) {
        const content = responses[ERROR_CODES[code].status].content["application/problem+json"];
        expect(content.examples[code].value, `${spec.path} ${code}`).toMatchObject({
          code,
          type: `https://recourse.example/docs/errors#${code}`,
        });
      }
    }
  });

  test("is served, and so are the pages made from it", async () => {
    const running = await startServer();
    const served = await running.call("GET", "/openapi.json", { token: null });
    expect(served.json.paths).toHaveProperty("/v1/conversations");
    expect(served.json.servers).toEqual([{ url: running.url }]);
    for (const path of ["/", "/docs", "/docs/errors"]) {
      const page = await running.call("GET", path, { token: null });
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const text: string = page.json;
      // Nothing is loaded from anywhere, and no script runs.
      expect(text).not.toMatch(/<script|<iframe|src=|@import|url\(|\son\w+=/i);
      expect(text.match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    }
  });

  test("lets no text of the document into the page as markup", async () => {
    const running = await startServer({ version: "<img src=x onerror=alert(1)>" });
    const page = await running.call("GET", "/docs", { token: null });
    expect(page.json).not.toContain("<img");
    expect(page.json).toContain("&lt;img");
  });
});

describe("every error code", () => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];

  test("has its section in docs/errors.md, which is what the generator writes", () => {
    const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
    expect(page, "run: node src/channels/http/error-page.ts > docs/errors.md").toBe(errorsMarkdown());
    for (const code of codes) expect(page).toContain(`\n### ${code}\n`);
  });

  test("has an anchor on the page that problems link to", async () => {
    const running = await startServer();
    const { json: page } = await running.call("GET", "/docs/errors", { token: null });
    for (const code of codes) expect(page).toContain(`id="${code}"`);
    const problem = await running.call("GET", "/nope");
    const linked = await fetch(problem.json.type);
    expect(await linked.text()).toContain('id="path_unknown"');
  });

  test("has a status that is an error, a title and a next step", () => {
    for (const code of codes) {
      const { status, title, next } = ERROR_CODES[code];
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(title.length).toBeGreaterThan(10);
      expect(next.length).toBeGreaterThan(10);
    }
  });
});
