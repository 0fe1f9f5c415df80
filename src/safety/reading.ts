/**
 * Text as a filter reads it: without what is invisible, look-alike letters and digits made plain, so that
 * a word cannot be hidden from it. Pure, linear. `at` leads from the folded text back to the original.
 */
export interface Folded {
  readonly text: string;
  /** Index in the original of a UTF-16 unit of `text`; of its end, the original's length. */
  readonly at: (index: number) => number;
}

/** Cyrillic and Greek letters that look like Latin ones, each followed by its double. */
const PAIRS =
  "аaвbеeкkмmнhоoрpсcтtуyхxіiјjѕsԁdԛqԝwһhӏlАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSαaοoρpνvιiκkΑAΒBΕEΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXΖZ";
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, index) => [
    PAIRS[2 * index] as string,
    PAIRS[2 * index + 1] as string,
  ]),
);

/** Letters that look like Latin ones as these, in a text that is mostly Latin; a text in another script stays. */
export function withoutLookAlikes(text: string): string {
  if (PLAIN.test(text)) return text;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return text;
  return text.replace(
    /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
    (letter) => LOOK_ALIKES.get(letter) ?? letter,
  );
}

const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u3164|\uffa0|\u2800/u;
const MARK = /\p{M}/u;
const PLAIN = /^[\n\r\t\x20-\x7e]*$/;
/** Zeros of scripts whose digits compatibility does not make plain; nine more follow each. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810,
];

/**
 * Formats, fillers and joiners gone; wide, mathematical and look-alike characters and the digits of other
 * scripts plain; marks that only decorate a letter or a digit gone; quotes and dashes of one kind.
 */
export function folded(text: string): Folded {
  if (PLAIN.test(text)) return { text, at: (index) => index };
  const parts: string[] = [];
  const at: number[] = [];
  let index = 0;
  const put = (plain: string, from: number) => {
    for (let unit = 0; unit < plain.length; unit += 1) at.push(from);
    parts.push(plain);
  };
  /** A letter that waits for its marks, with its place. */
  let base = "";
  let from = 0;
  for (const letter of text) {
    // Most letters of most texts are neither a mark nor invisible: they need not be asked.
    const isAscii = letter <= "\x7f";
    if (base !== "" && !isAscii && MARK.test(letter)) {
      const composed = (base + letter).normalize("NFC");
      if (Array.from(composed).length === 1) base = composed;
    } else if (isAscii || !INVISIBLE.test(letter)) {
      if (base !== "") put(plainLetter(base), from);
      base = letter;
      from = index;
    }
    index += letter.length;
  }
  if (base !== "") put(plainLetter(base), from);
  at.push(index);
  return { text: parts.join(""), at: (place) => at[place] as number };
}

function plainLetter(letter: string): string {
  const code = letter.codePointAt(0) as number;
  if (code < 0x80) return letter === "`" ? "'" : letter;
  if (/[’ʼ`´‘]/u.test(letter)) return "'";
  if (/[‐‑‒–—−]/u.test(letter)) return "-";
  if (/\p{Nd}/u.test(letter)) {
    const zero = ZEROS.find((it) => code >= it && code < it + 10);
    if (zero !== undefined) return String(code - zero);
  }
  if (/[\p{Zs}]/u.test(letter)) return " ";
  const alike = LOOK_ALIKES.get(letter);
  if (alike !== undefined) return alike;
  const plain = letter.normalize("NFKC");
  return plain.length <= 4 ? plain : letter;
}

/**
 * Lower case without accents, with single spaces, for matching words of any of the six languages. What an accent alone tells
 * apart is kept: Spanish and Portuguese `sí` and `é`, Italian `è`.
 */
export function unaccented(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/(?<!\p{L})sí(?!\p{L})/gu, "yes")
    .replace(/(?<!\p{L})[èé](?!\p{L})/gu, "isv")
    .replace(/ß/g, "ss")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/\s+/gu, " ");
}

/** Words that are spelled out letter by letter (`r e f u n d`, `f.u.c.k`) as words. */
export const unspaced = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}.])(?:\p{L}[ .\-_*·]){3,40}\p{L}(?![\p{L}\p{N}])/gu, (spelled) =>
    spelled.replace(/[^\p{L}]/gu, ""),
  );

/**
 * What `matchAll` gives. Most patterns of a filter are in no text, and a search says so without the copy that
 * `matchAll` makes of its pattern first (measured: that copy was most of the filter's time).
 */
export const everyMatch = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) === -1 ? [] : text.matchAll(pattern);

/**
 * One pattern that is in a text when one of the patterns is, and costs one search. None of them may refer back to its groups
 * by number. With the flag `m`: for a first look at sentences that stand {@link apart}. Those that begin with the same
 * boundary stand behind it together: at most places of a text it is the only thing that is tried.
 */
export function anyOf(patterns: readonly RegExp[], flags: string): RegExp {
  const byBoundary = new Map<string, string[]>();
  for (const { source } of patterns) {
    const boundary = isOneBranch(source) ? (/^(?:\\b|\(\?<!\[?\\p\{L\}\]?\))/.exec(source)?.[0] ?? "") : "";
    const those = byBoundary.get(boundary) ?? [];
    byBoundary.set(boundary, [...those, `(?:${source.slice(boundary.length)})`]);
  }
  const parts = [...byBoundary].map(([boundary, those]) => `${boundary}(?:${those.join("|")})`);
  return new RegExp(parts.join("|"), flags);
}

/** False when the pattern has branches that are in no group: what it begins with is the beginning of the first only. */
function isOneBranch(source: string): boolean {
  let depth = 0;
  let isClass = false;
  for (const [token] of source.matchAll(/\\?./gsu)) {
    if (isClass) isClass = token !== "]";
    else if (token === "[") isClass = true;
    else if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (token === "|" && depth === 0) return false;
  }
  return true;
}

/** Sentences as one text in which no pattern reaches from one into the next: each begins and ends a line, and a line lies between. */
export const apart = (sentences: readonly string[]): string => sentences.join("\n\0\n");

/** Sentences, in order, without the white space around them. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.?!…])\s+|\n+|(?<=[!?])(?=\p{L})/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
