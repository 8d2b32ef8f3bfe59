import { expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { real, shell } from "./real.ts";

test("a new bug without a description is refused where stdin is a pipe or a file, and filed from no stdin", async () => {
  const line = "bt bug create -p Lantern -c Editor --version 3.2 -t Crop";
  const loop = `printf '1\\n2\\n' | while read n; do ${line}; echo "$n $?"; done`;
  expect((await shell(loop)).out).toBe("1 2\n2 2\n");
  expect((await shell(`echo text > file; ${line} < file; echo $?`, { cwd: freshFolder() })).out).toBe("2\n");
  for (const none of ["< /dev/null", "<&-", "--description '' < /dev/null"])
    expect(await shell(`${line} ${none}`)).toMatchObject({ code: 0, out: "51\n" });
  expect((await shell(`echo text | ${line} --description ''`)).out).toBe("51\n");
});

test.each([
  ["lines", "1\n2\n3\n"],
  ["blanks and commas", " 1 2,3"],
  ["numbers after #", "#1\n#2\n#3"],
  ["lines that end in CRLF", "\ufeff1\r\n2\r\n3\r\n"],
])("bugs on stdin may be given as %s", async (_how, input) => {
  const run = await real(["--base-url", "demo:", "bug", "get", "-", "--format", "ids"], { input });
  expect(run).toEqual({ code: 0, out: "1\n2\n3\n", err: "" });
});

test.each(["bug get -", "comment list -", "bug update - --priority High", "bug undo -"])(
  "bt %s has nothing to do with none, as a search without results prints",
  async (line) => {
    const err = expect.stringMatching(/note: no bugs on stdin(: nothing to do)?\n$/);
    const found = await shell(`bt bug search summary:xyzzy --format ids | bt ${line}`);
    expect(found).toEqual({ code: 0, out: "", err });
    expect(await shell(`bt ${line} --json < /dev/null`)).toEqual({ code: 0, out: "[]\n", err });
  },
);
