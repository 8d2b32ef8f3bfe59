import { expect, test } from "vitest";
import { lazyImports, SOURCES, staticImports } from "./sources.ts";

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
