/** The import graph of the source, read with TypeScript's own scanner rules for static imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => join(folder, name))
    .sort();
}

export const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

export interface Import {
  readonly from: string;
  /** Path in the repo, for relative imports. */
  readonly to: string;
  readonly typeOnly: boolean;
}

export function importsOf(file: string): Import[] {
  const found = [
    ...read(file).matchAll(/^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"(\.[^"]+)"/gm),
  ];
  const dynamic = [...read(file).matchAll(/\bimport\("(\.[^"]+)"\)/g)];
  const to = (specifier: string) => relative(ROOT, resolve(ROOT, dirname(file), specifier));
  return [
    ...found.map((match) => ({ from: file, to: to(match[2] as string), typeOnly: match[1] !== undefined })),
    ...dynamic.map((match) => ({ from: file, to: to(match[1] as string), typeOnly: false })),
  ];
}
