/** What code says around a handoff and at the start: that an AI writes, once; when people are there. */
import { afterEach, describe, expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../src/kernel/language.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { type OpeningHours, WEEKDAYS } from "../../src/kernel/opening-hours.ts";
import { BOUNDARY_NAMES, SimulatedCrash } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { factsOf, INITIAL_SETTINGS } from "../../src/operators/settings/shape.ts";
import { hoursText } from "../../src/orchestrator/handoff-words.ts";
import type { TenantFacts } from "../../src/tools/tool.ts";
import { wordsOf } from "../../src/wording/words.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

let world: TestSystem | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const DAY = [{ from: "09:00", to: "17:30" }];
const [mon, tue, wed, thu, fri] = [DAY, DAY, DAY, DAY, DAY];
const OFFICE: OpeningHours = {
  week: { mon, tue, wed, thu, fri },
  closedOn: ["2026-12-24", "2026-12-25"],
};
const merchant = (timeZone: string, openingHours?: OpeningHours): TenantFacts => ({
  name: "Kestrel Audio",
  currency: "EUR",
  timeZone,
  ...(openingHours === undefined ? {} : { openingHours }),
});
const toldAt = (now: string, language: Language, timeZone = "Europe/Berlin", hours = OFFICE) =>
  hoursText(merchant(timeZone, hours), Date.parse(now), language);

describe("when people are there", () => {
  test.each<[string, string, Readonly<Record<Language, string>>]>([
    [
      "now",
      "2026-12-01T10:00:00Z",
      {
        en: "Our team is here today until 17:30.",
        es: "Nuestro equipo atiende hoy hasta las 17:30.",
        de: "Unser Team ist heute bis 17:30 Uhr da.",
        fr: "Notre équipe est là aujourd'hui jusqu'à 17:30.",
        pt: "A nossa equipa está disponível hoje até às 17:30.",
        it: "Il nostro team è presente oggi fino alle 17:30.",
      },
    ],
    [
      "not yet today",
      "2026-12-01T07:59:59Z",
      {
        en: "Our team is here again today from 09:00.",
        es: "Nuestro equipo vuelve a atender hoy a partir de las 09:00.",
        de: "Unser Team ist heute ab 09:00 Uhr wieder da.",
        fr: "Notre équipe est de nouveau là aujourd'hui à partir de 09:00.",
        pt: "A nossa equipa volta a estar disponível hoje a partir das 09:00.",
        it: "Il nostro team è di nuovo presente oggi dalle 09:00.",
      },
    ],
    [
      "no more today",
      "2026-12-01T16:30:00Z",
      {
        en: "Our team is not here right now; it is back tomorrow at 09:00.",
        es: "Nuestro equipo no está disponible en este momento; vuelve mañana a las 09:00.",
        de: "Unser Team ist gerade nicht da; es ist morgen ab 09:00 Uhr wieder erreichbar.",
        fr: "Notre équipe n'est pas là pour le moment ; elle revient demain à 09:00.",
        pt: "A nossa equipa não está disponível neste momento; volta amanhã às 09:00.",
        it: "Il nostro team non è presente in questo momento; torna domani alle 09:00.",
      },
    ],
    [
      "after days closed and a weekend",
      "2026-12-23T17:00:00Z",
      {
        en: "Our team is not here right now; it is back on Monday 28 December at 09:00.",
        es: "Nuestro equipo no está disponible en este momento; vuelve el lunes, 28 de diciembre a las 09:00.",
        de: "Unser Team ist gerade nicht da; es ist am Montag, 28. Dezember ab 09:00 Uhr wieder erreichbar.",
        fr: "Notre équipe n'est pas là pour le moment ; elle revient le lundi 28 décembre à 09:00.",
        pt: "A nossa equipa não está disponível neste momento; volta na segunda-feira, 28 de dezembro às 09:00.",
        it: "Il nostro team non è presente in questo momento; torna lunedì 28 dicembre alle 09:00.",
      },
    ],
  ])("%s, in every language", (_, now, sentences) => {
    for (const language of LANGUAGES) expect(toldAt(now, language)).toBe(sentences[language]);
  });

  test.each([
    [
      "the clock goes back in between",
      "2026-10-23T17:00:00Z",
      "Europe/Berlin",
      "Montag, 26. Oktober ab 09:00",
    ],
    [
      "the clock goes forward in between",
      "2027-03-26T17:00:00Z",
      "Europe/Berlin",
      "Montag, 29. März ab 09:00",
    ],
    ["it goes back in New York", "2026-10-30T22:00:00Z", "America/New_York", "Montag, 2. November ab 09:00"],
  ])("it is the time on the merchant's clock where %s", (_, now, timeZone, when) => {
    expect(toldAt(now, "de", timeZone)).toContain(when);
  });

  test("a span that begins in the hour that is left out begins after it; one in the hour that comes twice is one", () => {
    const sunday: OpeningHours = { week: { sun: [{ from: "02:30", to: "24:00" }] } };
    const at = (now: string) => toldAt(now, "en", "Europe/Berlin", sunday);
    expect(at("2027-03-28T00:59:00Z")).toBe("Our team is here again today from 03:30.");
    expect(at("2027-03-28T01:30:00Z")).toBe("Our team is here today until 24:00.");
    expect(at("2026-10-25T00:29:00Z")).toBe("Our team is here again today from 02:30.");
    // Half past two, for the second time.
    expect(at("2026-10-25T01:30:00Z")).toBe("Our team is here today until 24:00.");
  });

  test("today and tomorrow are the merchant's, not the server's", () => {
    const now = "2026-12-01T23:30:00Z";
    expect(toldAt(now, "en", "Asia/Tokyo")).toBe("Our team is here again today from 09:00.");
    expect(toldAt(now, "en", "Europe/Berlin")).toBe("Our team is here again today from 09:00.");
    expect(toldAt(now, "en", "America/New_York")).toContain("back tomorrow at 09:00");
  });

  test("nothing is said where no hours are set, or nobody is there for a fortnight", () => {
    expect(hoursText(merchant("Europe/Berlin"), Date.parse("2026-12-01T10:00:00Z"), "en")).toBe("");
    expect(toldAt("2026-12-01T10:00:00Z", "en", "Europe/Berlin", { week: {} })).toBe("");
    const never = Object.fromEntries(WEEKDAYS.map((day) => [day, []]));
    expect(toldAt("2026-12-01T10:00:00Z", "en", "Europe/Berlin", { week: never })).toBe("");
  });

  test.each([
    ["en", "I want to talk to a person"],
    ["es", "Quiero hablar con una persona"],
    ["de", "Ich will mit einem Menschen sprechen"],
    ["fr", "Je veux parler à un conseiller"],
    ["pt", "Quero falar com uma pessoa"],
    ["it", "Vorrei parlare con una persona"],
  ] as const)(
    "a handoff while nobody is there says so in %s, and so does the word that it is heard",
    async (language, text) => {
      // Saturday, noon in New York; the night after, the clock goes back.
      const startMs = Date.parse("2026-10-31T16:00:00Z");
      const w = await started({ startMs, tenant: { openingHours: OFFICE } });
      const { frame } = wordsOf(language);
      const hours = hoursText(merchant("America/New_York", OFFICE), startMs, language);
      expect(hours).toContain("09:00");
      await w.say(text);
      expect(await w.told()).toEqual([`${frame.handoff.asked_for_person} ${hours}`]);
      await w.system.pass(11 * 60_000);
      await w.say(text);
      expect((await w.told()).at(-1)).toBe(`${frame.waiting} ${hours}`);
    },
  );
});

async function started(options: TestOptions = {}) {
  const system = await createTestSystem(options);
  world = system;
  const scope = system.scope("ada");
  const conversation = await system.open(scope);
  return {
    system,
    scope,
    conversation,
    say: (text: string) => system.say(scope, conversation, text),
    told: () => system.told(scope, conversation),
  };
}

describe("that an AI writes", () => {
  const WORDS = wordsOf("en").frame.disclosure("Northwind Outfitters");
  const SPEAKING: TestOptions = { tenant: { aiDisclosure: true } };
  const isSaid = (text: string) => text.includes(WORDS);
  const count = (told: readonly string[]) => told.join("\n").split(WORDS).length - 1;

  test("is on until it is turned off", async () => {
    expect(factsOf(INITIAL_SETTINGS).aiDisclosure).toBe(true);
    const off = factsOf({
      ...INITIAL_SETTINGS,
      answers: { ...INITIAL_SETTINGS.answers, ai_disclosure: false },
    });
    expect(off.aiDisclosure).toBe(false);
    const w = await started({ tenant: { aiDisclosure: off.aiDisclosure } });
    await w.say("hello");
    await w.say("I want to talk to a person");
    expect((await w.told()).some(isSaid)).toBe(false);
  });

  test("begins the first answer of each conversation, and no other", async () => {
    const w = await started(SPEAKING);
    for (const text of ["hello", "where is order 1042?", "refund the socks from order 1042", "yes", "thanks"])
      await w.say(text);
    const told = await w.told();
    expect(told[0]?.startsWith(`${WORDS} `)).toBe(true);
    expect(count(told)).toBe(1);
    const second = await w.system.open(w.scope);
    await w.system.say(w.scope, second, "where is order 1042?");
    expect(count(await w.system.told(w.scope, second))).toBe(1);
  });

  test("is said once to several messages at once", async () => {
    const w = await started(SPEAKING);
    for (const [n, text] of ["hello", "where is order 1042?", "what do I have?"].entries()) {
      await w.system.system.conversations.accept(w.scope, w.conversation, { clientMessageId: `m${n}`, text });
    }
    await w.system.drain();
    const told = await w.told();
    expect(told).toHaveLength(3);
    expect(told.map(isSaid)).toEqual([true, false, false]);
  });

  test("is said in the language of the first answer", async () => {
    const w = await started(SPEAKING);
    await w.say("Wo ist meine Bestellung 1042?");
    expect((await w.told())[0]?.startsWith(wordsOf("de").frame.disclosure("Northwind Outfitters"))).toBe(
      true,
    );
  });

  test.each(["I want to talk to a person", "You will hear from my lawyer"])(
    "is said when the first answer is a handoff: %j",
    async (text) => {
      const w = await started(SPEAKING);
      await w.say(text);
      const [first, ...more] = await w.told();
      expect(first?.startsWith(`${WORDS} `)).toBe(true);
      expect(more).toEqual([]);
      await w.system.pass(11 * 60_000);
      await w.say("hello?");
      const [handoff] = await w.system.reviews();
      await w.system.system.reviews.giveBack(tenantScope(NORTHWIND), w.conversation, "olivia");
      await w.system.drain();
      await w.say("where is order 1042?");
      expect(handoff?.kind).toBe("handoff");
      expect(count(await w.told())).toBe(1);
    },
  );

  test("is said by the agent's first words where a person spoke before it", async () => {
    const w = await started(SPEAKING);
    const operators = tenantScope(NORTHWIND);
    await w.system.system.reviews.takeOver(operators, w.conversation, "olivia");
    await w.system.system.reviews.giveBack(operators, w.conversation, "olivia");
    await w.say("where is order 1042?");
    await w.say("thanks");
    const told = await w.told();
    expect(count(told)).toBe(1);
    expect(told.at(-1)).not.toContain(WORDS);
  });

  test.each(BOUNDARY_NAMES.filter((name) => name.startsWith("run.")))(
    "is said once after a crash at %s",
    async (boundary) => {
      const w = await started(SPEAKING);
      const { system } = w;
      system.setBoundary((name) => {
        if (name !== boundary) return;
        system.setBoundary(() => {});
        throw new SimulatedCrash(name);
      });
      await w.say("where is order 1042?").catch(() => {});
      system.restart();
      await system.queue.work((item) => system.system.worker.handle(item));
      await system.pass(LIMITS.leaseMs + 1);
      await w.say("thanks");
      const told = await w.told();
      expect(told).toHaveLength(2);
      expect(told.map(isSaid)).toEqual([true, false]);
    },
  );
});
