/** How an answer looks as a mail: plain text, and the same as simple HTML. Pure. */
import type { Citation } from "../../agents/agent.ts";
import type { Language } from "../../kernel/language.ts";
import { wordsOf } from "../../wording/words.ts";
import { type MailTenant, replyAddress } from "./addresses.ts";
import { OWN_MARK } from "./automatic.ts";

/** Everything that is sent, fixed before the first try. */
export interface RenderedMail {
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string;
  /** Where a bounce goes: it says which conversation it is of. */
  readonly envelopeFrom: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface ToRender {
  readonly secret: string;
  readonly tenant: MailTenant;
  readonly conversationId: string;
  /** Of the last event in it: the same answer is the same Message-ID. */
  readonly seq: number;
  readonly language: Language;
  readonly thread: {
    readonly address: string;
    readonly subject: string;
    readonly replyRef: string;
    readonly messageIds: readonly string[];
  };
  readonly messages: readonly {
    readonly author: "agent" | "operator";
    readonly text: string;
    readonly citations: readonly Citation[];
  }[];
  /** The page that confirms who they are, where the answer asks for that. */
  readonly confirmUrl: string | null;
}

export function renderMail(it: ToRender): RenderedMail {
  const { tenant, thread, language } = it;
  const words = wordsOf(language).frame.mail;
  const domain = tenant.address.split("@")[1] ?? "";
  const replyTo = replyAddress(it.secret, tenant, thread.replyRef);
  const paragraphs = it.messages.flatMap(({ text }) => text.split(/\n{2,}/)).map((text) => text.trim());
  const sources = [...new Set(it.messages.flatMap(({ citations }) => citations.map(sourceLine)))];
  const references = thread.messageIds.filter((id) => id !== "");
  const isByProgram = it.messages.every(({ author }) => author === "agent");
  const link = it.confirmUrl === null ? [] : [`${words.confirm}:\n${it.confirmUrl}`];
  const subject = thread.subject === "" ? words.noSubject(tenant.name) : thread.subject;
  return {
    messageId: `<${it.conversationId}.${it.seq}@${domain}>`,
    from: { name: tenant.name, address: tenant.address },
    replyTo,
    envelopeFrom: replyTo,
    to: thread.address,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text: `${[...paragraphs, ...link, ...sources, `-- \n${tenant.name}`].join("\n\n")}\n`,
    html: htmlOf(
      paragraphs,
      sources,
      it.confirmUrl === null ? null : [it.confirmUrl, words.confirm],
      tenant.name,
      language,
    ),
    inReplyTo: references.at(-1) ?? null,
    references,
    headers: {
      [OWN_MARK]: it.conversationId,
      // RFC 3834: a program answers; other programs leave it alone.
      ...(isByProgram ? { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" } : {}),
    },
  };
}

const sourceLine = ({ title, version, effectiveFrom }: Citation): string =>
  `§ ${title} (${[version, effectiveFrom].filter((part) => part !== undefined).join(", ")})`;

function htmlOf(
  paragraphs: readonly string[],
  sources: readonly string[],
  link: readonly [url: string, label: string] | null,
  shop: string,
  language: Language,
): string {
  const block = (text: string): string =>
    `<p style="margin:0 0 16px">${escaped(text).replaceAll("\n", "<br>")}</p>`;
  const button =
    link === null
      ? ""
      : `<p style="margin:0 0 16px"><a href="${escaped(link[0])}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f5f4a;color:#ffffff;text-decoration:none">${escaped(link[1])}</a></p>`;
  const small = sources.map(
    (text) => `<p style="margin:0 0 4px;font-size:13px;color:#5a6570">${escaped(text)}</p>`,
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>`,
    '<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:600px">',
    ...paragraphs.map(block),
    button,
    ...small,
    `<p style="margin:16px 0 0;font-size:13px;color:#5a6570">${escaped(shop)}</p></div></body></html>`,
  ].join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
