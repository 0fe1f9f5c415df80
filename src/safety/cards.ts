/**
 * Cards show facts beside a text, so they are held to the same rule (G2): a card leaves only if it is,
 * to the letter, something that the ledger or a tool of this run answered with. Pure.
 */
import { isSameJson } from "../kernel/canonical.ts";

/** The cards whose content is among `known`; the others are left out. */
export function knownCards<C extends { type: string }>(cards: readonly C[], known: readonly unknown[]): C[] {
  return cards.filter((card) => {
    const content = (card as Record<string, unknown>)[card.type];
    // Only what has the same ID can be the same, and most of what is known is not read for it.
    return known.some((fact) => idOf(fact) === idOf(content) && isSameJson(fact, content));
  });
}

function idOf(value: unknown): unknown {
  const { orderId, actionId } = (value ?? {}) as { orderId?: unknown; actionId?: unknown };
  return orderId ?? actionId;
}
