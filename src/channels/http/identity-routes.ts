/** The page that a one-time link opens: who looks at it has done nothing yet, so that a mail scanner does neither. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import { wordsOf } from "../../wording/words.ts";
import type { IdentityLinks } from "../email/email.ts";
import { html } from "./html.ts";
import type { HttpParts } from "./parts.ts";
import { pageAnswer } from "./people/page.ts";
import { type Route, route } from "./route.ts";

const linkParams = z.object({ token: z.string().max(LIMITS.tokenBytes) });

export function identityRoutes({ tenantName }: HttpParts, links: IdentityLinks): Route[] {
  const nameOf = (tenantId: string): string => tenantName?.(tenantId as never) ?? tenantId;
  return [
    route(
      {
        method: "get",
        path: "/confirm/{token}",
        access: "public",
        page: true,
        operationId: "identityPage",
        tag: "Pages",
        summary: "The page that a one-time link of a mail opens",
        params: linkParams,
        answers: { 200: { description: "A page.", contentType: "text/html" } },
        problems: ["link_invalid"],
      },
      async ({ params }) => {
        const { tenantId, language, address } = await links.look(params.token);
        const { ask, confirm } = wordsOf(language).frame.mail;
        return pageAnswer(
          nameOf(tenantId),
          html`<h1>${nameOf(tenantId)}</h1><p>${ask(address)}</p><form method="post"><button>${confirm}</button></form>`,
          { shop: { name: nameOf(tenantId), language } },
        );
      },
    ),
    route(
      {
        method: "post",
        path: "/confirm/{token}",
        access: "public",
        page: true,
        operationId: "confirmIdentity",
        tag: "Pages",
        summary: "Confirm by a one-time link that a mailbox is yours",
        params: linkParams,
        form: z.strictObject({}),
        formLimit: "link",
        answers: { 200: { description: "A page.", contentType: "text/html" } },
        problems: ["link_invalid", "conversation_busy", "shop_unavailable"],
      },
      async ({ params }) => {
        const { tenantId, language } = await links.confirm(params.token);
        const { confirmed } = wordsOf(language).frame.mail;
        return pageAnswer(
          nameOf(tenantId),
          html`<h1>${nameOf(tenantId)}</h1><p role="status">${confirmed}</p>`,
          { shop: { name: nameOf(tenantId), language } },
        );
      },
    ),
  ];
}
