import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoOperatorToken, loadConfiguration } from "../../src/configuration.ts";
import { type RunningServer, startServer } from "../../src/server.ts";
import { temporaryFolder } from "../kit/database.ts";
import { run } from "./io.ts";

let server: RunningServer;
let folder: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  folder = temporaryFolder();
  const env = { PORT: "0", RECOURSE_SANDBOX_PORT: "0", RECOURSE_DATA_DIR: join(folder.path, "data") };
  server = await startServer(loadConfiguration(env, folder.path), pino({ level: "silent" }));
}, 60_000);
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

const cli = (args: readonly string[], typed = "") => run([...args, "--url", server.url], typed);

async function refundsOf(orderNumber: string): Promise<readonly { amount: number; status: string }[]> {
  const response = await fetch(`${server.sandboxUrl}/v1/refunds?charge=ch_nw_${orderNumber}`, {
    headers: { authorization: "Bearer sk_test_sandbox" },
  });
  return ((await response.json()) as { data: { amount: number; status: string }[] }).data;
}

describe("the terminal on the real server", () => {
  test("a piped chat gets one refund and hears of it", async () => {
    const { code, out } = await cli(["chat", "--as", "ben"], "please refund order 1044\nyes\nyes\n");
    expect(code).toBe(0);
    expect(await refundsOf("1044")).toMatchObject([{ amount: 6_400, status: "succeeded" }]);
    expect(out).toContain("64.00 USD");
    expect(out).toContain("✓ Refund 64.00 USD");
  });

  test("a chat is resumed with everything that was said, and nobody else's is", async () => {
    const first = await cli(["chat", "--as", "ada"], "where is my order 1042?\n/id\n");
    const id = /conv_[0-9a-f-]+/.exec(first.out)?.[0] as string;
    const again = await cli(["chat", "--as", "ada", "--conversation", id], "thanks\n");
    expect(again.code).toBe(0);
    expect(again.out).toContain("where is my order 1042?");
    const stranger = await cli(["chat", "--as", "eve", "--conversation", id], "hi\n");
    expect(stranger.code).toBe(1);
    expect(stranger.out).not.toContain("1042");
  });

  test("runs are listed, drawn with verdict, clause and outcome, and decided anew; another tenant has none of them", async () => {
    await cli(["chat", "--as", "ben"], "where is my order 1044?\n");
    const listed = await cli(["runs", "show", "--limit", "100", "--json"]);
    const runs = (JSON.parse(listed.out) as { run_id: string }[]).map(({ run_id }) => run_id);
    expect(runs.length).toBeGreaterThan(1);
    expect((await cli(["runs", "show"])).out).toContain(runs[0]);
    const drawn = await Promise.all(runs.map((id) => cli(["runs", "show", id])));
    const all = drawn.map(({ out }) => out).join("\n");
    for (const part of [
      "├─ claim",
      "├─ context",
      "execute_tool process_refund",
      "allow",
      "§ ",
      "version 3",
    ]) {
      expect(all).toContain(part);
    }
    expect(all).toContain("└─ provider refund");
    for (const part of ["please refund", "Ben", "@", "socks", "1044"]) expect(all).not.toContain(part);

    for (const id of runs) {
      const again = await cli(["runs", "replay", id]);
      expect(again, again.out).toMatchObject({ code: 0, err: "" });
      expect(again.out).toContain("It would be decided the same today.");
    }

    const none = await cli(["runs", "replay"]);
    expect(none).toMatchObject({ code: 2, out: "" });
    expect(none.err).toContain("[run_id_missing]");
    expect((await cli(["runs", "show", "1044"])).err).toContain("[run_not_found]");
    const unknown = await cli(["runs", "show", `${(runs[0] as string).slice(0, -4)}0000`]);
    expect(unknown).toMatchObject({ code: 1, out: "" });
    expect(unknown.err).toContain("[run_not_found]");
    const other = await cli(["runs", "show", runs[0] as string, "--tenant", "kestrel"]);
    expect(other).toMatchObject({ code: 1, out: "" });
    expect(other.err).toContain("[run_not_found]");
    const away = await run(["runs", "replay", runs[0] as string, "--url", "http://127.0.0.1:9"]);
    expect(away).toMatchObject({ code: 1, out: "" });
  });

  test("an approval goes through once; the second is told who decided", async () => {
    await cli(["chat", "--as", "dev", "--wait", "0"], "please refund order 1055\nyes\n");
    const listed = await cli(["reviews", "--json"]);
    const [review] = (JSON.parse(listed.out) as { reviews: { review_id: string; action_id: string }[] })
      .reviews;
    const id = review?.review_id ?? "";
    expect(await refundsOf("1055")).toEqual([]);

    const shown = await cli(["review", id.slice(-8)]);
    expect(shown.out).toContain("40.00 USD");
    const stale = await cli(["approve", id, "--seen", "99"]);
    expect(stale.code).toBe(1);
    expect(await refundsOf("1055")).toEqual([]);

    expect((await cli(["approve", id])).code).toBe(0);
    const second = await cli(["approve", id]);
    expect(second.code).toBe(1);
    expect(second.err).toContain("operator@northwind");
    await expect.poll(() => refundsOf("1055")).toMatchObject([{ amount: 4_000 }]);

    const explained = await cli(["policy", "explain", review?.action_id ?? ""]);
    expect(explained.code).toBe(0);
    for (const part of ["high-value", "version 3", "customer.lifetimeSpendMinor", "operator@northwind"]) {
      expect(explained.out).toContain(part);
    }
    const other = await cli(["policy", "explain", review?.action_id ?? "", "--tenant", "kestrel"]);
    expect(other.code).toBe(1);
    expect(other.out).toBe("");
  });

  test("a refused operator's token says where the right one is", async () => {
    const { code, err } = await cli(["reviews", "--token", "wrong-token-wrong-token"]);
    expect(code).toBe(1);
    expect(err).toContain("RECOURSE_OPERATOR_TOKEN");
  });

  test("an export of the audit log holds, and any change to it is named", async () => {
    const file = join(folder.path, "audit.jsonl");
    expect((await cli(["audit", "export", "--out", file])).code).toBe(0);
    expect((await cli(["audit", "export", "--out", file])).code).toBe(2);
    const whole = await run(["audit", "verify", file]);
    expect(whole.code).toBe(0);
    expect((await cli(["audit", "verify"])).code).toBe(0);

    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const verify = async (changed: readonly string[], ...options: string[]) => {
      writeFileSync(`${file}.changed`, `${changed.join("\n")}\n`);
      return run(["audit", "verify", `${file}.changed`, ...options]);
    };
    const edited = lines.with(2, (lines[2] ?? "").replace(/"at_ms":\d/, '"at_ms":9'));
    expect(await verify(edited)).toMatchObject({ code: 1, out: expect.stringContaining("entry 3") });
    expect(await verify(lines.toSpliced(1, 1))).toMatchObject({
      code: 1,
      out: expect.stringContaining("entry 2"),
    });
    expect(await verify(lines.toSpliced(3, 0, "not json"))).toMatchObject({
      code: 1,
      out: expect.stringContaining("line 4"),
    });
    const head = (JSON.parse(lines.at(-1) ?? "{}") as { hash: string }).hash;
    const cut = lines.slice(0, -1);
    expect((await verify(cut)).code).toBe(0);
    expect((await verify(cut, "--head", head)).code).toBe(1);
    expect((await verify(cut, "--entries", String(lines.length))).code).toBe(1);
    expect((await verify(lines, "--head", head, "--entries", String(lines.length))).code).toBe(0);
  });

  test("an end that is cut off after a checkpoint is detected, and so is a checkpoint that was changed", async () => {
    const [file, kept] = [join(folder.path, "later.jsonl"), join(folder.path, "checkpoint.json")];
    const made = await cli(["audit", "checkpoint", "--out", kept]);
    expect(made.code).toBe(0);
    expect((await cli(["audit", "export", "--out", file])).code).toBe(0);
    const verify = (path: string, ...options: string[]) =>
      run(["audit", "verify", path, "--checkpoint", kept, ...options]);
    const checkpoint = JSON.parse(readFileSync(kept, "utf8")) as { n: number; key: string };
    expect(await verify(file, "--key", checkpoint.key)).toMatchObject({
      code: 0,
      out: expect.stringContaining("The checkpoint fits"),
    });
    expect((await verify(file, "--key", "another-key")).code).toBe(1);

    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    writeFileSync(`${file}.cut`, `${lines.slice(0, checkpoint.n - 1).join("\n")}\n`);
    expect((await run(["audit", "verify", `${file}.cut`])).code).toBe(0);
    expect(await verify(`${file}.cut`)).toMatchObject({
      code: 1,
      out: expect.stringContaining(`there were ${checkpoint.n} entries`),
    });

    writeFileSync(`${kept}.changed`, JSON.stringify({ ...checkpoint, n: checkpoint.n - 1 }));
    const changed = await run(["audit", "verify", file, "--checkpoint", `${kept}.changed`]);
    expect(changed).toMatchObject({ code: 1, out: expect.stringContaining("its signature does not fit") });
  });

  test("a part of the log is exported by customer, order and day, and each of its entries is checked", async () => {
    const exported = async (...options: string[]) => {
      const { code, out } = await cli(["audit", "export", ...options]);
      expect(code).toBe(0);
      return out
        .trimEnd()
        .split("\n")
        .filter((line) => line !== "");
    };
    const all = await exported();
    const bens = (await exported("--customer", "ben")).map((line) => JSON.parse(line));
    expect(bens.length).toBeGreaterThan(1);
    expect(bens.length).toBeLessThan(all.length);
    expect(new Set(bens.map(({ customer_id }) => customer_id))).toEqual(new Set(["ben"]));
    const ofOrder = (await exported("--order", "1055")).map((line) => JSON.parse(line));
    expect(new Set(ofOrder.map(({ customer_id }) => customer_id))).toEqual(new Set(["dev"]));
    const kinds = ofOrder.map(({ kind }) => kind);
    expect(kinds).toContain("review.opened");
    expect(kinds).toContain("action.succeeded");
    const today = new Date().toISOString().slice(0, 10);
    expect(await exported("--from", today, "--to", today)).toEqual(all);
    expect(await exported("--to", "2020-01-01")).toEqual([]);
    expect((await cli(["audit", "export", "--from", "yesterday"])).code).toBe(2);

    const file = join(folder.path, "part.jsonl");
    writeFileSync(file, bens.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    expect((await run(["audit", "verify", file])).out).toContain("--part");
    expect((await run(["audit", "verify", file, "--part"])).code).toBe(0);
    writeFileSync(file, `${JSON.stringify({ ...bens[1], at_ms: 1 })}\n`);
    expect(await run(["audit", "verify", file, "--part"])).toMatchObject({
      code: 1,
      out: expect.stringContaining(`entry ${bens[1].n}`),
    });
  });

  test("a CSV export has a head and a line an entry, from the terminal and from the API", async () => {
    const { out } = await cli(["audit", "export", "--format", "csv", "--order", "1055"]);
    expect(out).toMatch(/^n,at,kind,subject,customer_id,by,body,texts,hash\r\n/);
    const answer = await fetch(`${server.url}/v1/operator/audit/export?format=csv&order_number=1055`, {
      headers: { authorization: `Bearer ${demoOperatorToken("northwind")}` },
    });
    expect(answer.headers.get("content-type")).toContain("text/csv");
    expect(answer.headers.get("recourse-more")).toBe("false");
    expect(await answer.text()).toBe(out);
  });
});
