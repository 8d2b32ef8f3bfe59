import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** How many faults each section of the matrix has: connections, answers, writes, credentials, terminals, input, files, bulk, server. */
const SECTIONS = { A: 24, B: 25, C: 27, D: 16, E: 13, F: 13, G: 8, H: 11, S: 14 } as const;

test("every fault of the matrix has a test that names it", () => {
  const named = new Set(titles().flatMap((title) => title.match(/\b[A-HS]\d{1,2}\b/g) ?? []));
  const wanted = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}${at + 1}`),
  );
  expect(wanted.filter((id) => !named.has(id))).toEqual([]);
});

/** The texts in double quotes or backticks of all tests. */
function titles(): readonly string[] {
  const root = join(import.meta.dirname, "..");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("matrix"))
    .flatMap((file) => readFileSync(join(root, file), "utf8").match(/"[^"\n]*"|`[^`\n]*`/g) ?? []);
}
