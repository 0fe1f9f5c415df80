/**
 * What customers of a load say. The shares are those of the evaluation of costs (`evals/cost/day.ts`), whose "other"
 * is two thirds questions about policy; an assumption, and printed with the result.
 */
import type { CrowdMember } from "../../sandbox/shop/crowd.ts";

export const INTENTS = ["order status", "return", "refund", "complaint", "policy", "other"] as const;
export type Intent = (typeof INTENTS)[number];

/** Of a hundred conversations. */
export const MIX: Readonly<Record<Intent, number>> = {
  "order status": 40,
  return: 12,
  refund: 10,
  complaint: 8,
  policy: 20,
  other: 10,
};
/** Conversations that are held by mail, of a hundred. */
export const MAIL_SHARE = 25;
/** Of a hundred questions about orders in a chat, those sent two at a time without waiting. */
const PAIRS_SHARE = 25;

/** What is sent at once; the next is sent when all of it has been answered. */
export type Exchange = readonly string[];

export interface Talk {
  readonly intent: Intent;
  readonly byMail: boolean;
  readonly member: CrowdMember;
  readonly exchanges: readonly Exchange[];
  /** Of two messages sent at once: what each answer must name, in this order. */
  readonly namedInOrder: readonly [string, string] | null;
}

type Chance = () => number;

export function nextTalk(member: CrowdMember, chance: Chance): Talk {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const intent = intentAt(chance() * 100);
  const byMail = chance() * 100 < MAIL_SHARE;
  if (intent === "order status" && !byMail && chance() * 100 < PAIRS_SHARE) {
    const [first, second] = [member.underWay, member.returnable];
    return {
      intent,
      byMail,
      member,
      exchanges: [[`Where is my order ${first}?`, `And where is my order ${second}?`]],
      namedInOrder: [first, second],
    };
  }
  return { intent, byMail, member, exchanges: WORDS[intent](member, pick), namedInOrder: null };
}

function intentAt(hundredth: number): Intent {
  let sum = 0;
  for (const intent of INTENTS) {
    sum += MIX[intent];
    if (hundredth < sum) return intent;
  }
  return "other";
}

const WORDS: Readonly<
  Record<Intent, (member: CrowdMember, pick: <T>(list: readonly T[]) => T) => Exchange[]>
> = {
  "order status": (member, pick) => [
    [pick([`Where is my order ${member.underWay}?`, `When will order ${member.underWay} arrive?`])],
    ...pick([[], [[`And order ${member.returnable}, where is that one?`]]]),
  ],
  return: (member) => [[`I want to return order ${member.returnable}, it is too small`], ["yes"]],
  refund: (member, pick) => [
    [pick([`I want a refund for order ${member.refundable}`, `Please refund order ${member.refundable}`])],
    ["yes"],
    ...pick([[], [["where is my refund?"]]]),
  ],
  complaint: (member, pick) => [
    [
      pick([
        "This is terrible service, I want to speak to a manager!",
        "Let me talk to a real person please",
        `I want a refund for order ${member.old} and I will call my lawyer if you refuse`,
      ]),
    ],
  ],
  policy: (_, pick) => [
    [
      pick([
        "What is your return policy?",
        "How many days do I have to return something?",
        "Can I return something that was on final sale?",
        "Do I get the shipping costs back?",
      ]),
    ],
    ...pick([[], [["And how long does a refund take?"]]]),
  ],
  other: (member, pick) => [
    [pick(["hi there", "thank you!", `Can you change the address of order ${member.underWay}?`])],
    ...pick([[], [["ok, thanks"]]]),
  ],
};

/** Messages of a conversation on average, to size a crowd. */
export const MESSAGES_PER_TALK = 1.6;
