/** Whatever a customer writes: the agent ends, claims nothing, and proposes only what its orders hold. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { parseAmount } from "../../src/kernel/money.ts";
import { unconfirmedClaim } from "../../src/safety/claims.ts";
import type { OrderView } from "../../src/tools/views.ts";
import { ADA, action, BEN, type Effect, jacketAndSocks, line, MANY, order, talk } from "./shop.ts";

const WORDS =
  "refund return the jacket socks mug tent order #1042 1043 #1044 9999 24.00 $12 all everything one two both only not no yes ok wait stop where is my money when human lawyer too small because and but , . ? ! \n 👍 other last first keep except never mind 500 ignore previous instructions i have refunded you 4242424242424242".split(
    " ",
  );
const sentence = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((words) => words.join(" "));
const message = fc.oneof(
  { weight: 4, arbitrary: sentence },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 200 }) },
);
const odd = order("55", [
  line("o1", "Return label holder", [333, 333, 334]),
  line("o2", "Order of the refund 2x (7)", [0, 0]),
  line("o3", "7", [100], { returnableUnits: 0, refundableUnitsMinor: [] }),
]);
const partlyPaidBack = {
  ...jacketAndSocks,
  refundedMinor: 2400,
  pendingRefundMinor: 100,
  refundableMinor: 8800,
};
const paidBack = { ...jacketAndSocks, refundedMinor: 11_300, refundableMinor: 0 };
const shops: readonly (readonly OrderView[])[] = [
  [],
  ADA,
  BEN,
  MANY,
  [odd],
  [...MANY, odd],
  [paidBack],
  [partlyPaidBack],
];

const CLAIM =
  /\b(?:refunded|returned|i have refund|has been (?:sent|issued|created)|i(?:'ve| have) (?:sent|issued|created|started))\b/i;
const seed = 20_260_312;

function isFrom(orders: readonly OrderView[], { tool, args }: Effect): boolean {
  const { order_id, amount, items, reason } = args as {
    order_id: string;
    amount?: string;
    items?: { line_item_id: string; quantity: number }[];
    reason?: string;
  };
  const found = orders.find(({ orderId }) => orderId === order_id);
  if (found === undefined) return false;
  const left = (id: string) => {
    const item = found.lineItems.find(({ lineItemId }) => lineItemId === id);
    return tool === "process_refund" ? item?.refundableUnitsMinor.length : item?.returnableUnits;
  };
  const unitsExist = (items ?? []).every(
    ({ line_item_id, quantity }) => quantity > 0 && quantity <= (left(line_item_id) ?? 0),
  );
  const once = new Set(items?.map(({ line_item_id }) => line_item_id)).size === (items?.length ?? 0);
  if (!unitsExist || !once || items?.length === 0) return false;
  if (tool === "initiate_return")
    return typeof reason === "string" && reason.length > 0 && reason.length <= 200;
  const minor = parseAmount(amount ?? "", found.currency);
  if (minor <= 0 || minor > found.refundableMinor) return false;
  if (items === undefined) return true;
  const price = items.reduce((sum, { line_item_id, quantity }) => {
    const units =
      found.lineItems.find(({ lineItemId }) => lineItemId === line_item_id)?.refundableUnitsMinor ?? [];
    return sum + units.slice(0, quantity).reduce((a, b) => a + b, 0);
  }, 0);
  return price === minor;
}

describe("for any conversation", () => {
  it("ends each run, claims nothing and proposes only what the orders hold", async () => {
    const known = action({ text: "ACTION-TEXT" });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...shops),
        fc.array(fc.tuple(message, fc.array(message, { maxLength: 2 })), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (orders, messages, withAction) => {
          const conversation = talk({ orders, actions: withAction ? [known] : [] });
          for (const [text, later] of messages) {
            const answer = await conversation.send(text, later);
            expect(answer.proposals.length).toBeLessThanOrEqual(LIMITS.stepsPerRun);
            for (const effect of [answer.offered, answer.recorded]) {
              if (effect !== null) expect(isFrom(orders, effect), JSON.stringify(effect)).toBe(true);
            }
            if (answer.last.type === "say") {
              expect(answer.last.text.trim()).not.toBe("");
              expect(answer.last.text.length).toBeLessThan(3_000);
              expect(answer.last.text.replaceAll("ACTION-TEXT", "")).not.toMatch(CLAIM);
              expect(unconfirmedClaim(answer.last.text, withAction ? [known] : [])).toBeNull();
              expect(answer.last.text).not.toContain("4242424242424242");
            }
            if (answer.last.type === "escalate") {
              expect(answer.last.summary).not.toContain("4242424242424242");
              expect(answer.last.summary.length).toBeLessThan(8_000);
            }
            expect(JSON.stringify(conversation.dialogue).length).toBeLessThan(6_000);
            expect(JSON.stringify(conversation.dialogue)).not.toContain("4242424242424242");
          }
        },
      ),
      { numRuns: 400, seed },
    );
  });

  it("ends each run when reads and effects fail in any way", async () => {
    const failure = fc.constantFrom(
      null,
      { kind: "unavailable", code: "shop_unavailable", message: "" } as const,
      { kind: "invalid", code: "order_not_found", message: "" } as const,
      { kind: "denied", code: "x", explanation: "No.", clauses: [] } as const,
      { kind: "conflict", code: "order_busy", message: "", action: null } as const,
      { kind: "result", value: null } as const,
      { kind: "result", value: { orders: [null, 3, {}], order: 4 } } as const,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(failure),
        async (messages, failures) => {
          const next = () => failures.next().value;
          const conversation = talk({ orders: MANY, onRead: next, onEffect: next });
          for (const text of messages) {
            const answer = await conversation.send(text);
            expect(answer.proposals.length).toBeLessThanOrEqual(LIMITS.stepsPerRun);
          }
        },
      ),
      { numRuns: 200, seed },
    );
  });
});

describe("hostile sizes", () => {
  const fifty = Array.from({ length: 50 }, (_, index) =>
    order(
      String(2000 + index),
      Array.from({ length: 8 }, (_, at) =>
        line(`l${index}_${at}`, `Product number ${index} in colour ${at} jacket`, [100, 100]),
      ),
    ),
  );
  const big: [string, string][] = [
    ["lines", "refund the jacket please\n".repeat(10_000)],
    ["one word", "refund ".repeat(50_000)],
    ["no spaces", "a".repeat(500_000)],
    ["digits", "4".repeat(100_000)],
    ["spaced digits", "4 ".repeat(100_000)],
    ["hashes", "#".repeat(100_000)],
    ["separators", "1,".repeat(100_000)],
    ["gaps", "where not never want to has my "],
    ["commas", "not the jacket, ".repeat(20_000)],
    ["apostrophes", "a'".repeat(100_000)],
    ["zero width", "\u200b".repeat(100_000)],
    ["greetings", "hi ".repeat(50_000)],
  ];
  it.each(big)("%s are read in time linear in them", async (_, text) => {
    const long = text.length < 1_000 ? text.repeat(5_000) : text;
    const started = performance.now();
    const conversation = talk({ orders: fifty });
    await conversation.send(long);
    await conversation.send(long);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
