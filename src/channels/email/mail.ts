/** A mail as it was parsed: plain data, all of it untrusted. */
export interface ReceivedMail {
  /** With its angle brackets; empty when it has none. */
  readonly messageId: string;
  readonly references: readonly string[];
  /** Of `From`, lower case; empty when there is not exactly one. */
  readonly from: string;
  /** Of `Reply-To`, lower case; empty when there is not exactly one. A claim, as `from` is. */
  readonly replyTo: string;
  /** A form of the shop sent it: `from` is who filled it in, by what they typed. */
  readonly isForm: boolean;
  readonly subject: string;
  /** What its author wrote now: without quotes and signature. */
  readonly text: string;
  readonly fullText: string;
  /** Names in lower case, the first value of each, but for `authentication-results`. */
  readonly headers: Readonly<Record<string, string>>;
  /** All of them, the topmost first. */
  readonly authenticationResults: readonly string[];
  readonly contentType: string;
  readonly attachments: readonly MailAttachment[];
  /** It reports a failure that will not pass (RFC 3463: class 5). */
  readonly isHardFailure: boolean;
}

export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Of what may be a picture, and is not too large for one; null for everything else, which is noted and not kept. */
  readonly content: Uint8Array | null;
}

/** What the delivering server says: who it is from and for. */
export interface Envelope {
  /** Empty for a bounce. */
  readonly from: string;
  readonly to: readonly string[];
}
