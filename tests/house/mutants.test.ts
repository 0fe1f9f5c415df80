/** The guard rails that `npm run mutants` switches off are where its list says: a moved line is noticed here, in seconds. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MUTANTS } from "../../bench/mutant-list.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

describe.each(MUTANTS)("$guard", ({ file, find, replace, test: tried, named }) => {
  test("stands in its file exactly once, and its test has its name", () => {
    expect(read(file).split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    expect(read(tried)).toContain(named);
  });
});
