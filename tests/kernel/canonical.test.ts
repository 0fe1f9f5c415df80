/** One text per value; what is compared without writing it is compared alike. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, isSameJson } from "../../src/kernel/canonical.ts";
import { depthOf } from "../../src/kernel/json-text.ts";

const json = fc.letrec((of) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, undefined, true, 0, 1, "", "a", '"\\'),
    fc.array(of("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "ü", '"'), of("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, member]) => [key, shuffled(member)]),
        )
      : value;

test("the text is JSON of the same value, whatever the order of its members", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value) ?? "null"));
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
    }),
  );
});

test("two values are the same exactly when their texts are", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      expect(isSameJson(one, shuffled(one))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("the depth of a JSON text is that of its value, whatever its strings hold", () => {
  const deep = (value: unknown): number =>
    value !== null && typeof value === "object"
      ? 1 +
        Math.max(
          0,
          ...Object.values(value)
            .filter((it) => it !== undefined)
            .map(deep),
        )
      : 0;
  fc.assert(
    fc.property(json, (value) => {
      expect(depthOf(canonicalJson(value))).toBe(deep(value));
    }),
  );
  expect(depthOf('{"[[[{\\"{":["]"]}')).toBe(2);
});
