/** Words after which a person must take over, whatever else the message says, in every language. */
import { LEXICONS } from "./lexicon/lexicons.ts";
import { saysOutright } from "./said.ts";
import { bare, type Word } from "./words.ts";

export type Alarm = "legal" | "safety";

/** The first alarm in a message, or null. */
export function alarmIn(words: readonly Word[]): Alarm | null {
  if (saysOutright("safety", words, bare)) return "safety";
  return saysOutright("legal", words, withoutMentions) ? "legal" : null;
}

/** A lawyer who is only mentioned threatens nobody: "I am a lawyer", "huile d'avocat". */
function withoutMentions(words: readonly Word[]): string {
  let text = bare(words);
  for (const { patterns } of LEXICONS) {
    for (const mention of patterns.noThreat ?? []) text = text.replace(mention, " ");
  }
  return text;
}

/** True when the customer would rather have a person. */
export const wishesPerson = (words: readonly Word[]): boolean =>
  saysOutright("person", words, bare) && !saysOutright("noPerson", words, bare);
