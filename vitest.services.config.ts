import { defineConfig } from "vitest/config";

/** What needs other servers and several processes: `.ci/postgres .ci/kafka npm run test:services`. */
export default defineConfig({
  test: {
    include: ["tests/services/**/*.test.ts"],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
