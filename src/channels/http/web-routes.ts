/**
 * The pages and the widget as they were built into `web/dist`: hashed files for good, pages and the widget's
 * loader asked for again each time. Read once, kept in memory; only what was found there at the first
 * request has a name, so no path of a request ever reaches the file system.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "@hono/zod-openapi";
import { ProblemError } from "../../kernel/errors.ts";
import { type Answer, type Route, route } from "./route.ts";

/** Pages of the product: only its own code and pictures, no inline script or style, in no frame. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

interface WebFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null where compression gains nothing. */
  readonly gzipped: Uint8Array<ArrayBuffer> | null;
  /** As the build made it; null where it did not. */
  readonly brotli: Uint8Array<ArrayBuffer> | null;
  readonly type: string;
  readonly etag: string;
}

export interface WebRouteOptions {
  /** The folder that `npm run build` fills. */
  readonly folder: string;
  /** Pages that are there; the demo's shop only in the demo. */
  readonly pages: readonly ("console" | "shop")[];
}

export function webRoutes({ folder, pages }: WebRouteOptions): Route[] {
  let files: ReadonlyMap<string, WebFile> | null = null;
  const file = (name: string): WebFile => {
    files ??= filesOf(folder);
    if (files.size === 0) {
      throw new ProblemError("not_found", "The pages are not built; run `npm run build` and start again.");
    }
    const found = files.get(name);
    if (found === undefined) throw new ProblemError("not_found");
    return found;
  };
  const answer = (
    { bytes, gzipped, brotli, type, etag }: WebFile,
    headers: Record<string, string>,
    header: (name: string) => string | undefined,
  ): Answer => {
    const all = { etag, vary: "accept-encoding", ...headers };
    if (header("if-none-match") === etag) return { status: 304, text: "", contentType: type, headers: all };
    const takes = header("accept-encoding") ?? "";
    const [encoding, text] =
      brotli !== null && /\bbr\b/.test(takes)
        ? ["br", brotli]
        : gzipped !== null && /\bgzip\b/.test(takes)
          ? ["gzip", gzipped]
          : [null, bytes];
    return {
      status: 200,
      text,
      contentType: type,
      headers: encoding === null ? all : { ...all, "content-encoding": encoding },
    };
  };

  const pageRoute = (name: "console" | "shop", path: string, operationId: string): Route =>
    route(
      {
        method: "get",
        path,
        access: "public",
        operationId,
        tag: "Pages",
        summary: name === "console" ? "The operators' console" : "The demo's shop, with the widget",
        ...(path.includes("{")
          ? {
              params: z.object(
                Object.fromEntries(
                  [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => [param, z.string().max(200)]),
                ),
              ),
            }
          : {}),
        answers: { 200: { description: "A page.", contentType: "text/html" } },
      },
      (call) =>
        answer(
          file(`${name}.html`),
          { "content-security-policy": PAGE_POLICY, "cache-control": "no-cache" },
          (name) => call.header(name),
        ),
    );

  return [
    route(
      {
        method: "get",
        path: "/widget.js",
        access: "public",
        operationId: "widget",
        tag: "Pages",
        summary: "The script that a shop's page embeds",
        answers: { 200: { description: "The loader.", contentType: "text/javascript" } },
      },
      (call) =>
        answer(
          file("widget.js"),
          {
            "cache-control": "public, max-age=300",
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin",
          },
          (name) => call.header(name),
        ),
    ),
    route(
      {
        method: "get",
        path: "/assets/{file}",
        access: "public",
        operationId: "asset",
        tag: "Pages",
        summary: "A file of the pages; its name changes with its content",
        params: z.object({ file: z.string().max(200) }),
        answers: { 200: { description: "The file.", contentType: "application/octet-stream" } },
      },
      (call) =>
        answer(
          file(`assets/${call.params.file}`),
          {
            "cache-control": "public, max-age=31536000, immutable",
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin",
          },
          (name) => call.header(name),
        ),
    ),
    ...pages.flatMap((name) => [
      pageRoute(name, `/${name}`, name),
      pageRoute(name, `/${name}/{page}`, `${name}Page`),
      pageRoute(name, `/${name}/{page}/{item}`, `${name}Item`),
    ]),
  ];
}

function filesOf(folder: string): ReadonlyMap<string, WebFile> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      const isText = /^text|svg/.test(type);
      const gzipped = isText ? new Uint8Array(gzipSync(bytes, { level: 9 })) : null;
      const small = join(folder, `${name}.br`);
      const brotli = isText && existsSync(small) ? new Uint8Array(readFileSync(small)) : null;
      return [[name.replaceAll("\\", "/"), { bytes, gzipped, brotli, type, etag }] as const];
    }),
  );
}
