import { expect, test } from "vitest";
import { bt, updates } from "../bt.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";

/** Runs a line on a demo on Friday 2026-11-20, on a terminal or in a pipe. */
function run(line: string, terminal = false) {
  const { exchange } = freshDemo({ now: clockOf(), random: (count) => new Uint8Array(count) });
  return bt(line, { exchange, terminal });
}

test("a deadline takes the coming weekday, and a terminal is told which day that is", async () => {
  const update = await run("bug update 44 --deadline friday", true);
  expect(updates(update)).toEqual([{ ids: [44], deadline: "2026-11-27" }]);
  expect(update.err).toContain('note: "friday" is taken as 2026-11-27\n');
  const piped = await run("bug update 44 --deadline 'in 2 weeks'");
  expect(updates(piped)).toEqual([{ ids: [44], deadline: "2026-12-04" }]);
  expect(piped.err).toBe("");
});

test.each([
  ["--created yesterday", ['"yesterday" is taken as 2026-11-19']],
  ["--updated 'last week'", ['"last week" is taken as 2026-11-09']],
  ["--created 2026-10", []],
  ["--created today", ['"today" is taken as 2026-11-20']],
  ["--created -2w --updated '>=2026-10' --id 1", []],
])("a terminal is told what bt bug search %s means, and a pipe is not", async (criteria, sentences) => {
  const notes = (err: string) => err.split("\n").filter((line) => /^note: .*(?:taken as|means)/.test(line));
  const line = `bug search ${criteria} --format ids`;
  expect(notes((await run(line, true)).err)).toEqual(sentences.map((sentence) => `note: ${sentence}`));
  expect(notes((await run(line)).err)).toEqual([]);
});

test.each([
  ["--updated '7 days ago'", "--updated -7d"],
  ["'updated:\"2 weeks ago\"'", "updated:-2w"],
  ["--where 'created >= \"last monday\"'", "--where 'created >= 2026-11-16'"],
  ["--where 'created < thursday'", "--where 'created < 2026-11-19'"],
  ["--where 'deadline <= thursday'", "--where 'deadline <= 2026-11-26'"],
  ["--where 'created:\"last month\"'", "--where created:last-month"],
])("a search with %s is the one with %s", async (spoken, plain) => {
  const query = async (criteria: string) => (await run(`bug search ${criteria} --all --format ids`)).requests.at(-1);
  expect(await query(spoken)).toEqual(await query(plain));
});
