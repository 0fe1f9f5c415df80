import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageAfter, type SpokenLanguage } from "../../src/agents/spoken-language.ts";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";

const SEED = Number(process.env.SEED ?? 20261202);
const shown = (language: Language): SpokenLanguage => ({ language, isShown: true });
const own = (language: Language): SpokenLanguage => ({ language, isShown: false });

const CLEAR: Readonly<Record<Language, readonly string[]>> = {
  en: ["Where is my order?", "it is broken", "Do you speak English?", "the jacket is too small"],
  es: [
    "¿Dónde está mi pedido?",
    "quiero cambiar la talla",
    "¿Hablan español?",
    "la chaqueta y los calcetines",
  ],
  de: ["Wo ist meine Bestellung?", "wann kommt das an", "Deutsch bitte", "nur die socken bitte"],
  fr: ["Où est ma commande ?", "ça prend combien de temps", "en français svp", "seulement les chaussettes"],
  pt: ["Onde está a minha encomenda?", "quanto tempo demora", "Fala português?", "quero devolver os sapatos"],
  it: ["Dov'è il mio ordine?", "quanto tempo ci vuole", "Parla italiano?", "si è rotto subito"],
};

describe.each(LANGUAGES)("a clear message in %s", (language) => {
  test.each(CLEAR[language])("begins in it, and changes to it from each other language: %s", (text) => {
    for (const other of LANGUAGES) {
      expect(languageAfter(text, own(other))).toEqual(shown(language));
      expect(languageAfter(text, shown(other)), `from ${other}`).toEqual(shown(language));
    }
  });
});

test.each([
  ["Hola", "es"],
  ["Bonjour", "fr"],
  ["Guten Tag", "de"],
  ["Buongiorno", "it"],
  ["Olá", "pt"],
  ["refund", "en"],
] as const)("%j is enough to begin in %s, and not to change to it", (text, language) => {
  expect(languageAfter(text, own("en"))).toEqual(shown(language));
  const other = language === "de" ? "fr" : "de";
  expect(languageAfter(text, shown(other))).toEqual(shown(other));
});

test.each([
  "ok",
  "OK!",
  "#1042",
  "1042",
  "order #1042",
  "KA-2042",
  "👍",
  "?",
  "2",
  "Wool socks",
  "Merino base layer",
  "Headlamp",
  "merci",
  "gracias",
  "thank you",
  "danke dir",
  "ciao ciao",
  "yes please",
  "ja",
  "Где мой заказ?",
  "我的订单在哪里",
  "\u202eatad\u202c",
  "",
])("%j changes no language that was shown", (text) => {
  for (const language of LANGUAGES) expect(languageAfter(text, shown(language))).toEqual(shown(language));
});

test.each(["#1042", "1042", "ok", "?", "Где мой заказ?", ""])("%j shows none", (text) => {
  for (const language of LANGUAGES) expect(languageAfter(text, own(language))).toEqual(own(language));
});

test("every text leaves a language that is spoken, and one that was shown stays shown", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom(...LANGUAGES),
      fc.boolean(),
      (text, language, isShown) => {
        const after = languageAfter(text, { language, isShown });
        expect(LANGUAGES).toContain(after.language);
        if (isShown) expect(after.isShown).toBe(true);
        if (!after.isShown) expect(after.language).toBe(language);
      },
    ),
    { seed: SEED },
  );
});
