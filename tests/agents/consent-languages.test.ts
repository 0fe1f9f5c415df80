import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeConsent } from "../../src/agents/understanding/consent.ts";
import { phrasesOf, spellingsOf, withoutAccents } from "../../src/agents/understanding/lexicon/lexicon.ts";
import { LEXICONS } from "../../src/agents/understanding/lexicon/lexicons.ts";
import { ANSWERS, MIXED } from "./consent-tables.ts";

const seed = Number(process.env.TEST_SEED ?? 20_261_201);

describe.each([...Object.entries(ANSWERS), ["mixed", MIXED] as const])("an answer in %s", (_, answers) => {
  it.each(answers.yes)("%j is a yes", (text) => expect(judgeConsent([text])).toBe("yes"));
  it.each(answers.no)("%j is a no", (text) => expect(judgeConsent([text])).toBe("no"));
  it.each(answers.neither)("%j is neither", (text) => expect(judgeConsent([text])).toBe("other"));
});

it.each(Object.entries(ANSWERS))("the table of %s is long enough to mean something", (_, answers) => {
  expect(answers.yes.length).toBeGreaterThanOrEqual(40);
  expect(answers.no.length).toBeGreaterThanOrEqual(40);
  expect(answers.neither.length).toBeGreaterThanOrEqual(60);
});

describe("the phrases of all languages together", () => {
  const parts = ["yes", "no", "courtesy", "neither"] as const;
  it("mean one thing each: no phrase agrees in one language and refuses in another", () => {
    const meanings = new Map<string, string>();
    for (const { language, answers } of LEXICONS) {
      for (const part of parts) {
        for (const phrase of phrasesOf(answers[part])) {
          for (const spelling of spellingsOf(phrase)) {
            const known = meanings.get(spelling);
            expect(
              known === undefined || known === part,
              `${spelling} (${language}): ${known}, ${part}`,
            ).toBe(true);
            meanings.set(spelling, part);
          }
        }
      }
    }
  });
  it("have no limit, question, number or condition among those that agree", () => {
    const spoils = new Set(
      "but only not aber nur nicht kein pero solo sólo si no mais seulement pas mas só não ma però solo se quando wenn falls".split(
        " ",
      ),
    );
    for (const { answers } of LEXICONS) {
      for (const phrase of phrasesOf(answers.yes)) {
        const words = phrase.split(" ");
        expect(/[\d?]/.test(phrase), phrase).toBe(false);
        // Spanish and Italian "si" is a yes when its accent is missing.
        expect(
          words.some((word) => spoils.has(word) && word !== "si"),
          phrase,
        ).toBe(false);
      }
    }
  });
});

const every = [...Object.values(ANSWERS), MIXED];
const yes = fc.constantFrom(...every.flatMap((it) => it.yes));
const no = fc.constantFrom(...every.flatMap((it) => it.no));
const neither = fc.constantFrom(...every.flatMap((it) => it.neither));
const answer = fc.oneof(yes, no, neither);

describe(`whatever the spelling (seed ${seed})`, () => {
  const run = (property: fc.IProperty<[string, string]> | fc.IProperty<[string]>) =>
    fc.assert(property as fc.IProperty<[string]>, { seed, numRuns: 600 });

  it("case changes nothing", () => {
    run(
      fc.property(answer, (text) => {
        expect(judgeConsent([text.toUpperCase().normalize("NFC")])).toBe(judgeConsent([text.toLowerCase()]));
      }),
    );
  });
  it("an answer without its accents is the same answer", () => {
    run(
      fc.property(fc.oneof(yes, no), (text) => {
        expect(judgeConsent([withoutAccents(text)])).toBe(judgeConsent([text]));
      }),
    );
  });
  it("decomposed accents change nothing", () => {
    run(
      fc.property(answer, (text) => {
        expect(judgeConsent([text.normalize("NFD")])).toBe(judgeConsent([text]));
      }),
    );
  });
  it("a closing mark or none, spaces and line ends change nothing", () => {
    const around = fc.constantFrom("", " ", "\n", "!", ".", "!!", " !", "…", " \u00a0");
    fc.assert(
      fc.property(answer, around, around, (text, before, after) => {
        const start = before.trim() === "" ? before : "";
        expect(judgeConsent([`${start}${text}${after}`])).toBe(judgeConsent([text]));
      }),
      { seed, numRuns: 600 },
    );
  });
  it("marks of direction and what nobody sees change nothing, wherever they stand", () => {
    const unseen = fc.constantFrom(
      "\u200b",
      "\u200e",
      "\u200f",
      "\u061c",
      "\u2066",
      "\u2069",
      "\u2060",
      "\ufeff",
      "\u00ad",
    );
    fc.assert(
      fc.property(answer, unseen, fc.nat(), (text, mark, place) => {
        const at = place % (text.length + 1);
        expect(judgeConsent([text.slice(0, at) + mark + text.slice(at)])).toBe(judgeConsent([text]));
      }),
      { seed, numRuns: 600 },
    );
  });
  it("a letter of another script is no yes", () => {
    const alike: Record<string, string> = { a: "а", e: "е", o: "о", i: "і", s: "ѕ", c: "с", p: "р" };
    run(
      fc.property(yes, (text) => {
        const other = text.toLowerCase().replace(/[aeoiscp]/, (letter) => alike[letter] ?? letter);
        if (other !== text.toLowerCase()) expect(judgeConsent([other])).not.toBe("yes");
      }),
    );
  });
  it("a direction that is overridden is no yes", () => {
    run(
      fc.property(yes, (text) => {
        expect(judgeConsent([`\u202e${text}\u202c`])).toBe("other");
      }),
    );
  });
});

describe(`nothing but plain agreement is a yes (seed ${seed})`, () => {
  const LIMITS =
    "but|only|except|not|if|aber|nur|außer|nicht|wenn|pero|solo los calcetines|excepto|si llega|mais|seulement|sauf|pas|mas|só|exceto|ma|soltanto|tranne|purché|?|¿|24|#1042|€|1.|eine|una|due|one|tomorrow|morgen|mañana|demain|amanhã|domani";
  const limit = fc.constantFrom(...LIMITS.split("|"));
  it("a yes with a limit, a condition, a number or a question on either side is none", () => {
    fc.assert(
      fc.property(yes, limit, fc.boolean(), fc.option(yes), (text, more, first, then) => {
        const spoiled = first ? `${more} ${text}` : `${text}, ${more}${then === null ? "" : ` ${then}`}`;
        expect(judgeConsent([spoiled]), spoiled).not.toBe("yes");
      }),
      { seed, numRuns: 2_000 },
    );
  });
  it("a yes and a no of any two languages are neither, in one message", () => {
    fc.assert(
      fc.property(yes, no, fc.boolean(), (agrees, refuses, first) => {
        const text = first ? `${agrees}, ${refuses}` : `${refuses}, ${agrees}`;
        expect(judgeConsent([text]), text).not.toBe("yes");
      }),
      { seed, numRuns: 2_000 },
    );
  });
  it("a no of any language takes back a yes of any language", () => {
    fc.assert(
      fc.property(yes, no, (agrees, refuses) => {
        expect(judgeConsent([agrees, refuses])).toBe("no");
        expect(judgeConsent([refuses, agrees])).toBe("other");
      }),
      { seed, numRuns: 600 },
    );
  });
  it("what is neither spoils a yes before and after it", () => {
    fc.assert(
      fc.property(yes, neither, (agrees, other) => {
        const courtesy = judgeConsent([agrees, other]) === "yes";
        // Thanks alone are neither, and spoil nothing.
        if (courtesy) expect(judgeConsent(["yes", other])).toBe("yes");
        else expect(judgeConsent([other, agrees])).not.toBe("yes");
      }),
      { seed, numRuns: 600 },
    );
  });
});
