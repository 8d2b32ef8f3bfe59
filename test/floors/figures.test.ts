import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { referencePage } from "../../src/cli/reference-page.ts";
import { OUTPUT_FLAGS } from "../../src/commands/shared/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { listedVerbs } from "../../src/commands/verb.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../../src/session/flags.ts";
import { lazyImports, SOURCES, staticImports } from "./sources.ts";

const root = path.join(import.meta.dirname, "../..");
const verbs = listedVerbs(TREE);
const sources = [...SOURCES.values()];

/** `isOpen ? [bug] : []`, or the other way round; a default as in `groups ?? []` is none. */
const EMPTY_BY_CONDITION = /(?<!\?)\? \[\]| : \[\]/g;

/** How large the tool is, each with its limit, which goes up only in a commit that says why: `npm run figures` prints them. */
const FIGURES: readonly (readonly [name: string, value: number, limit: number])[] = [
  [
    "commands, bt admin as one",
    new Set(verbs.map(({ words }) => words.join(" ").replace(/^admin .*/, "admin"))).size,
    70,
  ],
  ["pairs of verb and flag", pairs(), 538],
  ["lines of bt help reference", lines([referencePage(TREE)]), 1400],
  ["lines of bin/", lines(textsIn("bin")), 257],
  ["changes to packages", changesToPackages(), 1],
  ["members of a session", membersOfSession(), 10],
  ["files of one importer, not a lazy one", filesOfOneImporter(), 73],
  ["imports in the middle of functions", importsInFunctions(), 25],
  ["types made by Pick", count(/\bPick</g, sources), 35],
  ["lists that a condition empties", count(EMPTY_BY_CONDITION, sources), 172],
  ["the word readonly", count(/\breadonly\b/g, sources), 2793],
];

test.each(FIGURES)("%s: %d, at most %d", (name, value, limit) => {
  process.stdout.write(`${name.padEnd(36)}${value.toString().padStart(6)}, at most ${limit}\n`);
  expect(value).toBeGreaterThan(0);
  expect(value, "one can go, or the limit is raised in this commit, which says why").toBeLessThanOrEqual(limit);
});

test("the id of a bug is known, and has no stand-in", () => {
  const standIn = /\bid \?\? 0\b/g;
  expect(count(standIn, ["requests.get(bug.id ?? 0)"])).toBe(1);
  expect(count(standIn, sources)).toBe(0);
});

test("sources are counted", () => {
  process.stdout.write(`src/: ${lines(sources)} lines in ${sources.length} files\n`);
  expect(lines(sources)).toBeGreaterThan(0);
});

/** The flags of each verb, and those that many have, once. */
function pairs(): number {
  const own = verbs.reduce((sum, { verb }) => sum + verb.flags.length, 0);
  return own + [COMMON_FLAGS, OUTPUT_FLAGS, TRACKER_FLAGS].flat().length;
}

/** Modules that the build replaces, and its plugins other than the one that collects licences. */
function changesToPackages(): number {
  const build = readFileSync(path.join(root, "bin/build.js"), "utf8");
  const [, aliases = ""] = /\balias: \{(.*?)\}/s.exec(build) ?? [];
  const [, plugins = ""] = /\bplugins: \[(.*?)\]/s.exec(build) ?? [];
  return count(/":/g, [aliases]) + count(/\w+\(/g, [plugins.replace("licences(", "")]);
}

function membersOfSession(): number {
  const text = readFileSync(path.join(root, "src/session/session.ts"), "utf8");
  const [, members = ""] = /^export type Session = \{\n(.*?)^\};/ms.exec(text) ?? [];
  return count(/^ {2}(?:readonly )?\w+\??:/gm, [members]);
}

/** Files that a single other file imports, which does so when it is loaded. */
function filesOfOneImporter(): number {
  const importers = new Map<string, Set<string>>();
  const lazy = new Set<string>();
  for (const [file, text] of SOURCES) {
    for (const imported of [...staticImports(file, text), ...lazyImports(file, text)])
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    for (const imported of lazyImports(file, text)) lazy.add(imported);
  }
  return [...importers].filter(([file, { size }]) => size === 1 && !lazy.has(file)).length;
}

/** Dynamic imports, but for those that are all of an entry of a table, as in `run: async () => (await import("./get.ts")).getBugs`. */
function importsInFunctions(): number {
  return count(/(?<!typeof )\bimport\(/g, sources) - count(/^ *\w+: async \(.*\) =>\s*\(await import\(/gm, sources);
}

function textsIn(folder: string): readonly string[] {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  const programs = files.filter((file) => /\.[cm]?[jt]s$/.test(file));
  return programs.map((file) => readFileSync(path.join(root, folder, file), "utf8"));
}

function lines(texts: readonly string[]): number {
  return count(/\n/g, texts);
}

function count(pattern: RegExp, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
}
