/**
 * The metrics in Prometheus' text: numerator and denominator of each as gauges over the last day, so that dashboards and
 * alerts divide the sums themselves; and what this process is. Labels: the tenant and at most one more, with few values.
 */
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { addBrokerGauges, type BrokerFigures } from "./broker-gauges.ts";
import { type Figure, METRIC_NAMES, METRICS } from "./definitions.ts";

export const METRICS_WINDOW_MS = 86_400_000;

/** The names that rules and dashboards use. */
export const seriesOf = (metric: (typeof METRIC_NAMES)[number]) => ({
  numerator: ["ratio", "count"].includes(METRICS[metric].unit)
    ? `recourse_${metric}`
    : `recourse_${metric}_${METRICS[metric].unit}`,
  denominator: METRICS[metric].denominator === null ? null : `recourse_${metric}_of`,
});

export interface TenantFigures {
  readonly tenant: string;
  readonly figures: readonly Figure[];
}

export function createExposition(process: Registry = defaultsOf(new Registry())): {
  readonly contentType: string;
  /** `broker` null: none is used. */
  render(tenants: readonly TenantFigures[], broker: BrokerFigures | null): Promise<string>;
} {
  return {
    contentType: process.contentType,
    async render(tenants, broker) {
      const registry = new Registry();
      if (broker !== null) addBrokerGauges(registry, broker);
      for (const metric of METRIC_NAMES) {
        const { title, label, numerator, denominator } = METRICS[metric];
        const names = seriesOf(metric);
        const window =
          metric === "reopened" ? ", of the day that ended 7 days ago" : ", in the last 24 hours";
        const labelNames = ["tenant", ...(label === null ? [] : [label])];
        const top = new Gauge({
          name: names.numerator,
          help: `${title}: ${numerator}${METRICS[metric].denominator === null ? "" : window}`,
          labelNames,
          registers: [registry],
        });
        const bottom =
          names.denominator === null
            ? null
            : new Gauge({
                name: names.denominator,
                help: `${title}: over ${denominator}${window}`,
                labelNames,
                registers: [registry],
              });
        for (const { tenant, figures } of tenants) {
          for (const figure of figures.filter((each) => each.metric === metric)) {
            const labels = { tenant, ...(label === null ? {} : { [label]: figure.label ?? "" }) };
            top.set(labels, figure.numerator);
            bottom?.set(labels, figure.denominator ?? 0);
          }
        }
      }
      return `${await registry.metrics()}\n${await process.metrics()}`;
    },
  };
}

function defaultsOf(registry: Registry): Registry {
  const prefix = "recourse_process_";
  collectDefaultMetrics({ register: registry, prefix });
  // Gauges whose names end as those of counters do, which Prometheus' checker refuses; the same is there by type.
  for (const name of ["handles", "requests", "resources"]) {
    registry.removeSingleMetric(`${prefix}nodejs_active_${name}_total`);
  }
  return registry;
}
