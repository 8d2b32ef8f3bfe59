import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");

/** Texts that belong to one machine or workplace and to no project; spelt so that this file does not mention it. */
const FOREIGN: readonly RegExp[] = [
  /(?<![\w.])\/(?:wor[k]|roo[t])\/[\w.]/,
  /(?<![\w./-])share[d]\/(?:spec|recordings|replay|design|style)/,
  /registr[y]\.[\w-]+\.\w+/,
  /"resolve[d]":/,
];

const MADE = [".git", "coverage", "dist", "node_modules"];

test("no file mentions local paths, workspace files or a registry", () => {
  expect(projectFiles().flatMap(mentions)).toEqual([]);
});

test.each([
  ["", "work", "main"],
  ["", "root", ".npmrc"],
  ["see shared", "spec", "x.md"],
  ["https:", "", "registry" + ".example.org", "x"],
])("%s/%s/%s would be found", (...parts) => {
  expect(FOREIGN.some((pattern) => pattern.test(parts.join("/")))).toBe(true);
});

function projectFiles(): readonly string[] {
  const top = readdirSync(root).filter((name) => !MADE.includes(name));
  return top.flatMap((name) =>
    statSync(path.join(root, name)).isFile() ? [name] : filesBelow(name).map((file) => path.join(name, file)),
  );
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return entries.filter((entry) => statSync(path.join(root, folder, entry)).isFile());
}

function mentions(name: string): readonly string[] {
  const lines = readFileSync(path.join(root, name), "utf8").split("\n");
  const hits = lines.flatMap((line, at) => (FOREIGN.some((pattern) => pattern.test(line)) ? [at + 1] : []));
  return hits.map((line) => `${name}:${line}`);
}
