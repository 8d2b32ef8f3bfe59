import type { CatalogField } from "./catalog.ts";
import { legalNames } from "./legal-value.ts";

/**
 * The values of a list for a field, as they stand on a command line. Commas separate them, but belong to a value in double
 * quotes and to one that is legal with them ("New Tab, Start & Home"). An empty value between commas stays one.
 */
export function splitValues(text: string, field: CatalogField): readonly string[] {
  const parts = text.match(PARTS) ?? [];
  const legal = new Set(legalNames(field)?.map((name) => name.toLowerCase()));
  const most = Math.max(1, ...[...legal].map((name) => name.split(",").length));
  const values: string[] = [];
  for (let start = 0; start < parts.length; ) {
    const length = longestLegal(parts.slice(start, start + most), legal);
    values.push(
      unquoted(
        parts
          .slice(start, start + length)
          .join(",")
          .trim(),
      ),
    );
    start += length;
  }
  return values;
}

/** What stands before a comma or the end; a comma inside quotes that begin and end a part is none. */
const PARTS = /(?<=^|,)(?:\s*"[^"]*"\s*(?=,|$)|[^,]*)/g;

function unquoted(value: string): string {
  return /^"([^"]*)"$/.exec(value)?.[1] ?? value;
}

/** How many parts from the first on make up a legal name, most first; one when none do. */
function longestLegal(parts: readonly string[], legal: ReadonlySet<string>): number {
  const lengths = parts.map((_, index) => parts.length - index);
  return lengths.find((length) => legal.has(parts.slice(0, length).join(",").trim().toLowerCase())) ?? 1;
}
