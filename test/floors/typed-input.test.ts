import { expect, test } from "vitest";
import { TREE } from "../../src/commands/tree.ts";
import { SOURCES } from "./sources.ts";

test("flags are read by name in the parser of inputs alone", () => {
  expect(filesWith(/\bflags\["/).filter((file) => !file.startsWith("cli/"))).toEqual([]);
  expect(filesWith(/\binput\.parameters\b/)).toContain("commands/comment/add.ts");
});

test("every row of a verb is a VerbRow, which ties its flags to its function", () => {
  const rows = [...SOURCES].filter(([file]) => file.endsWith("rows.ts"));
  const typed = rows.flatMap(([, text]) => text.match(/^(?:export )?const \w+: VerbRow\b/gm) ?? []);
  const verbs = [...TREE.nouns.flatMap((noun) => noun.verbs), ...TREE.verbs];
  expect(typed).toHaveLength(verbs.length);
});

function filesWith(pattern: RegExp): readonly string[] {
  return [...SOURCES].filter(([, text]) => pattern.test(text)).map(([file]) => file);
}
