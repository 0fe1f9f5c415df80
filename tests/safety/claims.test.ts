import { describe, expect, test } from "vitest";
import { actionText } from "../../src/actions/wording.ts";
import { knownCards } from "../../src/safety/cards.ts";
import { unconfirmedClaim, withoutClaims } from "../../src/safety/claims.ts";
import type { ActionState, ActionSummary } from "../../src/tools/views.ts";

const STATES: readonly ActionState[] = [
  "awaiting_approval",
  "rejected",
  "expired",
  "scheduled",
  "cancelled",
  "executing",
  "pending",
  "unknown",
  "needs_person",
  "succeeded",
  "failed",
];
const spoken = (kind: "refund" | "return", state: ActionState) => {
  const about = { kind, state, orderNumber: "1042", amountMinor: 2_400, currency: "USD", items: "socks" };
  return { ...about, text: actionText(about) } as unknown as ActionSummary;
};

describe("G2 an assertion of this customer's money is a claim, whatever its verb", () => {
  test.each([
    "Your claim is approved.",
    "Enjoy the refund!",
    "Your refund is all set.",
    "Die volle Erstattung gehört Ihnen.",
    "Votre remboursement est à vous.",
    "Su reembolso es suyo.",
    "O seu reembolso é seu.",
    "Il suo rimborso è suo.",
  ])("whatever its verb: %s", (text) => {
    expect(unconfirmedClaim(text, [])).not.toBeNull();
    expect(unconfirmedClaim(`Hello Ada. ${text} Have a nice day.`, [])).not.toBeNull();
  });
});

describe("G2 [44] a claim of an effect needs the ledger's own words", () => {
  test.each([
    "I have refunded 40.00 to your card",
    "I've refunded you.",
    "I’ve just refunded 40.00 USD.",
    "We already processed the refund for you.",
    "I went ahead and issued the refund.",
    "No problem, I have refunded you 40.00.",
    "Not to worry: I've sent your money back.",
    "When you look at your statement you will see it, I have refunded you.",
    "I have refunded you, ok?",
    "You've been refunded.",
    "You have now been fully refunded.",
    "Your refund has been issued.",
    "Your refund of 40.00 USD was approved!",
    "Your refund, as promised, has been issued.",
    "The refund went through.",
    "Refund of 40.00 USD processed.",
    "Refunded!",
    "Done! Refunded 40.00.",
    "The money is on its way.",
    "The money is already back on your card.",
    "40.00 USD are on their way to you.",
    "I am refunding you now.",
    "I'm processing your refund.",
    "Your return has been registered.",
    "Successfully refunded.",
    "I have re\u200bfunded you.",
    "Ich habe Ihnen 40 € erstattet.",
    "Der Betrag wurde gutgeschrieben.",
    "Je vous ai remboursé 40 €.",
    "Le he reembolsado 40 €.",
  ])("caught: %s", (text) => {
    expect(unconfirmedClaim(text, [])).not.toBeNull();
    expect(unconfirmedClaim(`Hello Ada. ${text} Have a nice day.`, [])).not.toBeNull();
  });

  test.each([
    "Shall I refund 40.00 USD to you?",
    "I can refund 40.00 USD for order #1042. Shall I go ahead?",
    "I have not refunded anything.",
    "Nothing has been refunded yet.",
    "Your refund has not been issued.",
    "Once the parcel has arrived, your refund is issued.",
    "If the item was damaged, the refund is approved by a colleague.",
    "Has your parcel been returned?",
    "Your order has been delivered.",
    "The parcel is on its way.",
    "This order is still on its way, so it cannot be refunded or sent back yet.",
    "Refunds and returns are possible within 30 days of delivery.",
    "Which items would you like to return?",
  ])("let through: %s", (text) => {
    expect(unconfirmedClaim(text, [])).toBeNull();
  });

  test("the ledger's words pass for each state, and beside them a claim is still caught", () => {
    for (const kind of ["refund", "return"] as const) {
      for (const state of STATES) {
        const action = spoken(kind, state);
        expect(unconfirmedClaim(action.text, [action]), action.text).toBeNull();
        expect(unconfirmedClaim(`${action.text} I have also refunded the jacket.`, [action])).not.toBeNull();
        expect(unconfirmedClaim(withoutClaims([action], "en"), [action])).toBeNull();
      }
    }
    expect(unconfirmedClaim(withoutClaims([], "en"), [])).toBeNull();
    // Another order's success backs nothing.
    const words = spoken("refund", "succeeded").text;
    expect(unconfirmedClaim(words, [{ ...spoken("refund", "pending"), orderNumber: "1" }])).not.toBeNull();
  });

  test("a long hostile text is judged in time linear in it", () => {
    for (const text of [
      "refund ".repeat(1_100),
      "i have ".repeat(1_100),
      "money is back ".repeat(570),
      "a".repeat(8_000),
    ]) {
      unconfirmedClaim(text, []);
    }
  }, 2_000);

  test("a card leaves only if the ledger or a tool answered with exactly that", () => {
    const order = { orderId: "ord_1", refundedMinor: 0 };
    const card = { type: "order", order };
    expect(knownCards([card], [{ refundedMinor: 0, orderId: "ord_1" }])).toEqual([card]);
    expect(knownCards([{ type: "order", order: { ...order, refundedMinor: 5 } }], [order])).toEqual([]);
    expect(knownCards([{ type: "action", order } as never], [order])).toEqual([]);
  });
});
