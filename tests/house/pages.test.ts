/** The built pages stay small: what a shop's customers and operators wait for, as gzip sends it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";

const WEB = join(import.meta.dirname, "../../web");
const DIST = join(WEB, "dist");
const gzipBytes = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length;

describe("the built pages", () => {
  beforeAll(() => {
    if (!existsSync(join(DIST, "widget.js"))) throw new Error("web/dist is not built: run `npm run build`.");
  });

  test("widget.js is at most 3 kB", () => {
    expect(gzipBytes("widget.js")).toBeLessThanOrEqual(3_000);
  });

  test("the panel that widget.js names is at most 25 kB", () => {
    const loader = readFileSync(join(DIST, "widget.js"), "utf8");
    const panels = readdirSync(join(DIST, "assets")).filter((name) => loader.includes(name));
    expect(panels).toHaveLength(1);
    expect(gzipBytes(`assets/${panels[0]}`)).toBeLessThanOrEqual(25_000);
  });

  test("the console's scripts are at most 250 kB, its pages that load later included", () => {
    const scripts = readdirSync(join(DIST, "assets")).filter((name) => /^console-.*\.js$/.test(name));
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce((sum, name) => sum + gzipBytes(`assets/${name}`), 0);
    expect(bytes).toBeLessThanOrEqual(250_000);
  });
});

test("the widget takes a message as long as the server does", () => {
  const panel = readFileSync(join(WEB, "widget/panel/panel.tsx"), "utf8");
  const [, digits = ""] = /LONGEST_MESSAGE = ([\d_]+);/.exec(panel) ?? [];
  expect(Number(digits.replaceAll("_", ""))).toBe(LIMITS.messageChars);
});

test("and as many pictures with it", () => {
  const pictures = readFileSync(join(WEB, "widget/panel/pictures.tsx"), "utf8");
  const [, digits = ""] = /PICTURES_A_MESSAGE = (\d+);/.exec(pictures) ?? [];
  expect(Number(digits)).toBe(LIMITS.attachmentsPerMessage);
});
