/** What scripts rely on: the exit codes of `runs replay`, and that what a server says cannot steer the terminal. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Replay } from "../../src/orchestrator/traces/replay.ts";
import { run } from "./io.ts";

const ID = "run_019a5f10-7d02-7b1c-8e4f-5a6b7c8d9e0f";
let answer: Replay;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = request.url === `/v1/operator/runs/${ID}/replay` ? answer : {};
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const check = { step: 101, what: "policy", was: "allow (a)", would_be: "allow (a)", same: true } as const;
const replay = (args: readonly string[] = []) => run(["runs", "replay", ID, "--url", url, ...args]);

test("answers 0 when nothing comes out different, even where the code is another one", async () => {
  const differences = [{ what: "code", was: "0.1.0", now: "0.2.0" }] as const;
  answer = { run_id: ID, same: true, checks: [check], differences, not_replayed: ["x"] };
  const { code, out } = await replay();
  expect(code).toBe(0);
  expect(out).toContain("code: 0.1.0 → 0.2.0");
});

test("answers 3 when a decision differs, and says which, as text and as JSON", async () => {
  const differs = { ...check, would_be: "deny (b)\u001b[2J", same: false };
  answer = { run_id: ID, same: false, checks: [differs], differences: [], not_replayed: [] };
  const told = await replay();
  expect(told.code).toBe(3);
  expect(told.out).toContain("step 101 policy: was allow (a); would be deny (b)");
  expect(told.out).not.toContain("\u001b");
  const json = await replay(["--json"]);
  expect(json.code).toBe(3);
  expect(JSON.parse(json.out)).toEqual(answer);
});
