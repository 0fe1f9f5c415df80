/**
 * `npm run build`: the pages' code, bundled into `web/dist`; `npm ci` runs it once, and the server only hosts
 * what is there. Each folder of `web/` with an entry is one app:
 *
 *     widget/panel/main.tsx   Preact, one hashed module that the loader fetches when it is needed
 *     widget/loader.ts        the script of a host page, at a name that never changes (`widget.js`)
 *     shop/index.html         the demo's storefront, Preact
 *     console/index.html      the operators' console, React
 *
 * All files but `widget.js` and the pages carry a hash of their content in their name.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig, type PluginOption } from "vite";

const ROOT = import.meta.dirname;
export const DIST = join(ROOT, "dist");
const ASSETS = "assets";

const common = (name: string, more: InlineConfig): InlineConfig => ({
  configFile: false,
  root: join(ROOT, name.split("/")[0] as string),
  logLevel: "warn",
  ...more,
  build: {
    outDir: DIST,
    emptyOutDir: false,
    target: "es2022",
    // Inlined files would need `data:` in the pages' content security policy.
    assetsInlineLimit: 0,
    assetsDir: ASSETS,
    modulePreload: false,
    reportCompressedSize: false,
    ...more.build,
  },
});

/** A page with its own code: `dist/{name}.html` and hashed files. */
async function buildPage(name: string, jsx: "preact" | "react", plugins: PluginOption[]): Promise<void> {
  if (!existsSync(join(ROOT, name, "index.html"))) return;
  await build(
    common(name, {
      base: "/",
      oxc: { jsx: { runtime: "automatic", importSource: jsx } },
      plugins: [
        ...plugins,
        {
          name: "page-name",
          enforce: "post",
          generateBundle(_options, bundle) {
            const page = bundle["index.html"];
            if (page !== undefined) page.fileName = `${name}.html`;
          },
        },
      ],
      build: { rolldownOptions: { output: named(name) } },
    }),
  );
}

/** One module of a fixed or a hashed name; answers the name. */
async function buildModule(entry: string, file: string, define: Record<string, string>): Promise<string> {
  const isHashed = file.includes("[hash]");
  await build(
    common(entry, {
      define,
      plugins: [],
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      build: {
        copyPublicDir: false,
        minify: true,
        // A library: its exports stay, and nothing is added for preloading.
        lib: {
          entry: join(ROOT, entry),
          name: "recourseWidget",
          formats: [isHashed ? "es" : "iife"],
          fileName: () => file,
        },
        rolldownOptions: { output: { entryFileNames: file, codeSplitting: false, minify: true } },
      },
    }),
  );
  const [folder, pattern] = isHashed ? [join(DIST, ASSETS), file.split("/").at(-1) as string] : [DIST, file];
  const name = readdirSync(folder).find((each) => each.startsWith(pattern.split("[hash]")[0] as string));
  if (name === undefined) throw new Error(`${entry} made no ${file}`);
  return name;
}

const named = (name: string) => ({
  entryFileNames: `${ASSETS}/${name}-[hash].js`,
  chunkFileNames: `${ASSETS}/${name}-[name]-[hash].js`,
  assetFileNames: `${ASSETS}/${name}-[hash][extname]`,
});

rmSync(DIST, { recursive: true, force: true });
if (existsSync(join(ROOT, "widget/loader.ts"))) {
  const panel = await buildModule("widget/panel/main.tsx", `${ASSETS}/widget-[hash].js`, {});
  await buildModule("widget/loader.ts", "widget.js", { __PANEL__: JSON.stringify(panel) });
}
await buildPage("shop", "preact", []);
await buildPage("console", "react", [react(), tailwind()]);
const files = existsSync(DIST) ? readdirSync(DIST, { recursive: true, encoding: "utf8" }) : [];
for (const file of files.filter((each) => /\.\w+$/.test(each)).sort()) {
  process.stdout.write(
    `web/dist/${file}  ${(readFileSync(join(DIST, file)).length / 1_000).toFixed(1)} kB\n`,
  );
}
