import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAULTS } from "./codes.ts";

const root = join(import.meta.dirname, "..");

test("every fault has a test with its code, and every code in a title is a fault", () => {
  const named = new Set(titles().flatMap((title) => title.match(CODE) ?? []));
  expect([...named].filter((code) => !(code in FAULTS))).toEqual([]);
  expect(Object.keys(FAULTS).filter((code) => !named.has(code))).toEqual([]);
});

test("codes are numbered without gaps", () => {
  const count = (letter: string) => Object.keys(FAULTS).filter((code) => code.startsWith(letter)).length;
  const numbered = [..."ABCDEFGHS"].flatMap((letter) =>
    Array.from({ length: count(letter) }, (_, at) => `${letter}${at + 1}`),
  );
  expect(Object.keys(FAULTS)).toEqual(numbered);
});

const CODE = /\b[A-HS]\d{1,2}\b/g;

/** The texts of all tests that begin with a code. */
function titles(): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith("codes.test.ts"))
    .flatMap((file) => readFileSync(join(root, file), "utf8").match(/(?<=")[A-Z]\d{1,2} [^"\n]+(?=")/g) ?? []);
}
