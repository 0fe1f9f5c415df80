/** Prints what `/metrics` serves, with a figure in every series: for Prometheus' own checker. */
import { METRIC_NAMES, METRICS } from "../../src/evidence/metrics/definitions.ts";
import { createExposition } from "../../src/evidence/metrics/prometheus.ts";

const figures = METRIC_NAMES.map((metric) => ({
  metric,
  label: METRICS[metric].label === null ? null : "a",
  numerator: 1,
  denominator: METRICS[metric].denominator === null ? null : 2,
}));
const broker = { lag: { chat: 1, email: 2 }, outbox: { rows: 3, oldestAgeMs: 4_500 }, deadLetters: 5 };
process.stdout.write(await createExposition().render([{ tenant: "northwind", figures }], broker));
