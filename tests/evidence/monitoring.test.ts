/** What `deploy/monitoring/` says of the metrics is what the product serves. Prometheus' own checks are in `.ci/monitoring`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dashboard } from "../../deploy/monitoring/dashboard.ts";
import { BROKER_LABELS, BROKER_SERIES } from "../../src/evidence/metrics/broker-gauges.ts";
import { METRIC_NAMES, METRICS } from "../../src/evidence/metrics/definitions.ts";
import { seriesOf } from "../../src/evidence/metrics/prometheus.ts";

const read = (name: string) =>
  readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), "utf8");
const served = new Set<string>([
  ...METRIC_NAMES.map(seriesOf).flatMap(({ numerator, denominator }) => [
    numerator,
    denominator ?? numerator,
  ]),
  ...BROKER_SERIES,
]);
const named = (text: string) => new Set(text.match(/recourse_[a-z_]+/g));

test("the dashboard in the repository is the one that its code makes, with a panel for each metric", () => {
  expect(
    JSON.parse(read("dashboard.json")),
    "run: node deploy/monitoring/dashboard.ts > deploy/monitoring/dashboard.json",
  ).toEqual(JSON.parse(JSON.stringify(dashboard)));
  expect(dashboard.panels).toHaveLength(METRIC_NAMES.length);
});

test("alert rules and dashboard name only series that are served, and only labels that they have", () => {
  for (const text of [read("alerts.yml"), read("alerts.test.yml"), read("dashboard.json")]) {
    expect([...named(text)].filter((name) => !served.has(name))).toEqual([]);
  }
  const labels = new Set(METRIC_NAMES.flatMap((name) => METRICS[name].label ?? []));
  for (const [, label = ""] of read("alerts.yml").matchAll(/\$labels\.(\w+)/g)) {
    expect([...labels, ...BROKER_LABELS, "tenant", "instance"]).toContain(label);
  }
});

test("docs/metrics.md names the broker's series", () => {
  const page = readFileSync(new URL("../../docs/metrics.md", import.meta.url), "utf8");
  for (const name of BROKER_SERIES) expect(page).toContain(`\`${name}\``);
});

test("docs/metrics.md has a row for each metric, with what it is made of", () => {
  const page = readFileSync(new URL("../../docs/metrics.md", import.meta.url), "utf8");
  for (const name of METRIC_NAMES) {
    const { title, numerator, denominator } = METRICS[name];
    expect(page).toContain(`| \`${name}\` | ${title} | ${numerator} | ${denominator ?? "–"} |`);
  }
});
