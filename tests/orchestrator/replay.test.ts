/** What `decide` did with a run's recorded proposals and answers, done anew. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { RunRecords, StoredStep } from "../../src/orchestrator/traces/reading.ts";
import { replay, type Today } from "../../src/orchestrator/traces/replay.ts";

const today = (stalledCalls: number): Today => ({
  thresholds: { stalledCalls },
  code: "1.0.0",
  asks: null,
  policyFor: () => null,
});

describe("the flow, decided anew", () => {
  const call = (n: number, outcome: Record<string, unknown>) => ({
    n,
    proposal: { type: "call", tool: "get_order_status", args: { order_id: "1042" } },
    outcome,
  });
  const away = { kind: "unavailable", code: "shop_unavailable", message: "away" };
  const person = (n: number, reason: string, how: string) => ({
    n,
    proposal: { type: "escalate", reason, summary: "x" },
    outcome: { kind: "handed_off", how },
  });
  const flowOf = (steps: readonly StoredStep[], stalledCalls: number) => {
    const run = {
      id: "run_x",
      steps,
      calls: [],
      actions: [],
      denials: [],
      record: {},
      tier: null,
    } as unknown;
    return replay(run as RunRecords, today(stalledCalls)).checks.filter(({ what }) => what === "flow");
  };
  const stalled = [call(101, away), call(102, away), call(103, away), person(104, "no_progress", "give_up")];

  test.each([
    { what: "a limit that is as it was", most: 2, last: "hand over: no_progress", same: true },
    { what: "a limit that is reached later", most: 3, last: "ask_agent", same: false },
    { what: "a limit that is reached earlier", most: 1, last: "hand over: no_progress", same: false },
  ])("$what gives the same: $same", ({ most, last, same }) => {
    const checks = flowOf(stalled, most);
    expect(checks.at(-1)).toMatchObject({ would_be: last, same });
    expect(checks.slice(0, -1).every((check) => check.same)).toBe(true);
  });

  test("a person whom the agent itself wanted is no limit of ours", () => {
    expect(flowOf([call(101, away), person(102, "no_progress", "handoff")], 5).at(-1)).toMatchObject({
      same: true,
    });
  });

  test("texts that were held back end with a person as they did", () => {
    const held = (n: number) => ({
      n,
      proposal: { type: "say" },
      outcome: { kind: "withheld", findings: [{ kind: "effect" }] },
    });
    const limit = LIMITS.withheldTextsPerMessage;
    const texts = Array.from({ length: limit + 1 }, (_, index) => held(101 + index));
    const checks = flowOf([...texts, person(102 + limit, "safety_filter", "give_up")], 2);
    expect(checks).toHaveLength(limit + 2);
    expect(checks.every(({ same }) => same)).toBe(true);
  });
});
