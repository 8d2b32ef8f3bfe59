import { expect, test } from "vitest";
import { shell } from "../process/real.ts";

test.each(["--version", "--help", "bug search --help"])(
  "%s on a full disk reports the error and exits with 12",
  async (words) => {
    expect(await shell(`bt ${words} > /dev/full`)).toEqual({
      code: 12,
      out: "",
      err: "bt: cannot write the output: no space left on the device\n",
    });
  },
);

test("a reader that closes the pipe early ends it silently with 0", async () => {
  const everything = "bt bug search --all --json --fields _all";
  expect(await shell(`set -o pipefail; ${everything} | head -c 1`)).toEqual({ code: 0, out: "[", err: "" });
});
