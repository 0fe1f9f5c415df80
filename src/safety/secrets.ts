/** Secrets in a text: keys and tokens by the shape that their makers gave them, passwords by their name. Pure, linear. */
import { everyMatch } from "./reading.ts";

const SHAPES: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /(?<![A-Za-z0-9])sk_test_sandbox(?![A-Za-z0-9])|(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{6,}/g,
  /(?<![A-Za-z0-9])sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /(?<![A-Za-z0-9])xox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])(?:shpat|shpss|shpca)_[A-Fa-f0-9]{16,}/g,
  /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|hf_[A-Za-z0-9]{30,}|dop_v1_[0-9a-f]{40,}|pypi-[\w-]{40,}|sq0[a-z]{3}-[\w-]{20,})/g,
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g,
  /(?<![A-Za-z0-9])[Bb]earer [A-Za-z0-9._~+/-]{16,}={0,2}/g,
  /(?<![A-Za-z0-9])demo-operator-[a-z0-9_-]+/g,
  /(?<![A-Za-z])(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp|https?):\/\/[^\s/:@]{1,64}:[^\s/@]{1,128}@/gi,
];

const NAMES =
  "password|passwd|pwd|passphrase|passcode|passwort|kennwort|contrase[nñ]a|clave(?: de acceso)?|mot de passe|senha|palavra-passe|parola d'ordine|api[ _-]?key|secret(?: key)?|access token|auth token|token|one-time code|verification code|login code|pin";
/** A value that is no word: it has a digit or a sign in it, or is quoted. */
const NAMED = new RegExp(
  String.raw`(?<![\p{L}])(?:${NAMES})(?![\p{L}])(?:[^\p{L}\d\n"'“„«]{0,4}|[^\p{L}\d\n]{0,2}\s(?:is|ist|es|est|é|è|sera|lautet|eh|=|:)\s?:?\s?)(?:["'“„«]([^\n"'”“»]{4,64})["'”“»]|((?=[^\s]{0,63}[\d!@#$%^&*_+=])[^\s"'<>]{4,64}))`,
  "giu",
);
/** What our own code prints: environment keys with a value. */
const ASSIGNED = /(?<![A-Z_])[A-Z][A-Z0-9_]{2,40}(?:KEY|SECRET|TOKEN|PASSWORD|SECRETS)=[^\s"'<>\\]{4,}/g;

export interface SecretFound {
  readonly start: number;
  readonly end: number;
}

/** Of a folded text (`reading.ts`). */
export function secretsIn(text: string): readonly SecretFound[] {
  return [...SHAPES, NAMED, ASSIGNED].flatMap((shape) =>
    Array.from(everyMatch(text, shape), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}

export const SECRET_MASK = "[secret removed]";

/** The text without keys and tokens that are known by their shape. */
export const maskSecrets = (text: string): string =>
  [...SHAPES, ASSIGNED].reduce((masked, shape) => masked.replace(shape, SECRET_MASK), text);

/** The same, also without what the text itself calls a password; the word for it stays. */
export const maskNamedSecrets = (text: string): string =>
  maskSecrets(text).replace(NAMED, (whole: string, quoted?: string, bare?: string) =>
    whole.slice(0, whole.lastIndexOf(quoted ?? bare ?? "")).concat(SECRET_MASK),
  );
