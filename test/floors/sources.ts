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
