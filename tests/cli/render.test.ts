import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatEvent } from "../../src/cli/chat/events.ts";
import { answerTo, liveRuns, openQuickReplies, replacesDraft } from "../../src/cli/chat/events.ts";
import { PasteReader, withLineEnds } from "../../src/cli/chat/paste.ts";
import { actionLine, eventLines, type Look, liveLines, withQuickReply } from "../../src/cli/chat/view.ts";
import { displayWidth, plainLine, plainPaint, plainText, wrap } from "../../src/cli/terminal.ts";

const look: Look = { you: "you", width: 72, paint: plainPaint, timeZone: "America/New_York" };
const at = "2026-03-02T10:15:30.123Z";
const event = (seq: number, type: string, more: Record<string, unknown>): ChatEvent => ({
  seq,
  at,
  type,
  ...more,
});

const order = {
  number: "1042",
  state: "delivered",
  currency: "USD",
  totalMinor: 11_300,
  refundedMinor: 2_400,
  pendingRefundMinor: 8_900,
  shippingMinor: 0,
  lineItems: [
    { title: "Trail jacket", quantity: 1, totalMinor: 8_900 },
    { title: "Wool socks", quantity: 2, totalMinor: 2_400, finalSale: true },
  ],
  fulfilments: [
    {
      state: "delivered",
      carrier: "Northeast Parcel",
      trackingNumber: "NP1",
      trackingUrl: "https://track.example/NP1",
      deliveredAt: Date.parse("2026-03-01T04:30:00Z"),
      lastEvent: { at: Date.parse("2026-03-01T04:30:00Z"), description: "Delivered", location: "Boston" },
    },
  ],
  returns: [],
};

describe("text of others", () => {
  test("keeps no control character, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const shown = plainText(text);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(plainText(shown)).toBe(shown);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test("keeps no piece of an escape sequence that was put together from pieces", () => {
    expect(plainText("\u001b\u001b[31m[2Jtext")).not.toContain("\u001b");
    expect(plainText("a\u0000\u001b]8;;http://evil\u0007link\u001b]8;;\u0007")).toBe("alink");
  });

  test("is nothing when it is not text", () => {
    for (const value of [null, undefined, 5, {}, ["x"]]) expect(plainLine(value)).toBe("");
  });

  test("is wrapped to the width without losing a word", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "shop", "日本語", "👩‍👩‍👧", "supercalifragilistic"), { maxLength: 40 }),
        (words) => {
          const lines = wrap(words.join(" "), 16);
          expect(lines.every((line) => displayWidth(line) <= 16)).toBe(true);
          expect(lines.join("").replaceAll(" ", "")).toBe(words.join(""));
        },
      ),
    );
  });
});

describe("events as lines", () => {
  test("an order card shows items, amounts, what is refunded and pending, and the parcel", () => {
    const text = eventLines(
      event(1, "message", { author: "agent", text: "Here it is.", cards: [{ type: "order", order }] }),
      look,
    ).join("\n");
    for (const part of ["#1042", "113.00 USD", "2 × Wool socks", "24.00 USD", "89.00 USD", "NP1", "Boston"]) {
      expect(text).toContain(part);
    }
    // The day of delivery is the one where the customer is.
    expect(text).toContain("28 Feb");
  });

  test("amounts follow the currency's decimals", () => {
    const of = (currency: string) =>
      eventLines(
        event(1, "message", {
          author: "agent",
          text: "",
          cards: [{ type: "order", order: { ...order, currency, totalMinor: 5_000 } }],
        }),
        look,
      ).join("\n");
    expect(of("JPY")).toContain("5000 JPY");
    expect(of("KWD")).toContain("5.000 KWD");
  });

  test("whatever a server sends, lines come out and none can steer the terminal", () => {
    fc.assert(
      fc.property(
        fc.anything({ maxDepth: 4 }),
        fc.constantFrom("message", "action", "status", "run", "x"),
        (value, type) => {
          const wild = { ...(value as object), seq: 1, at, type } as ChatEvent;
          const cards = {
            ...wild,
            author: "agent",
            cards: [{ type: "order", order: value }],
            citations: value,
            quick_replies: value,
          };
          for (const each of [wild, cards]) {
            const lines = [
              ...eventLines(each, look),
              actionLine(each, look),
              ...liveLines({ events: [each], reconnecting: null, unsent: 0, draft: "" }, look),
            ];
            // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
            expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          }
        },
      ),
    );
  });

  test("an action has one line in the live area, which follows its state and goes when it rests", () => {
    const action = (seq: number, state: string) =>
      event(seq, "action", {
        action_id: "a",
        kind: "refund",
        amount: "24.00",
        currency: "USD",
        order_number: "1042",
        state,
      });
    const lines = (...events: ChatEvent[]) =>
      liveLines({ events, reconnecting: null, unsent: 0, draft: "" }, look);
    expect(lines(action(1, "executing"))).toHaveLength(1);
    expect(lines(action(1, "executing"), action(2, "unknown"))).toEqual(lines(action(2, "unknown")));
    expect(lines(action(1, "executing"), action(2, "succeeded"))).toEqual([]);
  });

  test("typing shows while a run is live, and not while the connection is away", () => {
    const events = [event(1, "run", { run_id: "r", state: "queued" })];
    const typing = liveLines({ events, reconnecting: null, unsent: 0, draft: "" }, look);
    const away = liveLines({ events, reconnecting: { attempt: 1, why: "" }, unsent: 1, draft: "" }, look);
    expect(typing.join()).toContain("typing");
    expect(away.join()).toContain("reconnecting…");
    expect(away.join()).not.toContain("typing");
  });
});

describe("what is being written", () => {
  const events = [event(1, "run", { run_id: "r", state: "queued" })];

  test("shows in the live area in place of typing, wrapped and without control characters", () => {
    const draft = `It is on its way. \u001b[31m${"More of it is coming. ".repeat(6)}`;
    const lines = liveLines({ events, reconnecting: null, unsent: 0, draft }, look);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(" ")).toContain("It is on its way.");
    expect(lines.join("")).not.toContain("typing");
    expect(lines.join("")).not.toContain("\u001b[31m");
  });

  test("is over when something is said, or when its run ends; not when another one does", () => {
    const draft = { runId: "r", text: "It is" };
    expect(replacesDraft(event(2, "message", { author: "agent", text: "!" }), draft)).toBe(true);
    expect(replacesDraft(event(2, "run", { run_id: "r", state: "handed_off" }), draft)).toBe(true);
    expect(replacesDraft(event(2, "run", { run_id: "q", state: "completed" }), draft)).toBe(false);
    expect(replacesDraft(event(2, "message", { author: "customer", text: "?" }), draft)).toBe(false);
  });
});

describe("what counts as an answer", () => {
  const asked = event(1, "message", { author: "customer", text: "?" });
  const queued = event(2, "run", { run_id: "r", state: "queued" });
  const said = event(3, "message", { author: "agent", text: "!" });
  const done = event(4, "run", { run_id: "r", state: "completed" });

  test("is complete when the run has ended and something was said", () => {
    expect(answerTo([asked, queued], 1)).toBeUndefined();
    expect(answerTo([asked, queued, said], 1)).toBeUndefined();
    expect(answerTo([asked, queued, { ...done, seq: 3 }], 1)).toBeUndefined();
    expect(answerTo([asked, queued, said, done], 1)).toEqual([said]);
    expect(liveRuns([queued, done]).size).toBe(0);
  });

  test("is not awaited when a person has the conversation", () => {
    const withPerson = event(1, "status", { status: "with_person" });
    expect(answerTo([withPerson, { ...asked, seq: 2 }], 2)).toEqual([]);
  });

  test("quick replies are open until somebody writes", () => {
    const offer = event(1, "message", {
      author: "agent",
      text: "?",
      quick_replies: ["Yes", { label: "No" }, 5],
    });
    expect(openQuickReplies([offer])).toEqual(["Yes", "No"]);
    expect(openQuickReplies([offer, { ...asked, seq: 2 }])).toEqual([]);
    expect(withQuickReply(" 2 ", ["Yes", "No"])).toBe("No");
    expect(withQuickReply("3", ["Yes", "No"])).toBe("3");
    expect(withQuickReply("2 pairs", ["Yes", "No"])).toBe("2 pairs");
  });
});

describe("pasted text", () => {
  const START = "\u001b[200~";
  const END = "\u001b[201~";

  test("stays in the line until Enter, and is sent with its line ends", () => {
    const reader = new PasteReader();
    const line = reader.take(`${START}one\r\ntwo\nthree\n${END}`);
    expect(line).not.toMatch(/[\r\n]/);
    expect(withLineEnds(line)).toBe("one\ntwo\nthree");
    expect(reader.take("\r")).toBe("\r");
  });

  test("is the same however it is cut into chunks", () => {
    const text = `a${START}x\ny\u001b[31m\u0003z${END}b`;
    const whole = new PasteReader().take(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 5 }), (cuts) => {
        // A cut right behind an escape leaves what may be the Escape key: it is not waited for.
        const places = [...new Set(cuts)].filter((cut) => text[cut - 1] !== "\u001b").sort((a, b) => a - b);
        const reader = new PasteReader();
        const parts = [0, ...places].map((from, index) =>
          reader.take(text.slice(from, places[index] ?? text.length)),
        );
        expect(parts.join("")).toBe(whole);
      }),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: keys must not come out of a paste
    expect(whole).not.toMatch(/[\u0000-\u001f]/);
  });

  test("is known without marks by line ends inside one chunk", () => {
    expect(new PasteReader().take("one\ntwo\n")).not.toMatch(/[\r\n]/);
    expect(new PasteReader().take("typed\r")).toBe("typed\r");
    expect(new PasteReader().take("\u001b[A")).toBe("\u001b[A");
  });
});
