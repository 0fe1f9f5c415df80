/**
 * Stripe's parameters: `application/x-www-form-urlencoded` with keys such as `metadata[a]` and `expand[0]`,
 * in bodies and in queries alike; and the readers that say what is wrong in Stripe's words.
 */
import { invalid } from "./errors.ts";

export interface Form {
  readonly [key: string]: string | Form;
}

const PARAMETERS_MAX = 1_000;
const DEPTH_MAX = 5;

/**
 * Decodes nested keys; later values win, as at Stripe. Objects have no prototype, so no key is special.
 * @throws StripeError for too many parameters, too deep ones, or one that is both a value and a hash
 */
export function decodeForm(text: string): Form {
  const root = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const [key, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > PARAMETERS_MAX) throw invalid(`At most ${PARAMETERS_MAX} parameters can be sent.`);
    const path = key.match(/[^[\]]+|\[\]/g) ?? [key];
    if (path.length > DEPTH_MAX) throw invalid(`Invalid parameter: ${key} is nested too deeply.`);
    let at = root;
    for (const [index, rawPart] of path.entries()) {
      const part = rawPart === "[]" ? String(Object.keys(at).length) : rawPart;
      if (index === path.length - 1) {
        if (typeof at[part] === "object")
          throw invalid(`Invalid string: ${part} is a hash.`, { param: part });
        at[part] = value;
        continue;
      }
      at[part] ??= Object.create(null);
      if (typeof at[part] !== "object") throw invalid(`Invalid hash: ${part}`, { param: part });
      at = at[part] as Record<string, unknown>;
    }
  }
  return root as Form;
}

/** @throws StripeError `parameter_unknown` */
export function onlyKnown(form: Form, known: readonly string[]): void {
  for (const name of Object.keys(form)) {
    if (!known.includes(name)) {
      throw invalid(`Received unknown parameter: ${name}`, { code: "parameter_unknown", param: name });
    }
  }
}

/** A text parameter; null when it is absent or empty. */
export function textOf(form: Form, name: string): string | null {
  const value = form[name];
  if (value === undefined || value === "") return null;
  if (typeof value !== "string") throw invalid(`Invalid string: ${name}`, { param: name });
  return value;
}

export function required(form: Form, name: string): string {
  const value = textOf(form, name);
  if (value === null) {
    throw invalid(`Missing required param: ${name}.`, { code: "parameter_missing", param: name });
  }
  return value;
}

/** A whole number of at least `least`; null when it is absent. */
export function integerOf(form: Form, name: string, least: number, most = 99_999_999_999): number | null {
  const text = textOf(form, name);
  if (text === null) return null;
  const bad = (message: string) => invalid(message, { code: "parameter_invalid_integer", param: name });
  if (!/^-?\d{1,16}$/.test(text)) throw bad(`Invalid integer: ${text.slice(0, 40)}`);
  const value = Number(text);
  if (value < least) throw bad(`This value must be greater than or equal to ${least}.`);
  if (value > most)
    throw bad(`This value must be less than or equal to ${most} (it currently is '${text}').`);
  return value;
}

export function oneOf<T extends string>(form: Form, name: string, values: readonly T[]): T | null {
  const text = textOf(form, name);
  if (text === null) return null;
  const known = values.find((value) => value === text);
  if (known === undefined) {
    throw invalid(`Invalid ${name}: must be one of ${values.join(", ")}`, { param: name });
  }
  return known;
}

/** The members of an array parameter: `expand[]=a&expand[]=b`, or with indexes. */
export function arrayOf(form: Form, name: string): readonly string[] {
  const value = form[name];
  if (value === undefined || value === "") return [];
  const members = typeof value === "string" ? [] : Object.values(value);
  const texts = members.filter((member) => typeof member === "string");
  if (typeof value === "string" || texts.length !== members.length) {
    throw invalid("Invalid array", { param: name });
  }
  return texts;
}

const METADATA_KEYS = 50;
const METADATA_KEY_CHARS = 40;
const METADATA_VALUE_CHARS = 500;

/**
 * What metadata becomes: given keys are set, keys with an empty value are removed, and an empty `metadata`
 * removes all.
 */
export function mergedMetadata(
  form: Form,
  kept: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const given = form.metadata;
  if (given === undefined) return kept;
  if (given === "") return {};
  if (typeof given === "string") throw invalid("Invalid hash", { param: "metadata" });
  const merged = new Map(Object.entries(kept));
  for (const [key, value] of Object.entries(given)) {
    const param = `metadata[${key}]`;
    if (typeof value !== "string") throw invalid("Metadata values must be strings.", { param });
    if (key.length > METADATA_KEY_CHARS) {
      throw invalid(`Metadata keys can be at most ${METADATA_KEY_CHARS} characters long.`, { param });
    }
    if (value.length > METADATA_VALUE_CHARS) {
      throw invalid(`Metadata values can be at most ${METADATA_VALUE_CHARS} characters long.`, { param });
    }
    if (value === "") merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > METADATA_KEYS) {
    throw invalid(`Metadata can have at most ${METADATA_KEYS} keys.`, { param: "metadata" });
  }
  return Object.fromEntries(merged);
}
