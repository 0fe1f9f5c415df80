/**
 * What must not be kept or shown further than it has to be: card numbers and their security codes are taken
 * out before a message is stored, those and secrets before a person reads a packet. A bank account number
 * stays: customers give it so that a person can use it, and alone it moves no money. Pure.
 */
import { CARD_MASK, maskCardNumbers } from "./card-numbers.ts";
import { type PersonalDataKind, personalDataIn } from "./personal-data.ts";
import { maskSecrets } from "./secrets.ts";

export const CODE_MASK = "[security code removed]";

/** A customer's text as it is stored. */
export function redacted(text: string): string {
  return replaced(maskCardNumbers(text), new Set(["cvv"]), () => CODE_MASK);
}

const NOT_FOR_READERS: ReadonlySet<PersonalDataKind> = new Set(["card", "cvv", "ssn"]);

/** A text as a person of the shop reads it in a packet. */
export function readable(text: string): string {
  return maskSecrets(
    replaced(maskCardNumbers(text), NOT_FOR_READERS, (kind) =>
      kind === "card" ? CARD_MASK : kind === "cvv" ? CODE_MASK : "[social security number removed]",
    ),
  );
}

function replaced(
  text: string,
  kinds: ReadonlySet<PersonalDataKind>,
  by: (kind: PersonalDataKind) => string,
): string {
  return personalDataIn(text)
    .filter(({ kind }) => kinds.has(kind))
    .toReversed()
    .reduce((left, { kind, start, end }) => `${left.slice(0, start)}${by(kind)}${left.slice(end)}`, text);
}
