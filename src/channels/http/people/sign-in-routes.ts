/**
 * Signing in and out: pages with forms, no script. The cookie that they set is what the console and the operators'
 * API know somebody by.
 */
import { z } from "@hono/zod-openapi";
import { ProblemError } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Operators } from "../../../operators/operators.ts";
import type { ServerState } from "../guard.ts";
import { type Answer, type Route, route } from "../route.ts";
import { alertOf, goTo, ownPath, pageAnswer } from "./page.ts";
import { CODE_CHARS, codePage, EMAIL_CHARS, signedOutPage, signInPage } from "./sign-in-pages.ts";

const toField = z.string().max(500).optional();
export const aPage = { 200: { description: "A page.", contentType: "text/html" } } as const;
const aForm = {
  303: { description: "It is done; the browser goes on." },
  401: { description: "The form again, with what was wrong.", contentType: "text/html" },
} as const;

export function signInRoutes(operators: Operators, state: ServerState, home: string): Route[] {
  const { signIn, demoTeam, firstAdmin } = operators;
  const company = signIn.singleSignOn;
  const form = async (
    parts: Omit<Parameters<typeof signInPage>[0], "company" | "demo" | "setupNeeded">,
    status = 200,
  ): Promise<Answer> =>
    pageAnswer(
      "Sign in",
      signInPage({
        ...parts,
        company: company?.name ?? null,
        demo: demoTeam?.people ?? [],
        setupNeeded: firstAdmin !== null && (await firstAdmin.needed()),
      }),
      { status },
    );

  return [
    route(
      {
        method: "get",
        path: "/sign-in",
        access: "public",
        page: true,
        operationId: "signInPage",
        tag: "Signing in",
        summary: "The page to sign in on",
        query: z.object({ to: toField }),
        answers: aPage,
      },
      async ({ query, header }) => {
        const to = ownPath(query.to, home);
        const session = await signIn.session(header("cookie"));
        return session === null ? form({ to }) : goTo(to, session.cookies);
      },
    ),
    route(
      {
        method: "post",
        path: "/sign-in",
        access: "public",
        page: true,
        operationId: "signIn",
        tag: "Signing in",
        summary: "Sign in with email and password",
        form: z.object({
          email: z.string().max(EMAIL_CHARS),
          password: z.string().max(LIMITS.passwordCharsMax),
          to: toField,
        }),
        answers: aForm,
        problems: ["sign_in_failed", "sign_in_locked"],
      },
      async ({ form: { email, password, to: asked }, header }) => {
        const to = ownPath(asked, home);
        return refused(
          async () => {
            const { next, cookies } = await signIn.signIn(email, password);
            // Who signs in again on this browser leaves no session behind.
            if ((await signIn.session(header("cookie"))) !== null) await signIn.signOut(header("cookie"));
            return next === "done"
              ? goTo(to, cookies)
              : goTo(`/sign-in/code?to=${encodeURIComponent(to)}`, cookies);
          },
          (error) => form({ to, email, message: alertOf(error) }, error.status),
        );
      },
    ),
    route(
      {
        method: "get",
        path: "/sign-in/code",
        access: "public",
        page: true,
        operationId: "codePage",
        tag: "Signing in",
        summary: "The page for the second factor",
        query: z.object({ to: toField }),
        answers: aPage,
      },
      ({ query }) => pageAnswer("Your second factor", codePage(ownPath(query.to, home))),
    ),
    route(
      {
        method: "post",
        path: "/sign-in/code",
        access: "public",
        page: true,
        operationId: "enterCode",
        tag: "Signing in",
        summary: "Sign in with a code, after the password",
        form: z.object({ code: z.string().max(CODE_CHARS), to: toField }),
        answers: aForm,
        problems: ["sign_in_failed", "sign_in_locked", "session_ended"],
      },
      async ({ form: { code, to: asked }, header }) => {
        const to = ownPath(asked, home);
        return refused(
          async () => goTo(to, await signIn.secondFactor(header("cookie"), code)),
          (error) =>
            error.code === "session_ended"
              ? form({ to, message: alertOf(error) }, error.status)
              : pageAnswer("Your second factor", codePage(to, alertOf(error)), { status: error.status }),
        );
      },
    ),
    route(
      {
        method: "post",
        path: "/sign-out",
        access: "public",
        page: true,
        operationId: "signOut",
        tag: "Signing in",
        summary: "End this session",
        form: z.object({}),
        answers: aPage,
      },
      async ({ header }) =>
        pageAnswer("Signed out", signedOutPage(), { cookies: await signIn.signOut(header("cookie")) }),
    ),
    ...(company === null
      ? []
      : [
          route(
            {
              method: "get",
              path: "/sign-in/company",
              access: "public",
              page: true,
              operationId: "signInAtCompany",
              tag: "Signing in",
              summary: "Go to the company's identity provider",
              answers: { 303: { description: "To the provider." } },
              problems: ["identity_unavailable"],
            },
            async () => {
              const { url, cookies } = await company.begin();
              return goTo(url, cookies);
            },
          ),
          route(
            {
              method: "get",
              path: "/auth/callback/sso",
              access: "public",
              page: true,
              operationId: "companyCallback",
              tag: "Signing in",
              summary: "Come back from the company's identity provider",
              query: z.object({
                code: z.string().max(4_000).optional(),
                state: z.string().max(1_000).optional(),
                error: z.string().max(500).optional(),
                iss: z.string().max(500).optional(),
              }),
              answers: aForm,
              problems: ["sign_in_failed"],
            },
            async ({ query, header }) => {
              const url = new URL("/auth/callback/sso", state.baseUrl);
              for (const [name, value] of Object.entries(query)) {
                if (value !== undefined) url.searchParams.set(name, value);
              }
              return refused(
                async () => goTo(home, await company.finish(url.href, header("cookie"))),
                (error) => form({ to: home, message: alertOf(error) }, error.status),
              );
            },
          ),
        ]),
    ...(demoTeam === null
      ? []
      : [
          route(
            {
              method: "post",
              path: "/demo/sign-in",
              access: "public",
              page: true,
              operationId: "demoSignIn",
              tag: "Signing in",
              summary: "Become somebody of the demo's teams",
              description: "Exists in the demo only.",
              form: z.object({ person: z.string().max(200), to: toField }),
              answers: aForm,
              problems: ["not_found"],
            },
            async ({ form: { person, to } }) => {
              const cookies = await demoTeam.signIn(person);
              if (cookies === null) throw new ProblemError("not_found", "The demo has no such person.");
              return goTo(ownPath(to, home), cookies);
            },
          ),
        ]),
  ];
}

/** What a person can put right is shown in the form; anything else is the guard's. */
export async function refused(
  work: () => Promise<Answer>,
  show: (error: ProblemError) => Promise<Answer> | Answer,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status >= 500) throw error;
    return show(error);
  }
}
