/**
 * Mail that no person wrote to us. It is kept and never answered: two programs that answer each other do not stop.
 *
 * Sources: RFC 3834 (Auto-Submitted, and what an automatic answer may be sent to), RFC 3464 (delivery reports),
 * RFC 2919 and 2369 (lists), and what Exchange and older programs send instead. Pure.
 */
import { normalAddress } from "./addresses.ts";
import type { Envelope, ReceivedMail } from "./mail.ts";

export type Origin =
  | { readonly kind: "person" }
  | { readonly kind: "automatic" | "bounce" | "own"; readonly why: string };

/** Ours has it: a mail that comes back to us is no customer's. */
export const OWN_MARK = "x-recourse-conversation";

const ROBOTS =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo)(?:[+.-]|@)/;
const AWAY =
  /^(?:automatic reply|auto(?:matic)?[- ]?reply|out of (?:the )?office|automatische antwort|abwesenheits(?:notiz|nachricht)|réponse automatique|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|resposta automática)\b/iu;

export function originOf(mail: ReceivedMail, envelope: Envelope, own: readonly string[]): Origin {
  const { headers } = mail;
  const header = (name: string): string => (headers[name] ?? "").trim().toLowerCase();
  if (own.includes(mail.from) || header(OWN_MARK) !== "") return { kind: "own", why: "it is our own" };
  const isReport = /^multipart\/report\b/i.test(mail.contentType);
  if (isReport && /report-type="?delivery-status/i.test(mail.contentType)) {
    return { kind: "bounce", why: "a delivery report" };
  }
  if (/^mailer-daemon@/.test(mail.from)) return { kind: "bounce", why: "from a mailer daemon" };
  const automatic = (why: string): Origin => ({ kind: "automatic", why });
  const submitted = header("auto-submitted");
  if (submitted !== "" && !/^no\b/.test(submitted)) return automatic(`Auto-Submitted: ${submitted}`);
  if (/^(?:bulk|junk|list|auto_reply)$/.test(header("precedence"))) return automatic("Precedence");
  for (const name of [
    "list-id",
    "list-post",
    "list-unsubscribe",
    "x-autoreply",
    "x-autorespond",
    "x-auto-reply",
  ]) {
    if (header(name) !== "") return automatic(name);
  }
  if (/\b(?:all|oof|autoreply)\b/.test(header("x-auto-response-suppress"))) {
    return automatic("X-Auto-Response-Suppress");
  }
  if (normalAddress(envelope.from) === "") return automatic("no return path");
  if (isReport) return automatic("a report");
  if (ROBOTS.test(mail.from)) return automatic("an address that nobody reads");
  if (AWAY.test(mail.subject.trim())) return automatic("an absence notice");
  return { kind: "person" };
}
