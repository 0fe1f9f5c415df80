/** `/account`: what somebody changes of their own: password, second factor, sessions. */
import { z } from "@hono/zod-openapi";
import { renderSVG } from "uqr";
import type { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Workplace } from "../../../operators/access.ts";
import type { SecondFactorStart, Session, SessionEntry } from "../../../operators/identity/sign-in.ts";
import type { Operators } from "../../../operators/operators.ts";
import { html, type Markup } from "../html.ts";
import { type Answer, type Route, type RouteSpec, route } from "../route.ts";
import { alertOf, field, goTo, hidden, type Message, notice, pageAnswer } from "./page.ts";
import { CODE_CHARS, EMAIL_CHARS } from "./sign-in-pages.ts";
import { aPage, refused } from "./sign-in-routes.ts";

const DONE: Readonly<Record<string, Message>> = {
  joined: {
    kind: "done",
    title: "Welcome. You are signed in.",
    next: "Set up a second factor now: it takes a minute.",
  },
  password: { kind: "done", title: "The password is changed.", next: "All other sessions have ended." },
  factor: {
    kind: "done",
    title: "The second factor is set up.",
    next: "From now on you sign in with password and code.",
  },
  removed: { kind: "done", title: "The second factor is removed." },
  ended: { kind: "done", title: "The session has ended." },
};

const password = z.string().max(LIMITS.passwordCharsMax + 100);
/** For password managers only: who it is, the session says. */
const username = z.string().max(EMAIL_CHARS).optional();
const passwordField = (name: string, label: string) =>
  field({
    name,
    label,
    type: "password",
    autocomplete: name === "next" ? "new-password" : "current-password",
    maxChars: LIMITS.passwordCharsMax,
    ...(name === "next" ? { hint: `At least ${LIMITS.passwordCharsMin} characters.` } : {}),
  });

interface Account {
  readonly session: Session;
  readonly places: readonly (Workplace & { readonly tenantName: string })[];
  readonly sessions: readonly SessionEntry[];
  readonly home: string;
}

const when = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function accountPage({ session, places, sessions, home }: Account, message?: Message): Markup {
  // So that password managers know whose password it is.
  const username = html`<input class="unseen" type="text" name="username" value="${session.email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>`;
  return html`<h1>${session.name}</h1><p class="soft">${session.email}</p>
${notice(message)}
<section class="card" aria-labelledby="places"><h2 id="places">Where you work</h2>${
    places.length === 0
      ? html`<p>Nowhere at the moment. Ask an admin of your team.</p>`
      : html`<ul class="rows">${places.map(({ tenantName, role }) => html`<li><span>${tenantName}</span><span class="soft">${role}</span></li>`)}</ul>`
  }<form class="side" method="post" action="/sign-out">${home === "/account" ? undefined : html`<a class="button" href="${home}">Open the console</a>`}<button class="quiet">Sign out</button></form></section>
<section class="card" aria-labelledby="factor"><h2 id="factor">Second factor</h2>${
    session.hasSecondFactor
      ? html`<p>On: you sign in with password and a code of your app.</p><form method="post" action="/account/second-factor/remove">${username}${passwordField("password", "Your password")}<p><button class="danger">Remove it</button></p></form>`
      : html`<p>Off. With an app for codes (TOTP), a stolen password alone opens nothing.</p><form method="post" action="/account/second-factor">${username}${passwordField("password", "Your password")}<p><button>Set it up</button></p></form>`
  }</section>
<section class="card" aria-labelledby="change"><h2 id="change">Password</h2><form method="post" action="/account/password">${username}${passwordField("current", "Old password")}${passwordField("next", "New password")}<p class="hint">All other sessions end.</p><p><button>Change it</button></p></form></section>
<section class="card" aria-labelledby="sessions"><h2 id="sessions">Sessions</h2><ul class="rows">${sessions.map(
    (entry) =>
      html`<li><span>Since ${when(entry.startedAtMs)}${entry.sessionId === session.sessionId ? html`<br><strong>this session</strong>` : undefined}</span>${
        entry.sessionId === session.sessionId
          ? undefined
          : html`<form method="post" action="/account/sessions/end">${hidden("session", entry.sessionId)}<button class="quiet">End it</button></form>`
      }</li>`,
  )}</ul></section>`;
}

function startPage({ uri, secret, recoveryCodes }: SecondFactorStart): Markup {
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString("base64")}`;
  return html`<h1>Set up your app</h1>
<section class="card"><h2>1. Scan this, or type the key</h2>
<img class="qr" src="${picture}" alt="QR code with the key below" width="208" height="208">
<p><code>${(secret.match(/.{1,4}/g) ?? []).join(" ")}</code></p></section>
<section class="card"><h2>2. Keep these recovery codes</h2><p>Each opens one session when your app is gone. They are shown this once: put them where your passwords are.</p><ul class="codes">${recoveryCodes.map((code) => html`<li>${code}</li>`)}</ul></section>
${confirmForm()}`;
}

const confirmForm = (message?: Message): Markup =>
  html`${notice(message)}<form class="card" method="post" action="/account/second-factor/confirm"><h2>3. Enter the app's code</h2>${field({ name: "code", label: "Code", isCode: true, autocomplete: "one-time-code", maxChars: CODE_CHARS })}<button class="wide">Turn it on</button></form><p><a href="/account">Not now</a></p>`;

export function accountRoutes(
  operators: Operators,
  tenantName: (tenantId: string) => string,
  home: string,
): Route[] {
  const { signIn, access } = operators;
  const signedOut = (): Answer => goTo("/sign-in?to=/account");

  async function accountOf(session: Session): Promise<Account> {
    const [places, sessions] = await Promise.all([
      access.workplaces(session.personId),
      signIn.sessions(session.personId),
    ]);
    return {
      session,
      sessions,
      home,
      places: places.map((place) => ({ ...place, tenantName: tenantName(place.tenantId) })),
    };
  }
  const shown = async (session: Session, message?: Message, status = 200): Promise<Answer> =>
    pageAnswer("Your account", accountPage(await accountOf(session), message), {
      status,
      cookies: session.cookies,
    });

  /** A form of the page: done, or the page again with what was wrong. */
  async function changed(
    cookie: string | undefined,
    change: (session: Session) => Promise<Answer>,
    again?: (error: ProblemError) => Answer,
  ): Promise<Answer> {
    const session = await signIn.session(cookie);
    if (session === null) return signedOut();
    return refused(
      () => change(session),
      (error) => {
        if (error.code === "session_ended") return signedOut();
        return again?.(error) ?? shown(session, alertOf(error), error.status);
      },
    );
  }
  const spec = <const S extends Partial<RouteSpec>>(of: S) =>
    ({ method: "post", access: "public", page: true, tag: "Signing in", answers: aPage, ...of }) as const;

  return [
    route(
      {
        ...spec({}),
        method: "get",
        path: "/account",
        operationId: "accountPage",
        summary: "The page of one's own account",
        query: z.object({ done: z.string().max(20).optional() }),
      },
      async ({ query, header }) => {
        const session = await signIn.session(header("cookie"));
        return session === null ? signedOut() : shown(session, DONE[query.done ?? ""]);
      },
    ),
    route(
      {
        ...spec({}),
        path: "/account/password",
        operationId: "changePassword",
        summary: "Change one's password",
        form: z.object({ username, current: password, next: password }),
        problems: ["sign_in_failed", "sign_in_locked", "password_weak"],
      },
      ({ form: { current, next }, header }) =>
        changed(header("cookie"), async () =>
          goTo("/account?done=password", await signIn.changePassword(header("cookie"), current, next)),
        ),
    ),
    route(
      {
        ...spec({}),
        path: "/account/second-factor",
        operationId: "startSecondFactor",
        summary: "Begin to set up a second factor",
        form: z.object({ username, password }),
        problems: ["sign_in_failed", "sign_in_locked"],
      },
      ({ form, header }) =>
        changed(header("cookie"), async () =>
          pageAnswer(
            "Set up your app",
            startPage(await signIn.startSecondFactor(header("cookie"), form.password)),
          ),
        ),
    ),
    route(
      {
        ...spec({}),
        path: "/account/second-factor/confirm",
        operationId: "confirmSecondFactor",
        summary: "Turn the second factor on with a first code",
        form: z.object({ code: z.string().max(CODE_CHARS) }),
        problems: ["sign_in_failed"],
      },
      ({ form, header }) =>
        changed(
          header("cookie"),
          async () =>
            goTo("/account?done=factor", await signIn.confirmSecondFactor(header("cookie"), form.code)),
          (error) =>
            pageAnswer("Set up your app", html`<h1>Set up your app</h1>${confirmForm(alertOf(error))}`, {
              status: error.status,
            }),
        ),
    ),
    route(
      {
        ...spec({}),
        path: "/account/second-factor/remove",
        operationId: "removeSecondFactor",
        summary: "Remove one's second factor",
        form: z.object({ username, password }),
        problems: ["sign_in_failed", "sign_in_locked"],
      },
      ({ form, header }) =>
        changed(header("cookie"), async () =>
          goTo("/account?done=removed", await signIn.removeSecondFactor(header("cookie"), form.password)),
        ),
    ),
    route(
      {
        ...spec({}),
        path: "/account/sessions/end",
        operationId: "endSession",
        summary: "End another session of one's own",
        form: z.object({ session: z.string().max(100) }),
      },
      ({ form, header }) =>
        changed(header("cookie"), async ({ personId }) => {
          await signIn.endSession(personId, form.session);
          return goTo("/account?done=ended");
        }),
    ),
  ];
}
