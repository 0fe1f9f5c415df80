/** The scoped reads that the workflows make, as flows. What they answer was made by code, but is looked at before it is used. */

import type { Language } from "../kernel/language.ts";
import type { OrderView } from "../tools/views.ts";
import type { CallOutcome } from "./agent.ts";
import type { Flow } from "./flow.ts";

/** A system could not be reached: thrown through a flow to the router, which says so once for all workflows. */
export class ReadUnavailable extends Error {
  override readonly name = "ReadUnavailable";
}

/** `money`: with what the payment provider holds of them. `whereabouts`: without, which asks it nothing. */
export type OrdersFor = "money" | "whereabouts";

/** The customer's orders, newest first. @throws ReadUnavailable */
export function* listOrders(purpose: OrdersFor): Flow<readonly OrderView[]> {
  const outcome = yield {
    type: "call",
    tool: "list_orders",
    args: purpose === "money" ? { with_payments: true } : {},
  };
  if (outcome.kind !== "result") throw new ReadUnavailable(outcome.code);
  const { orders } = (outcome.value ?? {}) as { orders?: unknown };
  return Array.isArray(orders) ? orders.filter(isOrder) : [];
}

/** One order of the customer by number or ID, or null. @throws ReadUnavailable */
export function* findOrder(idOrNumber: string): Flow<OrderView | null> {
  const outcome: CallOutcome = yield {
    type: "call",
    tool: "get_order_status",
    args: { order_id: idOrNumber },
  };
  if (outcome.kind === "result") {
    const { order } = (outcome.value ?? {}) as { order?: unknown };
    return isOrder(order) ? order : null;
  }
  if (outcome.kind === "unavailable") throw new ReadUnavailable(outcome.code);
  return null;
}

export interface PolicyAnswer {
  readonly policyId: string;
  readonly version: string;
  readonly language: Language;
  readonly clauses: readonly { readonly clauseId: string; readonly title: string; readonly text: string }[];
}

/** The policy as customers read it. @throws ReadUnavailable */
export function* readPolicy(): Flow<PolicyAnswer> {
  const outcome = yield { type: "call", tool: "get_policy", args: {} };
  if (outcome.kind !== "result") throw new ReadUnavailable(outcome.code);
  const { policyId, version, language, clauses } = (outcome.value ?? {}) as Partial<PolicyAnswer>;
  return {
    policyId: String(policyId ?? ""),
    version: String(version ?? ""),
    language: language ?? "en",
    clauses: Array.isArray(clauses) ? clauses : [],
  };
}

/** A passage of a document in force, as the knowledge room gives it. */
export interface KnownPassage {
  readonly source: {
    readonly documentId: string;
    readonly version: string;
    readonly effectiveFrom: string;
    readonly title: string;
    readonly clauseId: string | null;
  };
  readonly kind: string;
  readonly language: Language;
  readonly headings: readonly string[];
  readonly text: string;
  readonly score: number;
}

/**
 * Passages that answer a question, best first; none when the evidence is weak, or when documents cannot be
 * read now: there is always something else to say.
 */
export function* askDocuments(query: string, language: Language): Flow<readonly KnownPassage[]> {
  // English is also what nobody has shown: its words are recognised without being told.
  const args = language === "en" ? { query } : { query, language };
  const outcome = yield { type: "call", tool: "search_knowledge", args };
  if (outcome.kind !== "result") return [];
  const { answered, passages } = (outcome.value ?? {}) as { answered?: unknown; passages?: unknown };
  return answered === true && Array.isArray(passages) ? passages.filter(isPassage) : [];
}

export function isPassage(value: unknown): value is KnownPassage {
  if (value === null || typeof value !== "object") return false;
  const { source, headings, text } = value as Partial<KnownPassage>;
  return (
    typeof text === "string" &&
    Array.isArray(headings) &&
    source !== null &&
    typeof source === "object" &&
    typeof source.documentId === "string"
  );
}

function isOrder(value: unknown): value is OrderView {
  if (value === null || typeof value !== "object") return false;
  const { orderId, number, lineItems, fulfilments } = value as Partial<OrderView>;
  return (
    typeof orderId === "string" &&
    typeof number === "string" &&
    Array.isArray(lineItems) &&
    Array.isArray(fulfilments)
  );
}
