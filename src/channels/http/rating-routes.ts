/** A conversation rated by a link: the link for whoever sends it, and the page that it opens. */
import { z } from "@hono/zod-openapi";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Language } from "../../kernel/language.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { customerScope, tenantScope } from "../../kernel/scope.ts";
import { storableText } from "../../kernel/text.ts";
import { wordsOf } from "../../wording/words.ts";
import type { ServerState } from "./guard.ts";
import { html, type Markup } from "./html.ts";
import type { HttpParts } from "./parts.ts";
import { pageAnswer } from "./people/page.ts";
import type { RatingLinks } from "./rating-links.ts";
import { type Route, route } from "./route.ts";
import * as shapes from "./schemas.ts";
import { EXAMPLE } from "./schemas.ts";

const SCORES = [1, 2, 3, 4, 5] as const;
const linkParams = z.object({ token: z.string().max(LIMITS.tokenBytes) });
const ratingLink = z.object({ url: z.string(), expires_at: z.iso.datetime() }).openapi("RatingLink");
const ratingForm = z.strictObject({
  score: z.enum(["1", "2", "3", "4", "5"]).transform(Number),
  comment: z.string().max(LIMITS.noteChars).transform(storableText).optional(),
});

export function ratingRoutes(
  { conversations, tenantName }: HttpParts,
  links: RatingLinks,
  state: ServerState,
): Route[] {
  /** @throws ProblemError `rating_link_invalid` */
  const opened = async (token: string) => {
    const link = await links.read(token);
    if (link === null) throw new ProblemError("rating_link_invalid");
    const { tenantId, conversationId, sinceSeq } = link;
    try {
      const rated = await conversations.ratingState(tenantScope(tenantId), conversationId, sinceSeq);
      return { tenantId, conversationId, rated };
    } catch (error) {
      if (error instanceof ProblemError && error.code === "not_found") {
        throw new ProblemError("rating_link_invalid");
      }
      throw error;
    }
  };
  const answer = (tenantId: TenantId, language: Language, body: Markup) =>
    pageAnswer(wordsOf(language).frame.rating.ask, body, {
      shop: { name: tenantName?.(tenantId) ?? tenantId, language },
    });

  return [
    route(
      {
        method: "post",
        path: "/v1/operator/conversations/{conversation_id}/rating-link",
        access: "operator",
        permission: "conversations.reply",
        operationId: "makeRatingLink",
        tag: "Operators",
        summary: "Make a link by which the customer rates a conversation that has ended",
        description:
          "For a message of yours to the customer. It is good for one rating of how the conversation ended, and for nothing else. Who has the link can rate: send it to the customer only.",
        params: shapes.conversationParams,
        answers: {
          201: {
            description: "The link.",
            schema: ratingLink,
            example: { url: "https://support.example/rate/eyJhbGciOiJIUzI1NiJ9", expires_at: EXAMPLE.at },
          },
        },
        problems: ["csat_already_given", "conversation_not_ended"],
      },
      async ({ operator, params }) => {
        const { tenantId } = operator.scope;
        const { score, status, sinceSeq } = await conversations.ratingState(
          operator.scope,
          params.conversation_id,
        );
        if (score !== null) throw new ProblemError("csat_already_given");
        if (status !== "resolved") throw new ProblemError("conversation_not_ended");
        const { token, expiresAtMs } = await links.mint(tenantId, params.conversation_id as never, sinceSeq);
        return {
          status: 201,
          json: { url: `${state.baseUrl}/rate/${token}`, expires_at: isoInstant(expiresAtMs) },
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/rate/{token}",
        access: "public",
        operationId: "ratingPage",
        tag: "Pages",
        summary: "The page that a rating link opens",
        page: true,
        params: linkParams,
        answers: { 200: { description: "A page.", contentType: "text/html" } },
        problems: ["rating_link_invalid"],
      },
      async ({ params }) => {
        const { tenantId, rated } = await opened(params.token);
        const { language, score } = rated;
        return answer(tenantId, language, score === null ? ask(language) : told(language, "given"));
      },
    ),
    route(
      {
        method: "post",
        path: "/rate/{token}",
        access: "public",
        operationId: "rateByLink",
        tag: "Pages",
        summary: "Rate by a link, once, how a conversation ended",
        page: true,
        params: linkParams,
        form: ratingForm,
        formLimit: "link",
        answers: { 200: { description: "A page.", contentType: "text/html" } },
        problems: ["rating_link_invalid"],
      },
      async ({ params, form }) => {
        const { tenantId, conversationId, rated } = await opened(params.token);
        const comment = form.comment === undefined || form.comment.trim() === "" ? null : form.comment;
        try {
          await conversations.rate(customerScope(tenantId, rated.customerId), conversationId, {
            score: form.score,
            comment,
            givenBy: "link",
            sinceSeq: rated.sinceSeq,
          });
          return answer(tenantId, rated.language, told(rated.language, "thanks"));
        } catch (error) {
          if (!(error instanceof ProblemError) || error.code !== "csat_already_given") throw error;
          return answer(tenantId, rated.language, told(rated.language, "given"));
        }
      },
    ),
  ];
}

const told = (language: Language, what: "thanks" | "given"): Markup =>
  html`<h1>${wordsOf(language).frame.rating[what]}</h1>`;

/** Works without scripts; the form goes to the address it came from. */
function ask(language: Language): Markup {
  const { rating } = wordsOf(language).frame;
  return html`<h1>${rating.ask}</h1>
<form class="card" method="post">
<fieldset class="scores"><legend>${rating.scale}</legend>${SCORES.map(
    (score) =>
      html`<label><input type="radio" name="score" value="${score}" required><span>${score}</span></label>`,
  )}</fieldset>
<label for="comment">${rating.comment}</label><textarea id="comment" name="comment" rows="4" maxlength="${LIMITS.noteChars}"></textarea>
<button class="wide">${rating.send}</button>
</form>`;
}
