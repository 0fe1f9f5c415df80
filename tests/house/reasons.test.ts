/** Every reason for which a person takes over is explained, and has its words in the console. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { APPROVAL_REASONS } from "../../src/actions/reviews/reviews.ts";
import { FIRST_STEPS } from "../../src/agents/escalation.ts";
import { AREAS } from "../../src/operators/settings/shape.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
/** Its own page is about refunds whose outcome nobody knows. */
const ELSEWHERE = ["outcome_uncertain"];
const REASONS = [...APPROVAL_REASONS, ...Object.keys(FIRST_STEPS)];

describe("each reason", () => {
  test.each(REASONS.filter((reason) => !ELSEWHERE.includes(reason)))(
    "%s stands in docs/escalation.md",
    (reason) => {
      expect(read("docs/escalation.md")).toContain(`\`${reason}\``);
    },
  );

  test.each(REASONS)("%s has words in the console", (reason) => {
    expect(read("web/console/words.ts")).toMatch(new RegExp(`^  ${reason}: "`, "m"));
  });
});

test.each(Object.entries(AREAS.escalation.initial))("the threshold %s is explained", (name) => {
  expect(read("docs/escalation.md")).toContain(`\`${name}\``);
  expect(read("web/console/pages/settings/fields.ts")).toContain(`"escalation.${name}"`);
});
