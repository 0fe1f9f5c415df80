import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusal, sdk } from "./fixture.ts";

const MAIN = fileURLToPath(new URL("../../../sandbox/main.ts", import.meta.url));
let folder: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "payments-kill-"));
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function launch(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN], {
    env: { ...process.env, RECOURSE_SANDBOX_PORT: "0", RECOURSE_DATA_DIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let said = "";
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    const port = /ready http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error(`the sandbox did not start: ${said}`);
}

test("a kill loses nothing that was answered, and the key answers the same afterwards", async () => {
  const first = await launch();
  const stripe = sdk(first.port);
  const keys = Array.from({ length: 12 }, (_, n) => `key-${n}`);
  const create = (client: typeof stripe, key: string) =>
    client.refunds.create({ charge: "ch_nw_1042", amount: 100 }, { idempotencyKey: key });
  const answered = await Promise.all(keys.slice(0, 8).map((key) => create(stripe, key)));
  // The rest are under way when it is killed: some are done, some are not, none is half done.
  const underWay = keys.slice(8).map((key) =>
    create(stripe, key).then(
      ({ id }) => id,
      () => null,
    ),
  );
  const exited = once(first.child, "exit");
  first.child.kill("SIGKILL");
  await exited;
  const known = await Promise.all(underWay);

  const second = await launch();
  const after = sdk(second.port);
  const replayed = await Promise.all(keys.map((key) => create(after, key)));
  expect(replayed.slice(0, 8).map(({ id }) => id)).toEqual(answered.map(({ id }) => id));
  for (const [n, id] of known.entries()) if (id !== null) expect(replayed[8 + n]?.id).toBe(id);
  const refunds = await after.refunds.list({ charge: "ch_nw_1042", limit: 100 });
  expect(refunds.data).toHaveLength(keys.length);
  const charge = await after.charges.retrieve("ch_nw_1042");
  expect(charge.amount_refunded).toBe(refunds.data.reduce((sum, { amount }) => sum + amount, 0));
  const other = after.refunds.create({ charge: "ch_nw_1042", amount: 1 }, { idempotencyKey: "key-0" });
  expect((await refusal(other)).rawType).toBe("idempotency_error");
  second.child.kill("SIGKILL");
});
