/**
 * The format of a scenario: who asks what of whom, what goes wrong meanwhile, and what must be true afterwards.
 * docs/testing.md shows one. A file is a list; an entry with `for` stands for one scenario a row, its `{{names}}` filled in.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** What a scenario is about, and the dimension that its result counts for. */
export const KINDS = {
  normal: "task outcome",
  language: "task outcome",
  refuse: "grounding",
  "stale policy": "grounding",
  "cross-account": "action safety",
  duplicates: "action safety",
  injection: "adversarial",
  "timeout after success": "reliability",
  faults: "reliability",
  "hand over": "operations",
  approval: "operations",
} as const;
export type Kind = keyof typeof KINDS;
export const DIMENSIONS = [...new Set(Object.values(KINDS))];

const step = z.union([
  z.strictObject({
    say: z.string(),
    /** The same message with the same ID, delivered this often, at once. */
    times: z.int().min(1).max(200).default(1),
    /** In a conversation of its own (`other`), or the first. */
    in: z.enum(["first", "other"]).default("first"),
    /** Somebody else says it, in a conversation of theirs. */
    as: z.string().optional(),
  }),
  /** Time passes, in minutes, and everything due is done. */
  z.strictObject({
    pass: z
      .int()
      .min(1)
      .max(40 * 24 * 60),
  }),
  /** A person decides the open review. */
  z.strictObject({ decide: z.enum(["approve", "reject"]), note: z.string().optional() }),
  /** The process dies and another starts. */
  z.strictObject({ restart: z.literal(true) }),
  /** The provider is down, or up again. */
  z.strictObject({ outage: z.boolean() }),
]);
export type Step = z.output<typeof step>;

const scenario = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  kind: z.enum(Object.keys(KINDS) as [Kind, ...Kind[]]),
  tenant: z.enum(["northwind", "kestrel"]).default("northwind"),
  customer: z.string(),
  language: z.enum(["en", "de", "fr", "es", "pt", "it"]).default("en"),
  channel: z.enum(["chat", "email"]).default("chat"),
  faults: z
    .array(
      z.strictObject({
        fault: z.string(),
        times: z.int().min(1).default(1),
        on: z.string().default("refund.create"),
      }),
    )
    .default([]),
  steps: z.array(step).min(1),
  expect: z.strictObject({
    /** Every action of both merchants, `refund 2400 succeeded`; none unless said. */
    actions: z.array(z.string()).default([]),
    /** What the provider holds, by order: minor units and status. Orders of the scenario that are not named hold nothing. */
    refunds: z.record(z.string(), z.array(z.string())).default({}),
    /** Where the conversation is in the end. */
    status: z.enum(["open", "with_agent", "with_person", "resolved"]).optional(),
    /** Reasons of open and decided reviews. */
    reviews: z.array(z.string()).default([]),
    /** Each stands in something that was said to the customer. */
    said: z.array(z.string()).default([]),
    /** Stands in nothing that was said to them. */
    notSaid: z.array(z.string()).default([]),
  }),
});
export type Scenario = z.output<typeof scenario>;

const entry = z.looseObject({
  id: z.string(),
  for: z.array(z.record(z.string(), z.string())).min(1).optional(),
});

/** @throws Error naming the file and the scenario for one that is not of the format */
export function readScenarios(folder: string): Scenario[] {
  const all: Scenario[] = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()) {
    for (const written of z.array(entry).parse(parse(readFileSync(join(folder, file), "utf8")))) {
      const { for: rows = [{}], ...body } = written;
      rows.forEach((row, index) => {
        const id = rows.length === 1 ? written.id : `${written.id}-${index + 1}`;
        const parsed = scenario.safeParse(filled({ ...body, id }, row));
        if (!parsed.success) throw new Error(`${file}: ${id}: ${z.prettifyError(parsed.error)}`);
        all.push(parsed.data);
      });
    }
  }
  const twice = all.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`scenarios with one ID: ${twice.join(", ")}`);
  return all;
}

function filled(value: unknown, row: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string")
    return value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => row[name] ?? whole);
  if (Array.isArray(value)) return value.map((each) => filled(each, row));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [String(filled(key, row)), filled(each, row)]),
  );
}
