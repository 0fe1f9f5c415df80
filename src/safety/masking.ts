/**
 * What must not be kept or shown further than it has to be: card numbers and their security codes are taken
 * out before a message is stored, those and secrets before a person reads a packet. A bank account number
 * stays: customers give it so that a person can use it, and alone it moves no money. Pure.
 */
import { CARD_MASK } from "./card-numbers.ts";
import { type PersonalDataKind, personalDataIn } from "./personal-data.ts";
import { maskNamedSecrets } from "./secrets.ts";

export const CODE_MASK = "[security code removed]";
const SSN_MASK = "[social security number removed]";

type Masks = Partial<Record<PersonalDataKind, string>>;
const STORED: Masks = { card: CARD_MASK, cvv: CODE_MASK };
const READ: Masks = { ...STORED, ssn: SSN_MASK };

/** A customer's text as it is stored. */
export const redacted = (text: string): string => replaced(text, STORED);

/** A text as a person of the shop reads it in a packet. */
export const readable = (text: string): string => maskNamedSecrets(replaced(text, READ));

function replaced(text: string, masks: Masks): string {
  const parts: string[] = [];
  let done = 0;
  for (const { kind, start, end } of personalDataIn(text, (kind) => kind in masks)) {
    parts.push(text.slice(done, start), masks[kind] ?? "");
    done = end;
  }
  return done === 0 ? text : parts.join("") + text.slice(done);
}
