import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The folders of tests that have no folder in `src`, because they are about all of it, or about files beside it. */
const BESIDE_SRC = [
  "agreement",
  "bench",
  "bin",
  "build",
  "clients",
  "clock",
  "conformance",
  "documents",
  "faults",
  "floors",
  "forms",
  "interface",
  "mozilla",
  "process",
  "recordings",
  "reliability",
  "servers",
  "stories",
  "sweeps",
  "tasks",
];

test("every other folder of tests is named after the folder of src that it tests", () => {
  const others = foldersOf("test").filter((name) => !BESIDE_SRC.includes(name.split("/")[0] ?? ""));
  expect(others).toContain("api/delivery");
  expect(others.filter((name) => !existsSync(join(root, "src", name)))).toEqual([]);
});

test("every exception is needed", () => {
  const folders = foldersOf("test");
  expect(BESIDE_SRC.filter((name) => !folders.includes(name) || existsSync(join(root, "src", name)))).toEqual([]);
});

/** What stands at the top of a clone beside dotfiles. */
const TOP = [
  ...["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"],
  ...["biome.json", "package-lock.json", "package.json", "tsconfig.json"],
  ...["bin", "completions", "src", "test"],
];

test.skipIf(!existsSync(join(root, ".git")))("nothing else stands at the top", () => {
  const files = execFileSync("git", ["-c", "safe.directory=*", "ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const found = files.split("\0").flatMap((file) => (/^[^.]/.test(file) ? file.split("/").slice(0, 1) : []));
  expect([...new Set(found)].sort()).toEqual([...TOP].sort());
});

/** Folders of which each file has a test of the same name. */
const FILE_BY_FILE = ["api/delivery"];

test.each(FILE_BY_FILE)("each file of src/%s has a test of the same name", (folder) => {
  const [sources, tests] = ["src", "test"].map((top) => readdirSync(join(root, top, folder)));
  const wanted = sources?.map((file) => file.replace(/\.ts$/, ".test.ts"));
  expect(tests?.filter((file) => file.endsWith(".test.ts"))).toEqual(wanted);
});

/** The folders below one that hold TypeScript; fixtures alone make no room. */
function foldersOf(name: string): readonly string[] {
  const files = readdirSync(join(root, name), { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /\.[cm]?[jt]s$/.test(file));
  return [...new Set(sources.map((file) => dirname(file)))].filter((folder) => folder !== ".");
}
