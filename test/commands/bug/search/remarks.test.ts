import { expect, test } from "vitest";
import { asked } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const searches = (lines: readonly string[]) => lines.filter((line) => line.startsWith("GET /rest/bug?"));

test.each([
  ["-p Lantern -c API", 'unknown component "API" in Lantern'],
  ["-p Lantern,Handbook -c API,Sync", 'unknown component "API" or "Sync" in Lantern, Handbook'],
  ["product:Lantern component:API is:open", 'unknown component "API" in Lantern'],
  ["-p Lantern component:API", 'unknown component "API" in Lantern'],
  ["-p Lantern --target-milestone 1.5", 'unknown target milestone "1.5" in Lantern'],
  ["--sort relevance is:open", "only a full-text search can be sorted by relevance"],
  ["--id 1-3", `"1-3" is not a bug number\nhint: a range is 1..3`],
  ["id:10..5", "the range 10..5 is reversed"],
  ["--id 10..5", "the range 10..5 is reversed"],
  ["--status open", 'unknown status "open"\nhint: for all open bugs: --status @open, or the term is:open'],
  ["status:closed", "hint: for all closed bugs: --status @closed, or the term is:closed"],
  ["--limit all", '--limit "all" is not an integer\nhint: bt bug search --all has no limit'],
  ["--limit -1", '--limit must be 0 or more, not "-1"'],
])("a search that cannot match anything is rejected: %s", async (flags, told) => {
  const ran = await demo()(`bug search ${flags}`);
  expect([ran.code, ran.out, searches(asked(ran))]).toEqual([2, "", []]);
  expect(ran.err).toContain(told);
});

test.each([
  ["-p Lantern -p Harbor -c API", 4],
  ["-c API", 4],
  ["'product:Lantern or component:API'", 33],
  ["-product:Lantern component:API", 4],
  ["-p Lantern -c API,Editor", 8],
  ["--sort relevance 'content matches \"photo\"'", 7],
  ["comment:Import", 2],
])("a search that can match is sent: %s", async (flags, count) => {
  expect(await demo()(`bug search ${flags} --count --all`)).toMatchObject({ err: "", out: `${count}\n` });
});

test.each([
  ["48", "bt bug get 48"],
  ["'#48'", "bt bug get 48"],
])("an empty result has a note with the likely reason: %s", async (flags, told) => {
  const { code, out, err } = await demo()(`bug search ${flags}`, { terminal: true, columns: 100 });
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain("no bugs match\n");
  expect(err).toContain(told);
});

test.each(["12", "'#12'"])(
  "a lone bug number has a hint to bt bug get, in a pipe and with results, too: %s",
  async (term) => {
    const piped = await demo()(`bug search ${term}`);
    expect([piped.code, piped.out]).toEqual([0, ""]);
    expect(piped.err).toContain("bt bug get 12\n");
    const found = await demo()(`bug search 3`, { terminal: true });
    expect(found.out).not.toBe("");
    expect(found.err).toContain("bt bug get 3\n");
  },
);

test.each(["44-46", "44..46", "#44-#46"])(
  "a range of numbers has a note with the search for these bugs: %s",
  async (term) => {
    const note = `searched summaries for "${term}"; for these bugs: bt bug search id:44..46\n`;
    expect(await demo()(`bug search ${term}`)).toMatchObject({ code: 0, out: "", err: note });
  },
);

test.each([
  ["'priority High'", "priority High", "priority:High"],
  ["status was RESOLVED", "status was RESOLVED", "status:RESOLVED"],
  ["assignee me", "assignee me", "assignee:@me"],
])("plain words that look like a condition have a note: %s", async (terms, words, condition) => {
  const note = `searched summaries for "${words}"; for a condition: ${condition}\n`;
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, out: "", err: note });
});

test.each(["'red eye'", "'whiteboard marker'", "'priority of the fix'", "priority:High crash", "2026-11"])(
  "other words have none: %s",
  async (terms) => {
    expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, err: "" });
  },
);

test("an explanation has the note, too, and its JSON uses the usual keys", async () => {
  const line = "bug search 'keywords changed from crash' --explain";
  const told =
    "flags of a person, and values in changed lists, are read from the bugs that a search before this one finds";
  expect((await demo()(line)).out).toContain(told);
  expect(JSON.parse((await demo()(`${line} --json`)).out)).toMatchObject({
    notes: [told],
    checked_here: ["keywords changed from crash"],
  });
});
