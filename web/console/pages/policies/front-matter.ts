/** The two lines of a policy's front matter that each new version changes. Pure; the server reads the rest. */

type Name = "version" | "effective_from";

/** Where the front matter ends: after its second `---`. */
const endOf = (source: string): number =>
  source.startsWith("---") ? Math.max(source.indexOf("\n---", 3), 0) : 0;
const lineOf = (name: Name): RegExp => new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, "m");

/** What stands there, without quotes; null where there is no such line. */
export function headValue(source: string, name: Name): string | null {
  const [, value] = lineOf(name).exec(source.slice(0, endOf(source))) ?? [];
  return value === undefined ? null : value.replace(/^(["'])(.*)\1$/, "$2");
}

/** The same text with another value there; as it was where there is no such line. */
export function withHeadValue(source: string, name: Name, value: string): string {
  const end = endOf(source);
  const line = `${name}: ${name === "version" ? JSON.stringify(value) : value}`;
  return source.slice(0, end).replace(lineOf(name), () => line) + source.slice(end);
}

/** `3` → `4`, `2.9` → `2.10`; what ends otherwise stays. */
export const nextVersion = (version: string): string =>
  version.replace(/\d+$/, (digits) => String(Number(digits) + 1));
