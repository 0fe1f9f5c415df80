/** The guard rails that `npm run mutants` switches off are where its list says: a moved line is noticed here, in seconds. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MUTANTS_BY_ROOM } from "../../bench/mutants/list.ts";

const MUTANTS = Object.values(MUTANTS_BY_ROOM).flat();
const IN_CI_MIN = 40;
/** Names of tests are made from tables: as much of one stands in its file as it is. */
const PART_CHARS = 8;

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const partsOf = (name: string): string[] =>
  Array.from({ length: Math.max(1, name.length - PART_CHARS + 1) }, (_, at) =>
    name.slice(at, at + PART_CHARS),
  );

describe.each(MUTANTS)("$guard", ({ file, find, replace, test: tried, named }) => {
  test("stands in its file exactly once, and its test has its name", () => {
    expect(read(file).split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    const source = read(tried);
    expect(partsOf(named).filter((part) => source.includes(part))).not.toEqual([]);
  });
});

test(`at least ${IN_CI_MIN} are tried with every change, in every room some`, () => {
  expect(MUTANTS.filter(({ inCi }) => inCi).length).toBeGreaterThanOrEqual(IN_CI_MIN);
  for (const mutants of Object.values(MUTANTS_BY_ROOM)) {
    expect(mutants.some(({ inCi }) => inCi)).toBe(true);
  }
});
