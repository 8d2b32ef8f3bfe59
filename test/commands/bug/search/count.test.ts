import { expect, test } from "vitest";
import { demo } from "../../demo.ts";

test("flags and users are counted by name", async () => {
  const run = demo();
  expect((await run("bug search --all --by flags")).out).toMatch(/^\t\d+\nreview\+\t\d+\nneedinfo\?\t\d+\n/);
  expect((await run("bug search --all --by cc_detail --format tsv")).out).toMatch(/^ada@example\.org\t\d+$/m);
});
