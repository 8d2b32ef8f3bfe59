import { describe, expect, test } from "vitest";
import { JSON_ROWS } from "../../src/cli/json-page.ts";
import { demo } from "../commands/demo.ts";
import { freshFolder } from "../fresh-folder.ts";

/** A line for each row of the page. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  "bug search, bug wait": ["bug search is:open --limit 3", "bug wait 12"],
  "bug search --by FIELD": ["bug search is:open --by status"],
  "bug search --count": ["bug search is:open --count"],
  "bug get": ["bug get 12 48", "bug get 12 48 --fields _all"],
  "bug history": ["bug history 12"],
  "bug similar": ["bug similar 12"],
  "bug blame": ["bug blame 48"],
  "bug tree": ["bug tree 21", "bug tree 7 --open"],
  "bug create": ["bug create -p Lantern -c Editor --bug-version 3.1 -t Slow -d Text"],
  "bug update": ["bug update 44 --priority High"],
  "bug update of more than 20 bugs, bug import": [
    "bug update 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 --add-cc mei@example.org --yes",
    "bug import - --dry-run",
  ],
  "bug undo": ["bug undo 44 12"],
  "bug update --dry-run": ["bug update 44 --priority Low --dry-run"],
  "comment list, comment get": ["comment list 12", "comment get 5"],
  "comment add": ["comment add 12 -m Seen"],
  "attachment list, attachment get": ["attachment list 16 21", "attachment get 2"],
  "tag search, tag update": ["tag update 5 --add spam", "tag search spa"],
  "field list, field get": ["field list", "field get priority short_desc"],
  "field values": ["field values status", "field values keywords", "field values version --product Lantern"],
  "group get": ["group get editbugs --membership"],
  "user search, user get": ["user search mei", "user get @me"],
  todo: ["todo"],
};

const bt = demo();

describe("bt help json lists what commands print", () => {
  test("every row is tried", () => {
    expect(Object.keys(LINES)).toEqual(JSON_ROWS.map(({ command }) => command));
  });

  test.each(JSON_ROWS)("bt $command", async ({ command, gives, keys, sometimes = [] }) => {
    const documents = await Promise.all((LINES[command] ?? []).map(printed));
    expect(documents.map((document) => Array.isArray(document))).toEqual(documents.map(() => !/^an? /.test(gives)));
    const items = documents.flat().map(keysOf);
    expect(items.length).toBeGreaterThan(0);
    const always = keys.map(example);
    for (const item of items) expect(item).toEqual(expect.arrayContaining(always));
    expect([...always, ...sometimes]).toEqual(expect.arrayContaining([...new Set(items.flat())]));
  });
});

async function printed(line: string): Promise<unknown> {
  const env = { HOME: freshFolder() };
  if (line.startsWith("bug undo")) await bt("bug update 44 12 --severity minor", { env });
  const { out, err } = await bt(`${line} --json`, { env, stdin: "id,priority\n12,Low\n" });
  return JSON.parse(out || err);
}

function keysOf(item: unknown): readonly string[] {
  const keys = typeof item === "object" && item !== null ? Object.keys(item) : [];
  return keys.map((key) => (key.startsWith("cf_") ? "cf_NAME" : key));
}

/** The key that the line has in place of a variable one. */
function example(key: string): string {
  return key === "FIELD" ? "status" : key;
}
