/** The written answers: effects that nothing confirms, rudeness and limits, in six languages. */
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import type { FindingKind } from "../../src/safety/may-leave.ts";
import { FRESH } from "./fresh.ts";
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

export interface Written {
  readonly subject: Subject;
  readonly language: Language;
  readonly set: "first" | "second" | "third" | "hinted";
  readonly text: Leaving;
}

const CLAIMS: readonly FindingKind[] = ["claim", "promise"];

export const writtenTexts = (): readonly Written[] =>
  LANGUAGES.flatMap((language) => {
    const first = SENTENCES[language];
    const fresh = FRESH[language];
    const of =
      (set: Written["set"]) =>
      (subject: Subject, texts: readonly string[], heldFor: Leaving["heldFor"]): Written[] =>
        texts.map((text) => ({ subject, language, set, text: { text, heldFor } }));
    const [early, second, third, hinted] = [of("first"), of("second"), of("third"), of("hinted")];
    return [
      ...early("effect", first.effects, CLAIMS),
      ...early("effect", first.honest, null),
      ...early("rude", first.rude, ["toxic"]),
      ...early("limit", first.wrongLimits, ["policy_number"]),
      ...early("limit", first.rightLimits, null),
      ...second("effect", fresh.likely, CLAIMS),
      ...third("effect", fresh.plain, CLAIMS),
      ...third("effect", fresh.honest, null),
      ...hinted("effect", fresh.effects, CLAIMS),
      ...hinted("rude", fresh.rude, ["toxic"]),
    ];
  });
