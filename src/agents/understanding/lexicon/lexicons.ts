/** Every language that the rules read. */
import { GERMAN } from "./de.ts";
import { ENGLISH } from "./en.ts";
import { SPANISH } from "./es.ts";
import { FRENCH } from "./fr.ts";
import { ITALIAN } from "./it.ts";
import type { Lexicon } from "./lexicon.ts";
import { PORTUGUESE } from "./pt.ts";

export const LEXICONS: readonly Lexicon[] = [ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE, ITALIAN];
