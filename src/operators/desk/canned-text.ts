/** Canned replies with variables: `{{customer.first_name}}`. Pure: which there are, and how they are filled in. */

/** What each stands for. A reply that names another is refused when it is saved. */
export const VARIABLES = {
  "customer.first_name": "the customer's first name",
  "customer.name": "the customer's whole name",
  "order.number": "the order that the conversation is about",
  "refund.amount": "the amount of the latest refund of this conversation",
  "operator.name": "your own name",
  "shop.name": "the shop's name",
} as const;
export type Variable = keyof typeof VARIABLES;

/** A name with the spaces around it. */
const PLACE = /\{\{([^{}]{0,200})\}\}/g;

/** Names in the text that are no variables, each once. */
export const unknownVariables = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(PLACE)].map((match) => (match[1] ?? "").trim()).filter((name) => !isVariable(name)),
  ),
];

/** The text with what is known; what is not known stays as it is and is named, so that nobody sends it unseen. */
export function filledIn(
  text: string,
  values: Readonly<Partial<Record<Variable, string | null>>>,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const filled = text.replace(PLACE, (place, spaced: string) => {
    const name = spaced.trim();
    const value = isVariable(name) ? values[name] : undefined;
    if (value != null && value !== "") return value;
    missing.add(name);
    return place;
  });
  return { text: filled, missing: [...missing] };
}

const isVariable = (name: string): name is Variable => Object.hasOwn(VARIABLES, name);
