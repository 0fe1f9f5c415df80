import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../kit/database.ts";
import { run } from "./io.ts";

const POLICY = new URL("../../policies/northwind-refunds-v2.md", import.meta.url).pathname;

test("a policy that can be published passes", async () => {
  expect((await run(["policy", "check", POLICY])).code).toBe(0);
});

test("every error of a policy is named with its line", async () => {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, "bad.md");
    const source = readFileSync(POLICY, "utf8").replace(
      "{{limits.return_window_days}} days of delivery",
      "45 days of delivery",
    );
    writeFileSync(file, source);
    const line = source.split("\n").findIndex((text) => text.includes("45 days")) + 1;
    const { code, out } = await run(["policy", "check", file]);
    expect(code).toBe(1);
    expect(out).toContain(`${file}:${line}`);
  } finally {
    folder.remove();
  }
});

test("two documents that would govern from the same day are refused", async () => {
  const folder = temporaryFolder();
  try {
    const source = readFileSync(POLICY, "utf8");
    writeFileSync(join(folder.path, "one.md"), source);
    writeFileSync(join(folder.path, "two.md"), source.replace('version: "2"', 'version: "3"'));
    expect((await run(["policy", "check", join(folder.path, "two.md")])).code).toBe(1);
  } finally {
    folder.remove();
  }
});

test("a file that is not there is a wrong argument", async () => {
  expect((await run(["policy", "check", "/nowhere/at/all.md"])).code).toBe(2);
});
