/**
 * A pressed button comes back as its text. Whatever language it was in, it is read as the same button in
 * English, which the workflows' rules know: what code offered is always understood.
 */
import type { Language } from "../kernel/language.ts";
import type { ButtonWords } from "../wording/talk-words.ts";
import { wordsOf } from "../wording/words.ts";

type Name = keyof ButtonWords;
/** The text of a button around the one thing that varies in it. */
interface Frame {
  readonly before: string;
  readonly after: string;
  readonly english: (inner: string) => string;
  readonly isCount: boolean;
}
interface Buttons {
  readonly fixed: ReadonlyMap<string, string>;
  readonly framed: readonly Frame[];
}

const ENGLISH = wordsOf("en").talk.buttons;
const HOLE = "\u0000";
const read = new Map<Language, Buttons>();

/** The English text of the button that `text` is, or `text` itself. */
export function pressed(text: string, language: Language): string {
  if (language === "en") return text;
  const buttons = read.get(language) ?? buttonsOf(language);
  read.set(language, buttons);
  const plain = plainly(text);
  const fixed = buttons.fixed.get(plain);
  if (fixed !== undefined) return fixed;
  for (const { before, after, english, isCount } of buttons.framed) {
    const fits =
      plain.length > before.length + after.length && plain.startsWith(before) && plain.endsWith(after);
    if (!fits) continue;
    const inner = plain.slice(before.length, plain.length - after.length);
    if (!isCount || /^\d{1,3}$/.test(inner)) return english(inner);
  }
  return text;
}

function buttonsOf(language: Language): Buttons {
  const own = wordsOf(language).talk.buttons;
  const fixed = new Map<string, string>();
  const framed: Frame[] = [];
  for (const name of Object.keys(ENGLISH) as Name[]) {
    const [theirs, ours] = [own[name], ENGLISH[name]];
    if (typeof theirs === "string" && typeof ours === "string") fixed.set(plainly(theirs), ours);
    else if (typeof theirs === "function" && typeof ours === "function") {
      const [before = "", after = ""] = plainly(theirs(HOLE)).split(HOLE);
      framed.push({ before, after, english: ours, isCount: name === "all" });
    }
  }
  return { fixed, framed };
}

/** As it was written, or as somebody types it after it: case, quotes and the mark at the end do not matter. */
const plainly = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[’ʼ`´]/g, "'")
    .replace(/ß/g, "ss")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!]+$/, "")
    .toLowerCase();
