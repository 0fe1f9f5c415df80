/**
 * One source for each number. Customers are shown limits through placeholders; a number of days, times
 * or money that a person wrote by hand could contradict the limit that is enforced, so it is refused:
 * in digits of any script or in words, across a line break, through emphasis, links and entities.
 * A line that needs such a number for another reason ends with `<!-- literal: the reason -->`.
 */
import type { Place, Report } from "./faults.ts";
import { AMOUNT, COUNT, NUMBER_JOINT, NUMBER_WORD, TIME, WITHIN_ONE } from "./number-words.ts";
import { limitOf, PLACEHOLDER, type Unit } from "./placeholders.ts";
import { CURRENCIES } from "./schema.ts";
import type { Part } from "./sections.ts";

/** Private-use characters that stand for a placeholder of each unit while prose is searched. */
const MARK: Readonly<Record<Unit, string>> = { days: "\uE001", count: "\uE002", money: "\uE003" };
const UNKNOWN_MARK = "\uE000";
/** Between texts that have nothing to do with each other; no white space, so that no search spans it. */
const BOUNDARY = "\uE010";
const ANY_MARK = "[\uE000-\uE003]";

const WORDS = `(?:${NUMBER_WORD})(?:[\\s-]+(?:(?:${NUMBER_JOINT})[\\s-]+)?(?:${NUMBER_WORD})){0,6}`;
const NUMBER = "\\p{N}(?:[\\p{N}.,'’ ]{0,24}\\p{N})?(?:st|nd|rd|th)?";
const DIGITS = `(?<![\\p{N}\\p{L}])${NUMBER}`;
const BETWEEN =
  "(?:\\s*\\([^)]{0,40}\\))?[\\s-]*(?:(?:calendar|business|working|full|whole|consecutive|additional|more|further|separate|US|American|Kuwaiti)[\\s-]+){0,2}";
const LOWER_CODES = "usd|eur|gbp|jpy|chf|kwd|cad|aud|krw|cny|sek|nok|dkk|pln|inr";
const CODES = [...CURRENCIES].join("|");

/** Searches that are a hand-written number each, over text in which placeholders are marks. */
const LITERALS: readonly RegExp[] = [
  new RegExp(
    `${DIGITS}${BETWEEN}(?:${TIME}|${AMOUNT}|${COUNT}|refund|return|${LOWER_CODES})(?!\\p{L})`,
    "giu",
  ),
  new RegExp(`(?<!\\p{L})${WORDS}${BETWEEN}(?:${TIME}|${AMOUNT}|${COUNT}|${LOWER_CODES})(?!\\p{L})`, "giu"),
  new RegExp(`(?<!\\p{L})(?:${TIME})\\s*[:=]?\\s*${DIGITS}`, "giu"),
  new RegExp(`(?<!\\p{L})(?:${WITHIN_ONE})(?!\\p{L})`, "giu"),
  /\bfortnight\b/giu,
  new RegExp(`\\p{Sc}\\s?${DIGITS}`, "gu"),
  new RegExp(`${DIGITS}\\s?(?:\\p{Sc}|(?:${CODES})\\b)`, "gu"),
  new RegExp(`\\b(?:${CODES})\\s?${NUMBER}`, "gu"),
];

const USE_ONE =
  "Use a {{limits.…}} placeholder, so that what customers read is what is enforced; or end the line with <!-- literal: why -->.";

/** Searches that make another number, or another unit, of a placeholder. */
const DISTORTED: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`\\p{N}[.,'’-]?${ANY_MARK}|${ANY_MARK}[.,'’]?\\p{N}`, "gu"),
    "Digits beside a placeholder make another number of it.",
  ],
  [new RegExp(`${ANY_MARK}\\s?(?:%|percent)`, "giu"), "This limit is not a percentage."],
  [
    new RegExp(`${MARK.days}${BETWEEN}(?:weeks?|months?|years?|hours?|minutes?|times|refunds?)\\b`, "giu"),
    "This limit is a number of days.",
  ],
  [new RegExp(`${MARK.count}${BETWEEN}(?:${TIME}|${AMOUNT})\\b`, "giu"), "This limit is a number of times."],
  [
    new RegExp(`\\p{Sc}\\s?${MARK.money}|${MARK.money}\\s?(?:\\p{Sc}|(?:${CODES})\\b)`, "gu"),
    "This placeholder shows its currency itself.",
  ],
];

/** Reports every hand-written number in what customers can read. Parts that follow each other are one text. */
export function refuseSecondSources(parts: readonly Part[], report: Report): void {
  const { text, places } = searchable(parts);
  const at = (index: number): Place => places[index] ?? { line: parts[0]?.line ?? 1, column: 1 };
  const found: { from: number; to: number }[] = [];
  const search = (pattern: RegExp, tell: (match: RegExpExecArray) => void): void => {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      // "45 USD" is found by several searches; it is one number.
      if (found.some((other) => from < other.to && other.from < to)) continue;
      found.push({ from, to });
      tell(match);
    }
  };
  for (const [pattern, what] of DISTORTED) {
    search(pattern, ({ index, 0: whole }) => {
      const mark = Math.max(0, whole.search(ANY_MARK));
      report(at(index + mark), what, "Write the placeholder by itself, with its own unit.");
    });
  }
  for (const pattern of LITERALS) {
    search(pattern, ({ index, 0: whole }) =>
      report(at(index), `"${whole.replace(/\s+/g, " ")}" is a number that no limit gives.`, USE_ONE),
    );
  }
}

/** Whether the line says why it has a number of its own. */
const hasReason = (text: string): boolean => /<!--\s*literal:\s*(?!-->)\S.*?-->/.test(text);

/** What is left out of a search: comments, emphasis, link targets, joiners; and a list's own numbers. */
const SKIPPED = /<!--.*?-->|\]\([^)]*\)|[*_`~[\]\\\u200C\u200D]/y;
const ENTITY = /&#?\w{1,10};/y;
const PLACED = new RegExp(PLACEHOLDER.source, "y");

/** The text as a reader sees it, in one line, and the place of each of its characters. */
function searchable(parts: readonly Part[]): { text: string; places: Place[] } {
  let text = "";
  const places: Place[] = [];
  let lastLine = -1;
  const push = (characters: string, place: Place): void => {
    text += characters;
    for (let n = 0; n < characters.length; n += 1) places.push(place);
  };
  for (const part of parts) {
    const apart = part.line !== lastLine + 1 || part.text.trim() === "" || hasReason(part.text);
    push(apart ? BOUNDARY : " ", part);
    lastLine = hasReason(part.text) ? -1 : part.line;
    if (hasReason(part.text)) continue;
    const bullet = /^\s*(?:\d{1,3}[.)]\s|[-+*]\s)/.exec(part.text)?.[0].length ?? 0;
    for (let index = bullet; index < part.text.length; ) {
      const place = { line: part.line, column: part.column + index };
      const placeholder = matchAt(PLACED, part.text, index);
      const skipped = matchAt(SKIPPED, part.text, index);
      const entity = matchAt(ENTITY, part.text, index);
      if (placeholder !== null) {
        const limit = limitOf((placeholder[1] ?? "").trim());
        push(limit === null ? UNKNOWN_MARK : MARK[limit.unit], place);
      } else if (entity !== null) push(" ", place);
      else if (skipped === null) push(part.text.charAt(index).normalize("NFKC"), place);
      index += (placeholder ?? skipped ?? entity)?.[0].length ?? 1;
    }
  }
  return { text, places };
}

function matchAt(sticky: RegExp, text: string, index: number): RegExpExecArray | null {
  sticky.lastIndex = index;
  return sticky.exec(text);
}
