/**
 * Payment card numbers must not travel further than the message in which the customer typed them. Storage
 * masks what is a card number as it stands (`safety/card-numbers.ts`); what an agent reads or repeats is
 * held to more: no run of digits that has one anywhere in it.
 */
import { CARD_MASK } from "../../safety/card-numbers.ts";

const DIGIT_RUN = /\d(?:[ -]?\d){12,}/g;

/** The text with every run of digits that holds a plausible card number (13–19 digits, Luhn) replaced. */
export function maskCardNumbers(text: string): string {
  return text.replace(DIGIT_RUN, (run) => (holdsCardNumber(run.replace(/\D/g, "")) ? CARD_MASK : run));
}

/** The same with nothing in their place: for reading, where four digits of a card are no order number. */
export function withoutCardNumbers(text: string): string {
  return text
    .replaceAll(CARD_MASK, " ")
    .replace(DIGIT_RUN, (run) => (holdsCardNumber(run.replace(/\D/g, "")) ? " " : run));
}

function holdsCardNumber(digits: string): boolean {
  for (let length = 13; length <= 19; length += 1) {
    for (let start = 0; start + length <= digits.length; start += 1) {
      if (passesLuhn(digits, start, length)) return true;
    }
  }
  return false;
}

function passesLuhn(digits: string, start: number, length: number): boolean {
  let sum = 0;
  for (let i = 0; i < length; i += 1) {
    const digit = digits.charCodeAt(start + length - 1 - i) - 48;
    const doubled = i % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** One line of a customer's text for a person to read: card numbers removed, spaces folded, cut to length. */
export function quotable(text: string, maxChars: number): string {
  const line = maskCardNumbers(text.slice(0, maxChars * 4).normalize("NFKC"))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
