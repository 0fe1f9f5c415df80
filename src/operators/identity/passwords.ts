/** Which passwords are taken: long ones that are not made of the person's own name. No rules of form beside that. */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";

/** Addresses are compared in this form. */
export const normalEmail = (typed: string): string => typed.trim().toLowerCase();

/** @throws ProblemError `password_weak` */
export function checkPassword(password: string, of: { readonly email: string; readonly name: string }): void {
  const { passwordCharsMin: min, passwordCharsMax: max } = LIMITS;
  const length = [...password].length;
  const weak = (why: string, next: string) => new ProblemError("password_weak", why, { next });
  if (length < min) {
    throw weak(
      `It has ${length} characters.`,
      `Take at least ${min}: a few words in a row are easy to keep.`,
    );
  }
  if (password.length > max) throw weak(`It has more than ${max} characters.`, "Take a shorter one.");
  if (new Set(password.toLowerCase()).size < 5) {
    throw weak("It repeats a few characters.", "Take a few words in a row.");
  }
  const lower = password.toLowerCase();
  const own = [...of.email.split(/[@.]/), ...of.name.toLowerCase().split(/\s+/)].filter(
    (part) => part.length >= 4,
  );
  const rest = own.reduce((left, part) => left.replaceAll(part, ""), lower);
  if (rest.length < min - 4)
    throw weak("It is mostly your name or address.", "Take words that are not about you.");
}
