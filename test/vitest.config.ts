import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isFull } from "./much.ts";

const ENV = { BT_NO_CODE_CACHE: "1" };

/** Tests that speak over a network in this process, and thus run a second time on what was built: in full, or of each kind some. */
const NETWORK = isFull
  ? [
      "test/transport/**/*.test.ts",
      "test/faults/{a-connection,alike,b-answers,c-changes,c-writes,collisions,d-credentials,h-bulk}.test.ts",
    ]
  : ["test/transport/**/!(data-member).test.ts", "test/faults/{a-connection,b-answers}.test.ts"];

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    globalSetup: "test/one-folder.ts",
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1), // much of the time is waiting
    testTimeout: isFull ? 120_000 : 30_000, // for machines that do much else besides
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: "sources", include: ["test/**/*.test.ts"], env: ENV } },
      { extends: true, test: { name: "built", include: NETWORK, env: { ...ENV, BT_TEST_BUILT: "1" } } },
    ],
  },
});
