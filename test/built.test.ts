import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildError } from "./built.ts";
import { freshFolder } from "./fresh-folder.ts";

/** A project whose files were modified at these seconds. */
function project(files: Readonly<Record<string, number>>): string {
  const root = freshFolder();
  for (const [name, seconds] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), "");
    utimesSync(join(root, name), seconds, seconds);
  }
  return root;
}

const SOURCES = { "bin/build.js": 1, "bin/build/groups.js": 1, "src/main.ts": 1, "src/view/text.ts": 1 };

test.each([
  ["is missing", {}, 'dist is missing: run "npm run build"'],
  ["is newer than the sources", { "dist/build.json": 5 }, undefined],
  ["is older than one of them", { "dist/build.json": 5, "src/view/text.ts": 6 }, /older than src.view.text\.ts/],
  ["is older than the build scripts", { "dist/build.json": 5, "bin/build/groups.js": 6 }, /older than bin/],
])("a build that %s", (_, files, error) => {
  const found = buildError(project({ ...SOURCES, ...files }));
  if (error instanceof RegExp) expect(found).toMatch(error);
  else expect(found).toBe(error);
});

test("tests that need the built files import built.ts, so that they fail if those are out of date", () => {
  const own = ["built.ts", "built.test.ts", "one-folder.ts"]; // the last asks for the demo before all tests
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const others = names.filter((name) => name.endsWith(".ts") && !own.includes(name));
  const naming = others.filter((name) => /\b(?:import|join)\(.*(?:dist\/|bin\/bt\.cjs)/.test(read(name)));
  expect(naming).toEqual([]);
});

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}
