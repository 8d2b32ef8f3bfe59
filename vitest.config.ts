import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isFull } from "./test/sampling.ts";

/** Tests that take long, which .ci/run runs and `npm test` does not. */
const SLOW = [
  "test/faults/{a-connection,c-every-write,c-signals,clock,d-credentials,e-hostile-text,f-input,g-journals,h-bulk,h-import,s-*}.test.ts",
  "test/{clients,documents,reliability,tasks}/*.test.ts",
  "test/process/{demo-file,mcp,mirror-kills,serve,surroundings}.test.ts",
  "test/agreement/mirror.test.ts",
  "test/bin/loaded.test.ts",
  "test/forms/commands.test.ts",
  "test/sweeps/examples.test.ts",
  "test/stories/{served,visibility}.test.ts",
  "test/commands/bug/search/complete-search.test.ts",
];

/** Tests that speak over a network in this process, which .ci/run runs a second time on what was built. */
const NETWORK = [
  "test/session/identity.test.ts",
  "test/transport/**/*.test.ts",
  "test/faults/{a-connection,b-answers,d-credentials,h-bulk,races}.test.ts",
];

const ENV = { BT_NO_CODE_CACHE: "1" };

export default defineConfig({
  test: {
    globalSetup: "test/setup.ts",
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1), // much of the time is waiting
    testTimeout: isFull ? 120_000 : 30_000, // for machines that do much else besides
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: "sources", include: ["test/**/*.test.ts"], exclude: SLOW, env: ENV } },
      { extends: true, test: { name: "slow", include: SLOW, env: ENV } },
      { extends: true, test: { name: "built", include: NETWORK, env: { ...ENV, BT_TEST_BUILT: "1" } } },
    ],
  },
});
