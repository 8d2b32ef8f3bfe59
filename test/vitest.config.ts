import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ["test/**/*.test.ts"],
    globalSetup: "test/one-folder.ts",
    isolate: false,
    testTimeout: 30_000, // for machines that do much else besides
    env: { BT_NO_CODE_CACHE: "1" },
  },
});
