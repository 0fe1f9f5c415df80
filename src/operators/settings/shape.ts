/**
 * What can be set for a tenant at run time, by area; what is not set has its default here. Pure. Secrets and what
 * decides where the server listens stay in the configuration; what decides about money stays in the policy.
 */
import { z } from "zod";
import { DEFAULT_RULES, type ReviewRules } from "../../actions/reviews/settings.ts";
import { DEFAULT_THRESHOLDS, type EscalationThresholds } from "../../agents/escalation.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { isTimeOfDay, type OpeningHours, WEEKDAYS } from "../../kernel/opening-hours.ts";

const SPANS_PER_DAY = 4;
const CLOSED_DAYS = 200;
const HOSTS = 50;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const time = z.string().refine(isTimeOfDay, "must be a time such as 09:00; 24:00 is the end of a day");
const span = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from < to, "must end after it begins; a span over midnight is two");
const day = z
  .array(span)
  .max(SPANS_PER_DAY)
  .refine((spans) => {
    const sorted = spans.toSorted((a, b) => (a.from < b.from ? -1 : 1));
    return sorted.every((each, at) => at === 0 || (sorted[at - 1]?.to ?? "") <= each.from);
  }, "has spans that overlap");
const hours = z.strictObject({
  week: z.strictObject(
    Object.fromEntries(WEEKDAYS.map((name) => [name, day.optional()])) as Record<
      (typeof WEEKDAYS)[number],
      z.ZodOptional<typeof day>
    >,
  ),
  closed_on: z.array(z.iso.date("must be a date such as 2026-12-25")).max(CLOSED_DAYS).optional(),
});

const host = z
  .string()
  .max(253)
  .regex(
    /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    "must be a host such as shop.example, without https:// and path",
  );
const oneLine = z
  .string()
  .min(3)
  .max(200)
  .refine((text) => !/\p{C}/u.test(text), "must be one line");
const minutes = z.int().min(1).max(40_320);

/** Each area is read and written as a whole. */
export const AREAS = {
  /** When people answer; null: no hours are told, and clocks of service run day and night. */
  hours: { schema: z.strictObject({ opening: hours.nullable() }), initial: { opening: null } },
  /** When a person takes over. */
  escalation: {
    schema: z.strictObject({
      sentiment: z.number().min(-1).max(1),
      falling_by: z.number().min(0).max(2),
      falling_messages: z.int().min(2).max(10),
      falling_below: z.number().min(-1).max(1),
      high_value_lifetime_spend: z.number().min(0).max(1e9),
      /** Below the step limit, which would end the run first. */
      stalled_calls: z
        .int()
        .min(1)
        .max(LIMITS.stepsPerRun - 1),
    }),
    initial: {
      sentiment: DEFAULT_THRESHOLDS.sentiment,
      falling_by: DEFAULT_THRESHOLDS.fallingBy,
      falling_messages: DEFAULT_THRESHOLDS.fallingMessages,
      falling_below: DEFAULT_THRESHOLDS.fallingBelow,
      high_value_lifetime_spend: DEFAULT_THRESHOLDS.highValueLifetimeSpend,
      stalled_calls: DEFAULT_THRESHOLDS.stalledCalls,
    },
  },
  /** What answers may contain, and whether they say that an AI writes. */
  answers: {
    schema: z.strictObject({
      link_hosts: z.array(host).max(HOSTS),
      contacts: z.array(oneLine).max(HOSTS),
      ai_disclosure: z.boolean(),
    }),
    initial: { link_hosts: [], contacts: [], ai_disclosure: true },
  },
  /** How reviews are worked. */
  reviews: {
    schema: z.strictObject({
      /** Minutes of opening hours within which somebody should have decided. */
      sla_minutes: z.strictObject({ approval: minutes, handoff: minutes, uncertain: minutes }),
      /** Seconds in which a decision can be taken back, because nothing has been done yet. */
      undo_seconds: z.int().min(0).max(60),
      /** Above this amount (decimal text in the tenant's currency) two people must agree; null: one is enough. */
      second_limit: z
        .string()
        .regex(/^\d{1,12}(\.\d{1,3})?$/, "must be an amount such as 500.00")
        .nullable(),
    }),
    initial: {
      sla_minutes: {
        approval: DEFAULT_RULES.slaMs.approval / MINUTE_MS,
        handoff: DEFAULT_RULES.slaMs.handoff / MINUTE_MS,
        uncertain: DEFAULT_RULES.slaMs.uncertain / MINUTE_MS,
      },
      undo_seconds: DEFAULT_RULES.undoMs / 1_000,
      second_limit: DEFAULT_RULES.secondLimit,
    },
  },
  /** How conversations go. */
  conversations: {
    schema: z.strictObject({
      /** Hours of silence after which one ends by itself; null: never. */
      end_after_hours: z.int().min(1).max(8_760).nullable(),
    }),
    initial: { end_after_hours: LIMITS.idleMs / HOUR_MS },
  },
  sign_in: {
    schema: z.strictObject({
      /** `required`: who signs in with a password must have set up a second factor before anything else. */
      second_factor: z.enum(["optional", "required"]),
    }),
    initial: { second_factor: "optional" as const },
  },
} as const;

export type Area = keyof typeof AREAS;
export const AREA_NAMES = Object.keys(AREAS) as readonly Area[];
export const isArea = (text: string): text is Area => Object.hasOwn(AREAS, text);

export type AreaValue<A extends Area> = z.output<(typeof AREAS)[A]["schema"]>;
export type TenantSettings = { readonly [A in Area]: AreaValue<A> };

export const INITIAL_SETTINGS: TenantSettings = Object.fromEntries(
  AREA_NAMES.map((area) => [area, AREAS[area].initial]),
) as unknown as TenantSettings;

/** What the rooms below know of it, in their words. */
export interface SettingsFacts {
  readonly linkHosts: readonly string[];
  readonly contacts: readonly string[];
  readonly aiDisclosure: boolean;
  readonly openingHours?: OpeningHours;
  /** Null: conversations do not end by themselves. */
  readonly idleMs: number | null;
  readonly escalation: EscalationThresholds;
  readonly reviews: Pick<ReviewRules, "undoMs" | "secondLimit" | "slaMs">;
}

export function factsOf({
  hours: set,
  escalation,
  answers,
  reviews,
  conversations,
}: TenantSettings): SettingsFacts {
  const week = set.opening?.week ?? {};
  const open = Object.fromEntries(Object.entries(week).filter(([, spans]) => spans !== undefined));
  return {
    linkHosts: answers.link_hosts,
    contacts: answers.contacts,
    aiDisclosure: answers.ai_disclosure,
    idleMs: conversations.end_after_hours === null ? null : conversations.end_after_hours * HOUR_MS,
    ...(set.opening === null
      ? {}
      : { openingHours: { week: open as OpeningHours["week"], closedOn: set.opening.closed_on ?? [] } }),
    reviews: {
      undoMs: reviews.undo_seconds * 1_000,
      secondLimit: reviews.second_limit,
      slaMs: {
        approval: reviews.sla_minutes.approval * MINUTE_MS,
        handoff: reviews.sla_minutes.handoff * MINUTE_MS,
        uncertain: reviews.sla_minutes.uncertain * MINUTE_MS,
      },
    },
    escalation: {
      sentiment: escalation.sentiment,
      fallingBy: escalation.falling_by,
      fallingMessages: escalation.falling_messages,
      fallingBelow: escalation.falling_below,
      highValueLifetimeSpend: escalation.high_value_lifetime_spend,
      stalledCalls: escalation.stalled_calls,
    },
  };
}
