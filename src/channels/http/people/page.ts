/**
 * What the pages for people have in common: one column, forms that work without scripts, and what went wrong said where
 * it happened, with what to do next.
 */
import type { ProblemError } from "../../../kernel/errors.ts";
import { FORM_PAGE_HEADERS, html, type Markup, page } from "../html.ts";
import type { Answer } from "../route.ts";

export type Message = { readonly kind: "alert" | "done"; readonly title: string; readonly next?: string };

export const alertOf = (error: ProblemError): Message => ({
  kind: "alert",
  title: error.message,
  // A person has no use for the name of a header.
  next: error.retryAfterMs === undefined ? error.next : `Try again in ${minutes(error.retryAfterMs)}.`,
});

function minutes(ms: number): string {
  const count = Math.max(1, Math.ceil(ms / 60_000));
  return count === 1 ? "a minute" : `${count} minutes`;
}

export function notice(message: Message | undefined): Markup | undefined {
  if (message === undefined) return undefined;
  const { kind, title, next } = message;
  return html`<div class="${kind}" role="${kind === "alert" ? "alert" : "status"}"><p><strong>${title}</strong></p>${
    next === undefined ? undefined : html`<p>${next}</p>`
  }</div>`;
}

export interface Field {
  readonly name: string;
  /** When a page has two fields of a name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly value?: string;
  readonly hint?: string;
  /** What a browser or password manager fills in. */
  readonly autocomplete: string;
  /** A short code: digits on a phone, wide letters. */
  readonly isCode?: boolean;
  readonly readonly?: boolean;
  readonly autofocus?: boolean;
  readonly maxChars: number;
}

export function field(of: Field): Markup {
  const { name, id = of.name, type = "text", value = "", hint, isCode = false } = of;
  const flags = [
    of.readonly === true ? "readonly" : "required",
    ...(of.autofocus === true ? ["autofocus"] : []),
  ].join(" ");
  const hintId = `${id}-hint`;
  return html`<label for="${id}">${of.label}</label><input id="${id}" name="${name}" type="${type}" value="${value}" maxlength="${of.maxChars}" autocomplete="${of.autocomplete}" autocapitalize="none" spellcheck="false"${
    isCode ? html` class="code"` : undefined
  }${hint === undefined ? undefined : html` aria-describedby="${hintId}"`} ${{ markup: flags }}>${
    hint === undefined ? undefined : html`<p class="hint" id="${hintId}">${hint}</p>`
  }`;
}

export const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** A page as the answer; `cookies` are set with it. */
export function pageAnswer(
  title: string,
  body: Markup,
  options: {
    readonly status?: number;
    readonly cookies?: readonly string[];
    readonly shop?: { readonly name: string; readonly language: string };
  } = {},
): Answer {
  return {
    status: options.status ?? 200,
    text: page(title, body, true, options.shop),
    contentType: "text/html; charset=utf-8",
    headers: FORM_PAGE_HEADERS,
    cookies: options.cookies ?? [],
  };
}

/** See Other: the browser asks for the page with GET, so that a reload sends nothing twice. */
export const goTo = (location: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  text: "",
  contentType: "text/plain; charset=utf-8",
  headers: { location },
  cookies,
});

/** A path of this server to go on to; whatever else is asked for, `otherwise`. */
export function ownPath(asked: string | undefined, otherwise: string): string {
  if (asked === undefined || asked.length > 500 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(asked)) return otherwise;
  return asked;
}

/** They have nothing to sign in to here. */
const FOR_CUSTOMERS = /^(?:rating|transcript)_link_invalid$/;

/** When a page cannot be shown at all. */
export function problemPage(error: ProblemError, requestId: string): string {
  return page(
    error.message,
    html`<h1>That did not work</h1>${notice(alertOf(error))}<p class="soft">Code <code>${error.code}</code>, request <code>${requestId}</code></p>${FOR_CUSTOMERS.test(error.code) ? undefined : html`<p><a href="/sign-in">Sign in</a></p>`}`,
    true,
  );
}
