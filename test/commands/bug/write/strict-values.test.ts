import { describe, expect, test } from "vitest";
import { asked, updates } from "../../../bt.ts";
import { demo } from "../../demo.ts";

describe("a value that a tracker would silently change is rejected before any request", () => {
  test.each([
    ["--deadline 2037", '--deadline "2037" is not a valid date'],
    ["--deadline 2037-05", '--deadline "2037-05" is not a valid date'],
    ["--deadline -1w", '--deadline "-1w" is not a valid date'],
    ["--deadline 2037-05-01T10:00", '--deadline "2037-05-01T10:00" is not a valid date'],
    ["--estimated-time 0.001", '--estimated-time "0.001" is not a number of hours'],
    ["--work-time 1h", '--work-time "1h" is not a number of hours'],
    ["--work-time 1234567890", "a number up to 99999.99"],
    ["--set-alias 'aa bb'", 'the alias "aa bb" is not one word'],
    ["--add-alias 'cc,aa\tbb'", 'the alias "aa\\tbb" is not one word'],
  ])("%s", async (flags, message) => {
    const ran = await demo()(`bug update 44 ${flags}`);
    expect([ran.code, asked(ran).filter((line) => !line.startsWith("GET"))]).toEqual([2, []]);
    expect(ran.err).toContain(message);
  });
});

test.each([
  ["--estimated-time 0.25", "estimated_time", 0.25],
  ["--estimated-time 1.50", "estimated_time", 1.5],
  ["--deadline tomorrow", "deadline", "2026-11-21"],
  ["--deadline +2w", "deadline", "2026-12-04"],
])("%s is accepted", async (flags, field, value) => {
  const bt = demo();
  expect((await bt(`bug update 44 ${flags}`)).code).toBe(0);
  const [bug] = JSON.parse((await bt("bug get 44 --json")).out);
  expect(bug[field]).toBe(value);
});

describe("an unknown value of a write is answered with active values only", () => {
  test.each([
    ["bug update 44 --version 2.99", 'unknown version "2.99" in Lantern', "valid values: 3.0, 3.1, 3.2, main"],
    [
      "bug update 44 --component Slidshow",
      'unknown component "Slidshow" in Lantern',
      "valid values: Editor, Import & Export, Installer, Library\n",
    ],
    ["bug update 44 --target-milestone 3.9", 'unknown target milestone "3.9"', "did you mean 3.2 or 3.3?"],
    [
      "bug create -p Lantern -c Slidshow --version main -t x",
      'component "Slidshow"',
      "valid values: Editor, Import & Export, Installer, Library\n",
    ],
    [
      "bug update 34 --product Lantern",
      "bug 34 cannot have component",
      "--component: Editor, Import & Export, Installer, Library",
    ],
  ])("%s", async (line, sentence, hint) => {
    const { code, err } = await demo()(line);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
    expect(err).toContain(hint);
  });

  test("a search names all, since bugs have them", async () => {
    expect((await demo()("bug search --component Slidshow")).err).toContain("did you mean Slideshow?");
  });
});

test("an empty value of a number field clears it", async () => {
  const run = demo({ fields: [{ name: "cf_score", type: "integer" }] });
  await run("bug update 44 --field cf_score=7");
  expect(updates(await run("bug update 44 --field cf_score="))).toMatchObject([{ cf_score: 0 }]);
});

test("close --private makes the comment private, and requires one", async () => {
  const ran = await demo()("bug close 44 -m Fixed --private");
  expect(updates(ran)).toMatchObject([{ comment: { body: "Fixed", is_private: true } }]);
  expect(await demo()("bug close 44 --private")).toMatchObject({ code: 2, err: expect.stringContaining("--private") });
});
