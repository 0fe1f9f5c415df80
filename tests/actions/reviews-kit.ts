/** What tests of reviews share: a refund that waits for a person, and decisions on it. */
import type { Decision, ReviewView } from "../../src/actions/reviews/reviews.ts";
import type { ReviewRules } from "../../src/actions/reviews/settings.ts";
import type { ProblemError } from "../../src/kernel/errors.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { NORTHWIND } from "../kit/database.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "../kit/system.ts";

export const OPERATORS = tenantScope(NORTHWIND);
export const UNDO_MS = 5_000;

/** Ada asks for all of #1042, 113.00 USD: above what may go out unattended. */
export async function waiting(rules: Partial<ReviewRules> = {}, options: TestOptions = {}) {
  const w = await createTestSystem({
    ...options,
    tenant: { reviews: { undoMs: UNDO_MS, ...rules }, ...options.tenant },
  });
  const scope = w.scope("ada");
  const conversation = await w.open(scope);
  await w.say(scope, conversation, "refund everything from order 1042");
  await w.say(scope, conversation, "yes");
  const [review] = await w.reviews();
  if (review === undefined) throw new Error("no review was opened");
  return { w, scope, conversation, review };
}

export const wish = (review: ReviewView, more: Partial<Decision> = {}): Decision => ({
  decision: "approve",
  argsHash: review.args_hash,
  version: review.version,
  note: null,
  operator: "olivia",
  ...more,
});

export const decide = (w: TestSystem, review: ReviewView, more: Partial<Decision> = {}) =>
  w.system.reviews.decide(OPERATORS, review.review_id, wish(review, more));

/** The code that it was refused with, or `ok`. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error: unknown) => (error as ProblemError).code ?? String(error),
  );

export const kindsOf = async (w: TestSystem, about: RegExp) =>
  (await w.audit()).map(({ kind }) => kind).filter((kind) => about.test(kind));
