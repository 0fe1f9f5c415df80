/** An offer in one language, its answer in another: what is said decides, not the language in which it is said. */
import { describe, expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import { ANSWERS } from "./consent-tables.ts";
import { type Answer, MANY, talk } from "./shop.ts";

type InEach = Readonly<Record<Language, string>>;

const WHOLE_ORDER: InEach = {
  en: "refund everything from order 1042",
  es: "quiero el reembolso de todo el pedido 1042",
  de: "ich möchte alles von Bestellung 1042 erstattet haben",
  fr: "je veux le remboursement de toute la commande 1042",
  pt: "quero o reembolso de toda a encomenda 1042",
  it: "vorrei il rimborso di tutto l'ordine 1042",
};
const YES: InEach = {
  en: "yes please",
  es: "sí, por favor",
  de: "ja bitte",
  fr: "oui, s'il vous plaît",
  pt: "sim, por favor",
  it: "sì, per favore",
};
const NO: InEach = {
  en: "no thanks",
  es: "no, gracias",
  de: "nein danke",
  fr: "non merci",
  pt: "não, obrigado",
  it: "no, grazie",
};
const ONLY_THE_JACKET: readonly InEach[] = [
  {
    en: "yes, but only the jacket",
    es: "sí, pero solo la chaqueta",
    de: "ja bitte, aber nur die Jacke",
    fr: "oui, mais seulement la veste",
    pt: "sim, mas só o casaco",
    it: "sì, ma solo la giacca",
  },
  {
    en: "only the jacket please",
    es: "solo la chaqueta por favor",
    de: "nur die Jacke bitte",
    fr: "seulement la veste svp",
    pt: "só o casaco por favor",
    it: "solo la giacca per favore",
  },
];
const ONLY_THE_SOCKS: readonly InEach[] = [
  {
    en: "not the jacket",
    es: "la chaqueta no",
    de: "die Jacke nicht",
    fr: "pas la veste",
    pt: "o casaco não",
    it: "non la giacca",
  },
  {
    en: "no, the socks",
    es: "no, los calcetines",
    de: "nein, die Socken",
    fr: "non, les chaussettes",
    pt: "não, as meias",
    it: "no, i calzini",
  },
];
const HOW_LONG: InEach = {
  en: "how long will it take?",
  es: "¿cuánto tarda?",
  de: "wie lange dauert das?",
  fr: "ça prend combien de temps ?",
  pt: "quanto tempo demora?",
  it: "quanto tempo ci vuole?",
};
const WHERE: InEach = {
  en: "where is my order?",
  es: "¿dónde está mi pedido?",
  de: "wo ist meine Bestellung?",
  fr: "où est ma commande ?",
  pt: "onde está a minha encomenda?",
  it: "dov'è il mio ordine?",
};
/** No answer and no question about another thing: the same offer again. */
const ASKED_AGAIN: readonly InEach[] = [
  {
    en: "to which card?",
    es: "¿a qué tarjeta?",
    de: "auf welche Karte?",
    fr: "sur quelle carte ?",
    pt: "para que cartão?",
    it: "su quale carta?",
  },
  { en: "thanks", es: "gracias", de: "danke", fr: "merci", pt: "obrigado", it: "grazie" },
  {
    en: "why so little?",
    es: "¿por qué tan poco?",
    de: "warum so wenig?",
    fr: "pourquoi si peu ?",
    pt: "porquê tão pouco?",
    it: "perché così poco?",
  },
];
const RATHER_RETURN: InEach = {
  en: "I'd rather return it",
  es: "prefiero devolverlo",
  de: "ich möchte es lieber zurückschicken",
  fr: "je préfère le retourner",
  pt: "prefiro devolver",
  it: "preferisco restituirlo",
};

const pairs = LANGUAGES.flatMap((offer) => LANGUAGES.map((answer) => [offer, answer] as const));
const REFUND = { tool: "process_refund", args: { order_id: "order_1042", amount: "113.00" } };
const items = ({ offered }: Answer) => (offered?.args as { items?: unknown } | undefined)?.items;

/** The customer has three orders, and an offer of all of #1042 in front of them. */
async function offered(language: Language) {
  const conversation = talk({ orders: MANY, language });
  const answer = await conversation.send(WHOLE_ORDER[language]);
  expect(answer.offered).toEqual(REFUND);
  return conversation;
}

describe.each(pairs)("an offer in %s, answered in %s", (language, other) => {
  test("a yes carries out what was offered, a no leaves it", async () => {
    expect((await (await offered(language)).send(YES[other])).recorded).toEqual(REFUND);
    const left = await (await offered(language)).send(NO[other]);
    expect(left).toMatchObject({ offered: null, recorded: null, last: { type: "say", dialogue: null } });
  });

  test.each([
    ["li_jacket", 1, ONLY_THE_JACKET],
    ["li_socks", 2, ONLY_THE_SOCKS],
  ] as const)(
    "a correction to %s makes another offer of the same order, which needs its own yes",
    async (id, quantity, texts) => {
      for (const text of texts) {
        const conversation = await offered(language);
        const corrected = await conversation.send(text[other]);
        expect(corrected.recorded, text[other]).toBeNull();
        expect(items(corrected), text[other]).toEqual([{ line_item_id: id, quantity }]);
        expect((await conversation.send(YES[language])).recorded).toEqual(corrected.offered);
      }
    },
  );

  test("a question is answered and carries nothing out; a yes after it is asked for exact terms again", async () => {
    for (const text of [HOW_LONG[other], WHERE[other]]) {
      const conversation = await offered(language);
      const answer = await conversation.send(text);
      expect(answer, text).toMatchObject({ offered: null, recorded: null, last: { type: "say" } });
      const agreed = await conversation.send(YES[other]);
      expect(agreed.recorded, text).toBeNull();
      expect(agreed.offered, text).toEqual(REFUND);
    }
  });

  test("thanks, and a question about the terms, are no yes: the same is offered again", async () => {
    for (const text of ASKED_AGAIN) {
      const answer = await (await offered(language)).send(text[other]);
      expect(answer, text[other]).toMatchObject({ offered: REFUND, recorded: null });
    }
  });

  test("the wish for a return instead gives up the refund", async () => {
    const conversation = await offered(language);
    const answer = await conversation.send(RATHER_RETURN[other]);
    expect(answer).toMatchObject({ offered: null, recorded: null });
    expect((await conversation.send(YES[other])).recorded).toBeNull();
  });
});

describe.each(Object.entries(ANSWERS))("an English offer, answered in %s", (_, answers) => {
  test("every plain yes is for this offer and no other", async () => {
    for (const text of answers.yes) {
      expect((await (await offered("en")).send(text)).recorded, text).toEqual(REFUND);
    }
  });

  test("nothing else carries anything out", async () => {
    for (const text of [...answers.no, ...answers.neither]) {
      expect((await (await offered("en")).send(text)).recorded, text).toBeNull();
    }
  });

  test("a plain no never names another order", async () => {
    for (const text of answers.no) {
      const answer = await (await offered("en")).send(text);
      expect(answer.offered, text).toBeNull();
    }
  });
});
