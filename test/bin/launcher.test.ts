import path from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const launcher = path.join(import.meta.dirname, "../../bin/bt.cjs");

test.each([
  ["by the launcher alone", ["--version"]],
  ["by main", ["--version", "--version"]],
])("the version is told %s", async (_by, argv) => {
  const run = await execa(launcher, argv, { reject: false });
  expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, `bt ${manifest.version}`, ""]);
});
