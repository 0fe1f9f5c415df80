/** Operators: how runs came to their ends, without a word of what was said in them. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../kernel/limits.ts";
import type { Traces } from "../../orchestrator/traces/traces.ts";
import { pageLimit } from "./review-schemas.ts";
import { type Route, route } from "./route.ts";
import { EXAMPLE } from "./schemas.ts";

const LISTED = 20;

const instant = z.iso.datetime().openapi({ description: "RFC 3339, UTC.", example: EXAMPLE.at });
const params = z.object({
  run_id: z.string().openapi({ description: "A run of your tenant.", example: EXAMPLE.run }),
});

const list = z
  .object({
    runs: z.array(
      z
        .object({
          run_id: z.string(),
          conversation_id: z.string(),
          cause: z.string(),
          state: z.string(),
          started_at: instant,
          took_ms: z.int().nullable(),
          steps: z.int(),
          model: z.string().nullable(),
          cost_micros: z.int().openapi({ description: "Millionths of US dollars." }),
        })
        .openapi("RunItem"),
    ),
  })
  .openapi("RunList");

const trace = z
  .object({
    run_id: z.string(),
    conversation_id: z.string(),
    state: z.string(),
    spans: z.array(
      z
        .object({
          id: z.string(),
          parent: z.string().nullable(),
          name: z.string(),
          started_at: instant.nullable(),
          ended_at: instant.nullable(),
          attributes: z.record(
            z.string(),
            z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
          ),
          error: z.string().nullable(),
        })
        .openapi("TraceSpan", {
          description: "Named as in OpenTelemetry's conventions for generative AI. Nobody's data is in it.",
        }),
    ),
  })
  .openapi("RunTrace");

const replayed = z
  .object({
    run_id: z.string(),
    same: z
      .boolean()
      .openapi({ description: "Whether every decision that was made anew came out the same." }),
    checks: z.array(
      z.object({
        step: z.int().nullable(),
        what: z.enum(["flow", "tool", "policy"]),
        was: z.string(),
        would_be: z.string(),
        same: z.boolean(),
      }),
    ),
    differences: z.array(
      z.object({ what: z.enum(["policy", "code", "model", "prompt"]), was: z.string(), now: z.string() }),
    ),
    not_replayed: z.array(z.string()),
  })
  .openapi("RunReplay");

export function traceRoutes(traces: Traces): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/runs",
        access: "operator",
        permission: "conversations.read",
        operationId: "listRuns",
        tag: "Operators",
        summary: "Read the latest runs of the tenant",
        query: z.object({ limit: pageLimit(LIMITS.runsListed, LISTED) }),
        answers: {
          200: {
            description: "Latest first.",
            schema: list,
            example: {
              runs: [
                {
                  run_id: EXAMPLE.run,
                  conversation_id: EXAMPLE.conversation,
                  cause: "message",
                  state: "completed",
                  started_at: EXAMPLE.at,
                  took_ms: 12,
                  steps: 1,
                  model: null,
                  cost_micros: 0,
                },
              ],
            },
          },
        },
      },
      async ({ operator, query }) => ({
        status: 200,
        json: { runs: await traces.latest(operator.scope, query.limit ?? LISTED) },
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/runs/{run_id}/trace",
        access: "operator",
        permission: "conversations.read",
        operationId: "traceRun",
        tag: "Operators",
        summary: "See a run as a tree of spans with timings, verdicts, tokens and cost",
        params,
        answers: {
          200: {
            description: "Parents before their children. No text and nobody's data.",
            schema: trace,
            example: {
              run_id: EXAMPLE.run,
              conversation_id: EXAMPLE.conversation,
              state: "completed",
              spans: [
                {
                  id: "run",
                  parent: null,
                  name: "invoke_agent workflows",
                  started_at: EXAMPLE.at,
                  ended_at: EXAMPLE.at,
                  attributes: { "gen_ai.operation.name": "invoke_agent" },
                  error: null,
                },
              ],
            },
          },
        },
        problems: ["run_not_found"],
      },
      async ({ operator, params: { run_id } }) => ({
        status: 200,
        json: await traces.trace(operator.scope, run_id),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/runs/{run_id}/replay",
        access: "operator",
        permission: "conversations.read",
        operationId: "replayRun",
        tag: "Operators",
        summary: "See whether a run would be decided the same today, and what differs",
        params,
        answers: {
          200: {
            description: "Decided anew from what is recorded. Nothing is asked, sent or written.",
            schema: replayed,
            example: {
              run_id: EXAMPLE.run,
              same: false,
              checks: [
                {
                  step: 101,
                  what: "policy",
                  was: "allow (standard-window)",
                  would_be: "needs_approval (unattended-max)",
                  same: false,
                },
              ],
              differences: [{ what: "policy", was: "returns version 3", now: "returns version 4" }],
              not_replayed: ["The agent was not asked again: its proposals are those of then."],
            },
          },
        },
        problems: ["run_not_found", "run_not_replayable"],
      },
      async ({ operator, params: { run_id } }) => ({
        status: 200,
        json: await traces.replay(operator.scope, run_id),
      }),
    ),
  ];
}
