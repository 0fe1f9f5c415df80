/** How the console names people, times and the head of a policy. */
import { expect, test } from "vitest";
import { headValue, nextVersion, withHeadValue } from "../../web/console/pages/policies/front-matter.ts";
import { relativeTime } from "../../web/console/parts/relative-time.ts";
import { whoText } from "../../web/console/words.ts";

test("machines are named by what they are, people by their names", () => {
  expect(
    [
      "agent:workflows",
      "vm-1.local:12252:2d24f053",
      "ada@northwind.example",
      "operator:ada@northwind.example",
      "customer",
    ].map(whoText),
  ).toEqual(["the assistant", "Recourse", "ada@northwind.example", "ada@northwind.example", "customer"]);
});

test("what has happened is never said to come, however far the clocks are apart; what is to come is", () => {
  const now = 1_000_000;
  expect(relativeTime(now + 2_000, now, true)).toBe(relativeTime(now, now));
  expect(relativeTime(now + 2_000, now)).toMatch(/2/);
  expect(relativeTime(now - 5_000, now, true)).toMatch(/5/);
});

test("the head of a policy's text is changed in its two lines and nowhere else", () => {
  const source =
    '---\nid: refunds\nversion: "2.9"\neffective_from: 2026-03-01\n---\n\nversion: text of a clause $&\n';
  expect(headValue(source, "version")).toBe("2.9");
  const next = withHeadValue(
    withHeadValue(source, "version", nextVersion("2.9")),
    "effective_from",
    "2026-12-24",
  );
  expect(next).toBe(source.replace('"2.9"', '"2.10"').replace("2026-03-01", "2026-12-24"));
  expect(withHeadValue(source, "version", "$&")).toContain('version: "$&"\n');
  expect(headValue("no head\nversion: 1", "version")).toBeNull();
  expect(withHeadValue("no head\nversion: 1", "version", "2")).toBe("no head\nversion: 1");
});
