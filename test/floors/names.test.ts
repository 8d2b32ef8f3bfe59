import { expect, test } from "vitest";
import { SOURCES } from "./sources.ts";

/** Names that are exported on both sides for the same idea; wire belongs to both. */
const SAME_IDEA: readonly string[] = [
  "Bug", // as stored, and as sent
  "DUPLICATE", // the resolution
  "FieldChange", // as stored, and as sent
  "FieldSelection", // the fields that include_fields selects
  "UNCONFIRMED", // the status
  "User", // as stored, and as sent
  "addComment", // adds a comment to a bug
];

test("an exported name has one declaration within the client, within the tracker and within wire", () => {
  const offenders = Object.entries(declarations()).flatMap(([name, files]) => {
    const sides = files.map(sideOf);
    return new Set(sides).size < sides.length ? [`${name}: ${files.join(", ")}`] : [];
  });
  expect(offenders).toEqual([]);
});

test("a name exported on two sides means the same idea, and is listed above", () => {
  const shared = Object.entries(declarations()).filter(([, files]) => new Set(files.map(sideOf)).size > 1);
  expect(shared.map(([name]) => name).sort()).toEqual([...SAME_IDEA].sort());
});

/** Constants and types of the same name in five or more modules, where a search finds them all. May only become shorter. */
const NAMES_OF_MANY: readonly string[] = [
  ...["BY_ID", "ESCAPES", "FIELDS", "Group", "HOURS", "NO_BUG", "OPERATORS", "PARAMETERS", "PRODUCT", "Place"],
  ...["Reader", "STANDARD", "STATUSES", "VALUE", "VERSION"],
];

test("a name of a constant or a type says of what: it is declared in at most four modules, but for those listed above", () => {
  const files = new Map<string, number>();
  for (const [file, text] of SOURCES) {
    if (/(?:^|\/)rows\.ts$/.test(file)) continue; // rows of verbs have the verbs' names
    for (const name of constantsAndTypes(text)) files.set(name, (files.get(name) ?? 0) + 1);
  }
  const names = [...files].filter(([, count]) => count > 4).map(([name]) => name);
  expect(names.sort()).toEqual(NAMES_OF_MANY);
});

function constantsAndTypes(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^(?:export )?(?:type|const(?= [A-Z][A-Z0-9_]*\b)) (\w+)/gm)].map(([, name = ""]) => name),
  );
}

test("constants in capitals and types count, whether exported or not", () => {
  const text = "const KINDS = 1;\nexport const MORE = 2;\nconst low = 3;\ntype Row = 1;\n  const INSIDE = 4;\n";
  expect([...constantsAndTypes(text)]).toEqual(["KINDS", "MORE", "Row"]);
});

test.each([
  ["export async function* searchPages(", "searchPages"],
  ["export type Bug = {", "Bug"],
  ["export const DUPLICATE =", "DUPLICATE"],
  ["export class BtError extends Error {", "BtError"],
])("%s is a declaration", (line, name) => {
  expect(namesIn(`\n${line}`)).toEqual([name]);
});

test("a function that always throws is a verb: what a noun gives is an error to throw", () => {
  const names = [...SOURCES.values()].flatMap(throwing);
  expect(names).toContain("raise");
  expect(names.filter((name) => !/^(?:raise|refuse|reject|rethrow|throw)/.test(name))).toEqual([]);
  expect(throwing("function missing(\n  what: string,\n): never {")).toEqual(["missing"]);
});

function throwing(text: string): readonly string[] {
  return [...text.matchAll(/\bfunction (\w+)\([^)]*\): never\b/g)].map(([, name = ""]) => name);
}

function declarations(): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const [file, text] of SOURCES) {
    for (const name of namesIn(text)) {
      found.set(name, [...(found.get(name) ?? []), file]);
    }
  }
  return Object.fromEntries(found);
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|type|class) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
}

function sideOf(file: string): string {
  const [folder = ""] = file.split("/");
  return folder === "tracker" || folder === "wire" ? folder : "client";
}
