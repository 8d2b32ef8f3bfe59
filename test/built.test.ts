import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isStale } from "./built.ts";
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

const SOURCES = { "bin/build.js": 1, "package.json": 1, "src/main.ts": 1, "src/view/text.ts": 1 };

test.each([
  ["is missing", {}, true],
  ["is newer than the sources", { "dist/build.json": 5 }, false],
  ["is older than one of them", { "dist/build.json": 5, "src/view/text.ts": 6 }, true],
  ["is older than its script", { "dist/build.json": 5, "bin/build.js": 6 }, true],
])("a build that %s", (_, files, stale) => {
  expect(isStale(project({ ...SOURCES, ...files }))).toBe(stale);
});
