/** Results as JUnit XML, for machines, and as Markdown, for people. */
import { DIMENSIONS, KINDS } from "./format.ts";
import type { Result } from "./play.ts";

export interface Dimension {
  readonly name: string;
  readonly passed: number;
  readonly count: number;
}

export const dimensionsOf = (results: readonly Result[]): Dimension[] =>
  DIMENSIONS.map((name) => {
    const own = results.filter(({ scenario }) => KINDS[scenario.kind] === name);
    return { name, passed: own.filter(({ faults }) => faults.length === 0).length, count: own.length };
  });

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const xml = (text: string): string =>
  // Control characters are no XML.
  [...text].map((char) => XML[char] ?? (/\p{Cc}/u.test(char) ? " " : char)).join("");

export function junit(results: readonly Result[]): string {
  const cases = results.map(({ scenario, faults, seconds }) => {
    const head = `    <testcase classname="${xml(scenario.kind)}" name="${xml(scenario.id)}" time="${seconds.toFixed(3)}"`;
    if (faults.length === 0) return `${head}/>`;
    return `${head}>\n      <failure message="${xml(faults[0] ?? "")}">${xml(faults.join("\n"))}</failure>\n    </testcase>`;
  });
  const failures = results.filter(({ faults }) => faults.length > 0).length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="scenarios" tests="${results.length}" failures="${failures}">\n${cases.join("\n")}\n  </testsuite>\n</testsuites>\n`;
}

export function markdown(results: readonly Result[]): string {
  const rows = dimensionsOf(results).map(({ name, passed, count }) => `| ${name} | ${passed} | ${count} |`);
  const failed = results.filter(({ faults }) => faults.length > 0);
  return [
    "| dimension | passed | scenarios |",
    "| --- | --- | --- |",
    ...rows,
    `| all | ${results.length - failed.length} | ${results.length} |`,
    ...(failed.length === 0 ? [] : ["", "What failed:", ""]),
    ...failed.flatMap(({ scenario, faults }) => [
      `- \`${scenario.id}\` (${scenario.kind})`,
      ...faults.map((fault) => `  - ${fault.replaceAll("\n", " ")}`),
    ]),
    "",
  ].join("\n");
}
