import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TREE } from "../../src/commands/tree.ts";

const src = path.join(import.meta.dirname, "../../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

test("flags are read by name in the parser of inputs alone", () => {
  expect(filesWith(/\bflags\["/).filter((file) => !file.startsWith("cli/"))).toEqual([]);
  expect(filesWith(/\binput\.parameters\b/)).toContain("commands/comment/add.ts");
});

test("every row of a verb is a VerbRow, which ties its flags to its function", () => {
  const rows = files.filter((file) => file.endsWith("rows.ts")).map(textOf);
  const typed = rows.flatMap((text) => text.match(/^(?:export )?const \w+: VerbRow\b/gm) ?? []);
  const verbs = [...TREE.nouns.flatMap((noun) => noun.verbs), ...TREE.verbs];
  expect(typed).toHaveLength(verbs.length);
});

function filesWith(pattern: RegExp): readonly string[] {
  return files.filter((file) => pattern.test(textOf(file)));
}

function textOf(file: string): string {
  return readFileSync(path.join(src, file), "utf8");
}
