/** The life of an action as a table of every pair of states: a new arrow has to be written here too. */
import { describe, expect, test } from "vitest";
import { afterProvider, holdOf, isSettled, mayFollow, settleDelayMs } from "../../src/actions/lifecycle.ts";
import type { ActionState } from "../../src/tools/views.ts";

/** State, what it does with money and units, and where it may lead. */
const TABLE: readonly [ActionState, "held" | "captured" | "released", string][] = [
  ["denied", "released", ""],
  ["awaiting_approval", "held", "scheduled rejected expired cancelled"],
  ["rejected", "released", ""],
  ["expired", "released", ""],
  ["scheduled", "held", "executing cancelled awaiting_approval"],
  ["cancelled", "released", ""],
  ["executing", "held", "succeeded pending failed unknown"],
  ["pending", "held", "succeeded failed"],
  ["unknown", "held", "executing succeeded pending failed needs_person"],
  ["needs_person", "held", "succeeded pending failed"],
  ["succeeded", "captured", "failed"],
  ["failed", "released", ""],
];
const STATES = TABLE.map(([state]) => state);

describe("G4 the life of an action", () => {
  test.each(TABLE)("%s holds as said and leads only where it may", (state, hold, targets) => {
    expect(holdOf(state)).toBe(hold);
    expect(isSettled(state)).toBe(hold !== "held");
    expect(STATES.filter((to) => mayFollow(state, to)).sort()).toEqual(
      targets === "" ? [] : targets.split(" ").sort(),
    );
  });

  test("begins with what was decided, and never with an outcome", () => {
    expect(STATES.filter((to) => mayFollow("proposed", to)).sort()).toEqual([
      "awaiting_approval",
      "denied",
      "scheduled",
    ]);
  });

  test("nothing that is uncertain lets go of its money, and nothing that is over holds any", () => {
    for (const state of ["executing", "pending", "unknown", "needs_person"] as const) {
      expect(holdOf(state)).toBe("held");
    }
    for (const state of STATES.filter((it) => holdOf(it) === "released")) {
      expect(STATES.filter((to) => mayFollow(state, to) && holdOf(to) !== "released")).toEqual([]);
    }
  });
});

describe("news of the provider", () => {
  test.each<[ActionState, "pending" | "succeeded" | "failed" | "cancelled", string | null]>([
    ["executing", "succeeded", "succeeded"],
    ["executing", "cancelled", "failed"],
    ["unknown", "pending", "pending"],
    ["pending", "cancelled", "failed"],
    ["pending", "pending", null],
    ["succeeded", "pending", null],
    ["succeeded", "succeeded", null],
    ["succeeded", "failed", "failed"],
    ["failed", "succeeded", null],
    ["failed", "pending", null],
    ["cancelled", "succeeded", null],
    ["awaiting_approval", "succeeded", null],
  ])("%s and %s lead to %s", (state, news, to) => {
    expect(afterProvider(state, news)).toBe(to);
  });
});

test("pauses between look-ups double and are bounded, whatever the number of attempts", () => {
  expect([0, 1, 2, 3].map((attempts) => settleDelayMs(attempts, 100, 700))).toEqual([100, 200, 400, 700]);
  expect(settleDelayMs(1_000_000, 100, 700)).toBe(700);
});
