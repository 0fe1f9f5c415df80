/** Becoming somebody: the first person with the terminal's code, all others with an invitation's link. */
import { z } from "@hono/zod-openapi";
import { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { FirstAdmin } from "../../../operators/first-admin.ts";
import type { OpenInvitation } from "../../../operators/invitations.ts";
import type { Operators } from "../../../operators/operators.ts";
import { html, type Markup } from "../html.ts";
import { type Answer, type Route, route } from "../route.ts";
import { alertOf, field, goTo, hidden, type Message, notice, pageAnswer } from "./page.ts";
import { EMAIL_CHARS } from "./sign-in-pages.ts";
import { aPage, refused } from "./sign-in-routes.ts";

const NAME_CHARS = 100;
const CODE_CHARS = 200;

const name = z
  .string()
  .max(NAME_CHARS)
  .transform((text) => text.replace(/\s+/g, " ").trim());
const password = z.string().max(LIMITS.passwordCharsMax + 100);

const nameField = (value = "", id = "name") =>
  field({
    name: "name",
    id,
    label: "Your name",
    value,
    autocomplete: "name",
    hint: "Your team sees it.",
    maxChars: NAME_CHARS,
  });
const newPasswordField = (label = "Password") =>
  field({
    name: "password",
    label,
    type: "password",
    autocomplete: "new-password",
    hint: `At least ${LIMITS.passwordCharsMin} characters. A few words in a row are easy to keep.`,
    maxChars: LIMITS.passwordCharsMax,
  });

export function joiningRoutes(operators: Operators, tenantName: (tenantId: string) => string): Route[] {
  return [
    ...(operators.firstAdmin === null ? [] : setupRoutes(operators, operators.firstAdmin)),
    ...invitationRoutes(operators, tenantName),
  ];
}

function setupPage(message?: Message, typed: { name?: string; email?: string; code?: string } = {}): Markup {
  return html`<h1>Set up</h1>
<p>You make yourself the first admin. Everybody else comes by your invitation.</p>
${notice(message)}
<form class="card" method="post" action="/setup">
${field({ name: "code", label: "Code from the server's terminal", isCode: true, value: typed.code ?? "", autocomplete: "off", autofocus: true, maxChars: 40 })}
${nameField(typed.name)}
${field({ name: "email", label: "Email", type: "email", value: typed.email ?? "", autocomplete: "username", maxChars: EMAIL_CHARS })}
${newPasswordField()}
<button class="wide">Set up and sign in</button>
</form>`;
}

function setupRoutes({ signIn }: Operators, firstAdmin: FirstAdmin): Route[] {
  const isDone = (): Answer =>
    pageAnswer(
      "Set up",
      html`<h1>Set up</h1>${notice({ kind: "done", title: "This server is set up already.", next: "Sign in, or ask an admin of your team for an invitation." })}<p><a class="button" href="/sign-in">Sign in</a></p>`,
      { status: 403 },
    );
  return [
    route(
      {
        method: "get",
        path: "/setup",
        access: "public",
        page: true,
        operationId: "setupPage",
        tag: "Signing in",
        summary: "The page to make the first admin on",
        answers: aPage,
      },
      async () => ((await firstAdmin.needed()) ? pageAnswer("Set up", setupPage()) : isDone()),
    ),
    route(
      {
        method: "post",
        path: "/setup",
        access: "public",
        page: true,
        operationId: "setUp",
        tag: "Signing in",
        summary: "Make the first admin, with the code that the server printed",
        form: z.object({ code: z.string().max(40), name, email: z.string().max(EMAIL_CHARS), password }),
        answers: { 303: { description: "Signed in; on to the second factor." }, ...aPage },
        problems: ["setup_unavailable", "password_weak", "sign_in_locked"],
      },
      async ({ form }) => {
        if (!(await firstAdmin.needed())) return isDone();
        return refused(
          async () => {
            checkWhole(form);
            await firstAdmin.make(form.code, form);
            const { cookies } = await signIn.signIn(form.email, form.password);
            return goTo("/account?done=joined", cookies);
          },
          (error) => pageAnswer("Set up", setupPage(alertOf(error), form), { status: error.status }),
        );
      },
    ),
  ];
}

/** @throws ProblemError `body_invalid` */
function checkWhole({ name: given, email }: { name: string; email?: string }): void {
  if (given === "") throw new ProblemError("body_invalid", "There is no name.", { next: "Write your name." });
  if (email !== undefined && !z.email().safeParse(email.trim()).success) {
    throw new ProblemError("body_invalid", "This is not an email address.", {
      next: "Write it as name@company.example.",
    });
  }
}

function invitationRoutes(operators: Operators, tenantName: (tenantId: string) => string): Route[] {
  const { invitations, signIn } = operators;
  const company = signIn.singleSignOn?.name ?? null;
  const show = (
    code: string,
    { kind, tenantId, email, role, known }: OpenInvitation,
    by: { readonly signedInAs: string | null; readonly message?: Message; readonly name?: string },
  ): Markup => {
    const team = tenantName(tenantId);
    const here = `/invitation?code=${encodeURIComponent(code)}`;
    const opening = html`<input type="hidden" name="code" value="${code}">`;
    if (kind === "reset") {
      return html`<h1>A new password</h1><p>For ${email}. Your second factor is removed with it; set it up again afterwards.</p>${notice(by.message)}
<form class="card" method="post" action="/invitation">${opening}
<input type="hidden" name="email" value="${email}" autocomplete="username">
${newPasswordField("New password")}<button class="wide">Set it</button></form>`;
    }
    const intro = html`<h1>Join ${team}</h1><p>You were invited as <strong>${role}</strong>, for the address ${email}.</p>${notice(by.message)}`;
    if (known && by.signedInAs === email) {
      return html`${intro}<form class="card" method="post" action="/invitation">${opening}<p>You are signed in as ${email}.</p><button class="wide">Join ${team}</button></form>`;
    }
    if (known && by.signedInAs !== null) {
      return html`${intro}<p>This address has an account here already, and you are signed in as ${by.signedInAs}. Sign out, then open the link again.</p><form method="post" action="/sign-out"><button>Sign out</button></form>`;
    }
    if (known) {
      return html`${intro}<p>This address has an account here already. Sign in with it; the invitation waits.</p><p><a class="button" href="/sign-in?to=${encodeURIComponent(here)}">Sign in</a></p>`;
    }
    return html`${intro}
<form class="card" method="post" action="/invitation">${opening}
${nameField(by.name)}
${field({ name: "email", label: "Email", type: "email", value: email, readonly: true, autocomplete: "username", maxChars: EMAIL_CHARS })}
${newPasswordField()}
<button class="wide">Join ${team}</button></form>
${
  company === null
    ? undefined
    : html`<form class="card" method="post" action="/invitation">${opening}<p>Or sign in with ${company} from now on, without a password here.</p>${nameField(by.name, "name-2")}${hidden("way", "company")}<button class="quiet wide">Join with ${company}</button></form>`
}`;
  };

  return [
    route(
      {
        method: "get",
        path: "/invitation",
        access: "public",
        page: true,
        operationId: "invitationPage",
        tag: "Signing in",
        summary: "The page that an invitation's link opens",
        query: z.object({ code: z.string().max(CODE_CHARS) }),
        answers: aPage,
        problems: ["invitation_invalid"],
      },
      async ({ query, header }) => {
        const open = await invitations.look(query.code);
        const session = await signIn.session(header("cookie"));
        return pageAnswer("Invitation", show(query.code, open, { signedInAs: session?.email ?? null }));
      },
    ),
    route(
      {
        method: "post",
        path: "/invitation",
        access: "public",
        page: true,
        operationId: "acceptInvitation",
        tag: "Signing in",
        summary: "Accept an invitation, once",
        form: z.object({
          code: z.string().max(CODE_CHARS),
          name: name.optional(),
          email: z.string().max(EMAIL_CHARS).optional(),
          password: password.optional(),
          way: z.literal("company").optional(),
        }),
        answers: { 303: { description: "Joined; the browser goes on." }, ...aPage },
        problems: ["invitation_invalid", "password_weak"],
      },
      async ({ form, header }) => {
        const open = await invitations.look(form.code);
        const session = await signIn.session(header("cookie"));
        const typed = form.name ?? "";
        return refused(
          async () => {
            const byCompany = form.way === "company" && company !== null;
            const isNew = open.kind === "join" && !open.known;
            if (isNew) checkWhole({ name: typed });
            // Whoever has an account joins as who they are.
            const withPassword = open.kind === "reset" || (isNew && !byCompany);
            if (withPassword && form.password === undefined)
              throw new ProblemError("password_weak", "There is none.");
            const { email } = await invitations.accept(form.code, {
              name: typed,
              password: withPassword ? (form.password ?? "") : null,
              signedIn: session?.personId ?? null,
            });
            if (!withPassword) return goTo(open.known ? "/account?done=joined" : "/sign-in/company");
            const { cookies } = await signIn.signIn(email, form.password ?? "");
            return goTo(open.kind === "reset" ? "/account?done=password" : "/account?done=joined", cookies);
          },
          (error) =>
            error.code === "invitation_invalid"
              ? Promise.reject(error)
              : pageAnswer(
                  "Invitation",
                  show(form.code, open, {
                    signedInAs: session?.email ?? null,
                    message: alertOf(error),
                    name: typed,
                  }),
                  { status: error.status },
                ),
        );
      },
    ),
  ];
}
