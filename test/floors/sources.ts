import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const SRC = path.join(import.meta.dirname, "../../src");

/** Texts of the files of src by name, as in `wire/bug-fields.ts`. */
export const SOURCES: ReadonlyMap<string, string> = new Map(
  readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => [file.replaceAll("\\", "/"), readFileSync(path.join(SRC, file), "utf8")]),
);

/** The files that a file imports when it is loaded, or for a type. */
export function staticImports(file: string, text: string): string[] {
  return specifiers(file, text, /(?:\bfrom |\bimport )"(\.[^"]+)"/g);
}

/** The files that a file imports when they are needed, or for a type in place. */
export function lazyImports(file: string, text: string): string[] {
  return specifiers(file, text, /\bimport\("(\.[^"]+)"/g);
}

function specifiers(file: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, specifier = ""]) => path.posix.join(path.posix.dirname(file), specifier));
}
