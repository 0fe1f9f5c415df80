/**
 * The page of error codes, from the catalogue: Markdown for `docs/errors.md` and HTML for
 * `/docs/errors`. Run this file to write the Markdown; a test compares it.
 *
 *     node src/channels/http/error-page.ts > docs/errors.md
 */
import { ERROR_CODES, type ErrorCode } from "../../kernel/error-codes.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { code, html, type Markup, page, prose } from "./html.ts";
import { problemDocument } from "./problems.ts";

const INTRO = [
  "Every error that this server answers with is a problem document (RFC 9457, `application/problem+json`). Its `code` is stable: programs may rely on it. `detail` says what happened this time, `next` what to do, `errors` which fields were wrong; `request_id` finds the request in the server's log.",
  "Answers with 429 and some with 503 have `Retry-After`. Whatever was acknowledged before an error is kept.",
];

const FAMILIES: readonly (readonly [string, (status: number) => boolean])[] = [
  ["Who is asking", (status) => status === 401 || status === 403],
  ["What is asked for", (status) => status >= 400 && status < 500],
  ["The server and its set-up", () => true],
];

function families(): readonly (readonly [string, readonly ErrorCode[]])[] {
  const left = new Set(Object.keys(ERROR_CODES) as ErrorCode[]);
  return FAMILIES.map(([title, belongs]) => {
    const codes = [...left].filter((name) => belongs(ERROR_CODES[name].status)).sort();
    for (const name of codes) left.delete(name);
    return [title, codes] as const;
  });
}

const example = () =>
  JSON.stringify(
    problemDocument(
      new ProblemError("body_invalid", undefined, {
        details: { errors: [{ path: "text", message: "Invalid input: expected string, received number" }] },
      }),
      "http://127.0.0.1:3000",
      "req_4be1f2a90c7d5e6f8a9b0c1d",
    ),
    null,
    2,
  );

export function errorsMarkdown(): string {
  const sections = families().flatMap(([title, codes]) => [
    `## ${title}`,
    ...codes.map((name) => {
      const { status, title: what, next } = ERROR_CODES[name];
      return `### ${name}\n\n**${status}** · ${what}\n\n${next}`;
    }),
  ]);
  return `${[
    "# Error codes",
    "<!-- Written by src/channels/http/error-page.ts from src/kernel/error-codes.ts. -->",
    ...INTRO,
    `\`\`\`json\n${example()}\n\`\`\``,
    ...sections,
  ].join("\n\n")}\n`;
}

export function errorsPage(): string {
  const sections: Markup[] = families().map(
    ([title, codes]) =>
      html`<h2>${title}</h2>${codes.map((name) => {
        const { status, title: what, next } = ERROR_CODES[name];
        return html`<section class="card" id="${name}"><h3><a href="#${name}"><code>${name}</code></a> <span class="status s${String(status)[0] ?? "5"}">${status}</span></h3>
<p>${what}</p><p class="next">${prose(next)}</p></section>`;
      })}`,
  );
  return page(
    "Error codes",
    html`<h1>Error codes</h1>${INTRO.map((text) => html`<p>${prose(text)}</p>`)}${code(example())}${sections}`,
  );
}

if (import.meta.main) process.stdout.write(errorsMarkdown());
