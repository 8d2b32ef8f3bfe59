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

test("a file that begins with the letter of an area has a test of one of its faults", () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^[a-hs]-.*\.test\.ts$/.test(file));
  const without = files.filter((file) => {
    const letter = file.charAt(0).toUpperCase();
    return !titlesIn(join(import.meta.dirname, file)).some((title) => title.startsWith(letter));
  });
  expect(files.length).toBeGreaterThan(9);
  expect(without).toEqual([]);
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
    .flatMap((file) => titlesIn(join(root, file)));
}

function titlesIn(path: string): readonly string[] {
  return readFileSync(path, "utf8").match(/(?<=")[A-Z]\d{1,2} [^"\n]+(?=")/g) ?? [];
}
