/**
 * How words of others reach a model: as JSON inside a marked block, with nothing in it that could close
 * the block; and how numbers of ours look to it: money as decimal text, instants as dates. Pure.
 */
import { formatOf } from "../../kernel/calendar.ts";
import { type Currency, formatDecimal } from "../../kernel/money.ts";

/** JSON in which no `<` or `>` is left and no character that only pretends to be nothing. */
export function dataJson(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(
    /[<>\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g,
    (character) => [...character].map(escaped).join(""),
  );
}

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** A block of data; `kind` is ours. */
export const dataBlock = (kind: string, value: unknown): string =>
  `<data kind="${kind}">\n${dataJson(value)}\n</data>`;

const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(2100, 0);
const MONEY = /^(.*)Minor$/;
const INSTANT = /(?:^|[a-z])At$|^at$/;

/**
 * A tool's result as a person would write it: `totalMinor: 2400` of an object in USD becomes
 * `total: "24.00"`, an instant becomes a date and time of the shop's time zone.
 */
export function presentable(value: unknown, timeZone: string, currency: Currency | null = null): unknown {
  if (Array.isArray(value)) return value.map((each) => presentable(each, timeZone, currency));
  if (value === null || typeof value !== "object") return value;
  const own = (value as { currency?: unknown }).currency;
  const nearest = typeof own === "string" ? (own as Currency) : currency;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const [, name] = MONEY.exec(key) ?? [];
      if (name !== undefined && nearest !== null) {
        if (typeof inner === "number") return [name, decimal(inner, nearest)];
        if (Array.isArray(inner))
          return [name, inner.map((each) => (typeof each === "number" ? decimal(each, nearest) : each))];
      }
      if (INSTANT.test(key) && typeof inner === "number" && inner > EARLIEST_MS && inner < LATEST_MS)
        return [key, instant(inner, timeZone)];
      return [key, presentable(inner, timeZone, nearest)];
    }),
  );
}

function decimal(amountMinor: number, currency: Currency): string | number {
  return Number.isSafeInteger(amountMinor) ? formatDecimal({ amountMinor, currency }) : amountMinor;
}

function instant(ms: number, timeZone: string): string {
  return formatOf("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(ms);
}
