import { beforeAll, expect, test } from "vitest";
import { demo } from "../../demo.ts";

const bt = demo();

/** A bug of the demo with something to find it by in every one of the flags. */
beforeAll(async () => {
  await bt("comment add 44 -m 'Seen here too.'");
  const edits = "--add-cc seun@example.org --add-keywords crash --add-blocks 12 --add-depends-on 14";
  await bt(`bug update 44 ${edits} --flag 'needinfo?(mei@example.org)' --flag review+`);
});

test.each([
  ["--cc seun@example.org", "cc = seun@example.org"],
  ["--keywords crash", "keywords = crash"],
  ["-k crash --keyword crash", "keywords = crash"],
  ["--flag 'needinfo?'", "flags = needinfo?"],
  ["--flag review", "flags in (review?, review+, review-)"],
  ["--flag 'needinfo?(mei@example.org)'", "flag(needinfo? requestee mei@example.org)"],
  ["--flags 'review-,review+'", "flags in (review-, review+)"],
  ["--blocks 12", "blocks = 12"],
  ["--depends-on 14", "depends_on = 14"],
  ["--commenter @me", "commenter = tomas@example.org"],
  ["--commenter sam@example.org,@me", "commenter = sam@example.org or commenter = tomas@example.org"],
])("bug search %s means %s", async (flags, where) => {
  const { out } = await bt(`bug search ${flags} --explain`);
  expect(out.split("\n", 1)).toEqual([`where          ${where}`]);
  expect((await bt(`bug search ${flags} --all --format ids`)).out.split("\n")).toContain("44");
});

test.each([
  "--cc mei@example.org --keywords '!crash'",
  "--flag 'needinfo?(seun@example.org)'",
  "--flag review-",
  "--blocks 14",
  "--depends-on 12",
  "--commenter sam@example.org",
])("bug search %s does not find the bug without it", async (flags) => {
  const ran = await bt(`bug search ${flags} --all --format ids`);
  expect([ran.code, ran.out.split("\n").includes("44")]).toEqual([0, false]);
});
