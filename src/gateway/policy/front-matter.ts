/** The fields between the `---` lines of a policy document: a strict schema, and where each value stands. */
import { type Document, isMap, isScalar, parseDocument, visit } from "yaml";
import { z } from "zod";
import { ProblemError } from "../../kernel/errors.ts";
import { LANGUAGES } from "../../kernel/language.ts";
import { type Currency, parseAmount } from "../../kernel/money.ts";
import { type Place, placeIn, type Report } from "./faults.ts";
import type { PolicyLimits } from "./policy.ts";
import { CURRENCIES } from "./schema.ts";

const amounts = z.record(z.string(), z.string());
const fields = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  tenant: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  version: z.string().min(1).max(40),
  title: z.string().min(1).max(200),
  language: z.enum(LANGUAGES).default("en"),
  effective_from: z.iso.date(),
  governed_by: z.enum(["order_placed", "request_made"]),
  limits: z.strictObject({
    return_window_days: z.int().min(0).max(3_650),
    unattended_max: amounts,
    high_value_lifetime_spend: z.string(),
    refund_limit: z.strictObject({
      window_days: z.int().min(1).max(366),
      max_count: z.int().min(1).max(10_000),
      max_amount: amounts,
    }),
  }),
});
type Fields = z.infer<typeof fields>;

/** What to write instead, by the field. The names are those of the document. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^(id|tenant)$/, "Write lower-case letters, digits and hyphens, such as `refunds`."],
  [/^version$/, 'Write it as text, such as `version: "2"`.'],
  [/^title$/, "Write one line that customers may read."],
  [/^language$/, `Write one of ${LANGUAGES.join(", ")}.`],
  [/^effective_from$/, "Write a date such as `2026-03-01`."],
  [/^governed_by$/, "Write `order_placed` or `request_made`."],
  [/(_days|_count)$/, "Write a whole number, such as `30`."],
  [/(_max|max_amount)$/, 'Write currencies with amounts as text, such as `USD: "100.00"`.'],
  [/(_max|max_amount)\.|_spend$/, 'Write the amount as text, in quotes: `"100.00"`.'],
  [/^limits/, "Write the fields that docs/policies.md shows, indented below it."],
];
const fixFor = (path: string): string =>
  FIXES.find(([pattern]) => pattern.test(path))?.[1] ?? "docs/policies.md shows every field.";

export interface FrontMatter {
  readonly fields: Fields;
  /** The tenant's own: the first of `unattended_max`, or of `max_amount` when that is empty. */
  readonly currency: Currency;
  readonly limits: PolicyLimits;
  readonly titleAt: Place;
}

/** Reads the YAML `text`, whose first line is line `firstLine` of the document; null when it has faults. */
export function readFrontMatter(text: string, firstLine: number, report: Report): FrontMatter | null {
  const yaml = parseDocument(text, { uniqueKeys: true, strict: true });
  const at = (offset: number): Place => placeIn(text, offset, { line: firstLine, column: 1 });
  for (const { pos, message } of [...yaml.errors, ...yaml.warnings]) {
    report(at(pos[0]), `Front matter: ${message.split("\n")[0]}`, "Correct the YAML.");
  }
  if (yaml.errors.length + yaml.warnings.length > 0) return null;
  let aliases = 0;
  visit(yaml, {
    Alias: (_, node) => {
      aliases += 1;
      report(at(node.range?.[0] ?? 0), `*${node.source} is an alias.`, "Write the value itself.");
    },
  });
  if (aliases > 0) return null;
  const value: unknown = yaml.toJS({ maxAliasCount: 0 });
  const place = (path: Path, what: "key" | "value"): Place => at(offsetOf(yaml, path, what));
  const parsed = fields.safeParse(value);
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path as Path;
    const name = path.join(".");
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        const full = [...path, key].join(".");
        report(
          place([...path, key], "key"),
          `${full}: there is no such field.`,
          `Remove it, or correct its name: ${knownBeside(path).join(", ")}.`,
        );
      }
    } else {
      const missing = path.length > 0 && valueAt(value, path) === undefined;
      report(
        place(path, "value"),
        missing ? `${name} is missing.` : `${name === "" ? "Front matter" : name}: ${issue.message}.`,
        fixFor(name),
      );
    }
  }
  const limits = readLimits(value, place, report);
  if (!parsed.success || limits === null) return null;
  return { fields: parsed.data, ...limits, titleAt: place(["title"], "value") };
}

type Path = readonly (string | number)[];
const MAX = ["limits", "unattended_max"];
const SUM = ["limits", "refund_limit", "max_amount"];
const SPEND = ["limits", "high_value_lifetime_spend"];

/** Amounts into minor units. It reads the raw value, so that their faults show beside those of other fields. */
function readLimits(
  value: unknown,
  place: (path: Path, what: "key" | "value") => Place,
  report: Report,
): { currency: Currency; limits: PolicyLimits } | null {
  let ok = true;
  const wrong: Report = (...fault) => {
    ok = false;
    report(...fault);
  };
  const amount = (path: Path, text: unknown, currency: Currency): number => {
    if (typeof text !== "string") return 0; // the schema has said so
    try {
      return parseAmount(text, currency);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      wrong(place(path, "value"), `${path.join(".")}: ${error.message}`, error.next);
      return 0;
    }
  };
  const all = (path: Path): Readonly<Record<Currency, number>> => {
    const read: [Currency, number][] = [];
    for (const [currency, text] of entriesAt(value, path)) {
      if (CURRENCIES.has(currency)) read.push([currency, amount([...path, currency], text, currency)]);
      else {
        wrong(
          place([...path, currency], "key"),
          `${[...path, currency].join(".")}: ${currency} is not a currency.`,
          "Write its ISO 4217 code in capitals, such as USD: a limit for another name would never apply.",
        );
      }
    }
    return Object.fromEntries(read);
  };
  const unattendedMaxMinor = all(MAX);
  const maxAmountMinor = all(SUM);
  // Named as written, known or not: the second currency must not stand in for a first that has a typo.
  const currency = [...entriesAt(value, MAX), ...entriesAt(value, SUM)][0]?.[0];
  if (currency === undefined) {
    if (typeof valueAt(value, MAX) === "object" && typeof valueAt(value, SUM) === "object") {
      report(
        place(MAX, "key"),
        "No limit names a currency, so nobody knows in which one high_value_lifetime_spend is.",
        "Put the tenant's own currency first in unattended_max or in refund_limit.max_amount.",
      );
    }
    return null;
  }
  if (!CURRENCIES.has(currency)) return null;
  const highValueLifetimeSpendMinor = amount(SPEND, valueAt(value, SPEND), currency);
  if (!ok) return null;
  const numberAt = (...path: string[]): number => Number(valueAt(value, ["limits", ...path]));
  return {
    currency,
    limits: {
      returnWindowDays: numberAt("return_window_days"),
      unattendedMaxMinor,
      highValueLifetimeSpendMinor,
      refundLimit: {
        windowDays: numberAt("refund_limit", "window_days"),
        maxCount: numberAt("refund_limit", "max_count"),
        maxAmountMinor,
      },
    },
  };
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (found === null || typeof found !== "object" || !Object.hasOwn(found, step)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[step];
  }
  return found;
}

function entriesAt(value: unknown, path: Path): [string, unknown][] {
  const found = valueAt(value, path);
  return found !== null && typeof found === "object" && !Array.isArray(found) ? Object.entries(found) : [];
}

function knownBeside(path: Path): string[] {
  const object = path.length === 0 ? fields : path.length === 1 ? fields.shape.limits : null;
  return Object.keys((object ?? fields.shape.limits.shape.refund_limit).shape);
}

/** Offset of a key or its value; of the nearest thing above it when it is not there. */
function offsetOf(yaml: Document.Parsed, path: Path, what: "key" | "value"): number {
  let node: unknown = yaml.contents;
  let offset = 0;
  for (const [depth, step] of path.entries()) {
    if (!isMap(node)) break;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    if (pair === undefined) break;
    const keyOffset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
    const valueOffset = (pair.value as { range?: readonly number[] | null } | null)?.range?.[0] ?? keyOffset;
    const last = depth === path.length - 1;
    offset = last && what === "value" && !isMap(pair.value) ? valueOffset : keyOffset;
    node = pair.value;
  }
  return offset;
}
