/** Why a mail was not answered, and what a person can do, in words. */
import type { UnsentMail, Verdict } from "../../api/mails.ts";
import type { Tone } from "../../parts/base.tsx";

interface Words {
  readonly label: string;
  readonly tone: Tone;
  readonly todo: string;
}

export const RECEIVED: Readonly<Record<Verdict, Words>> = {
  automatic: {
    label: "From a program",
    tone: "plain",
    todo: "Usually nothing. If a person wrote it, write to them from your own mailbox.",
  },
  bounce: {
    label: "Bounce",
    tone: "warn",
    todo: "A mail of ours did not arrive. Look at its conversation, and reach the customer another way.",
  },
  own: { label: "Our own", tone: "plain", todo: "Nothing: it is a mail of this shop that came back." },
  unauthentic: {
    label: "Not from whom it says",
    tone: "bad",
    todo: "Do not answer it. Our mail server found that its sender's domain did not send it.",
  },
  too_many: {
    label: "Too many",
    tone: "warn",
    todo: "This address wrote more within an hour than a person does. Read it, and answer by hand if it is one.",
  },
  unreadable: {
    label: "Unreadable",
    tone: "warn",
    todo: "It has no text or no single author. Ask the sender from your own mailbox to write again.",
  },
  too_large: {
    label: "Too large",
    tone: "warn",
    todo: "Only its head was kept. Ask the sender to write again with smaller files.",
  },
};

export const UNSENT: Readonly<Record<UnsentMail["state"], Words>> = {
  failed: { label: "Failed", tone: "bad", todo: "It was refused, or could not be sent for a day." },
  unknown: {
    label: "Unknown",
    tone: "warn",
    todo: "The server broke off after it had all of it: it may have arrived. It is not sent again by itself.",
  },
  bounced: { label: "Bounced", tone: "bad", todo: "It came back." },
  suppressed: {
    label: "Not sent",
    tone: "plain",
    todo: "Nothing is sent to this address after a bounce or a complaint.",
  },
};
