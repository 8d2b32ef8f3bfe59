import { execa } from "execa";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { LAUNCHER } from "../built.ts";

test.each([
  ["by the launcher alone", ["--version"]],
  ["by main", ["--version", "--version"]],
])("the version is printed %s", async (_by, argv) => {
  const run = await execa(LAUNCHER, argv, { reject: false });
  expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, `bt ${manifest.version}`, ""]);
});
