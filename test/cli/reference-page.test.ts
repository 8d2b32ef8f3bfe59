import { expect, test } from "vitest";
import { referencePage } from "../../src/cli/reference-page.ts";
import { newBugFlags } from "../../src/commands/bug/write/flags.ts";
import { commentedUpdateFlags } from "../../src/commands/shared/changes/write-flags.ts";
import { unlimitedCriteriaFlags } from "../../src/commands/shared/criteria/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { listedVerbs } from "../../src/commands/verb.ts";

const SECTIONS = referencePage(TREE).split(/^(?=#### `)/m);
/** Flags that are listed once, by the note of the other verbs that take them. */
const LISTED_ONCE = [
  ["Takes the criteria of `bt bug search`", unlimitedCriteriaFlags().map(({ name }) => name)],
  ["Takes the flags of `bt bug create`", newBugFlags().map(({ name }): string => name)],
  ["Takes the flags of `bt bug update`", commentedUpdateFlags().map(({ name }): string => name)],
] as const;

test.each(listedVerbs(TREE))("the reference has the flags and examples of $words", ({ words, verb }) => {
  const heading = `#### \`bt ${words.join(" ")}`;
  const section = SECTIONS.find((one) => one.startsWith(`${heading} `) || one.startsWith(`${heading}\``)) ?? "";
  for (const { line } of verb.examples) expect(section).toContain(`\n${line}`);
  const elsewhere = LISTED_ONCE.filter(([note]) => section.includes(note)).flatMap(([, names]) => names);
  const listed = verb.flags.filter(({ name }) => !elsewhere.includes(name));
  for (const { name } of listed) expect(section).toMatch(new RegExp(`^ .*--${name}\\b`, "m"));
});

test.each(LISTED_ONCE)("%s: the flags are listed once", (note, names) => {
  const wholes = SECTIONS.filter((section) => names.every((name) => section.includes(`--${name} `)));
  expect(wholes).toHaveLength(1);
  expect(SECTIONS.filter((section) => section.includes(note)).length).toBeGreaterThan(0);
});
