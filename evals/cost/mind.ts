/**
 * How the scripted model behaves in the replay: as a capable model would, looking things up with the
 * product's tools before it answers. One deterministic mind for both tiers, so that the comparison is of
 * routes and prices, not of wits; the small tier is unsure of a share of its answers ({@link UNSURE_SHARE}),
 * which then go to the large one.
 */
import { createHash } from "node:crypto";
import { textOf } from "../../sandbox/model/exchange.ts";
import type { ChatRequest, Turn } from "../../sandbox/model/server.ts";
import type { Opening } from "./day.ts";

/** Of questions to the small tier; an assumption, printed with the result. */
export const UNSURE_SHARE = 0.15;
const UNSURE_LOGPROB = -2.5;

interface Result {
  readonly tool: string;
  readonly ok: boolean;
  readonly data: Record<string, unknown>;
}

interface Order {
  readonly number: string;
  readonly state: string;
  readonly refundable: string;
}

/** The model's answer to a question that is part of the conversation which began with `opening`. */
export function improvise(request: ChatRequest, opening: Opening, smallModel: string): Turn {
  const share = createHash("sha256").update(opening.text).digest().readUInt32BE(0) / 2 ** 32;
  if (request.model === smallModel && share < UNSURE_SHARE)
    return { text: "I am not quite sure what this is about.", logprob: UNSURE_LOGPROB };
  return wanted(resultsOf(request), opening);
}

function wanted(results: readonly Result[], { label, text }: Opening): Turn {
  const last = results.at(-1);
  const order = firstOrder(results);
  switch (label) {
    case "order-status":
      if (results.length === 0) return call("list_orders", {});
      return say(
        order === null
          ? "I cannot find an order of yours. Do you have its number at hand?"
          : `Your order #${order.number} stands at "${order.state.replaceAll("_", " ")}". Is there anything else you would like to know about it?`,
      );
    case "refund-request":
    case "return-request": {
      if (results.length === 0) return call("list_orders", { with_payments: true });
      if (order === null) return say("I cannot find an order of yours. Do you have its number at hand?");
      if (last?.tool === "list_orders") {
        return label === "refund-request"
          ? call("process_refund", { order_id: order.number, amount: order.refundable })
          : call("initiate_return", { order_id: order.number, reason: "the customer wants to send it back" });
      }
      return say(
        "I am sorry, the shop's policy does not allow that for this order. Would you like a colleague to look at it?",
      );
    }
    case "complaint":
      return say(
        "I am sorry about that. Would you like to send it back, or would you rather have a refund? A colleague can look into it as well.",
      );
    case "other": {
      if (results.length === 0) return call("search_knowledge", { query: text.slice(0, 300) });
      const passage = firstPassage(last);
      return passage === null
        ? call("escalate_to_human", {
            summary: `The customer asks something that the documents do not answer: ${text.slice(0, 300)}`,
          })
        : say(passage);
    }
  }
}

const call = (name: string, args: object): Turn => ({ calls: [{ name, args }] });
const say = (text: string): Turn => ({ text });

function firstOrder(results: readonly Result[]): Order | null {
  for (const { data } of results) {
    const [order] = Array.isArray(data.orders) ? (data.orders as Order[]) : [];
    if (order !== undefined) return order;
  }
  return null;
}

/** The first two sentences of the best passage, when the documents answer. */
function firstPassage(result: Result | undefined): string | null {
  const { answered, passages } = result?.data ?? {};
  const [first] = Array.isArray(passages) ? (passages as { text?: unknown }[]) : [];
  if (answered !== true || typeof first?.text !== "string") return null;
  return first.text
    .split(/(?<=[.!?])\s+/)
    .slice(0, 2)
    .join(" ")
    .slice(0, 600);
}

/** What the tools have answered since the customer's message, as the model is shown it. */
function resultsOf({ messages }: ChatRequest): readonly Result[] {
  const names = new Map(
    messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id, function: { name } }) => [id, name])),
  );
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ content, tool_call_id: id }) => {
      const { ok, data } = parsed(textOf(content));
      return { tool: names.get(id ?? "") ?? "", ok: ok === true, data: data ?? {} };
    });
}

function parsed(text: string): { ok?: unknown; data?: Record<string, unknown> } {
  try {
    return JSON.parse(text);
  } catch {
    // Cut to fit the window.
    return {};
  }
}
