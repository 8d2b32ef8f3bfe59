import { describe, expect, test } from "vitest";
import type { CommandFlag } from "../../src/command-flag.ts";
import { listedFlags } from "../../src/commands/shared/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import type { Verb } from "../../src/commands/verb.ts";
import { TRACKER_FLAGS } from "../../src/session/flags.ts";

const VERBS: readonly { readonly words: string; readonly verb: Verb }[] = [
  ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
  ...TREE.verbs.map((verb) => ({ words: verb.name, verb })),
];

function flagsOf(verb: Verb): readonly CommandFlag[] {
  return [...listedFlags(verb), HELP];
}

const HELP: CommandFlag = { name: "help", short: "h", about: "show help" };

describe.each(VERBS)("bt $words", ({ verb }) => {
  test("has unique flag names and letters", () => {
    expect(twice(flagsOf(verb).flatMap(({ name, aliases = [] }) => [name, ...aliases]))).toEqual([]);
    expect(twice(flagsOf(verb).flatMap(({ short }) => short ?? []))).toEqual([]);
  });
});

describe("names of commands", () => {
  test("are unique among nouns and lone verbs", () => {
    expect(twice([...TREE.nouns, ...TREE.verbs].flatMap(({ name, aliases = [] }) => [name, ...aliases]))).toEqual([]);
  });

  test.each(TREE.nouns)("are unique within $name", ({ verbs }) => {
    expect(twice(verbs.flatMap(({ name, aliases = [] }) => [name, ...aliases]))).toEqual([]);
  });
});

test("a letter means the same for every parameter of bugs", () => {
  const meanings = VERBS.filter(({ words }) => words.startsWith("bug ")).flatMap(({ verb }) =>
    verb.flags().flatMap(({ short, parameter }) => (short && parameter ? [`${short} ${parameter}`] : [])),
  );
  expect(twice([...new Set(meanings)].map((meaning) => meaning.slice(0, 1)))).toEqual([]);
});

test("every command with a tracker has the flags that choose one", () => {
  for (const { verb } of VERBS.filter((one) => !one.verb.offline)) {
    const names = flagsOf(verb).map(({ name }) => name);
    for (const { name } of TRACKER_FLAGS)
      expect([verb.name, name, names.includes(name)]).toEqual([
        verb.name,
        name,
        verb.needs === undefined || !["offline", "as-mirror-owner", "partial"].includes(name),
      ]);
  }
});

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}
