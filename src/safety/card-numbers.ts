/**
 * Payment card numbers do not belong in a support log: digits that pass the Luhn check in a length and
 * range that card schemes use (ISO/IEC 7812) are masked before a message is stored.
 */
const CANDIDATE = /(?<![\d])(?:\d[ -]?){12,18}\d(?![\d])/g;

/** The text with card numbers shown as `•••• 4242`. Order numbers, phone numbers and amounts stay. */
export function maskCardNumbers(text: string): string {
  return text.replace(CANDIDATE, (candidate) => {
    const digits = candidate.replace(/\D/g, "");
    return /^[2-6]/.test(digits) && digits.length >= 13 && digits.length <= 19 && passesLuhn(digits)
      ? `•••• ${digits.slice(-4)}`
      : candidate;
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
