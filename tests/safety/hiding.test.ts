/** What the door finds, it finds however it is written, in linear time. `SAFETY_SEED=17` runs a seed again. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/kernel/ports.ts";
import { type FindingKind, mayLeave } from "../../src/safety/may-leave.ts";
import { HONEST } from "./claim-tables.ts";
import { CONTEXT, kindsOf } from "./context.ts";
import { card, digits, disguised, grouped, iban, NETWORKS, pick } from "./numbers.ts";

const SEED = Number(process.env.SAFETY_SEED ?? 20_261_202);

describe("hiding does not help", () => {
  const NEEDLES: readonly (readonly [FindingKind, string])[] = [
    ["claim", "I have refunded you"],
    ["claim", "Ihre Erstattung wurde bearbeitet"],
    ["promise", "You will receive your refund tomorrow"],
    ["toxic", "you are an idiot"],
    ["secret", "sk_live_abcdefghijklmnop1234"],
    ["email", "eve@example.com"],
    ["link", "https://evil.com/refund"],
    ["markup", "<script>alert(1)</script>"],
    ["policy_number", "You can return it within 60 days"],
  ];
  const LOOK_ALIKE: Readonly<Record<string, string>> = {
    a: "а",
    e: "е",
    o: "о",
    p: "р",
    c: "с",
    i: "і",
    x: "х",
  };
  const hide: readonly ((text: string, random: ReturnType<typeof seededRandom>) => string)[] = [
    (text) => [...text].join("\u200b"),
    (text) => [...text].join("\u2060"),
    (text) => text.replace(/[a-z]/g, (letter) => `${letter}\u00ad`),
    (text, random) =>
      text.replace(/[aeopcix]/g, (it) => (random.fraction() < 0.5 ? (LOOK_ALIKE[it] as string) : it)),
    (text) => text.replace(/[!-~]/g, (it) => String.fromCharCode(it.charCodeAt(0) + 0xfee0)),
    (text) => text.replace(/[a-z]/g, (it) => String.fromCodePoint(0x1d41a + it.charCodeAt(0) - 97)),
    (text) => text.replace(/ /g, "\u00a0"),
    (text) => text.replace(/ /g, "  "),
    (text) => text.toUpperCase(),
    (text) => text.replace(/[a-z]/g, (letter) => `${letter}\u0336`),
  ];

  test("words and links, hidden any way", () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 1_500; round += 1) {
      const [kind, needle] = pick(random, NEEDLES);
      const index = Math.floor(random.fraction() * hide.length);
      const text = `${pick(random, ["Hello. ", "", "So: "])}${hide[index]?.(needle, random)}${pick(random, [".", "!", "", ". Bye."])}`;
      // Upper case is another key.
      if (kind === "secret" && index === 8) continue;
      const kinds = kindsOf(text, { customerTexts: [] });
      expect(kinds, `seed ${SEED}, way ${index}: ${JSON.stringify(text)}`).toContain(kind);
    }
  });

  test("numbers, in any grouping and script", () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 2_000; round += 1) {
      const isCard = random.fraction() < 0.5;
      const number = isCard ? grouped(random, card(random, pick(random, NETWORKS))) : iban(random);
      const shown = pick(random, [
        number,
        disguised(random, number),
        number
          .replace(/\W|_/g, "")
          .match(/.{1,4}/g)
          ?.join(" ") ?? "",
      ]);
      const text = `${pick(random, ["", "It is ", "order 1042: "])}${shown}${pick(random, ["", ".", ", thanks"])}`;
      const why = `seed ${SEED}: ${JSON.stringify(text)}`;
      expect(kindsOf(text), why).toContain(isCard ? "card" : "iban");
    }
  });

  test("numbers with a wrong check digit pass, and so does any other order number of theirs", () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 2_000; round += 1) {
      const number = card(random, pick(random, NETWORKS));
      const wrong =
        number.slice(0, -1) + ((Number(number.at(-1)) + 1 + Math.floor(random.fraction() * 9)) % 10);
      if (wrong === number) continue;
      expect(kindsOf(`The serial number is ${wrong}.`), `seed ${SEED}: ${wrong}`).toEqual([]);
      const order = `${pick(random, ["", "NW-", "A"])}${digits(random, 4 + Math.floor(random.fraction() * 4))}`;
      const own = kindsOf(`Order #${order} is on its way.`, { facts: [{ number: order }] });
      expect(own, `seed ${SEED}: ${order}`).toEqual([]);
    }
  });
});

describe("time is linear in the text", () => {
  /** Quadratic time takes minutes for it; linear time takes half a second. */
  const CHARS = 200_000;
  const filled = (piece: string, chars = CHARS) =>
    piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
  const timed = (text: string): number => {
    // Of the processor, not of the clock: other work on the machine does not count.
    const before = process.threadCpuUsage();
    mayLeave(text, CONTEXT);
    return process.threadCpuUsage(before).user / 1_000;
  };

  test.each([
    "refund ",
    "i have ",
    "I have refunded you no problem and ",
    "a",
    " ",
    "\u200b",
    "4",
    "4111 ",
    "1 ",
    "1,",
    "eve@example.com ",
    "DE89 ",
    "#2077 ",
    "order 2077 and ",
    "https://evil.com/x ",
    "https://evil.com/",
    "http:",
    "....",
    "](",
    "{{",
    "<",
    "refund within 1 1 1 ",
    "return up to 1.1.1.1",
    "éa\u0301",
    "е",
    "password is ",
    "+1 2",
    "a b c d ",
    "fuuu",
    ", ",
  ])("in a long row of %j", (piece) => expect(timed(filled(piece))).toBeLessThan(10_000), 60_000);

  test("in a megabyte of prose", () => {
    const prose = Object.values(HONEST).flat().join(" ");
    expect(timed(filled(`${prose} `, 1_000_000))).toBeLessThan(20_000);
  }, 60_000);
});
