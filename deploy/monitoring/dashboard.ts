/** The Grafana dashboard, from the definitions of the metrics: `node deploy/monitoring/dashboard.ts > deploy/monitoring/dashboard.json`. */
import { METRIC_NAMES, METRICS, type MetricName } from "../../src/evidence/metrics/definitions.ts";
import { seriesOf } from "../../src/evidence/metrics/prometheus.ts";

const UNITS = { ratio: "percentunit", seconds: "s", usd: "currencyUSD", count: "none" } as const;
const [WIDTH, HEIGHT, COLUMNS] = [12, 8, 2];
const SOURCE = { type: "prometheus", uid: "${source}" };

function panel(metric: MetricName, index: number) {
  const definition = METRICS[metric];
  const { numerator, denominator } = seriesOf(metric);
  const chosen = '{tenant=~"$tenant"}';
  const legend = `{{tenant}}${definition.label === null ? "" : ` {{${definition.label}}}`}`;
  const expr =
    denominator === null ? `${numerator}${chosen}` : `${numerator}${chosen} / ${denominator}${chosen}`;
  const target = "target" in definition ? definition.target : null;
  return {
    id: index + 1,
    type: "timeseries",
    title: definition.title,
    description: `${definition.numerator}${definition.denominator === null ? "" : `, over ${definition.denominator}`}`,
    datasource: SOURCE,
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: {
      defaults: {
        unit: UNITS[definition.unit],
        min: 0,
        ...(definition.unit === "ratio" ? { max: 1 } : {}),
        ...(target === null
          ? {}
          : {
              custom: { thresholdsStyle: { mode: "line" } },
              thresholds: {
                mode: "absolute",
                steps: [
                  { color: "red", value: null },
                  { color: "green", value: target },
                ],
              },
            }),
      },
      overrides: [],
    },
    targets: [
      { refId: "A", datasource: SOURCE, expr, legendFormat: legend },
      ...(denominator === null
        ? []
        : [
            {
              refId: "B",
              datasource: SOURCE,
              expr: `${numerator}${chosen}`,
              legendFormat: `${legend} counted`,
              hide: true,
            },
            {
              refId: "C",
              datasource: SOURCE,
              expr: `${denominator}${chosen}`,
              legendFormat: `${legend} of`,
              hide: true,
            },
          ]),
    ],
  };
}

export const dashboard = {
  uid: "recourse",
  title: "Recourse",
  tags: ["recourse"],
  schemaVersion: 39,
  timezone: "browser",
  refresh: "1m",
  time: { from: "now-7d", to: "now" },
  templating: {
    list: [
      { name: "source", label: "Prometheus", type: "datasource", query: "prometheus" },
      {
        name: "tenant",
        label: "Tenant",
        type: "query",
        datasource: SOURCE,
        query: `label_values(${seriesOf("autonomous_resolutions").denominator}, tenant)`,
        includeAll: true,
        multi: true,
        refresh: 2,
      },
    ],
  },
  panels: METRIC_NAMES.map(panel),
};

if (import.meta.main) process.stdout.write(`${JSON.stringify(dashboard, null, 2)}\n`);
