/** What axe finds on a page as it stands. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** How each page and state is looked at. */
export const LOOKS = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 } }],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** WCAG 2.2 A and AA, shadow roots included. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The page's policy lets no script in but its own; the debugger's is none of the page's.
  await page.evaluate(`${readFileSync(AXE, "utf8")};0`);
  const found = (await page.evaluate(
    `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then((r) => r.violations)`,
  )) as readonly Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${JSON.stringify(target)}: ${failureSummary ?? ""}`),
  );
}
