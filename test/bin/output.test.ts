import { execa } from "execa";
import { expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";

const bt = `${process.execPath} ${LAUNCHER}`;
const everything = `${bt} --base-url demo: bug search --all --json --fields _all`;

/** Runs a line of the shell; a pipeline's exit code is that of bt. */
async function shell(line: string) {
  const run = await execa("bash", ["-c", `set -o pipefail; ${line}`], { reject: false });
  return { code: run.exitCode, out: run.stdout, err: run.stderr };
}

test.each(["--version", "--help", "bug search --help"])(
  "%s on a full disk reports the error and exits with 12",
  async (words) => {
    expect(await shell(`${bt} ${words} > /dev/full`)).toEqual({
      code: 12,
      out: "",
      err: "bt: cannot write the output: no space left on device",
    });
  },
);

test("a reader that closes the pipe early ends it silently with 0", async () => {
  const { code, out, err } = await shell(`${everything} | head -c 1`);
  expect([code, out, err]).toEqual([0, "[", ""]);
});
