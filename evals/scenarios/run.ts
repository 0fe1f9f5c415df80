/**
 * `npm run scenarios`: plays the regression set and prints a table by dimension; exits 1 when one fails.
 *
 *   --only TEXT      those whose kind or ID has the text in it
 *   --junit FILE     results as JUnit XML
 *   --markdown FILE  results as Markdown
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import makeTemplate from "../../tests/kit/template.ts";
import { playAll } from "./main.ts";
import { junit, markdown } from "./report.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    junit: { type: "string" },
    markdown: { type: "string" },
  },
});
const removeTemplate = await makeTemplate();
try {
  const results = await playAll(values.only);
  process.stdout.write(markdown(results));
  if (values.junit !== undefined) writeFileSync(values.junit, junit(results));
  if (values.markdown !== undefined) writeFileSync(values.markdown, markdown(results));
  const isGood = results.length > 0 && results.every(({ faults }) => faults.length === 0);
  process.exitCode = isGood ? 0 : 1;
} finally {
  removeTemplate();
}
process.exit();
