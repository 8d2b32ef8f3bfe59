import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const view = new URL("../../src/view/", import.meta.url);

/** Every module of the floor that loading this one loads, and every package. */
function loaded(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.endsWith(".ts") || file.startsWith("../")) return seen; // what is shared with the tracker loads no package
  const source = readFileSync(new URL(file, view), "utf8");
  for (const [, name = ""] of source.matchAll(/^import (?!type)[^;]* from "(?:\.\/)?([^"]+)";/gms)) loaded(name, seen);
  return seen;
}

const LISTS = ["listing.ts", "bug-columns.ts", "field-columns.ts", "groups.ts", "comments.ts", "change-rows.ts"];

test.each(LISTS)("%s does not load the table renderer, which is slow on long lists", (file) => {
  expect(loaded(file)).not.toContain("cli-table3");
});

test.each(["bug-card.ts", "changes.ts", "cards.ts"])("%s does", (file) => {
  expect(loaded(file)).toContain("cli-table3");
});

test("errors and the names of formats load almost nothing", () => {
  expect([...loaded("view.ts")]).toEqual(["view.ts"]);
  expect([...loaded("messages.ts")].sort()).toEqual(["chalk", "messages.ts", "palette.ts", "text.ts", "wrap.ts"]);
});
