/** The words of a public list of obscenities: how many the door would hold. The list is what others use as a filter. */
import { createRequire } from "node:module";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import type { Figure } from "../report.ts";
import { found } from "./judged.ts";

const LISTED = createRequire(import.meta.url)("naughty-words") as Readonly<
  Record<Language, readonly string[]>
>;

/** Share of the list that may leave; for information, as much of it is about sex and no insult. */
export const listedWords = (): readonly Figure[] =>
  LANGUAGES.map((language) => {
    const words = LISTED[language];
    const missed = words.filter((word) => !found({ text: `${word}!`, heldFor: ["toxic"] }).includes("toxic"));
    return {
      what: `words of a public list of obscenities, ${language}: missed (of ${words.length})`,
      measured: missed.length / words.length,
      baseline: 0,
      floor: null,
      better: "lower",
    };
  });
