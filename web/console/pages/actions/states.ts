/** An action's states and verdicts in words, and how good or bad each is. */
import type { ActionState, Verdict } from "../../api/records.ts";
import type { Tone } from "../../parts/base.tsx";

const TEXTS: Readonly<Record<ActionState, string>> = {
  denied: "Denied",
  awaiting_approval: "Awaits approval",
  rejected: "Rejected",
  expired: "Expired",
  scheduled: "Scheduled",
  cancelled: "Cancelled",
  executing: "Being sent",
  pending: "Pending",
  unknown: "Outcome unknown",
  needs_person: "Needs a person",
  succeeded: "Confirmed",
  failed: "Failed",
};
export const stateText = (state: string): string =>
  (TEXTS as Readonly<Record<string, string>>)[state] ?? state.replaceAll("_", " ");

export const STATE_TONES: Readonly<Record<ActionState, Tone>> = {
  denied: "plain",
  awaiting_approval: "accent",
  rejected: "plain",
  expired: "plain",
  scheduled: "accent",
  cancelled: "plain",
  executing: "accent",
  pending: "accent",
  unknown: "warn",
  needs_person: "warn",
  succeeded: "good",
  failed: "bad",
};

export const VERDICTS: Readonly<Record<Verdict["decision"], { text: string; tone: Tone }>> = {
  allow: { text: "Allowed", tone: "good" },
  needs_approval: { text: "Needs approval", tone: "warn" },
  deny: { text: "Denied", tone: "bad" },
};
