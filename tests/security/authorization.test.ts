/** Every endpoint × every kind of caller × their tenant, against a table that was written by hand. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { ROLES, type Role } from "../../src/operators/permissions.ts";
import { KESTREL as KESTREL_ISSUER, tokenFor } from "../http/fixture.ts";
import { KESTREL, NORTHWIND } from "../operators/fixture.ts";
import { CALLERS, type Callers, MATRIX, NOT_SET_UP_HERE, ROW_COUNT } from "./authorization-matrix.ts";
import { filesUnder } from "./patterns.ts";
import { everyRoute, signedInAs } from "./product.ts";

const PREFIXES: Readonly<Record<string, Parameters<typeof newId>[0]>> = {
  conversation_id: "conv",
  run_id: "run",
  action_id: "act",
  review_id: "rev",
  reply_id: "rpl",
  operator_id: "opr",
  invitation_id: "inv",
  key_id: "key",
  attachment_id: "att",
};
const filled = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const prefix = PREFIXES[name];
    if (prefix !== undefined) return newId(prefix, systemClock, systemRandom);
    return name === "area" ? "reviews" : "something";
  });

type Product = Awaited<ReturnType<typeof everyRoute>>;
let product: Product;
beforeEach(async () => {
  product = await everyRoute();
});

const rolesOf = (who: Callers): readonly Role[] => {
  const roles = CALLERS[who];
  return typeof roles === "string" ? [] : roles;
};
const nameOf = (spec: Product["running"]["server"]["specs"][number]) =>
  `${spec.method.toUpperCase()} ${spec.path}`;

/** What an endpoint says to a caller: `open` when it went on to look at the request itself. */
async function ask(
  spec: Product["running"]["server"]["specs"][number],
  headers: Record<string, string>,
): Promise<"open" | "unknown caller" | "forbidden"> {
  const sends = spec.method === "post" && spec.form === undefined;
  const answer = await fetch(product.running.url + filled(spec.path), {
    method: spec.method.toUpperCase(),
    redirect: "manual",
    headers: {
      "sec-fetch-site": "same-origin",
      accept: "text/event-stream",
      ...(sends ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(sends ? { body: JSON.stringify(spec.bodyExample ?? {}) } : {}),
  });
  const { status } = answer;
  if (status === 403 && (await answer.text()).includes('"code":"forbidden"')) return "forbidden";
  await answer.body?.cancel().catch(() => {});
  return status === 401 && spec.access !== "signature" ? "unknown caller" : "open";
}

async function wrongAnswers(
  headers: Record<string, string>,
  expected: (who: Callers) => "open" | "unknown caller" | "forbidden",
): Promise<string[]> {
  const wrong: string[] = [];
  for (const spec of product.running.server.specs) {
    const who = MATRIX.get(nameOf(spec)) as Callers;
    // A page of the people who work here leads to the sign-in by itself; it tells and does nothing.
    if (who === "anybody" || who === "signed") continue;
    const said = await ask(spec, headers);
    if (said !== expected(who)) wrong.push(`${nameOf(spec)}: ${said}, not ${expected(who)}`);
  }
  return wrong;
}

describe("the table", () => {
  test("has exactly one row for each endpoint of the router, and no other", () => {
    expect(MATRIX.size).toBe(ROW_COUNT);
    expect([...MATRIX.keys()].sort()).toEqual(product.running.server.specs.map(nameOf).sort());
  });

  test("knows every path that a file of routes writes out, also where its room is not set up here", () => {
    const known = new Set([...[...MATRIX.keys()].map((route) => route.split(" ")[1]), ...NOT_SET_UP_HERE]);
    const written = filesUnder("src/channels/http").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^\s+path: "(\/[^"]*)",$/gm)].map(([, path]) => path ?? ""),
    );
    expect(written.length).toBeGreaterThan(80);
    expect(written.filter((path) => !known.has(path))).toEqual([]);
  });

  test("agrees with what each endpoint declares: open ones are marked, all others ask", () => {
    for (const spec of product.running.server.specs) {
      const who = MATRIX.get(nameOf(spec)) as Callers;
      const declared = { anybody: "public", signed: "signature", customer: "customer" }[who as "anybody"];
      expect(spec.access, nameOf(spec)).toBe(declared ?? "operator");
    }
  });
});

describe("G3 every endpoint that is not open", () => {
  test("knows nobody without a token, with a made-up one, or with a cookie that is no session", async () => {
    for (const headers of [
      {},
      { authorization: "Bearer nonsense" },
      { authorization: "Basic YWRtaW46YWRtaW4=" },
      { cookie: "better-auth.session_token=made.up" },
    ] as Record<string, string>[]) {
      expect(await wrongAnswers(headers, () => "unknown caller"), JSON.stringify(headers)).toEqual([]);
    }
  });

  test.each([
    ["a customer of northwind", {}],
    ["a customer of kestrel", { issuer: KESTREL_ISSUER }],
  ])("%s reaches the customers' endpoints and no operator's", async (_, wish) => {
    const headers = { authorization: `Bearer ${await tokenFor(wish)}` };
    const wrong = await wrongAnswers(headers, (who) => (who === "customer" ? "open" : "forbidden"));
    expect(wrong).toEqual([]);
  });

  test("a visitor reaches no operator's endpoint, and neither money nor pictures", async () => {
    const visitor = await product.visitors.mint(NORTHWIND, null);
    const headers = { authorization: `Bearer ${visitor?.token}` };
    const wrong = await wrongAnswers(headers, (who) => (who === "customer" ? "open" : "forbidden"));
    // What a visitor is refused beyond that is refused by name here; tests/http/visitors.test.ts has what it means.
    expect(wrong.filter((line) => !line.includes("/attachments: forbidden"))).toEqual([]);
  });

  test.each(ROLES.map((role) => [role]))(
    "somebody who is %s at northwind does what the table says there, and nothing at kestrel",
    async (role) => {
      const cookie = await signedInAs(product.team, NORTHWIND, role);
      const own = await wrongAnswers({ cookie }, (who) => {
        if (who === "customer") return "unknown caller";
        return rolesOf(who).includes(role) ? "open" : "forbidden";
      });
      expect(own).toEqual([]);
      const elsewhere = await wrongAnswers({ cookie, "x-recourse-tenant": KESTREL }, (who) =>
        who === "customer" ? "unknown caller" : "forbidden",
      );
      expect(elsewhere).toEqual([]);
    },
    60_000,
  );
});
