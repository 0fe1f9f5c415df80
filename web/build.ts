/**
 * `npm run build`: the pages' code, bundled into `web/dist`; `npm ci` runs it once, and the server only hosts
 * what is there. Each folder of `web/` with an entry is one app:
 *
 *     widget/panel/main.tsx   Preact, one hashed module that the loader fetches when it is needed
 *     widget/loader.ts        the script of a host page, at a name that never changes (`widget.js`)
 *     shop/index.html         the demo's storefront, Preact
 *     console/index.html      the operators' console, React
 *
 * All files but `widget.js` and the pages carry a hash of their content in their name; each has a second one beside it,
 * compressed with Brotli.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig, type PluginOption, type Rollup } from "vite";

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
    // What the entry imports is named in the page, and what a page of it imports with the import: on a slow line each
    // step that only the code knows of is a wait of its own. All browsers that run it know `modulepreload`.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...more.build,
  },
});

/** What `module` is made of: its own file and those that it imports, without what the page has already. */
function filesOf(bundle: Rollup.OutputBundle, module: string, html: string): readonly string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
  const found = new Set<string>();
  const add = (file: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === file);
    if (chunk === undefined || found.has(file)) return;
    found.add(file);
    chunk.imports.forEach(add);
  };
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (first === undefined) throw new Error(`no file is made of ${module}`);
  add(first.fileName);
  return [...found].filter((file) => !html.includes(file));
}

/**
 * A page with its own code: `dist/{name}.html` and hashed files. `first`: the module that most who open the page will
 * need; it is fetched with the page.
 */
async function buildPage(
  name: string,
  jsx: "preact" | "react",
  plugins: PluginOption[],
  first?: string,
): Promise<void> {
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
            if (page?.type !== "asset") return;
            page.fileName = `${name}.html`;
            if (first === undefined) return;
            const html = String(page.source);
            const links = filesOf(bundle, first, html).map(
              (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
            );
            page.source = html.replace("</head>", `${links.join("")}</head>`);
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
await buildPage("console", "react", [react(), tailwind()], "pages/queue/queue-page.tsx");
const files = existsSync(DIST) ? readdirSync(DIST, { recursive: true, encoding: "utf8" }) : [];
for (const file of files.filter((each) => /\.\w+$/.test(each)).sort()) {
  const bytes = readFileSync(join(DIST, file));
  // Here, and not by the server: the best compression takes seconds.
  const small = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  writeFileSync(join(DIST, `${file}.br`), small);
  const sizes = [bytes, small].map(({ length }) => (length / 1_000).toFixed(1));
  process.stdout.write(`web/dist/${file}  ${sizes[0]} kB, ${sizes[1]} kB with Brotli\n`);
}
