import type { CatalogField } from "./catalog.ts";
import { legalNames } from "./legal-value.ts";

/**
 * The values of a list for a field, as they stand on a command line. Commas separate them, but belong to a value in double
 * quotes and to one that is legal with them ("New Tab, Start & Home"). An empty value between commas stays one.
 */
export function splitValues(text: string, field: CatalogField): readonly string[] {
  return listParts(text, legalNames(field)).map(unquoted);
}

/**
 * The parts of a list as they were typed, each with its quotes, so that `+x` can be told from `"+x"`. A sign before the
 * quotes belongs to the part; a legal name keeps its commas, with a sign before it too.
 */
export function listParts(text: string, names: readonly string[] = []): readonly string[] {
  const parts = text.match(PARTS) ?? [];
  const legal = new Set(names.map((name) => name.toLowerCase()));
  const most = Math.max(1, ...[...legal].map((name) => name.split(",").length));
  const values: string[] = [];
  for (let start = 0; start < parts.length; ) {
    const length = longestLegal(parts.slice(start, start + most), legal);
    values.push(
      parts
        .slice(start, start + length)
        .join(",")
        .trim(),
    );
    start += length;
  }
  return values;
}

/** The value of a part: without its quotes, but with the sign that stands before them. */
export function unquoted(part: string): string {
  const [, sign, value] = /^([-+!=]?)"([^"]*)"$/.exec(part) ?? [];
  return value === undefined ? part : `${sign}${value}`;
}

/** What stands before a comma or the end; a comma inside quotes that begin and end a part is none. */
const PARTS = /(?<=^|,)(?:\s*[-+!=]?"[^"]*"\s*(?=,|$)|[^,]*)/g;

/** How many parts from the first on make up a legal name, most first; one when none do. */
function longestLegal(parts: readonly string[], legal: ReadonlySet<string>): number {
  const lengths = parts.map((_, index) => parts.length - index);
  const isLegal = (text: string) => legal.has(text) || legal.has(text.replace(/^[-+!=]/, ""));
  return lengths.find((length) => isLegal(parts.slice(0, length).join(",").trim().toLowerCase())) ?? 1;
}
