/** One text per value: JSON with sorted keys, and its SHA-256. What is approved and audited is hashed this way. */
import { hash } from "node:crypto";

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** JSON text with object keys sorted at every depth; `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** True when both have the same canonical JSON; it writes neither. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
    return one === other || canonicalJson(one) === canonicalJson(other);
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameJson(item, other[index]));
  }
  const mine = membersOf(one);
  const theirs = new Map(membersOf(other));
  return (
    mine.length === theirs.size &&
    mine.every(([key, member]) => theirs.has(key) && isSameJson(member, theirs.get(key)))
  );
}

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

/** Hex SHA-256 of the canonical JSON of a value. */
export function hashOf(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}
