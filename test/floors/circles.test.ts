import path from "node:path";
import { expect, test } from "vitest";
import { lazyImports, SOURCES, staticImports } from "./sources.ts";

/** Folders that import each other, each list by name. It may only become shorter. */
const KNOTS: readonly (readonly string[])[] = [
  ["tracker/bug-fields", "tracker/flags", "tracker/products"],
  ["tracker/bugs", "tracker/mail"],
];

test("no module of src/ imports itself by way of others, not even for a type or when it is needed", () => {
  const imports = new Map([...SOURCES].map(([file, text]) => [file, importsIn(file, text)]));
  expect(imports.size).toBeGreaterThan(100);
  expect(circle(imports)).toBeUndefined();
});

test.each([
  ["a type", 'import type { Tall } from "./b.ts";'],
  ["a type among values", 'import {\n  low,\n  type Tall,\n} from "./b.ts";'],
  ["a module that is loaded when it is needed", 'const { low } = await import("./b.ts");'],
  ["a type in place", 'type Tall = typeof import("./b.ts");'],
])("a circle by %s is found", (_, text) => {
  const imports = new Map([
    ["a.ts", importsIn("a.ts", text)],
    ["b.ts", importsIn("b.ts", 'export { near } from "./c.ts";')],
    ["c.ts", importsIn("c.ts", 'import "./a.ts";')],
  ]);
  expect(circle(imports)).toEqual(["a.ts", "b.ts", "c.ts", "a.ts"]);
});

test("no folder imports itself by way of others, but for those listed above", () => {
  expect(knots(folderImports(SOURCES))).toEqual(KNOTS);
});

test("a file beside folders counts by itself, those of a folder without folders as one", () => {
  const sources = new Map([
    ["a/low.ts", 'import "./b/b.ts";'],
    ["a/b/b.ts", 'import "../c/c.ts";'],
    ["a/b/top.ts", ""],
    ["a/c/c.ts", 'import type { Top } from "../b/top.ts";'],
    ["a/top.ts", 'import "./b/b.ts";\nimport "./low.ts";'],
  ]);
  expect(knots(folderImports(sources))).toEqual([["a/b", "a/c"]]);
});

/** The imports between folders. A file beside folders counts by itself: it may stand above or below them. */
function folderImports(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const folders = new Set([...sources.keys()].map((file) => path.posix.dirname(file)));
  const parents = new Set([...folders].map((folder) => path.posix.dirname(folder)));
  const placeOf = (file: string) => (parents.has(path.posix.dirname(file)) ? file : path.posix.dirname(file));
  const imports = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const from = placeOf(file);
    const imported = imports.get(from) ?? new Set();
    imports.set(from, imported);
    for (const to of importsIn(file, text).map(placeOf)) if (to !== from) imported.add(to);
  }
  return imports;
}

/** Those that reach each other, by name. */
function knots(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...imports.keys()].map((from) => [from, reachedFrom(from, imports)]));
  const found = new Map<string, string[]>();
  for (const [from, all] of reached) {
    const knot = [...all].filter((to) => reached.get(to)?.has(from)).sort();
    if (knot.length > 0) found.set(knot.join(), knot);
  }
  return [...found.values()].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}

function reachedFrom(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const to of imports.get(from) ?? []) {
      if (!reached.has(to)) waiting.push(to);
      reached.add(to);
    }
  }
  return reached;
}

function importsIn(file: string, text: string): string[] {
  return [...staticImports(file, text), ...lazyImports(file, text)];
}

/** The modules of a circle, from one of them to itself; undefined if there is none. */
function circle(imports: Map<string, string[]>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const imported of imports.get(file) ?? []) {
      const found = visit(imported, [...path, file]);
      if (found) return found;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const found = visit(file, []);
    if (found) return found;
  }
  return undefined;
}
