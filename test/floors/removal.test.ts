import path from "node:path";
import { expect, test } from "vitest";
import { SOURCES } from "./sources.ts";

/** A feature: its folders, and how many lines of how many other files may name what is in them. */
type Feature = { readonly folders: readonly string[]; readonly lines: number; readonly files?: number };

const FEATURES: Readonly<Record<string, Feature>> = {
  triage: { folders: ["commands/bug/triage"], lines: 5 },
  import: { folders: ["commands/bug/import"], lines: 5 },
  edit: { folders: ["commands/bug/edit"], lines: 5 },
  undo: { folders: ["commands/bug/undo", "api/undo"], lines: 5 },
  watch: { folders: ["commands/bug/follow"], lines: 5 },
  todo: { folders: ["commands/todo"], lines: 5 },
  mcp: { folders: ["commands/mcp"], lines: 5 },
  completion: { folders: ["commands/completion"], lines: 5 },
  attachment: { folders: ["commands/attachment"], lines: 15 },
  admin: { folders: ["commands/admin", "tracker/admin"], lines: 15 },
  jobs: { folders: ["jobs", "commands/job"], lines: 19 },
  mirror: { folders: ["mirror", "commands/mirror", "tracker/mirror"], lines: 40, files: 8 },
};

test.each(Object.entries(FEATURES))("%s can be removed with its folders and few lines elsewhere", (_, feature) => {
  for (const folder of feature.folders)
    expect(
      [...SOURCES.keys()].some((file) => isIn(file, [folder])),
      folder,
    ).toBe(true);
  const foreign = linesNaming(feature.folders);
  expect(foreign.length).toBeGreaterThan(0);
  expect(foreign.length, foreign.join("\n")).toBeLessThanOrEqual(feature.lines);
  expect(new Set(foreign.map((line) => line.replace(/:.*/, ""))).size).toBeLessThanOrEqual(
    feature.files ?? feature.lines,
  );
});

test("imports of several lines, uses of what they bring, and imports in functions are counted", () => {
  const lines = linesNamingIn(
    'import {\n  type A,\n  b as c,\n} from "../x/y.ts";\nimport { b } from "./z.ts";\nuse(c);\nconst a: A = b;\nawait import("../x/q.ts");\n',
    "w/file.ts",
    ["x"],
  );
  expect(lines).toEqual([1, 2, 3, 4, 6, 7, 8]);
});

function linesNaming(folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const [file, text] of SOURCES) {
    if (isIn(file, folders)) continue;
    for (const line of linesNamingIn(text, file, folders)) found.push(`${file}:${line}`);
  }
  return found;
}

/** Numbers of the lines that import from some folders, or use what was imported from them. */
function linesNamingIn(text: string, file: string, folders: readonly string[]): readonly number[] {
  const numbers: number[] = [];
  const isForeign = (source = "") => isIn(path.posix.join(path.posix.dirname(file), source), folders);
  const statements = [...text.matchAll(IMPORT)].filter(([, , source]) => isForeign(source));
  for (const { 0: statement, 1: names = "", index } of statements) {
    for (const at of statement.split("\n").keys()) numbers.push(lineAt(text, index) + at);
    for (const name of names.match(/\w+(?=\s*(?:,|$))/g) ?? []) numbers.push(...linesUsing(name, text));
  }
  for (const { 1: source, index } of text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g)) {
    if (isForeign(source)) numbers.push(lineAt(text, index));
  }
  return [...new Set(numbers)].sort((one, other) => one - other);
}

const IMPORT = /^import (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm;

function linesUsing(name: string, text: string): readonly number[] {
  const use = new RegExp(`^(?!import |\\s*(?:/?\\*|//)).*\\b${name}\\b`);
  return text.split("\n").flatMap((line, at) => (use.test(line) ? [at + 1] : []));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function isIn(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}
