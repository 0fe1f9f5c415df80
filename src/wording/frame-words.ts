/** What code says around answers: who writes, when people are there, why a person takes over, why not. */
import type { Language } from "../kernel/language.ts";

export interface FrameWords {
  /** The first words of a conversation. */
  disclosure(shop: string): string;
  /** When people are there. `until`, `from`: times of day such as `17:30`. */
  readonly hours: {
    open(until: string): string;
    later(from: string): string;
    /** `when` is made by `at`. */
    opens(when: string): string;
    /** `day`: tomorrow, or a date with its preposition. */
    at(day: string, time: string): string;
  };
  /** For somebody who writes again while a person has the conversation. */
  readonly waiting: string;
  /** By the reason of the handoff; each says that a colleague takes over. */
  readonly handoff: {
    readonly asked_for_person: string;
    readonly not_understood: string;
    readonly legal_or_safety: string;
    readonly policy_denied_contested: string;
    readonly complaint: string;
    readonly no_progress: string;
    readonly step_limit: string;
    readonly deadline: string;
    readonly agent_failed: string;
    readonly outcome_uncertain: string;
    readonly outside_scope: string;
    readonly low_confidence: string;
    readonly provider_unavailable: string;
    readonly model_unavailable: string;
    readonly safety_filter: string;
    readonly negative_sentiment: string;
  };
  /** The page that asks what a customer thinks of a conversation. */
  readonly rating: {
    readonly ask: string;
    /** Over the figures 1 to 5. */
    readonly scale: string;
    readonly comment: string;
    readonly send: string;
    readonly thanks: string;
    /** It was rated before. */
    readonly given: string;
  };
  /** What a person who takes over may begin with: a draft, which they change. */
  readonly takingOver: string;
  /** While a text that might not leave is written again; never in the log. */
  readonly anotherTry: string;
  /** The customer stopped a run. */
  readonly stopped: string;
  /** Instead of a claim that nothing confirms. */
  readonly nothingConfirmed: string;
  confirmed(ledgerText: string): string;
  /** The customer is not known well enough for what they ask: in a chat on the shop's pages, */
  readonly signIn: string;
  /** and in a mail, which has the link below it. */
  confirmByLink(minutes: number): string;
  /** Around an answer by mail, and on the page that its link opens. */
  readonly mail: {
    noSubject(shop: string): string;
    readonly confirm: string;
    ask(address: string): string;
    readonly confirmed: string;
    /** A conversation sent to who had it. */
    readonly transcript: {
      subject(shop: string): string;
      readonly you: string;
      readonly assistant: string;
      /** A mailbox that a visitor named is asked before the copy is sent there. */
      readonly asking: {
        subject(shop: string): string;
        text(shop: string): string;
        readonly confirm: string;
        /** On the page that the link opens. */
        page(address: string): string;
        readonly sent: string;
      };
    };
  };
  /** What holds whatever a policy says, by its name. */
  readonly standing: {
    readonly "no-clause-permits": string;
    readonly "evaluation-failed": string;
  };
  /** A clause in the language it was written in, where it has no translation. */
  clauseQuoted(text: string, inLanguage: string): string;
  /** `in English`, as it stands in a sentence. */
  readonly inLanguage: Readonly<Record<Language, string>>;
}
