/** Mails that got no answer, and mails of ours that did not arrive, as `/v1/operator/mails` has them. */
import { ask } from "./client.ts";

export const VERDICTS = [
  "automatic",
  "bounce",
  "own",
  "unauthentic",
  "too_many",
  "unreadable",
  "too_large",
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface UnansweredMail {
  readonly mail_id: string;
  readonly verdict: Verdict;
  readonly why: string;
  readonly address: string;
  readonly subject: string;
  readonly text: string;
  readonly bytes: number;
  readonly conversation_id: string | null;
  readonly at: string;
  readonly handled_at: string | null;
  readonly handled_by: string | null;
}

export interface UnsentMail {
  readonly mail_id: string;
  readonly state: "failed" | "unknown" | "bounced" | "suppressed";
  readonly address: string;
  readonly conversation_id: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly at: string;
}

export interface MailFilter {
  readonly verdict?: string;
  readonly handled?: string;
}

export const mailPage = (filter: MailFilter, cursor: string | null, signal: AbortSignal) =>
  ask<{ mails: UnansweredMail[]; next_cursor: string | null }>("/v1/operator/mails", {
    query: { ...filter, cursor },
    signal,
  });
export const unsentMails = (signal: AbortSignal) =>
  ask<{ mails: UnsentMail[] }>("/v1/operator/mails/unsent", { signal });
export const handleMail = (id: string) =>
  ask<UnansweredMail>(`/v1/operator/mails/${encodeURIComponent(id)}/handled`, { method: "POST" });
