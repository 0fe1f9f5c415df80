import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { pt } from "./pt.ts";
import type { Words } from "./words.ts";

const ALL: Readonly<Record<string, Words>> = { en, es, de, fr, pt, it };

/** By the first part of a language tag; English where there is none. Dates and amounts go with the words. */
export function wordsIn(wanted: string): { readonly words: Words; readonly language: string } {
  const words = ALL[wanted.toLowerCase().split("-")[0] ?? ""];
  return words === undefined ? { words: en, language: "en" } : { words, language: wanted };
}
