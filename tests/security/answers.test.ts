/** What every endpoint answers, whoever asks: headers, nothing of a secret in log or answer, and no file of this machine. */
import { beforeEach, describe, expect, test } from "vitest";
import { NORTHWIND } from "../operators/fixture.ts";
import { everyRoute, signedInAs } from "./product.ts";

type Product = Awaited<ReturnType<typeof everyRoute>>;
let product: Product;
beforeEach(async () => {
  product = await everyRoute();
});

const CANARIES = {
  bearer: "canary-bearer-token-8c1f5f0e1d2b",
  cookie: "canary-cookie-71c2aa",
  body: "canary-body-5501bb",
  query: "canary-query-40dc11",
  key: "rk_canary-key-93d20f",
};

async function askAll(headers: Record<string, string>, body?: (example: unknown) => string) {
  const answers: { name: string; answer: Response; text: string }[] = [];
  for (const spec of product.running.server.specs) {
    const sends = spec.method === "post" && spec.form === undefined;
    const answer = await fetch(
      `${product.running.url}${spec.path.replace(/\{\w+\}/g, "something")}?probe=${CANARIES.query}`,
      {
        method: spec.method.toUpperCase(),
        redirect: "manual",
        headers: { ...(sends ? { "content-type": "application/json" } : {}), ...headers },
        ...(sends ? { body: body?.(spec.bodyExample) ?? JSON.stringify(spec.bodyExample ?? {}) } : {}),
      },
    );
    answers.push({ name: `${spec.method} ${spec.path}`, answer, text: await answer.text() });
  }
  return answers;
}

describe("every answer", () => {
  test("says what it is and no more: no guessing of types, no frames, no referrer, no maker's name", async () => {
    const cookie = await signedInAs(product.team, NORTHWIND, "admin");
    for (const headers of [{}, { cookie, "sec-fetch-site": "same-origin" }] as Record<string, string>[]) {
      for (const { name, answer } of await askAll(headers)) {
        const policy = answer.headers.get("content-security-policy") ?? "";
        expect(answer.headers.get("x-content-type-options"), name).toBe("nosniff");
        expect(policy, name).toMatch(/frame-ancestors|default-src 'none'/);
        expect(policy, name).not.toMatch(/unsafe-eval|\*/);
        expect(policy.match(/script-src[^;]*/)?.[0] ?? "", name).not.toContain("unsafe-inline");
        expect(answer.headers.get("referrer-policy"), name).toMatch(
          /^(no-referrer|same-origin|strict-origin)/,
        );
        for (const header of ["server", "x-powered-by", "x-aspnet-version"]) {
          expect(answer.headers.get(header), name).toBeNull();
        }
        for (const set of answer.headers.getSetCookie()) {
          expect(set.toLowerCase(), name).toMatch(/httponly/);
          expect(set.toLowerCase(), name).toMatch(/samesite=(lax|strict)/);
        }
        // What is somebody's is kept by no cache on its way.
        if (name.includes("/v1/"))
          expect(answer.headers.get("cache-control"), name).toMatch(/no-store|private/);
      }
    }
  }, 60_000);

  test("and every line of the log keep tokens, cookies, keys, bodies and query strings to themselves", async () => {
    const said: string[] = [];
    for (const headers of [
      { authorization: `Bearer ${CANARIES.bearer}` },
      { authorization: `Bearer ${CANARIES.key}` },
      { cookie: `better-auth.session_token=${CANARIES.cookie}`, "sec-fetch-site": "same-origin" },
    ]) {
      const answers = await askAll(headers as never, (example) =>
        JSON.stringify({ ...(example as object), probe: CANARIES.body, text: CANARIES.body }),
      );
      said.push(...answers.map(({ text }) => text));
    }
    const log = JSON.stringify(product.running.log.lines);
    expect(product.running.log.lines.length).toBeGreaterThan(300);
    for (const [what, canary] of Object.entries(CANARIES)) {
      expect(log, `${what} in the log`).not.toContain(canary);
      const shown = said.filter((text) => text.includes(canary));
      expect(shown, `${what} in an answer`).toEqual([]);
    }
  }, 60_000);
});

describe("no path and no parameter leads to a file", () => {
  const PATHS = [
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f%2e%2e%2fpackage.json",
    "..%5c..%5cpackage.json",
    "%252e%252e%252fpackage.json",
    "....//package.json",
    "%00",
    "package.json%00.js",
    "%2fetc%2fpasswd",
    "file:%2f%2f%2fetc%2fpasswd",
    "\u202epackage.json",
  ];

  test("in any endpoint that takes one", async () => {
    const cookie = await signedInAs(product.team, NORTHWIND, "admin");
    const specs = product.running.server.specs.filter(({ path }) => path.includes("{"));
    expect(specs.length).toBeGreaterThan(30);
    for (const spec of specs) {
      for (const path of PATHS) {
        const answer = await fetch(product.running.url + spec.path.replace(/\{\w+\}/g, path), {
          method: spec.method.toUpperCase(),
          redirect: "manual",
          headers: { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" },
          ...(spec.method === "post" ? { body: "{}" } : {}),
        });
        const text = await answer.text();
        expect(text, `${spec.path} with ${path}`).not.toMatch(/root:.*:0:0|"dependencies"/);
        expect(answer.status, `${spec.path} with ${path}`).not.toBe(500);
      }
    }
  }, 60_000);
});
