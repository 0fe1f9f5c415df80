/**
 * Cards show facts beside a text, so they are held to the same rule (G2): a card leaves only if it is,
 * to the letter, something that the ledger or a tool of this run answered with. Pure.
 */
import { canonicalJson } from "../kernel/canonical.ts";

/** The cards whose content is among `known`; the others are left out. */
export function knownCards<C extends { type: string }>(cards: readonly C[], known: readonly unknown[]): C[] {
  if (cards.length === 0) return [];
  const texts = new Set(known.map(canonicalJson));
  return cards.filter((card) => texts.has(canonicalJson((card as Record<string, unknown>)[card.type])));
}
