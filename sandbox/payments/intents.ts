/** Payment intents: enough to pay with a test card, so that there is a charge to refund. */
import { invalid, missing, StripeError } from "./errors.ts";
import { type Form, integerOf, mergedMetadata, oneOf, onlyKnown, required, textOf } from "./form.ts";
import { type Books, newStripeId } from "./refunds.ts";
import { type Charge, type Intent, showCharge, showIntent } from "./shapes.ts";

const CREATE = [
  "amount",
  "currency",
  "confirm",
  "payment_method",
  "payment_method_types",
  "automatic_payment_methods",
  "capture_method",
  "confirmation_method",
  "description",
  "metadata",
  "off_session",
  "return_url",
  "expand",
];
const CONFIRM = ["payment_method", "off_session", "return_url", "expand"];
/** Stripe's smallest and largest amounts differ by currency; this is what all have in common. */
const AMOUNT_MAX = 99_999_999;
const DECLINED_CARD = "pm_card_chargeDeclined";
const DISPUTED_CARD = "pm_card_createDispute";

export interface IntentRequest {
  readonly amount: number;
  readonly currency: string;
  readonly confirm: boolean;
  readonly paymentMethod: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export function readIntentRequest(form: Form): IntentRequest {
  onlyKnown(form, CREATE);
  required(form, "amount");
  const currency = required(form, "currency").toLowerCase();
  if (!/^[a-z]{3}$/.test(currency))
    throw invalid(`Invalid currency: ${currency.slice(0, 20)}`, { param: "currency" });
  if (!["automatic", "automatic_async", null].includes(textOf(form, "capture_method"))) {
    throw invalid("This sandbox captures automatically.", { param: "capture_method" });
  }
  return {
    amount: integerOf(form, "amount", 1, AMOUNT_MAX) ?? 0,
    currency,
    confirm: oneOf(form, "confirm", ["true", "false"]) === "true",
    paymentMethod: textOf(form, "payment_method"),
    description: textOf(form, "description"),
    metadata: mergedMetadata(form, {}),
  };
}

export function createIntent(books: Books, wanted: IntentRequest): Intent {
  const intent: Intent = {
    id: newStripeId(books.random, "pi"),
    amount: wanted.amount,
    created: Math.floor(books.clock.now() / 1000),
    currency: wanted.currency,
    description: wanted.description,
    latest_charge: null,
    metadata: wanted.metadata,
    payment_method: wanted.paymentMethod,
    status: wanted.paymentMethod === null ? "requires_payment_method" : "requires_confirmation",
  };
  books.ledger.addIntent(intent);
  books.emit("payment_intent.created", showIntent(intent));
  return wanted.confirm ? confirmIntent(books, intent.id, null) : intent;
}

export function readConfirmRequest(form: Form): string | null {
  onlyKnown(form, CONFIRM);
  return textOf(form, "payment_method");
}

export function confirmIntent(books: Books, id: string, method: string | null): Intent {
  const { ledger, random, clock } = books;
  const intent = ledger.intent(id);
  if (intent === null) throw missing("payment_intent", id, "intent");
  const state = (message: string) =>
    new StripeError(400, {
      type: "invalid_request_error",
      code: "payment_intent_unexpected_state",
      message,
      payment_intent: showIntent(intent),
    });
  if (intent.status === "succeeded") {
    throw state(
      "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
    );
  }
  const paymentMethod = method ?? intent.payment_method;
  if (paymentMethod === null) {
    throw state("You cannot confirm this PaymentIntent because it's missing a payment method.");
  }
  if (paymentMethod === DECLINED_CARD) {
    throw new StripeError(402, {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
    });
  }
  const charge: Charge = {
    id: newStripeId(random, "ch"),
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    created: Math.floor(clock.now() / 1000),
    currency: intent.currency,
    description: intent.description,
    disputed: paymentMethod === DISPUTED_CARD,
    metadata: intent.metadata,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    refunded: false,
  };
  const paid: Intent = {
    ...intent,
    latest_charge: charge.id,
    payment_method: paymentMethod,
    status: "succeeded",
  };
  ledger.addCharge(charge);
  ledger.saveIntent(paid);
  books.emit("charge.succeeded", showCharge(charge));
  books.emit("payment_intent.succeeded", showIntent(paid));
  return paid;
}
