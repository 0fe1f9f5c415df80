import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { pt } from "./pt.ts";
import type { Words } from "./words.ts";

const ALL: Readonly<Record<string, Words>> = { en, es, de, fr, pt, it };

/** By the first part of a language tag; English where there is none. */
export const wordsIn = (language: string): Words => ALL[language.toLowerCase().split("-")[0] ?? ""] ?? en;
