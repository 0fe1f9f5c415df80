/**
 * Text as a filter reads it: without what is invisible, look-alike letters and digits made plain, so that
 * a word cannot be hidden from it. Pure, linear. `at` leads from the folded text back to the original.
 */
export interface Folded {
  readonly text: string;
  /** Index in the original of each UTF-16 unit of `text`, with the original's length at the end. */
  readonly at: readonly number[];
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

const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u3164|\uffa0|\u2800/u;
const PLAIN = /^[\n\r\t\x20-\x7e]*$/;

/** Formats, fillers and joiners gone; wide, mathematical and look-alike characters plain; quotes and dashes of one kind. */
export function folded(text: string): Folded {
  if (PLAIN.test(text)) return { text, at: Array.from({ length: text.length + 1 }, (_, index) => index) };
  let out = "";
  const at: number[] = [];
  let index = 0;
  for (const letter of text) {
    const plain = INVISIBLE.test(letter) ? "" : plainLetter(letter);
    for (let unit = 0; unit < plain.length; unit += 1) at.push(index);
    out += plain;
    index += letter.length;
  }
  at.push(index);
  return { text: out, at };
}

function plainLetter(letter: string): string {
  if (/[’ʼ`´‘]/u.test(letter)) return "'";
  if (/[‐‑‒–—−]/u.test(letter)) return "-";
  if (letter === "\n" || letter === "\r" || letter === "\t") return letter;
  if (/[\p{Zs}]/u.test(letter)) return " ";
  const alike = LOOK_ALIKES.get(letter);
  if (alike !== undefined) return alike;
  const plain = letter.normalize("NFKC");
  return plain.length <= 4 ? plain : letter;
}

/**
 * Lower case without accents, for matching words of any of the six languages. What an accent alone tells
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
    .replace(/\p{M}/gu, "");
}

/** Sentences, in order, without the white space around them. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.?!…])\s+|\n+|(?<=[!?])(?=\p{L})/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
