/** What customers write in five more languages, and what must come of it: the same as in English. */
import { describe, expect, it } from "vitest";
import { alarmIn, wishesPerson } from "../../src/agents/understanding/alarms.ts";
import { requestsIn } from "../../src/agents/understanding/intents.ts";
import { withoutAccents } from "../../src/agents/understanding/lexicon/lexicon.ts";
import { reasonIn } from "../../src/agents/understanding/reasons.ts";
import { readWords } from "../../src/agents/understanding/words.ts";
import { GERMAN } from "./languages/de.ts";
import { SPANISH } from "./languages/es.ts";
import { FRENCH } from "./languages/fr.ts";
import { ITALIAN } from "./languages/it.ts";
import { PORTUGUESE } from "./languages/pt.ts";
import { effectOf, type LanguageTable, SHOPS, type Shop } from "./languages/table.ts";
import { lastOf } from "./shop.ts";

const LANGUAGES: readonly (readonly [string, LanguageTable])[] = [
  ["es", SPANISH],
  ["de", GERMAN],
  ["fr", FRENCH],
  ["pt", PORTUGUESE],
  ["it", ITALIAN],
];
const intentsOf = (text: string) => requestsIn(readWords(text)).map(({ intent }) => intent);
const end = (shop: Shop, messages: string) => lastOf({ orders: SHOPS[shop] }, messages.split(" / "));

describe.each(LANGUAGES)("in %s", (_, table) => {
  const asks = Object.entries(table.asks).flatMap(([intent, texts]) => texts.map((text) => [text, intent]));
  it.each(asks)("%j asks for %s", (text = "", intent) => {
    expect(intentsOf(text)).toEqual([intent]);
  });
  it.each(asks)("%j does so in capitals, without accents and without its marks", (text = "", intent) => {
    expect(intentsOf(text.toUpperCase())).toEqual([intent]);
    expect(intentsOf(withoutAccents(text.replace(/[¿¡]|[.!]$/g, "").toLowerCase()))).toEqual([intent]);
  });
  it.each(table.asksNothing)("%j asks for nothing", (text) => {
    expect(intentsOf(text)).toEqual([]);
  });
  it.each(table.offers)("%s: %j leads to an offer of %s", async (shop, messages, offer) => {
    const answer = await end(shop, messages);
    expect(answer.offered, answer.text || JSON.stringify(answer.last)).toEqual(effectOf(offer));
  });
  it.each(table.handovers)("%s: %j goes to a person: %s", async (shop, messages, reason) => {
    expect((await end(shop, messages)).last).toMatchObject({ type: "escalate", reason });
  });
  it.each(table.left)("%s: %j ends with words and nothing else", async (shop, messages) => {
    const answer = await end(shop, messages);
    expect(answer.last.type, JSON.stringify(answer.last)).toBe("say");
    expect(answer.offered ?? answer.recorded).toBeNull();
    expect(answer.last).not.toHaveProperty("isLost");
  });
  it.each(table.reasons)("%j is the reason %j", (text, reason) => {
    expect(reasonIn(readWords(text))).toBe(reason);
  });
  it.each(Object.entries(table.alarms).flatMap(([kind, texts]) => texts.map((text) => [text, kind])))(
    "%j is an alarm: %s",
    (text = "", kind) => {
      expect(alarmIn(readWords(text))).toBe(kind);
      expect(alarmIn(readWords(withoutAccents(text.toUpperCase())))).toBe(kind);
    },
  );
  it.each(table.noAlarms)("%j is no alarm", (text) => {
    expect(alarmIn(readWords(text))).toBeNull();
  });
  it.each(table.person)("%j wishes for a person", (text) => {
    expect(wishesPerson(readWords(text))).toBe(true);
  });
  it.each(table.noPerson)("%j does not wish for a person", (text) => {
    expect(wishesPerson(readWords(text))).toBe(false);
  });
});
