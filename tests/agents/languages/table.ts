/** What customers write in one language, and what must come of it. One line a conversation; `/` parts its messages. */
import type { Intent } from "../../../src/agents/understanding/intents.ts";
import type { OrderView } from "../../../src/tools/views.ts";
import { ADA, BEN, MANY } from "../shop.ts";

export interface LanguageTable {
  /** Messages by what they ask for. */
  readonly asks: Readonly<Partial<Record<Intent, readonly string[]>>>;
  /** Messages that ask for nothing. */
  readonly asksNothing: readonly string[];
  /** Conversations by the offer that must end them. */
  readonly offers: readonly (readonly [shop: Shop, messages: string, offer: Offer])[];
  /** Conversations by the reason for which a person takes over. */
  readonly handovers: readonly (readonly [shop: Shop, messages: string, reason: string])[];
  /** Conversations that end without an offer and without a person. */
  readonly left: readonly (readonly [shop: Shop, messages: string])[];
  /** A return's reason, by what is said. */
  readonly reasons: readonly (readonly [text: string, reason: string])[];
  readonly alarms: Readonly<Record<"legal" | "safety", readonly string[]>>;
  readonly noAlarms: readonly string[];
  readonly person: readonly string[];
  readonly noPerson: readonly string[];
}

export type Shop = "ada" | "ben" | "many";
export const SHOPS: Readonly<Record<Shop, readonly OrderView[]>> = { ada: ADA, ben: BEN, many: MANY };

/**
 * `refund 1042 113.00`, `refund 1042 24.00 socks 2`, `return 1042 jacket 1 | Too small`: the tool, the order,
 * the amount, the units; the reason of a return after the bar.
 */
export type Offer = string;

const TOOLS = { refund: "process_refund", return: "initiate_return" } as const;

export function effectOf(offer: Offer): { readonly tool: string; readonly args: object } {
  const [what = "", reason] = offer.split(" | ");
  const [kind = "", order = "", ...rest] = what.split(" ");
  const amount = kind === "refund" ? rest.shift() : undefined;
  const items: object[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    items.push({ line_item_id: `li_${rest[at]}`, quantity: Number(rest[at + 1]) });
  }
  return {
    tool: TOOLS[kind as keyof typeof TOOLS],
    args: {
      order_id: `order_${order}`,
      ...(amount === undefined ? {} : { amount }),
      ...(reason === undefined ? {} : { reason }),
      ...(items.length === 0 ? {} : { items }),
    },
  };
}
