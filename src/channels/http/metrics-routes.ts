/** How well it goes: figures of a period for people, and of the last day for Prometheus. */
import { timingSafeEqual } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { figureValue, METRICS } from "../../evidence/metrics/definitions.ts";
import type { Metrics } from "../../evidence/metrics/metrics.ts";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type Route, route } from "./route.ts";

const DAY_MS = 86_400_000;
const SHOWN_DAYS = 28;

const figure = z
  .object({
    metric: z.string(),
    title: z.string(),
    label: z
      .string()
      .nullable()
      .openapi({ description: "The value of what it is counted by, such as a channel." }),
    by: z.string().nullable().openapi({ description: "What it is counted by." }),
    unit: z.enum(["ratio", "seconds", "usd", "count"]),
    numerator: z.number(),
    numerator_is: z.string(),
    denominator: z.number().nullable(),
    denominator_is: z.string().nullable(),
    value: z.number().nullable().openapi({ description: "Null: there is nothing to divide by." }),
    target: z.number().nullable(),
  })
  .openapi("Figure");
const insights = z
  .object({ from: z.iso.datetime(), to: z.iso.datetime(), figures: z.array(figure) })
  .openapi("Insights");

export function metricsRoutes(parts: {
  readonly metrics: Metrics;
  /** Null: `/metrics` is not served. */
  readonly metricsToken: string | null;
  readonly clock: Clock;
}): Route[] {
  const { metrics, metricsToken, clock } = parts;
  const insightsRoute = route(
    {
      method: "get",
      path: "/v1/operator/insights",
      access: "operator",
      permission: "insights.read",
      operationId: "readInsights",
      tag: "Operators",
      summary: "Read how well it goes in a period, each number with what it is made of",
      description: `The last ${SHOWN_DAYS} days unless stated, at most ${LIMITS.insightsDays} days. Means are numerator by denominator.`,
      query: z.object({
        from: z.iso.datetime({ offset: true }).optional(),
        to: z.iso.datetime({ offset: true }).optional().openapi({ description: "Not included." }),
      }),
      answers: {
        200: {
          description: "Figures; a metric that is counted by something has one for each value.",
          schema: insights,
          example: {
            from: "2026-11-05T09:00:00.000Z",
            to: "2026-12-03T09:00:00.000Z",
            figures: [
              {
                metric: "autonomous_resolutions",
                title: METRICS.autonomous_resolutions.title,
                label: null,
                by: null,
                unit: "ratio",
                numerator: 82,
                numerator_is: METRICS.autonomous_resolutions.numerator,
                denominator: 100,
                denominator_is: METRICS.autonomous_resolutions.denominator,
                value: 0.82,
                target: 0.8,
              },
            ],
          },
        },
      },
      problems: ["period_invalid"],
    },
    async ({ operator, query }) => {
      const toMs = query.to === undefined ? clock.now() + 1 : Date.parse(query.to);
      const fromMs = query.from === undefined ? toMs - SHOWN_DAYS * DAY_MS : Date.parse(query.from);
      if (fromMs >= toMs || toMs - fromMs > LIMITS.insightsDays * DAY_MS) {
        throw new ProblemError("period_invalid");
      }
      const figures = await metrics.figures(operator.scope, { fromMs, toMs });
      return {
        status: 200,
        json: {
          from: new Date(fromMs).toISOString(),
          to: new Date(toMs).toISOString(),
          figures: figures.map((each) => {
            const { title, unit, label, numerator, denominator, ...more } = METRICS[each.metric];
            return {
              ...each,
              title,
              by: label,
              unit,
              numerator_is: numerator,
              denominator_is: denominator,
              value: figureValue(each),
              target: "target" in more ? more.target : null,
            };
          }),
        },
      };
    },
  );
  return [insightsRoute, ...(metricsToken === null ? [] : [prometheusRoute(metrics, metricsToken)])];
}

const prometheusRoute = (metrics: Metrics, token: string): Route =>
  route(
    {
      method: "get",
      path: "/metrics",
      access: "signature",
      operationId: "metrics",
      tag: "Server",
      summary: "Metrics of all tenants, for Prometheus",
      description: "With `Authorization: Bearer` and what RECOURSE_METRICS_TOKEN says.",
      answers: { 200: { description: "Prometheus' text.", contentType: "text/plain" } },
      problems: ["token_missing", "token_invalid"],
    },
    async ({ header }) => {
      const given = /^bearer +(\S+)$/i.exec(header("authorization") ?? "")?.[1];
      if (given === undefined) throw new ProblemError("token_missing");
      const [a, b] = [Buffer.from(given), Buffer.from(token)];
      if (a.length !== b.length || !timingSafeEqual(a, b)) throw new ProblemError("token_invalid");
      const { text, contentType } = await metrics.prometheus();
      return { status: 200, text, contentType };
    },
  );
