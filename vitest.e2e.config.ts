import { defineConfig } from "vitest/config";

/** Journeys of customers and operators in a browser: `npm run test:e2e`, with Debian's Chromium. */
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One server and one browser at a time: journeys are timed by people, not by each other.
    fileParallelism: false,
  },
});
