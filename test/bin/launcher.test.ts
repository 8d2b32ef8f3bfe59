import { execa } from "execa";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const bt = new URL("../../bin/bt.cjs", import.meta.url);

test("the built tool says its version and ends with 0", async () => {
  const run = await execa(bt, ["--version"], { reject: false });
  expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, `bt ${manifest.version}`, ""]);
});
