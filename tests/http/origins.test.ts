/** Which pages of other origins may read what the server answers. */
import { expect, test } from "vitest";
import { createOrigins } from "../../src/channels/http/origins.ts";

const HOST = "support.example";

test("[136] a page of another origin, or of none such as an app's own, may read and connect only where it is named", () => {
  for (const allowed of [[], ["https://shop.example"]]) {
    const origins = createOrigins(allowed);
    for (const origin of ["https://evil.example", "https://shop.example.evil.example", "null"]) {
      expect(origins.headersFor(origin)).not.toHaveProperty("access-control-allow-origin");
      expect(origins.preflight(origin, "POST")).toEqual({});
      expect(origins.mayConnect(origin, HOST)).toBe(false);
    }
  }
  const origins = createOrigins(["https://shop.example"]);
  expect(origins.headersFor("https://shop.example")).toHaveProperty(
    "access-control-allow-origin",
    "https://shop.example",
  );
  expect(origins.mayConnect("https://shop.example", HOST)).toBe(true);
});

test("[136] leave for every origin is none for a page without one", () => {
  const origins = createOrigins(["*"]);
  expect(origins.headersFor("null")).not.toHaveProperty("access-control-allow-origin");
  expect(origins.mayConnect("null", HOST)).toBe(false);
});
