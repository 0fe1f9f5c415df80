/** Why a customer sends something back, in a few fixed words; the customer's own where none of them fits. */
import type { Rule } from "./lexicon/lexicon.ts";
import { type Said, saidIn, saysOutright } from "./said.ts";
import { bare, type Word } from "./words.ts";

const REASONS: readonly (readonly [string, Rule, (said: Said) => boolean])[] = [
  ["Damaged", "damaged", (said) => said.has("broken") || said.near(["not"], ["works"], 3)],
  ["Not as described", "notDescribed", (said) => said.near(["not"], ["described"], 3) || said.has("wrong")],
  ["Too small", "tooSmall", (said) => said.near(["too"], ["small"], 1)],
  ["Too big", "tooBig", (said) => said.near(["too"], ["big"], 1)],
  ["Does not fit", "doesNotFit", (said) => said.near(["not"], ["fit"], 3)],
  ["Arrived too late", "tooLate", (said) => said.has("late") && said.has("too", "arrive")],
  [
    "Changed my mind",
    "unwanted",
    (said) =>
      said.has("changedMind", "mistake") ||
      said.near(["not"], ["dislike"], 3) ||
      (said.has("anymore") && said.near(["not"], ["want"], 4)),
  ],
];

/** The reason that a message gives; null when it gives none of them. */
export function reasonIn(words: readonly Word[]): string | null {
  const said = saidIn(words);
  return REASONS.find(([, rule, holds]) => saysOutright(rule, words, bare) || holds(said))?.[0] ?? null;
}

/** "No reason", "that is none of your business": no one is made to explain. */
export const refusesReason = (words: readonly Word[]): boolean =>
  saidIn(words).has("noReason") ||
  / (?:no reason|none|rather not|do not (?:know|want to)|why do you|none of your|does not matter) /.test(
    bare(words),
  );
