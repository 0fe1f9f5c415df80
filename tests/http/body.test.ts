import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonType, parseJson } from "../../src/channels/http/body.ts";

const refused = expect.objectContaining({ code: "body_invalid" });
const parse = (text: string | Uint8Array, depth = 32) => parseJson(Buffer.from(text as string), depth);

describe("a JSON body", () => {
  test("means what JSON says, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        expect(parse(JSON.stringify(value, null, indent))).toStrictEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 },
    );
  });

  test("with a key twice in one object is refused, wherever and however it is written", () => {
    for (const text of [
      '{"text":"a","text":"b"}',
      '{"text":"a","te\\u0078t":"b"}',
      '{"a":{"b":[1,{"c":1,"c":2}]}}',
      '[{"a":1},{"a":1,"b":[{}],"a":2}]',
      '{"__proto__":1,"__proto__":2}',
      '{"":1,"":2}',
      '{"a\\"":1,"a\\u0022":2}',
    ]) {
      expect(() => parse(text)).toThrow(refused);
    }
  });

  test("with one key in several objects, or as text, is taken", () => {
    for (const text of [
      '{"a":{"a":{"a":"a"}}}',
      '[{"a":1},{"a":2}]',
      '{"a":"b","b":"a"}',
      '{"a":"\\"a\\":1,\\"a\\":2"}',
      '["a","a"]',
    ]) {
      expect(parse(text)).toStrictEqual(JSON.parse(text));
    }
  });

  test("nested deeper than the limit is refused before it is read", () => {
    expect(parse("[".repeat(32) + "]".repeat(32))).toBeDefined();
    expect(() => parse("[".repeat(33) + "]".repeat(33))).toThrow(refused);
    expect(() => parse("[".repeat(60_000))).toThrow(refused);
    expect(() => parse('{"a":'.repeat(10_000))).toThrow(refused);
    expect(parse(`"${"[".repeat(100)}"`)).toHaveLength(100);
  });

  test("that is not JSON or not UTF-8 is refused", () => {
    for (const text of [
      "",
      " ",
      "{",
      "{'a':1}",
      '{"a":1,}',
      "NaN",
      "undefined",
      '{"a":1}{"b":2}',
      '"\u0001"',
      '"open',
      "\\",
      '{"a\\',
    ]) {
      expect(() => parse(text)).toThrow(refused);
    }
    for (const bytes of [
      [0xff],
      [0x22, 0xc3, 0x28, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xfe, 0xff, 0x00, 0x7b],
    ]) {
      expect(() => parse(Uint8Array.from(bytes))).toThrow(refused);
    }
  });

  test("never makes the scanner fail on any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[],:"\\ a1u'.split("")), maxLength: 40 }),
        (text) => {
          let expected: unknown = refused;
          try {
            expected = JSON.parse(text);
          } catch {}
          try {
            expect(parse(text)).toStrictEqual(expected);
          } catch (error) {
            if ((error as { code?: string }).code !== "body_invalid") throw error;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

test("only JSON in UTF-8 counts as JSON", () => {
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ]) {
    expect(isJsonType(type)).toBe(true);
  }
  for (const type of [
    undefined,
    "",
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/json; charset=latin1",
    "application/json, text/plain",
    "application/x-www-form-urlencoded",
  ]) {
    expect(isJsonType(type)).toBe(false);
  }
});
