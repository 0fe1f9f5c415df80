/** The pages of signing in. */

import { LIMITS } from "../../../kernel/limits.ts";
import type { DemoPerson } from "../../../operators/demo-team.ts";
import { html, type Markup } from "../html.ts";
import { field, hidden, type Message, notice } from "./page.ts";

export const EMAIL_CHARS = 254;
export const CODE_CHARS = 32;

export function signInPage(parts: {
  readonly to: string;
  readonly email?: string;
  readonly message?: Message;
  readonly company: string | null;
  readonly demo: readonly DemoPerson[];
  readonly setupNeeded: boolean;
}): Markup {
  const { to, email = "", company, demo } = parts;
  return html`<h1>Sign in</h1>
${notice(parts.message)}
${parts.setupNeeded ? html`<div class="done" role="status"><p><strong>Nobody works here yet.</strong></p><p>Whoever can see the server's terminal <a href="/setup">sets up the first person</a>.</p></div>` : undefined}
${demo.length === 0 ? undefined : demoPart(demo, to)}
<form class="card" method="post" action="/sign-in">
${hidden("to", to)}
${field({ name: "email", label: "Email", type: "email", value: email, autocomplete: "username", autofocus: demo.length === 0 && email === "", maxChars: EMAIL_CHARS })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", autofocus: email !== "", maxChars: LIMITS.passwordCharsMax })}
<button class="wide">Sign in</button>
${company === null ? undefined : html`<p class="or">or</p><a class="button quiet wide" href="/sign-in/company">Sign in with ${company}</a>`}
</form>
<p class="soft">No account? Ask an admin of your team for an invitation. Lost your password or your app? An admin sends you a new link.</p>`;
}

const ROLE_WORDS: Readonly<Record<string, string>> = {
  agent: "agent: decides reviews and answers customers",
  lead: "lead: also large amounts, documents, assignments",
  admin: "admin: also policy, people, keys, settings",
  auditor: "auditor: reads everything, changes nothing",
};

function demoPart(people: readonly DemoPerson[], to: string): Markup {
  const tenants = [...new Set(people.map(({ tenantName }) => tenantName))];
  return html`<p class="soft">This is the demo: become somebody with one click. Nothing here is real.</p>
${tenants.map((tenant) => {
  const team = people.filter(({ tenantName }) => tenantName === tenant);
  return html`<section class="card" aria-label="${tenant}"><h2>${tenant}</h2><div class="people">${team.map(
    (person) =>
      html`<form method="post" action="/demo/sign-in">${hidden("person", person.key)}${hidden("to", to)}<button class="quiet"><strong>${person.name}</strong> <span class="soft">${ROLE_WORDS[person.role] ?? person.role}</span></button></form>`,
  )}</div></section>`;
})}<p class="or">or with a password</p>`;
}

export function codePage(to: string, message?: Message): Markup {
  return html`<h1>Your second factor</h1>
${notice(message)}
<form class="card" method="post" action="/sign-in/code">
${hidden("to", to)}
${field({ name: "code", label: "Code", isCode: true, autocomplete: "one-time-code", autofocus: true, maxChars: CODE_CHARS, hint: "Six digits from your app. Without the app, one of your recovery codes." })}
<button class="wide">Go on</button>
</form>
<p><a href="/sign-in">Start again</a></p>`;
}

export function signedOutPage(): Markup {
  return html`<h1>Signed out</h1><p>This session has ended, on this device and everywhere its cookie may be.</p><p><a class="button" href="/sign-in">Sign in</a></p>`;
}
