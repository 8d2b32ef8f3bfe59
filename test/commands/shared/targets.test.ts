import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("stdin with an invalid bug is rejected", async () => {
  const bt = demo();
  const ran = await bt("bug get -", { stdin: "12\n13, 14\n\n15 -16\n" });
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringContaining('invalid bug "-16"'),
  });
  expect(ran.requests).toEqual([]);
});

test.each([
  "bug search --all --format tsv",
  "bug search --all --format csv --fields id",
  "bug history 44 --format csv",
  "bug search --all --json",
  "bug search --all --format ndjson",
  "bug search --all --json --jq '.[]'",
])("what %s prints is refused in place of bugs", async (line) => {
  const bt = demo();
  expect(await bt("bug get -", { stdin: (await bt(line)).out })).toMatchObject({
    code: 2,
    err: "bt: expected bugs, got a list with other columns\nhint: add --format ids to the search\n",
    requests: [],
  });
});

test("an update of several bugs, one of them missing, changes none without --yes and says so", async () => {
  const bt = demo();
  const ran = await bt("bug update 43 44 99999 --priority Low");
  expect(ran).toMatchObject({ code: 13, out: "" });
  expect(ran.err).toMatchInlineSnapshot(`
    "bt: this would change 2 of 3 bugs
        #43  Priority Normal → Low  Errors of the interface: one page with every number
        #44  Priority Normal → Low  Import: "Ask me each time" asks once for all files
        not changed: bug 99999: not found
    hint: --yes skips the prompt; --dry-run shows every change
    "
  `);
  expect((await bt("bug get 43 44 --fields priority")).out).toBe("Normal\nNormal\n");
});
