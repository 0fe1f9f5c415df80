import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer } from "../../src/channels/http/server.ts";
import { fakeParts } from "./fixture.ts";

const SCRIPT = "export const answer = 42;\n".repeat(200);
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recourse-web-"));
  mkdirSync(join(folder, "dist/assets"), { recursive: true });
  writeFileSync(join(folder, "dist/console.html"), "<!doctype html><title>Console</title>");
  writeFileSync(join(folder, "dist/widget.js"), SCRIPT);
  writeFileSync(join(folder, "dist/assets/console-abc.js"), SCRIPT);
  writeFileSync(join(folder, "dist/assets/console-def.js"), SCRIPT);
  writeFileSync(join(folder, "dist/assets/console-def.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "secret.js"), "secret");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const appWith = (pages: readonly ("console" | "shop")[], dist = "dist") =>
  createHttpServer({ ...fakeParts(), web: { folder: join(folder, dist), pages } }).app;

describe("the pages", () => {
  test("are served with a policy that lets no inline script or style run and no frame hold them", async () => {
    for (const path of ["/console", "/console/queue", "/console/queue/rev_1"]) {
      const response = await appWith(["console"]).request(path);
      expect(response.status).toBe(200);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
  });

  test("are not there when they are not asked for: no shop outside the demo", async () => {
    expect((await appWith(["console"]).request("/shop")).status).toBe(404);
  });

  test("say how to build them when they are not built", async () => {
    const response = await appWith(["console"], "nothing").request("/console");
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("npm run build");
  });

  test("a hashed file is kept for good, the loader is asked for again, both may be read from a shop's page", async () => {
    const app = appWith(["console"]);
    const asset = await app.request("/assets/console-abc.js");
    expect(asset.headers.get("cache-control")).toContain("immutable");
    const loader = await app.request("/widget.js");
    expect(loader.headers.get("cache-control")).toBe("public, max-age=300");
    for (const { headers } of [asset, loader]) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      expect(headers.get("content-type")).toContain("text/javascript");
    }
    const again = await app.request("/widget.js", {
      headers: { "if-none-match": loader.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  test("are compressed for who can read that, whole for who cannot", async () => {
    const app = appWith(["console"]);
    const packed = await app.request("/assets/console-abc.js", {
      headers: { "accept-encoding": "br, gzip" },
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(SCRIPT);
    const smaller = await app.request("/assets/console-def.js", {
      headers: { "accept-encoding": "gzip, deflate, br" },
    });
    expect(smaller.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(Buffer.from(await smaller.arrayBuffer())).toString()).toBe(SCRIPT);
    expect((await app.request("/assets/console-def.js.br")).status).toBe(404);
    const plain = await app.request("/assets/console-abc.js");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
  });

  test("no path reaches a file outside the folder", async () => {
    const app = appWith(["console"]);
    for (const name of [
      "..%2F..%2Fsecret.js",
      "%2e%2e/secret.js",
      "..\\secret.js",
      "/etc/passwd",
      "..%5csecret.js",
    ]) {
      expect((await app.request(`/assets/${name}`)).status, name).toBe(404);
    }
  });
});
