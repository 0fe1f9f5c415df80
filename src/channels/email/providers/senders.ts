/**
 * Sending by Mailgun's and Amazon SES's HTTP interfaces, as MIME, so that a mail is what was rendered.
 *
 * Neither of them knows a mail that it has had before. So what may have been taken, and was not answered for, is
 * `unknown`, as by SMTP, and not sent again by itself. Both sign with DKIM themselves.
 */
import { z } from "zod";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Clock } from "../../../kernel/ports.ts";
import { mimeOf } from "../composing.ts";
import { MailRefused, MailUncertain, type SendMail } from "../mailer.ts";
import type { Fetch } from "./fetching.ts";
import { type AwsAccess, awsClient, awsTime } from "./s3.ts";

interface Parts {
  readonly clock: Clock;
  readonly fetch: Fetch;
}

/** `POST /v3/{domain}/messages.mime`; it keeps our Message-ID. */
export function createMailgunSender(
  parts: Parts & {
    /** `https://api.mailgun.net` or `https://api.eu.mailgun.net`. */
    readonly endpoint: string;
    readonly domain: string;
    readonly key: string;
  },
): SendMail {
  return async (mail) => {
    const form = new FormData();
    form.set("to", mail.to);
    form.set("message", new Blob([new Uint8Array(await mimeOf(mail))]), "message.mime");
    const request = new Request(`${parts.endpoint}/v3/${encodeURIComponent(parts.domain)}/messages.mime`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`api:${parts.key}`).toString("base64")}` },
      body: form,
    });
    const { status, text } = await handOver(parts, request);
    if (status === 200) return null;
    // 401 and 403 are ours to put right, 429 passes: only what is wrong with the mail is for good.
    if (status === 400 || status === 413) throw new MailRefused(`Mailgun answered ${status}: ${text}`, false);
    throw new Error(`Mailgun answered ${status}: ${text}`);
  };
}

/** `SendEmail` of version 2 with raw content. Amazon writes its own Message-ID over ours: it is answered with. */
export function createSesSender(
  parts: Parts & {
    readonly access: AwsAccess;
    /** `https://email.eu-west-1.amazonaws.com`. */
    readonly endpoint: string;
  },
): SendMail {
  const client = awsClient(parts.access, "ses");
  return async (mail) => {
    const request = await client.sign(`${parts.endpoint}/v2/email/outbound-emails`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        Destination: { ToAddresses: [mail.to] },
        Content: { Raw: { Data: (await mimeOf(mail)).toString("base64") } },
      }),
      aws: { datetime: awsTime(parts.clock) },
    });
    const { status, text, errorType } = await handOver(parts, request);
    if (status === 200) {
      const answer = sentShape.safeParse(parsed(text));
      return answer.success ? sesMessageId(answer.data.MessageId, parts.access.region) : null;
    }
    if (/^(?:MessageRejected|BadRequestException)\b/.test(errorType)) {
      throw new MailRefused(`SES answered ${status} ${errorType}: ${text}`, false);
    }
    throw new Error(`SES answered ${status} ${errorType}: ${text}`);
  };
}

const sentShape = z.object({ MessageId: z.string().regex(/^[\w-]{1,200}$/) });

/** As recipients see it. */
export const sesMessageId = (id: string, region: string): string =>
  `<${id}@${region === "us-east-1" ? "email" : region}.amazonses.com>`;

/** Rejects with a {@link MailUncertain} when the answer to a request that may have been taken did not come. */
async function handOver(
  { fetch, clock }: Parts,
  request: Request,
): Promise<{ status: number; text: string; errorType: string }> {
  const cut = new AbortController();
  const cancel = clock.after(LIMITS.mailSendMs, () => cut.abort(new Error("it took too long")));
  try {
    const response = await fetch(request, { redirect: "error", signal: cut.signal });
    const text = (await response.text()).slice(0, 300);
    return {
      status: response.status,
      text,
      errorType: response.headers.get("x-amzn-errortype") ?? "",
    };
  } catch (error) {
    // Nothing was sent where no connection came about.
    if (NOT_CONNECTED.has(String((error as { cause?: { code?: string } }).cause?.code))) throw error;
    throw new MailUncertain((error as Error).message);
  } finally {
    cancel();
  }
}

const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
