import { describe, expect, test } from "vitest";
import { pressed } from "../../src/agents/buttons.ts";
import { judgeConsent } from "../../src/agents/understanding/consent.ts";
import { LANGUAGES } from "../../src/kernel/language.ts";
import { type LeaveContext, mayLeave, NOTHING_KNOWN } from "../../src/safety/may-leave.ts";
import { spokenDay, spokenList, spokenMoney } from "../../src/wording/forms.ts";
import { wordsOf } from "../../src/wording/words.ts";
import { frameForms, LINK, ledgerForms, ORDER, rendered, TRACKING_NUMBER, talkForms } from "./catalogue.ts";

const OWN = [
  {
    number: ORDER.slice(1),
    trackingUrl: LINK,
    trackingNumber: TRACKING_NUMBER,
    labelUrl: LINK,
    refundableMinor: 2_400,
    state: "cancelled",
  },
];
const POLICY = { days: [30], amounts: ["100"] };
const context = (more: Partial<LeaveContext>): LeaveContext => ({
  ...NOTHING_KNOWN,
  facts: OWN,
  policy: POLICY,
  // The address that they wrote from: theirs, and asked about by its page.
  customerTexts: ["ada@example.com"],
  ...more,
});

describe.each(LANGUAGES)("G2 every sentence in %s", (language) => {
  const words = wordsOf(language);
  const talk = rendered(words.talk, talkForms(words), "talk");
  const frame = rendered(words.frame, frameForms(words), "frame").filter(
    ({ name }) => name !== "frame.confirmed",
  );
  const { offer, ...rest } = words.ledger;
  const { language: _, ...outcomes } = rest;
  const ledger = rendered(outcomes, ledgerForms(words), "ledger");

  test.each([...talk, ...frame])("$name may leave, with nothing in the ledger", ({ text }) => {
    expect(mayLeave(text, context({ author: "agent" }))).toEqual({ ok: true });
  });

  test.each(rendered({ offer }, ledgerForms(words), "ledger"))(
    "$name may leave as code's offer",
    ({ text }) => {
      expect(mayLeave(text, context({ author: "code" }))).toEqual({ ok: true });
    },
  );

  test.each(ledger)("$name may leave once the ledger says it, also quoted", ({ text }) => {
    const actions = [{ text }] as unknown as LeaveContext["actions"];
    expect(mayLeave(text, context({ author: "agent", actions }))).toEqual({ ok: true });
    expect(mayLeave(words.frame.confirmed(text), context({ author: "agent", actions }))).toEqual({
      ok: true,
    });
  });

  test("that money moved, or goods are registered, may not leave without the ledger", () => {
    const it = { amount: "24,00 EUR", order: ORDER, items: "Wool socks" };
    const effects = [words.ledger.refund.succeeded(it), words.ledger.return.succeeded(it, null, null)];
    for (const text of effects) {
      const leave = mayLeave(text, context({ author: "agent" }));
      expect(leave.ok, text).toBe(false);
    }
  });

  test("no sentence is empty, has a gap or is another language's", () => {
    for (const { name, text } of [...talk, ...frame, ...ledger]) {
      expect(text.trim(), name).toBe(text);
      expect(text, name).not.toMatch(/ {2}|undefined|\bnull\b|\[object|\.\.(?!\.)/);
    }
    if (language === "en") return;
    const english = wordsOf("en");
    const theirs = new Set(
      [
        ...rendered(english.talk, talkForms(english), "talk"),
        ...rendered(english.frame, frameForms(english), "frame"),
      ].flatMap(({ text }) => (text.split(" ").length > 2 ? [text] : [])),
    );
    expect([...talk, ...frame].filter(({ text }) => theirs.has(text))).toEqual([]);
  });

  test("every button is understood when it comes back", () => {
    const { buttons } = words.talk;
    const english = wordsOf("en").talk.buttons;
    for (const [name, text] of Object.entries(buttons)) {
      const ours = english[name as keyof typeof english];
      if (typeof text === "string" && typeof ours === "string") {
        expect(pressed(text, language), name).toBe(ours);
        if (language !== "en") expect(pressed(` ${text.toUpperCase()} `, language), name).toBe(ours);
      }
    }
    expect(pressed(buttons.only("Wool socks"), language).toLowerCase()).toBe("only the wool socks");
    expect(pressed(buttons.the("Wool socks"), language).toLowerCase()).toBe("the wool socks");
    expect(pressed(buttons.all("3"), language)).toBe("All 3");
    expect(judgeConsent([buttons.yes])).toBe("yes");
    expect(judgeConsent([buttons.no])).toBe("no");
    expect(judgeConsent([buttons.yesPlease])).toBe("yes");
    expect(judgeConsent([buttons.noThanks])).toBe("no");
  });

  test("no two buttons are the same, so that each comes back as itself", () => {
    const texts = Object.values(words.talk.buttons).flatMap((text) =>
      typeof text === "string" ? [text.toLowerCase()] : [],
    );
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  test("an amount keeps its digits and its currency", () => {
    for (const [amountMinor, currency] of [
      [123_456_789, "USD"],
      [15_000, "JPY"],
      [1_230, "KWD"],
      [5, "EUR"],
    ] as const) {
      const text = spokenMoney({ amountMinor, currency }, language);
      expect(text).toContain(currency);
      expect(Number(text.replace(/\D/g, ""))).toBe(amountMinor);
    }
  });
});

test("money, dates and lists are written as in each language", () => {
  const NOW = Date.parse("2026-11-17T12:00:00Z");
  const at = Date.parse("2026-11-10T12:00:00Z");
  const place = { now: NOW, timeZone: "Europe/Berlin" };
  const written = (language: (typeof LANGUAGES)[number]) => [
    spokenMoney({ amountMinor: 129_900, currency: "EUR" }, language),
    spokenDay(at, place, language),
    spokenDay(NOW - 86_400_000, place, language),
    spokenList(["A", "B", "C"], language),
    spokenList(["A", "B"], language, "disjunction"),
  ];
  expect(LANGUAGES.map(written)).toEqual([
    ["1299.00 EUR", "on Tuesday 10 November", "yesterday", "A, B and C", "A or B"],
    ["1299,00 EUR", "el martes, 10 de noviembre", "ayer", "A, B y C", "A o B"],
    ["1299,00 EUR", "am Dienstag, 10. November", "gestern", "A, B und C", "A oder B"],
    ["1299,00 EUR", "le mardi 10 novembre", "hier", "A, B et C", "A ou B"],
    ["1299,00 EUR", "na terça-feira, 10 de novembro", "ontem", "A, B e C", "A ou B"],
    ["1299,00 EUR", "martedì 10 novembre", "ieri", "A, B e C", "A o B"],
  ]);
});
