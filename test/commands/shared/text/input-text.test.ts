import { expect, test } from "vitest";
import { demo } from "../../demo.ts";

test.each([
  ["api POST /bug --input /no/such/file", "cannot read /no/such/file: no such file or directory"],
  [
    "bug create -p Lantern -c Editor --version 3.2 -t x -F /no/such/file",
    "cannot read /no/such/file: no such file or directory",
  ],
  ["comment add 12 -F /", "cannot read /: illegal operation on a directory"],
])("an unreadable file is a local error: bt %s", async (line, told) => {
  expect(await demo()(line)).toMatchObject({ code: 12, out: "", err: `bt: ${told}\n` });
});
