/** The areas' fields in words. A field that is new on the server is shown by its name. Pure. */
import type { Area } from "../../api/team.ts";

export const AREA_TITLES: Readonly<Record<string, string>> = {
  hours: "Opening hours",
  escalation: "When a person takes over",
  answers: "What answers may contain",
  reviews: "How reviews are worked",
  conversations: "How conversations end",
  sign_in: "Sign-in",
};

interface Words {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: readonly string[];
  /** A number that may be left out: empty is none. */
  readonly isNumberOrNone?: true;
}
const WORDS: Readonly<Record<string, Words>> = {
  "escalation.sentiment": { label: "Very unhappy below", hint: "From −1 to 1." },
  "escalation.falling_by": { label: "Mood falls by at least", hint: "From 0 to 2." },
  "escalation.falling_messages": { label: "… within messages", hint: "From 2 to 10." },
  "escalation.falling_below": { label: "… and ends below", hint: "From −1 to 1." },
  "escalation.high_value_lifetime_spend": {
    label: "Valued customer from",
    hint: "Spent in all, in the tenant's currency.",
  },
  "escalation.stalled_calls": {
    label: "Look-ups in a row without anything new",
    hint: "From 1 to 7; after one more a person takes over.",
  },
  "answers.link_hosts": { label: "Hosts that may be linked", hint: "One a line, such as shop.example." },
  "answers.contacts": { label: "Contacts that may be told", hint: "One a line." },
  "answers.ai_disclosure": { label: "Say that an AI writes" },
  "reviews.sla_minutes.approval": { label: "Approvals decided within", hint: "Minutes of opening hours." },
  "reviews.sla_minutes.handoff": { label: "Handoffs taken within", hint: "Minutes of opening hours." },
  "reviews.sla_minutes.uncertain": {
    label: "Uncertain outcomes settled within",
    hint: "Minutes of opening hours.",
  },
  "reviews.undo_seconds": { label: "Decisions can be taken back for", hint: "Seconds, at most 60." },
  "reviews.second_limit": {
    label: "Two people above",
    hint: "An amount such as 500.00; empty: one is enough.",
  },
  "conversations.end_after_hours": {
    label: "End by themselves after hours of silence",
    hint: "Then the chat asks for a rating. Empty: never. A message opens one again.",
    isNumberOrNone: true,
  },
  "sign_in.second_factor": {
    label: "Second factor",
    hint: "Required: who signs in with a password sets one up before anything else.",
    choices: ["optional", "required"],
  },
};

export interface AreaField extends Words {
  readonly path: readonly string[];
}
type Values = Readonly<Record<string, unknown>>;
const isGroup = (value: unknown): value is Values =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export function fieldsOf({ area, value }: Area): readonly AreaField[] {
  const walk = (inner: Values, path: readonly string[]): AreaField[] =>
    Object.entries(inner).flatMap(([name, each]) => {
      const here = [...path, name];
      if (isGroup(each)) return walk(each, here);
      return [
        {
          ...(WORDS[[area, ...here].join(".")] ?? { label: here.join(" ").replaceAll("_", " ") }),
          path: here,
        },
      ];
    });
  return walk(value, []);
}

export const at = (value: Values, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isGroup(inner) ? inner[name] : undefined), value);

/** The same with another value at the path. */
export function withValue(value: Values, [name, ...rest]: readonly string[], next: unknown): Values {
  if (name === undefined) return value;
  const inner = value[name];
  return { ...value, [name]: rest.length === 0 ? next : withValue(isGroup(inner) ? inner : {}, rest, next) };
}
