import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = new URL("./", import.meta.url);
const CASES = 152;

const rows = [
  ...readFileSync(new URL("README.md", FOLDER), "utf8").matchAll(/^\| (\d+) \| ([a-z]+) \| (.+) \|$/gm),
].map(([, number, area, where = ""]) => ({
  number: Number(number),
  area,
  files: [...where.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string),
  later: /^later: \S/.test(where),
}));

test("every case has one row, with the tests that are named after it or the room it waits for", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: CASES }, (_, n) => n + 1));
  expect(rows.filter(({ files, later }) => files.length > 0 === later)).toEqual([]);
});

test("every test file that the table names has a test with the case's number", () => {
  const untested = rows.flatMap(({ number, files }) =>
    files
      .filter((file) => {
        const path = new URL(file, FOLDER);
        return !existsSync(path) || !readFileSync(path, "utf8").includes(`[${number}]`);
      })
      .map((file) => `${number}: ${file}`),
  );
  expect(untested).toEqual([]);
});

test("every number in the name of a test here is in the table, with its file", () => {
  const unnamed = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".test.ts") && file !== "gate.test.ts")
    .flatMap((file) =>
      [...readFileSync(new URL(file, FOLDER), "utf8").matchAll(/["'`]((?:\[\d+\] )+)/g)]
        .flatMap(([, numbers = ""]) => [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number)))
        .filter((number) => !rows.some((row) => row.number === number && row.files.includes(file)))
        .map((number) => `${number}: ${file}`),
    );
  expect(unnamed).toEqual([]);
});
