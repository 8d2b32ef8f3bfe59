import { describe, expect, test } from "vitest";
import { JSON_ROWS, jsonPage } from "../../src/cli/json-page.ts";
import { TREE } from "../../src/commands/tree.ts";
import { listedVerbs } from "../../src/commands/verb.ts";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { demo } from "../commands/demo.ts";
import { FATES, faultyTracker, once } from "../faults/faulty-tracker.ts";
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
  "bug create, bug clone": ["bug create -p Lantern -c Editor --bug-version 3.1 -t Slow -d Text", "bug clone 44"],
  "bug update, bug import": [
    "bug update 44 --priority High",
    ...["bug close 45", "bug reopen 12", "bug confirm 46", "bug dup 47 44", "bug take 43"],
    ...["bug needinfo 48 --from mei@example.org -m Why", "bug answer 48 --to ada@example.org"],
    "bug update 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 --add-cc mei@example.org --yes",
    "bug import - --dry-run",
  ],
  "bug undo": ["bug undo 44 12"],
  "bug update --dry-run": ["bug update 44 --priority Low --dry-run"],
  "comment list, comment get": ["comment list 12", "comment get 5"],
  "comment add": ["comment add 12 -m Seen"],
  "attachment list, attachment get": ["attachment list 16 21", "attachment get 2"],
  "attachment add": ["attachment add 44 - --file-name log.txt --summary Log"],
  "attachment update": ["attachment update 2 --summary Log"],
  "tag search, tag update": ["tag update 5 --add spam", "tag search spa"],
  "field list, field get": ["field list", "field get priority short_desc"],
  "field values": ["field values status", "field values keywords", "field values version --product Lantern"],
  "product list, product get": ["product list", "product get Lantern"],
  "group list, group get": ["group list", "group get editbugs --membership"],
  "group create": ["group create --name testers --description Tests"],
  "group update": ["group update editbugs --description Editors"],
  "user search, user get": ["user search mei", "user get @me"],
  todo: ["todo"],
  "job list": ["job list", "job list --last"],
  "job show": ["job show JOB"],
  "mirror list": ["mirror list"],
  "auth status": ["auth status"],
  "config list": ["config list"],
  "alias list": ["alias list"],
  "admin key": ["admin key"],
};

const bt = demo();

describe("bt help json lists what commands print", () => {
  test("a row names the commands that print the same", () => {
    const { parts } = jsonPage();
    expect(JSON.stringify(parts)).toContain("not_applied, job; same for bug edit, bug close, bug reopen");
  });

  test("every row is tried", () => {
    expect(Object.keys(LINES)).toEqual(JSON_ROWS.map(({ command }) => command));
  });

  test("every command that prints JSON has a row", () => {
    const listed = JSON_ROWS.flatMap(({ command, same = [] }) => [...command.split(", "), ...same]);
    const names = listed.map((command) => command.replace(/ (?:--|of ).*/, ""));
    const printing = listedVerbs(TREE).filter(({ verb }) => verb.output !== undefined);
    const without = printing.map(({ words }) => words.join(" ")).filter((name) => !names.includes(name));
    expect(without).toEqual(["job send"]); // what it sends has a row
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

describe("a changed bug has the same keys in an update of 20 bugs and of 21", () => {
  const ids = [...Array(22).keys()].map((at) => at + 1).filter((id) => id !== 17);
  const updated = async (count: number, more: string) => {
    const bugs = ids.slice(0, count).join(" ");
    const [run, env] = [demo(), { HOME: freshFolder(), BT_BASE_URL: "demo:" }];
    await run(`bug update ${ids[0]} --priority Highest`);
    const { code, out } = await run(`bug update ${bugs} --priority Highest ${more} --yes --json`, { env });
    expect(code).toBe(0);
    return JSON.parse(out) as JsonObject[];
  };

  test.each(["", "-m Seen", "--add-cc mei@example.org"])("%s", async (more) => {
    const [few, many] = [await updated(20, more), await updated(21, more)];
    expect([few.length, many.length]).toEqual([20, 21]);
    for (const one of few) {
      const other = many.find(({ id }) => id === one["id"]) ?? {};
      expect(Object.keys(other)).toEqual(Object.keys(one));
      for (const name of ["result", "changes", "alias", "recorded"]) expect(other[name]).toEqual(one[name]);
    }
    expect(few.map(({ result }) => result)).toContain("done");
    expect(few[0]?.["recorded"]).toEqual(more === "-m Seen" ? ["comment"] : undefined);
    if (more === "") expect(few.map(({ result }) => result)).toContain("unchanged");
    for (const list of [few, many])
      expect(list.every(({ result, job }) => (result === "done") === (typeof job === "string"))).toBe(true);
  });
});

/** What is run before a line. */
const BEFORE: Readonly<Record<string, string>> = {
  "bug undo 44 12": "bug update 44 12 --severity minor",
  "job list": "comment add 12 -m Seen",
  "job list --last": "comment add 12 -m Seen",
  "job show JOB": "comment add 12 -m Seen",
  "mirror list": "mirror create copy -p Handbook",
  "config list": "config set color never",
  "alias list": "alias set mine 'bug search'",
  "admin key": "admin key mei@example.org",
};

async function printed(line: string): Promise<unknown> {
  const failing = line.startsWith("job") ? await faultyTracker({ write: once(FATES.badGatewayBefore) }) : undefined;
  const env = { HOME: freshFolder(), BT_BASE_URL: "demo:", ...failing?.env };
  const isOfMachine = /^(?:job|mirror|config|alias|admin)/.test(line);
  const run = (words: string) => (isOfMachine ? btConnected : bt)(words, { env, stdin: "id,priority\n12,Low\n" });
  if (BEFORE[line]) await run(BEFORE[line]);
  const job = line.includes("JOB") ? (await run("job list --last --print %{job}")).out.trim() : "";
  const { out, err } = await run(`${line.replace("JOB", job)} --json`);
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
