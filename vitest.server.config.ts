import { defineConfig } from "vitest/config";

/** The lane on a PostgreSQL server: `.ci/postgres npm run test:server`. */
export default defineConfig({
  test: {
    include: ["tests/server/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
