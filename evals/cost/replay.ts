/** Plays a day's conversations through the product with one agent, and says what they cost and how they ended. */
import { NORTHWIND, type Product } from "../../bench/product.ts";
import type { PublicEvent } from "../../src/conversations/events.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Label, Opening } from "./day.ts";

/** What a model was asked once: enough to price it again. */
export interface Asked {
  readonly tier: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export interface Replayed {
  readonly conversations: number;
  /** Ended without a person. */
  readonly resolved: number;
  readonly messages: number;
  /** Messages by who answered last: `workflow`, or the tier. */
  readonly byTier: ReadonlyMap<string, number>;
  /** Messages that the shop's documents answered, without a model. */
  readonly byDocuments: number;
  readonly asked: readonly Asked[];
}

const MOST_MESSAGES = 4;
const WANTS: Readonly<Record<Label, RegExp>> = {
  "order-status": /where/i,
  "return-request": /return|send it back/i,
  "refund-request": /refund/i,
  complaint: /refund/i,
  other: /^$/,
};

export async function replay(
  product: Product,
  day: readonly Opening[],
  begin: (opening: Opening) => void,
  booked: () => Promise<void>,
): Promise<Replayed> {
  const owners = new Set(
    product.world.orders.filter(({ tenant }) => tenant === "northwind").map(({ order }) => order.customerId),
  );
  const people = product.world.customers.filter(({ tenant, id }) => tenant === "northwind" && owners.has(id));
  let messages = 0;
  let resolved = 0;
  for (const [index, opening] of day.entries()) {
    begin(opening);
    const scope = product.scope(people[index % people.length]?.id ?? "");
    const conversation = await product.open(scope);
    let text: string | null = opening.text;
    let isWithPerson = false;
    for (let n = 0; n < MOST_MESSAGES && text !== null && !isWithPerson; n += 1) {
      const events = await product.ask(scope, conversation, text);
      messages += 1;
      isWithPerson = events.some(({ type, status }) => type === "status" && status === "with_person");
      text = replyTo(events, opening.label);
    }
    // An effect under way ends before the next customer comes.
    await product.system.executor.idle();
    if (!isWithPerson) resolved += 1;
  }
  await booked();
  const { runs, steps, asked } = await product.store.transact(tenantScope(NORTHWIND), async (tx) => ({
    steps: await tx.selectFrom("steps").select(["run_id", "proposal"]).execute(),
    runs: await tx
      .selectFrom("runs")
      .select(["id", "tier", "state"])
      .where("cause", "=", "message")
      .execute(),
    asked: await tx.selectFrom("model_calls").selectAll().execute(),
  }));
  const searched = new Set(
    steps
      .filter(({ proposal }) => (proposal as { tool?: unknown }).tool === "search_knowledge")
      .map(({ run_id: id }) => id),
  );
  const byTier = new Map<string, number>();
  for (const { tier } of runs) byTier.set(tier ?? "workflow", (byTier.get(tier ?? "workflow") ?? 0) + 1);
  return {
    conversations: day.length,
    resolved,
    messages,
    byTier,
    byDocuments: runs.filter(
      ({ id, tier, state }) => tier === null && state === "completed" && searched.has(id),
    ).length,
    asked: asked.map((call) => ({
      tier: call.tier,
      inputTokens: call.input_tokens,
      cachedTokens: call.cached_tokens,
      outputTokens: call.output_tokens,
    })),
  };
}

/** What the customer says next: yes to an offer, what they came for when asked, the first order when asked which. */
function replyTo(events: readonly PublicEvent[], label: Label): string | null {
  const last = events.findLast(({ type, author }) => type === "message" && author !== "customer");
  const replies = (Array.isArray(last?.quick_replies) ? last.quick_replies : []).filter(
    (reply): reply is string => typeof reply === "string" && !/person|again|^no\b/i.test(reply),
  );
  const wished = [/^yes/i, WANTS[label], ...(label === "other" ? [] : [/\d/])];
  for (const wish of wished) {
    const found = replies.find((reply) => wish.test(reply));
    if (found !== undefined) return found;
  }
  return null;
}
