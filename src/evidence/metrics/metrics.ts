/** Metrics as the API and Prometheus ask for them. */
import type { TenantId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type TenantScope, tenantScope } from "../../kernel/scope.ts";
import type { Store } from "../../store/store.ts";
import type { BrokerFigures } from "./broker-gauges.ts";
import type { Figure } from "./definitions.ts";
import { createExposition, METRICS_WINDOW_MS } from "./prometheus.ts";
import { type Period, REOPENED_WITHIN_MS, readMetrics } from "./reading.ts";

export interface Metrics {
  figures(scope: TenantScope, period: Period): Promise<readonly Figure[]>;
  /** All tenants, the last 24 hours, in Prometheus' text. Asked again within `LIMITS.metricsFreshMs`, it is the same text. */
  prometheus(): Promise<{ readonly text: string; readonly contentType: string }>;
}

export function createMetrics(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly TenantId[];
  readonly freshMs: number;
  /** How the broker is; null: none is used. Never throws. */
  readonly broker: (() => Promise<BrokerFigures>) | null;
}): Metrics {
  const { store, clock } = parts;
  let exposition: ReturnType<typeof createExposition> | null = null;
  let latest: { readonly atMs: number; readonly text: Promise<string> } | null = null;
  const figures = (scope: TenantScope, period: Period) =>
    store.transact(scope, (tx) => readMetrics(tx, period, clock.now()));
  const render = async (): Promise<string> => {
    const toMs = clock.now() + 1;
    const tenants = [];
    for (const tenant of parts.tenants) {
      const of = (endMs: number) =>
        figures(tenantScope(tenant), { fromMs: endMs - METRICS_WINDOW_MS, toMs: endMs });
      // Whether an ending holds is known after 7 days: that metric is of the day that ended then.
      const isLate = ({ metric }: Figure) => metric === "reopened";
      const now = (await of(toMs)).filter((each) => !isLate(each));
      const late = (await of(toMs - REOPENED_WITHIN_MS)).filter(isLate);
      tenants.push({ tenant, figures: [...now, ...late] });
    }
    exposition ??= createExposition();
    return exposition.render(tenants, (await parts.broker?.()) ?? null);
  };
  return {
    figures,
    async prometheus() {
      const nowMs = clock.now();
      if (latest === null || nowMs - latest.atMs >= parts.freshMs) {
        const text = render();
        latest = { atMs: nowMs, text };
        // A failure is not kept.
        text.catch(() => {
          latest = null;
        });
      }
      exposition ??= createExposition();
      return { text: await latest.text, contentType: exposition.contentType };
    },
  };
}
