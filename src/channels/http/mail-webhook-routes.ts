/** What mail providers post: mails that came in, and what became of those that we sent. */
import { z } from "@hono/zod-openapi";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { MailWebhooks } from "../email/providers/webhooks.ts";
import { parseJson } from "./body.ts";
import { type Route, route } from "./route.ts";

const taken = z
  .object({ outcome: z.enum(["kept", "noted", "ignored"]) })
  .openapi("MailWebhookTaken", { description: "`kept`: a mail; `noted`: a bounce or a complaint." });

export function mailWebhookRoutes(webhooks: MailWebhooks): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/webhooks/mailgun/mime",
        access: "signature",
        operationId: "mailgunMail",
        tag: "Webhooks",
        summary: "Take a mail from Mailgun",
        description: `A route's \`forward()\` to this address posts the mail's MIME. Verified by its signature over timestamp and token; a token is good for one content; the same content again changes nothing. 200 once it is kept; 406 for what can never be taken, so that Mailgun stops; for everything else it comes again, for 8 hours. At most ${LIMITS.mailWebhookBytes} bytes.`,
        rawBodyBytes: LIMITS.mailWebhookBytes,
        bodyTooLarge: "mail_refused",
        rawBody: {
          contentType: "multipart/form-data",
          description: "Mailgun's form, or the same as application/x-www-form-urlencoded.",
        },
        answers: { 200: { description: "Kept.", schema: taken, example: { outcome: "kept" } } },
        problems: ["webhook_signature_invalid", "mail_refused"],
      },
      async ({ rawBody, header }) => ({
        status: 200,
        json: await webhooks.mailgunMail(header("content-type"), rawBody),
      }),
    ),
    route(
      {
        method: "post",
        path: "/webhooks/mailgun",
        access: "signature",
        operationId: "mailgunEvent",
        tag: "Webhooks",
        summary: "Take an event of Mailgun",
        description:
          "A permanent failure or a complaint of a mail that we sent stops its address; other events change nothing.",
        rawBodyBytes: LIMITS.webhookBytes,
        bodyTooLarge: "mail_refused",
        answers: { 200: { description: "Taken.", schema: taken, example: { outcome: "noted" } } },
        problems: ["webhook_signature_invalid", "mail_refused"],
      },
      async ({ rawBody }) => {
        const value = jsonOf(rawBody, "mail_refused");
        return { status: 200, json: await webhooks.mailgunEvent(value) };
      },
    ),
    route(
      {
        method: "post",
        path: "/webhooks/ses",
        access: "signature",
        operationId: "sesNotification",
        tag: "Webhooks",
        summary: "Take a message of Amazon SNS about mail",
        description:
          "Mails that SES received (with their content, or from its bucket in S3), bounces and complaints; a subscription of a known topic is confirmed. The topic, the certificate's address and the signature (versions 1 and 2) are checked before anything is fetched.",
        rawBodyBytes: LIMITS.mailSnsBytes,
        rawBody: { contentType: "text/plain", description: "SNS's message in JSON." },
        answers: { 200: { description: "Taken.", schema: taken, example: { outcome: "kept" } } },
        problems: [
          "webhook_payload_invalid",
          "webhook_signature_invalid",
          "mail_topic_unknown",
          "mail_source_unavailable",
        ],
      },
      async ({ rawBody }) => ({
        status: 200,
        json: await webhooks.ses(jsonOf(rawBody, "webhook_payload_invalid")),
      }),
    ),
  ];
}

function jsonOf(body: Buffer, code: "mail_refused" | "webhook_payload_invalid"): unknown {
  try {
    return parseJson(body, LIMITS.jsonDepth);
  } catch (cause) {
    throw new ProblemError(code, "The body is not JSON.", { cause });
  }
}
