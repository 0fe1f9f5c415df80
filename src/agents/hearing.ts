/**
 * What the statistical model hears in a message in which the rules recognise nothing: a request of the
 * same shape as theirs, a complaint, or nothing that it is sure of. Rules come first because they are
 * exact; a guess never does more than open the workflow, whose offer the customer still has to accept.
 */
import type { Request } from "./understanding/intents.ts";
import type { MessageSignals } from "./understanding/signals.ts";
import { conceptsOf } from "./understanding/understand.ts";
import type { Word } from "./understanding/words.ts";

export type Heard =
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "complaint" }
  | { readonly kind: "nothing" };

const NOTHING: Heard = { kind: "nothing" };

/** `text` is what `words` were read from. Below the threshold it hears nothing: asking is better. */
export function heard(text: string, words: readonly Word[], signals: MessageSignals): Heard {
  const likeliest = signals.intents[0]?.intent;
  if (!signals.isSure || likeliest === undefined || words.length < SHORTEST_GUESS_WORDS) return NOTHING;
  const about = conceptsOf(text);
  const request = (intent: Request["intent"]): Heard => ({
    kind: "request",
    request: { intent, words, core: words },
  });
  switch (likeliest) {
    case "order-status":
      // A question about money that is under way is never taken for a new request of money.
      if (about.has("REFUND") || (about.has("MONEY") && !about.has("PARCEL"))) return request("money_status");
      return request(about.has("RETURN") ? "return_status" : "order_status");
    case "refund-request":
      return request("refund");
    case "return-request":
      return request(about.has("EXCHANGE") && !about.has("RETURN") ? "beyond" : "return");
    case "complaint":
      return { kind: "complaint" };
    case "other":
      return isAboutTerms(about) ? request("policy") : NOTHING;
  }
}

/** One word is an answer or a greeting more often than a request. */
const SHORTEST_GUESS_WORDS = 2;

const isAboutTerms = (about: ReadonlySet<string>): boolean =>
  about.has("POLICY") && (about.has("RETURN") || about.has("REFUND") || about.has("EXCHANGE"));
