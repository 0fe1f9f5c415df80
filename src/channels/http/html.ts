/**
 * Pages without scripts or foreign assets: text is escaped unless it is markup made here. One
 * stylesheet, light and dark, allowed by its hash in the content security policy.
 */
import { createHash } from "node:crypto";

/** Text that is HTML already; only `html` and `raw` make it. */
export interface Markup {
  readonly markup: string;
}
type Part = string | number | Markup | readonly Part[] | undefined;

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? "";
  parts.forEach((part, index) => {
    text += render(part) + (strings[index + 1] ?? "");
  });
  return { markup: text };
}

const render = (part: Part): string =>
  part === undefined
    ? ""
    : Array.isArray(part)
      ? part.map(render).join("")
      : typeof part === "object"
        ? (part as Markup).markup
        : escaped(String(part));

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** Plain text with `code` and **strong** marks. */
export function prose(text: string): Markup {
  return {
    markup: escaped(text)
      .replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>"),
  };
}

/** Paragraphs separated by empty lines. */
export const paragraphs = (text: string): Markup[] =>
  text.split(/\n{2,}/).map((paragraph) => html`<p>${prose(paragraph)}</p>`);

export const code = (text: string): Markup => html`<pre tabindex="0"><code>${text}</code></pre>`;

const STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--ink:#1d2327;--soft:#5a6570;--line:#e2ded6;--accent:#0b6e5f;--code:#f3f1ec;--edge:#8a8f94;--on:#fff;
--get:#0b6e5f;--post:#8a4b08;--s2:#0b6e5f;--s4:#8a4b08;--s5:#a02c2c}
@media (prefers-color-scheme:dark){:root{--bg:#14181b;--card:#1b2125;--ink:#e6e9eb;--soft:#a3adb5;--line:#2d353b;--accent:#5fc9b5;--code:#101416;--edge:#77828b;--on:#10211d;
--get:#5fc9b5;--post:#e0a458;--s2:#5fc9b5;--s4:#e0a458;--s5:#f08a8a}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible,pre:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header.top{border-bottom:1px solid var(--line)}
header.top nav{max-width:72rem;margin:0 auto;padding:.8rem 1.2rem;display:flex;gap:1.2rem;align-items:baseline;flex-wrap:wrap}
header.top strong{font-size:1.1rem;letter-spacing:-.01em}
header.top a{text-decoration:none}
main{max-width:72rem;margin:0 auto;padding:1.2rem 1.2rem 4rem}
h1{font-size:1.9rem;letter-spacing:-.02em;margin:.6rem 0 .4rem}
h2{margin:2.4rem 0 .6rem;font-size:1.3rem}
h3{margin:0 0 .3rem;font-size:1.05rem}
h4{margin:1.1rem 0 .3rem;font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft)}
p{margin:.4rem 0;max-width:46rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
p code,td code,li code{background:var(--code);border-radius:.25rem;padding:.05rem .3rem}
pre{background:var(--code);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;overflow:auto;margin:.4rem 0;max-height:26rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1.1rem;margin:.7rem 0}
.card:target{border-color:var(--accent);box-shadow:0 0 0 2px var(--accent)}
.card h3 a{text-decoration:none;color:inherit}
.next{color:var(--soft)}
details.card>summary{cursor:pointer;display:flex;gap:.7rem;align-items:baseline;flex-wrap:wrap;list-style-position:outside}
.verb{font:700 .78rem ui-monospace,Menlo,Consolas,monospace;border:1px solid currentColor;border-radius:.3rem;padding:.1rem .4rem;min-width:3.2rem;text-align:center}
.verb.get{color:var(--get)}.verb.post{color:var(--post)}
.who{margin-left:auto;color:var(--soft);font-size:.85rem}
.status{font:700 .85rem ui-monospace,Menlo,Consolas,monospace}
.s1,.s2{color:var(--s2)}.s4{color:var(--s4)}.s5{color:var(--s5)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.94rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
.tiles{display:grid;gap:.8rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr))}
.soft{color:var(--soft)}
main.narrow{max-width:28rem}
main.narrow h1{margin-top:1.6rem}
main.narrow h2{font-size:1.1rem;margin:0 0 .5rem}
form{margin:.9rem 0 0}
label{display:block;font-weight:600;margin:.9rem 0 .25rem}
.hint{color:var(--soft);font-size:.9rem;margin:.25rem 0 0}
input{width:100%;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--edge);border-radius:.45rem;padding:.6rem .7rem;min-height:2.75rem}
input[readonly]{color:var(--soft)}
input.code{font:1.15rem ui-monospace,Menlo,Consolas,monospace;letter-spacing:.12em}
button,a.button{display:inline-block;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid var(--accent);background:var(--accent);color:var(--on);border-radius:.45rem;padding:.55rem 1rem;min-height:2.75rem;cursor:pointer}
button.wide,a.button.wide{width:100%;margin-top:1.2rem}
button.quiet,a.button.quiet{background:transparent;color:var(--accent)}
button.danger{background:transparent;border-color:var(--s5);color:var(--s5)}
button:hover,a.button:hover{filter:brightness(1.08)}
input:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.alert,.done{border:1px solid;border-left-width:.35rem;border-radius:.45rem;padding:.6rem .9rem;margin:1rem 0;background:var(--card)}
.alert{border-color:var(--s5)}.alert strong{color:var(--s5)}
.done{border-color:var(--accent)}
.alert p,.done p{margin:.1rem 0}
.or{display:flex;align-items:center;gap:.8rem;color:var(--soft);margin:1.4rem 0 0}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.unseen{position:absolute;left:-99rem;width:1px}
form.side{display:flex;gap:.6rem;flex-wrap:wrap}
textarea{width:100%;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--edge);border-radius:.45rem;padding:.6rem .7rem}
textarea:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.scores{border:0;margin:0;padding:0;display:flex;gap:.5rem;flex-wrap:wrap}
.scores legend{padding:0;margin-bottom:.5rem;color:var(--soft)}
.scores label{position:relative;margin:0}
.scores input{position:absolute;inset:0;opacity:0;margin:0;cursor:pointer}
.scores span{display:grid;place-items:center;width:2.9rem;height:2.9rem;border:1px solid var(--edge);border-radius:.5rem}
.scores input:checked+span{background:var(--accent);color:var(--on);border-color:var(--accent)}
.scores input:focus-visible+span{outline:2px solid var(--accent);outline-offset:2px}
.people{display:grid;gap:.6rem}
.people form{margin:0}
.people button{width:100%;text-align:left;font-weight:400}
.people strong{display:block}
.rows{list-style:none;margin:.6rem 0 0;padding:0}
.rows li{display:flex;gap:.8rem;align-items:center;justify-content:space-between;border-top:1px solid var(--line);padding:.6rem 0}
.rows form{margin:0}
.qr{display:block;width:13rem;height:13rem;margin:.8rem auto;border-radius:.45rem;background:#fff}
.codes{display:grid;grid-template-columns:repeat(2,1fr);gap:.3rem 1rem;list-style:none;margin:.6rem 0;padding:0;font:1rem ui-monospace,Menlo,Consolas,monospace}
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const policy = (formAction: string): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;

/** Headers of a page: only its own stylesheet, no script, no frame around it. */
export const PAGE_HEADERS = { "content-security-policy": policy("'none'") } as const;

/** And of one with forms, which go to this server. */
export const FORM_PAGE_HEADERS = { "content-security-policy": policy("'self'") } as const;

/**
 * `narrow`: a page of one form, without the links to the API's pages. `shop`: a page for a customer, in their language
 * and under the name of their shop.
 */
export function page(
  title: string,
  body: Markup,
  narrow = false,
  shop?: { readonly name: string; readonly language: string },
): string {
  return html`<!doctype html>
<html lang="${shop?.language ?? "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · ${shop?.name ?? "Recourse"}</title><link rel="icon" href="data:,"><style>${{ markup: STYLE }}</style></head>
<body><header class="top"><nav${shop === undefined ? html` aria-label="Pages"` : undefined}><strong>${shop === undefined ? html`<a href="/">Recourse</a>` : shop.name}</strong>${narrow ? undefined : LINKS}</nav></header>
<main${narrow ? html` class="narrow"` : undefined}>${body}</main></body></html>`.markup;
}

const LINKS = html`<a href="/docs">API</a><a href="/docs/errors">Errors</a><a href="/openapi.json">OpenAPI</a><a href="/readyz">Readiness</a>`;
