/**
 * Payment card numbers do not belong in a support log: a run of digits that passes the Luhn check in a
 * length and range that card schemes use (ISO/IEC 7812) is masked before a message is stored.
 */
const DIGIT_RUN = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

export const CARD_MASK = "[card number removed]";

/** The text with card numbers replaced. Order numbers, phone numbers, amounts and tracking numbers stay. */
export function maskCardNumbers(text: string, replacement = CARD_MASK): string {
  return text.replace(DIGIT_RUN, (run) => {
    const digits = run.replace(/\D/g, "");
    return /^[2-6]/.test(digits) && passesLuhn(digits) ? replacement : run;
  });
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
