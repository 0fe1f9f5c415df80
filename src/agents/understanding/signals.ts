/**
 * What can be known of a message by reading it, before anything is looked up: the shape that every
 * reader of messages shares. Signals are hints for routing and for people; none of them is an authority.
 */
import type { Language } from "../../kernel/language.ts";
import type { PersonalDataKind } from "../../safety/personal-data.ts";

/** What a message asks for, as the model was trained; `other` is all else, policy questions included. */
export const MESSAGE_INTENTS = [
  "order-status",
  "return-request",
  "refund-request",
  "complaint",
  "other",
] as const;
export type MessageIntent = (typeof MESSAGE_INTENTS)[number];

export interface MessageSignals {
  /** Every intent with its calibrated probability (0..1), most likely first. Several may be high. */
  readonly intents: readonly { readonly intent: MessageIntent; readonly confidence: number }[];
  /** False: below the threshold at which guessing is worse than asking. */
  readonly isSure: boolean;
  /** Of the customer towards the shop, -1 (furious) to 1 (delighted). */
  readonly sentiment: number;
  readonly threatensLegally: boolean;
  readonly wishesPerson: boolean;
  /** Null: too short or mixed to tell; keep the conversation's. `other`: none that we speak. */
  readonly language: Language | "other" | null;
  /** Order numbers as the customer gave them, without `#`, spaces removed, in order of appearance. */
  readonly orderReferences: readonly string[];
  readonly personalData: readonly PersonalDataKind[];
  /** The message tries to steer the assistant's rules or powers. Never a reason to refuse a right. */
  readonly injection: boolean;
}
