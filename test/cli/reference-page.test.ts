import { expect, test } from "vitest";
import { referencePage } from "../../src/cli/reference-page.ts";
import { unlimitedCriteria } from "../../src/commands/shared-flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { listedVerbs } from "../../src/commands/verb.ts";

const SECTIONS = referencePage(TREE).split(/^(?=#### `)/m);
const CRITERIA = unlimitedCriteria().map(({ name }) => name);

test.each(listedVerbs(TREE))("the reference has the flags and examples of $words", ({ words, verb }) => {
  const heading = `#### \`bt ${words.join(" ")}`;
  const section = SECTIONS.find((one) => one.startsWith(`${heading} `) || one.startsWith(`${heading}\``)) ?? "";
  for (const { line } of verb.examples) expect(section).toContain(`\n${line}`);
  const isBySearch = section.includes("Takes the criteria of `bt bug search`");
  const listed = verb.flags.filter(({ name }) => !isBySearch || !CRITERIA.includes(name));
  for (const { name } of listed) expect(section).toMatch(new RegExp(`^ .*--${name}\\b`, "m"));
});

test("the criteria of a search are listed once", () => {
  const wholes = SECTIONS.filter((section) => CRITERIA.every((name) => section.includes(`--${name} `)));
  expect(wholes).toHaveLength(1);
  expect(SECTIONS.filter((section) => section.includes("Takes the criteria of")).length).toBeGreaterThan(2);
});
