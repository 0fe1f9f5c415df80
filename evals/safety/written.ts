/** The written answers: effects that nothing confirms, rudeness and limits, in six languages. */
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import type { FindingKind } from "../../src/safety/may-leave.ts";
import type { Leaving } from "./judged.ts";
import type { Subject } from "./plain-list.ts";
import { de } from "./sentences/de.ts";
import { en } from "./sentences/en.ts";
import { es } from "./sentences/es.ts";
import { fr } from "./sentences/fr.ts";
import { it } from "./sentences/it.ts";
import { pt } from "./sentences/pt.ts";
import type { Sentences } from "./sentences/sentences.ts";

const SENTENCES: Readonly<Record<Language, Sentences>> = { en, de, fr, es, pt, it };

export type Half = "seen" | "kept";

export interface Written {
  readonly subject: Subject;
  readonly language: Language;
  /** Whether the door may have been changed for it. */
  readonly half: Half;
  readonly text: Leaving;
}

const PAIRS: readonly (readonly [
  subject: Subject,
  kinds: readonly FindingKind[],
  hold: keyof Sentences,
  leave: keyof Sentences,
])[] = [
  ["effect", ["claim", "promise"], "effects", "honest"],
  ["rude", ["toxic"], "rude", "honest"],
  ["limit", ["policy_number"], "wrongLimits", "rightLimits"],
];

export const writtenTexts = (): readonly Written[] =>
  LANGUAGES.flatMap((language) =>
    PAIRS.flatMap(([subject, kinds, hold, leave]) => {
      const of = (list: keyof Sentences, heldFor: Leaving["heldFor"]): Written[] =>
        SENTENCES[language][list].map((text, index) => ({
          subject,
          language,
          half: index % 2 === 1 ? "kept" : "seen",
          text: { text, heldFor },
        }));
      // What is honest is judged once, with the effects.
      return subject === "rude" ? of(hold, kinds) : [...of(hold, kinds), ...of(leave, null)];
    }),
  );
