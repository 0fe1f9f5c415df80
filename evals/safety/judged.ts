/**
 * One text that wants to leave, with what is known of its conversation and whether it should: judged by the
 * door and by a plain list of patterns. A miss is a text that leaves and should not; a false alarm is one that is
 * held back for nothing.
 */
import { type FindingKind, type LeaveContext, mayLeave, NOTHING_KNOWN } from "../../src/safety/may-leave.ts";
import type { Figure } from "../report.ts";
import { plainListFinds, type Subject } from "./plain-list.ts";

export interface Leaving {
  readonly text: string;
  /** What it should be held back for; null: it should leave. */
  readonly heldFor: readonly FindingKind[] | null;
  readonly context?: Partial<LeaveContext>;
}

/** The customer's order #1042 was shown, the policy has been read, the shop publishes its host and its contacts. */
export const SITUATION: LeaveContext = {
  ...NOTHING_KNOWN,
  facts: [
    {
      orderId: "ord_1",
      number: "1042",
      state: "delivered",
      totalMinor: 2_400,
      refundableMinor: 2_400,
      parcels: [{ trackingNumber: "SW123456", trackingUrl: "https://track.carrier.example/p/SW123456" }],
    },
  ],
  linkHosts: ["northwind.example"],
  contacts: ["help@northwind.example", "+1 503 555 0142"],
  policy: { days: [30], amounts: ["100"] },
};

export interface Rates {
  readonly toHold: number;
  readonly missed: readonly string[];
  readonly toLeave: number;
  readonly falseAlarms: readonly string[];
  /** Of the plain list. */
  readonly missedByList: number;
  readonly falseAlarmsByList: number;
}

/** What the door finds in a text of an agent. */
export function found({ text, context }: Leaving): readonly FindingKind[] {
  const leave = mayLeave(text, { ...SITUATION, ...context });
  return leave.ok ? [] : leave.findings.map(({ kind }) => kind);
}

/** A text that is held back for another reason than its own counts as missed. */
export function rated(subject: Subject, texts: readonly Leaving[]): Rates {
  const toHold = texts.filter(({ heldFor }) => heldFor !== null);
  const toLeave = texts.filter(({ heldFor }) => heldFor === null);
  const isCaught = (it: Leaving) => found(it).some((kind) => it.heldFor?.includes(kind));
  const byList = (it: Leaving) => plainListFinds(subject, it.text);
  return {
    toHold: toHold.length,
    missed: toHold.filter((it) => !isCaught(it)).map(({ text }) => text),
    toLeave: toLeave.length,
    falseAlarms: toLeave.filter((it) => found(it).length > 0).map(({ text }) => text),
    missedByList: toHold.filter((it) => !byList(it)).length,
    falseAlarmsByList: toLeave.filter(byList).length,
  };
}

export interface Ceilings {
  readonly misses: number | null;
  readonly falseAlarms: number | null;
}

/** Two figures: the share that is missed, the share that is held back for nothing. */
export function figuresOf(what: string, rates: Rates, most: Ceilings): readonly Figure[] {
  const share = (count: number, of: number) => count / of;
  const lower = (name: string, measured: number, baseline: number, floor: number | null): Figure => ({
    what: name,
    measured,
    baseline,
    floor,
    better: "lower",
  });
  return [
    ...(rates.toHold === 0
      ? []
      : [
          lower(
            `${what}: missed (of ${rates.toHold})`,
            share(rates.missed.length, rates.toHold),
            share(rates.missedByList, rates.toHold),
            most.misses,
          ),
        ]),
    ...(rates.toLeave === 0
      ? []
      : [
          lower(
            `${what}: false alarms (of ${rates.toLeave})`,
            share(rates.falseAlarms.length, rates.toLeave),
            share(rates.falseAlarmsByList, rates.toLeave),
            most.falseAlarms,
          ),
        ]),
  ];
}
