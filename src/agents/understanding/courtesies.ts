/** What a message is when it asks for nothing. */
import { judgeConsent } from "./consent.ts";
import type { Meaning, Rule } from "./lexicon/lexicon.ts";
import { saidIn, saysOutright } from "./said.ts";
import { bare, means, type Word } from "./words.ts";

export type Courtesy = "greeting" | "thanks" | "bye" | "identity" | "help" | "yes" | "no";

const LONGEST_GREETING_WORDS = 5;

export function courtesyIn(words: readonly Word[]): Courtesy | null {
  const outright = (rule: Rule) => saysOutright(rule, words, bare);
  const said = saidIn(words);
  if (outright("identity")) return "identity";
  if (outright("whatCanYouDo") || consistsOf(words, "help")) return "help";
  const answer = judgeConsent([bare(words)]);
  if (outright("agrees") || answer === "yes") return "yes";
  if (outright("declines") || answer === "no") return "no";
  if (outright("thanks") || said.has("thanks")) return "thanks";
  if (outright("bye") || said.has("bye")) return "bye";
  const [first] = words;
  const greets = first !== undefined && means(first, "greeting") && words.length <= LONGEST_GREETING_WORDS;
  return outright("greets") || greets ? "greeting" : null;
}

/** One of `meanings` and nothing else but courtesy. */
function consistsOf(words: readonly Word[], ...meanings: readonly Meaning[]): boolean {
  const told = words.filter(({ kind }) => kind === "word" || kind === "number");
  return (
    told.some((it) => means(it, ...meanings)) &&
    told.every(
      (it) => means(it, ...meanings, "please", "thanks", "greeting") || it.sense.meanings.size === 0,
    ) &&
    told.length <= LONGEST_HELP_WORDS
  );
}
const LONGEST_HELP_WORDS = 6;

const firstOf = (words: readonly Word[]): Word | undefined =>
  words.find((it) => it.kind === "word" && !means(it, "greeting", "please"));

/** The first word agrees: "yes but …", "ja, nur …". No consent; it says that the offer is still wanted. */
export function beginsWithYes(words: readonly Word[]): boolean {
  const first = firstOf(words);
  const agrees = first !== undefined && means(first, "yes") && !means(first, "no");
  return agrees || saysOutright("beginsWithYes", words, bare);
}

export function beginsWithNo(words: readonly Word[]): boolean {
  const first = firstOf(words);
  const refuses = first !== undefined && means(first, "no", "not") && !means(first, "yes");
  return refuses || saysOutright("beginsWithNo", words);
}

/** A denial is taken: "okay", "verstehe", "entiendo". */
export function acceptsDenial(words: readonly Word[]): boolean {
  const first = firstOf(words);
  return (first !== undefined && means(first, "accepted")) || saysOutright("accepts", words, bare);
}

/** A denial is not taken: "that's not fair", "ja, bitte fragen Sie". */
export const contestsDenial = (words: readonly Word[]): boolean =>
  beginsWithYes(words) || saidIn(words).has("contest") || saysOutright("contests", words, bare);
