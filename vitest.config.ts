import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // Lanes of their own: they need a server (`.ci/postgres npm run test:server`), several (`npm run test:services`) or
    // a browser (`npm run test:e2e`).
    exclude: ["tests/server/**", "tests/services/**", "tests/e2e/**", "node_modules/**"],
    globalSetup: ["tests/kit/template.ts"],
    // A test that waits for something that never comes fails here, with its name.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make each slower.
    maxWorkers: 2,
    // A worker keeps its modules and its database from file to file: a third of all processor time (measured). A file that
    // leaves something behind in them fails another.
    isolate: false,
  },
});
