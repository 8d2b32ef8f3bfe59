import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SOURCES } from "./sources.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

/** Made by the build, so not there in a fresh clone. */
const MADE = ["dist/"];

test("every file and folder named in CONTRIBUTING.md exists", () => {
  const paths = named(page);
  expect(paths).toContain("commands/bug/search/search.ts");
  expect(paths.filter((path) => !MADE.includes(path) && !isThere(path))).toEqual([]);
});

test("every type named in CONTRIBUTING.md is one of the sources", () => {
  const types = namedTypes(page);
  expect(types).toEqual(expect.arrayContaining(["BtError", "Exchange"]));
  const sources = [...SOURCES.values()].join("");
  const isExported = (name: string) => new RegExp(`^export (?:type|class) ${name}\\b`, "m").test(sources);
  expect(types.filter((name) => name !== "Promise" && !isExported(name))).toEqual([]);
});

test("every folder of tests without a room in src is explained in CONTRIBUTING.md", () => {
  const folders = readdirSync(join(root, "test"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).filter((name) => !existsSync(join(root, "src", name)));
  expect(names.filter((name) => !page.includes(`\`test/${name}\``))).toEqual([]);
});

test.each([
  ["`src/main.ts` and `cli/`", ["src/main.ts", "cli/"]],
  ["`GET /rest/bug`, `bt bug`, `a/{b,c}`, `<noun>/rows.ts`", []],
  ["`biome.json`, `test/clock`", ["biome.json", "test/clock"]],
])("in %j the paths are %j", (text, paths) => {
  expect(named(text)).toEqual(paths);
});

/** Paths between backticks: a file with an ending, a folder with a slash. */
function named(text: string): readonly string[] {
  const words = [...text.matchAll(/`([\w./-]+)`/g)].map(([, word = ""]) => word);
  return words.filter((word) => /^[\w.][^/]*\/|\.(?:[cm]?[jt]s|grit|json|md)$/.test(word));
}

/** Names like those of types between backticks, outside diffs. */
function namedTypes(text: string): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/`[^`]+`/g)].flatMap(([code]) => code.match(/\b[A-Z][a-z]\w*/g) ?? []);
}

/** Paths are those of the project, of `src`, or of the linter's own rules. */
function isThere(path: string): boolean {
  return ["", "src", "test/floors"].some((folder) => existsSync(join(root, folder, path)));
}
