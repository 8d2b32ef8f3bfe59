import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

/** Made by the build, so not there in a fresh clone. */
const MADE = ["dist/"];

test("every file and folder named in CONTRIBUTING.md exists", () => {
  const paths = named(page);
  expect(paths).toContain("commands/bug/search/search.ts");
  expect(paths.filter((path) => !MADE.includes(path) && !isThere(path))).toEqual([]);
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

/** Paths are those of the project, of `src`, or of the linter's own rules. */
function isThere(path: string): boolean {
  return ["", "src", "test/floors"].some((folder) => existsSync(join(root, folder, path)));
}
