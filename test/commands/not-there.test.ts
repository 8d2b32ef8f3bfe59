import { expect, test } from "vitest";
import { demo } from "./demo.ts";

test("an update of several bugs, one of them missing, changes none and says so", async () => {
  const bt = demo();
  const ran = await bt("bug update 43 44 99999 --priority Low");
  expect(ran).toMatchObject({ code: 5, out: "" });
  expect(ran.err).toMatchInlineSnapshot(`
    "bt: no changes made: 1 of 3 bugs could not be read
        99999: Bug #99999 does not exist.
    "
  `);
  expect((await bt("bug get 43 44 --fields priority")).out).toBe("Normal\nNormal\n");
});

test("tags of an unknown comment are missing, though the tracker returns an empty list", async () => {
  const bt = demo();
  expect(await bt("tag update 99999 --add spam")).toMatchObject({ code: 5, out: "" });
  expect(await bt("tag update 112 --add Spam --remove old")).toMatchObject({ code: 0, out: "Spam\n" });
  expect(await bt("tag update 112 --add spam")).toMatchObject({ code: 0 });
});

test.each([
  ["api POST /bug --input /no/such/file", "cannot read /no/such/file: no such file or directory"],
  [
    "bug create -p Lantern -c Editor --version 3.2 -t x -F /no/such/file",
    "cannot read /no/such/file: no such file or directory",
  ],
  ["comment add 12 -F /", "cannot read /: is a directory"],
])("an unreadable file is a local error: bt %s", async (line, told) => {
  expect(await demo()(line)).toMatchObject({ code: 12, out: "", err: `bt: ${told}\n` });
});
