import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");

/** SQLite's own clock, of which the linter knows nothing. */
const SQL: readonly RegExp[] = [
  /\bCURRENT_(?:TIMESTAMP|DATE|TIME)\b/,
  /\b(?:date|time|datetime|julianday|unixepoch)\(\s*(['"`])now\1/i,
  /\b(?:datetime|julianday|unixepoch)\(\s*\)/i,
  /\bstrftime\(\s*(['"`])[^'"`]*\1\s*(?:\)|,\s*(['"`])now\2)/i,
];

/** This machine's, for what is loaded as it lies there. */
const SCRIPT: readonly RegExp[] = [/\bDate\.now\b|\bnew Date\b(?!\(\s*[^)\s])/];

test("neither SQL nor a launcher reads the system clock", () => {
  expect(["bin", "src"].flatMap(filesBelow).flatMap((name) => linesWith(SQL, name))).toEqual([]);
  expect(filesBelow("bin").flatMap((name) => linesWith(SCRIPT, name))).toEqual([]);
});

test.each([
  "DEFAULT CURRENT_TIMESTAMP",
  "SELECT datetime('now')",
  "SELECT date(\"now\", '-1 day')",
  "SELECT julianday('now')",
  "SELECT unixepoch()",
  "SELECT strftime('%s', 'now')",
  "SELECT strftime('%Y')",
  "const limit = Date.now();",
  "const day = new Date();",
])("%s would be found", (text) => {
  expect([...SQL, ...SCRIPT].some((clock) => clock.test(text))).toBe(true);
});

test.each(["datetime(creation_time)", "strftime('%s', creation_time)", "new Date(ms)", "date(?)"])(
  "%s is the time of a value",
  (text) => {
    expect([...SQL, ...SCRIPT].some((clock) => clock.test(text))).toBe(false);
  },
);

function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.(?:ts|js|cjs|sql)$/.test(name)).map((name) => path.join(folder, name));
}

function linesWith(clocks: readonly RegExp[], name: string): readonly string[] {
  const lines = readFileSync(path.join(root, name), "utf8").split("\n");
  return lines.flatMap((line, at) => (clocks.some((clock) => clock.test(line)) ? [`${name}:${at + 1} ${line}`] : []));
}
