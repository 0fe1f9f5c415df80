/** How a conversation looks as a mail, and the mail that asks first: plain text, and the same as simple HTML. Pure. */
import type { Language } from "../../kernel/language.ts";
import { wordsOf } from "../../wording/words.ts";
import type { MailTenant } from "./addresses.ts";
import { OWN_MARK } from "./automatic.ts";
import { escaped, type RenderedMail } from "./rendering.ts";

export interface TranscriptToRender {
  readonly tenant: MailTenant;
  readonly to: string;
  readonly messageId: string;
  readonly conversationId: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly messages: readonly { readonly atMs: number; readonly author: string; readonly text: string }[];
}

export function renderTranscript(it: TranscriptToRender): RenderedMail {
  const { tenant, language, messages } = it;
  const words = wordsOf(language).frame.mail.transcript;
  const at = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: it.timeZone,
  });
  const said = messages.map(({ atMs, author, text }) => ({
    head: `${author === "customer" ? words.you : author === "operator" ? tenant.name : words.assistant} · ${at.format(atMs)}`,
    text: text.trim(),
  }));
  const subject = words.subject(tenant.name);
  const blocks = said.map(
    ({ head, text }) =>
      `<p style="margin:0;font-size:13px;color:#5a6570">${escaped(head)}</p><p dir="auto" style="margin:0 0 16px">${escaped(text).replaceAll("\n", "<br>")}</p>`,
  );
  return mailOf(it, subject, {
    text: [subject, ...said.map(({ head, text }) => `${head}\n${text}`)],
    html: [`<h1 style="margin:0 0 16px;font-size:18px">${escaped(subject)}</h1>`, ...blocks],
  });
}

export type TranscriptToAsk = Omit<TranscriptToRender, "timeZone" | "messages"> & {
  /** The page that has the copy sent. */
  readonly url: string;
};

/** Nothing that a visitor wrote is in it: it may reach somebody who never heard of them. */
export function renderTranscriptAsk(it: TranscriptToAsk): RenderedMail {
  const { name } = it.tenant;
  const { asking } = wordsOf(it.language).frame.mail.transcript;
  return mailOf(it, asking.subject(name), {
    text: [asking.text(name), `${asking.confirm}:\n${it.url}`],
    html: [
      `<p style="margin:0 0 16px">${escaped(asking.text(name))}</p>`,
      `<p style="margin:0 0 16px"><a href="${escaped(it.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f5f4a;color:#ffffff;text-decoration:none">${escaped(asking.confirm)}</a></p>`,
    ],
  });
}

function mailOf(
  it: Omit<TranscriptToRender, "timeZone" | "messages">,
  subject: string,
  { text, html }: { readonly text: readonly string[]; readonly html: readonly string[] },
): RenderedMail {
  const { tenant, language } = it;
  return {
    messageId: it.messageId,
    from: { name: tenant.name, address: tenant.address },
    replyTo: tenant.address,
    envelopeFrom: tenant.address,
    to: it.to,
    subject,
    text: `${[...text, `-- \n${tenant.name}`].join("\n\n")}\n`,
    html: [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>`,
      '<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:600px">',
      ...html,
      "</div></body></html>",
    ].join(""),
    inReplyTo: null,
    references: [],
    headers: {
      [OWN_MARK]: it.conversationId,
      // RFC 3834: a program sent it; other programs leave it alone.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
    },
  };
}
