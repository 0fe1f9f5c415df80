import { describe, expect, it } from "vitest";
import { alarmIn, wishesPerson } from "../../src/agents/understanding/alarms.ts";
import { amountsIn } from "../../src/agents/understanding/amounts.ts";
import { maskCardNumbers, quotable } from "../../src/agents/understanding/card-numbers.ts";
import { requestsIn, retracts } from "../../src/agents/understanding/intents.ts";
import { itemsSaid } from "../../src/agents/understanding/item-references.ts";
import { orderReferences } from "../../src/agents/understanding/order-references.ts";
import { similarWord, withinOneEdit } from "../../src/agents/understanding/spelling.ts";
import { readWords } from "../../src/agents/understanding/words.ts";
import { jacketAndSocks, line } from "./shop.ts";

const intents = (text: string) => requestsIn(readWords(text)).map(({ intent }) => intent);

describe("what a message asks for", () => {
  it.each([
    ["Where is my order?", ["order_status"]],
    ["wheres my package", ["order_status"]],
    ["has my parcel shipped", ["order_status"]],
    ["order still not here!!", ["order_status"]],
    ["when will it arrive", ["order_status"]],
    ["tracking number pls", ["order_status"]],
    ["I want a refund", ["refund"]],
    ["gimme my money back", ["refund"]],
    ["pls refnud", ["refund"]],
    ["I don't want a refund, I want to return it", ["return"]],
    ["I don't want to return it, just refund me", ["refund"]],
    ["can i send it back", ["return"]],
    ["I'd like to send the socks and the jacket back", ["return"]],
    ["I want to return the jacket and get my money back", ["return"]],
    ["where is my refund", ["money_status"]],
    ["has my refund gone through", ["money_status"]],
    ["refund status?", ["money_status"]],
    ["when do i get my money", ["money_status"]],
    ["I still haven't received my refund", ["money_status"]],
    ["i have not been refunded", ["money_status"]],
    ["did you get my return", ["return_status"]],
    ["what is your return policy", ["policy"]],
    ["how long do I have to return something", ["policy"]],
    ["cancel my order", ["beyond"]],
    ["can you exchange it", ["beyond"]],
    ["the zipper is broken", ["problem"]],
    ["it arrived broken, refund please", ["refund"]],
    ["where's #1043 and I want to return #1044", ["order_status", "return"]],
    ["hello", []],
    ["thank you so much", []],
  ])("%j", (text, expected) => {
    expect(intents(text)).toEqual(expected);
  });

  it.each([
    ["never mind", true],
    ["nvm", true],
    ["no wait", true],
    ["stop", true],
    ["forget it", true],
    ["cancel that please", true],
    ["cancel my order 1042", false],
    ["refund the jacket", false],
    ["it stopped working", false],
  ])("%j takes something back: %s", (text, expected) => {
    expect(retracts(readWords(text))).toBe(expected);
  });

  it.each([
    "I will talk to my lawyer",
    "I'll sue you",
    "see you in court",
    "filing a chargeback",
    "I'll dispute the charge with my bank",
    "this is a GDPR request",
    "delete all my data",
    "contacting consumer protection",
  ])("%j is legal", (text) => {
    expect(alarmIn(readWords(text))).toBe("legal");
  });

  it.each(["I want to kill myself", "the charger caught fire", "it burned my hand", "I will hurt you"])(
    "%j is about safety",
    (text) => {
      expect(alarmIn(readWords(text))).toBe("safety");
    },
  );

  it.each([
    "Hi, Sue here, refund please",
    "tennis court shoes",
    "the fire red jacket",
    "refund the jacket",
    "#1187 · 1 December · Merino base layer, Headlamp",
  ])("%j is no alarm", (text) => {
    expect(alarmIn(readWords(text))).toBeNull();
  });

  it.each([
    ["can I talk to a human", true],
    ["agent", true],
    ["real person please", true],
    ["get me your manager", true],
    ["i need to speak with someone from customer service", true],
    ["call me back", true],
    ["I don't want to talk to a human", false],
    ["did the delivery person leave it", false],
  ])("%j wishes for a person: %s", (text, expected) => {
    expect(wishesPerson(readWords(text))).toBe(expected);
  });
});

describe("references", () => {
  const known = new Set(["1042", "1043"]);
  const refs = (text: string) => orderReferences(readWords(text), known);

  it.each([
    ["#1042", ["1042"]],
    ["# 1042", ["1042"]],
    ["order 1042", ["1042"]],
    ["order number is 9999", ["9999"]],
    ["1042", ["1042"]],
    ["orders 1042 and 1043", ["1042", "1043"]],
    ["not #1042, #1043", ["1043"]],
    ["１０４２", ["1042"]],
    ["#10\u200b42", ["1042"]],
    ["refund 24.00 please", []],
    ["$1042", []],
    ["size 1050", []],
  ])("%j names %j", (text, expected) => {
    expect(refs(text).numbers).toEqual(expected);
  });

  it("knows the last order from last week", () => {
    expect(refs("my last order").latest).toBe(true);
    expect(refs("I wrote last week").latest).toBe(false);
  });

  it.each([
    ["24.00", "USD", [2400]],
    ["$24", "USD", [2400]],
    ["24 usd", "USD", [2400]],
    ["€24,50", "EUR", [2450]],
    ["24,50 €", "EUR", [2450]],
    ["1,250.00", "USD", [125000]],
    ["1.250,00 €", "EUR", [125000]],
    ["¥5000", "JPY", [5000]],
    ["1.250 KWD", "KWD", [1250]],
    ["$1.005", "USD", []],
    ["refund 24 on my order", "USD", [2400]],
    ["I bought 24 of them", "USD", []],
    ["0.00", "USD", []],
  ])("%j in %s is %j", (text, currency, expected) => {
    expect(amountsIn(readWords(text), currency, new Set())).toEqual(expected);
  });

  const said = (text: string) => itemsSaid(readWords(text), jacketAndSocks.lineItems);
  it.each([
    ["the jacket", [["li_jacket"]], "unsaid"],
    ["the jackte", [["li_jacket"]], "unsaid"],
    ["the socks", [["li_socks"]], "every"],
    ["both pairs of socks", [["li_socks"]], "both"],
    ["one of the socks", [["li_socks"]], "count"],
    ["2x wool socks", [["li_socks"]], "count"],
    ["a pair of socks", [["li_socks"]], "count"],
    ["socks x2", [["li_socks"]], "count"],
  ])("%j", (text, lines, kind) => {
    const { mentions } = said(text);
    expect(mentions.map(({ lineItemIds }) => lineItemIds)).toEqual(lines);
    expect(mentions[0]?.quantity.kind).toBe(kind);
  });

  it.each([
    ["everything except the jacket", true],
    ["not the jacket", true],
    ["I want to keep the jacket", true],
    ["I do not want the jacket any more", false],
    ["not only the jacket", false],
  ])("%j leaves the jacket out: %s", (text, excluded) => {
    expect(said(text).mentions[0]?.excluded).toBe(excluded);
  });

  it("finds both of two products with one word", () => {
    const lines = [line("a", "Rain jacket", [100]), line("b", "Trail jacket", [100])];
    expect(itemsSaid(readWords("the jacket"), lines).mentions[0]?.lineItemIds).toEqual(["a", "b"]);
    expect(itemsSaid(readWords("the rain jacket"), lines).mentions[0]?.lineItemIds).toEqual(["a"]);
  });

  it("names a title by its last word, and takes a number in it for no count", () => {
    const lines = [
      line("a", "Headphone cable", [1]),
      line("b", "Studio headphones", [1]),
      line("c", "Two-person tent", [1]),
    ];
    const ids = (text: string) =>
      itemsSaid(readWords(text), lines).mentions.map(({ lineItemIds }) => lineItemIds);
    expect(ids("return the headphones")).toEqual([["b"]]);
    expect(ids("return the headphone cable")).toEqual([["a"]]);
    expect(itemsSaid(readWords("refund the two person tent"), lines).mentions[0]?.quantity.kind).toBe(
      "unsaid",
    );
    expect(itemsSaid(readWords("it is too big, the tent"), lines).also).toBe(false);
    expect(itemsSaid(readWords("the tent too"), lines).also).toBe(true);
  });

  it("forgives one slip in long words only", () => {
    expect(similarWord("jacket", "jackets")).toBe(true);
    expect(similarWord("jacket", "jcaket")).toBe(true);
    expect(similarWord("sock", "rock")).toBe(false);
    expect(withinOneEdit("abcd", "badc")).toBe(false);
  });
});

describe("card numbers", () => {
  it.each([
    "4242424242424242",
    "4242 4242 4242 4242",
    "4242-4242-4242-4242",
    "card:4242 4242 4242 4242!",
    "004242424242424242",
  ])("removes the one in %j", (text) => {
    expect(maskCardNumbers(text)).not.toMatch(/4242/);
    expect(quotable(text, 500)).not.toMatch(/4242/);
  });
  it("leaves shorter numbers alone", () => {
    expect(maskCardNumbers("order 1042, phone 030 1234 5678, part 424242424242")).toBe(
      "order 1042, phone 030 1234 5678, part 424242424242",
    );
  });
});
