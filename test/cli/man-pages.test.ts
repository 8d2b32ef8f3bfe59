import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { manPages } from "../../src/cli/man-pages.ts";
import { listedFlags } from "../../src/commands/shared/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { DIST } from "../built.ts";
import { isInstalled } from "../clients/served.ts";
import { freshFolder } from "../fresh-folder.ts";

const PAGES = await manPages(TREE, "November 20, 2026");

const COMMANDS = [
  ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ page: `bt-${noun.name}-${verb.name}`, verb }))),
  ...TREE.verbs.map((verb) => ({ page: `bt-${verb.name}`, verb })),
].filter(({ verb }) => !verb.hidden);

test.each(COMMANDS)("$page(1) has every flag, and the first example", ({ page, verb }) => {
  const text = (PAGES[`man1/${page}.1`] ?? "").replaceAll("\\-", "-").replaceAll("\\(aq", "'").replaceAll("\\e", "\\");
  for (const { name } of listedFlags(verb)) expect(text).toMatch(new RegExp(`Fl -${name}\\b`));
  expect(text.replaceAll("\\(ha", "^")).toContain(`\n${verb.examples[0]?.line}\n`);
});

test("programs, nouns and topics have a page, hidden commands have none", () => {
  const names = Object.keys(PAGES);
  expect(names).toEqual(expect.arrayContaining(["man1/bt.1", "man1/bt-bug.1", "man7/bt-query.7", "man7/bt-json.7"]));
  expect(names.filter((name) => /resume|complete\.|reference/.test(name))).toEqual([]);
});

test("the name line of a page has one sentence", () => {
  for (const text of Object.values(PAGES)) expect(text).not.toMatch(/^\.Nd .*\. /m);
});

test("a page refers only to pages that exist", () => {
  const known = new Set(Object.keys(PAGES).map((path) => path.replace(/^.*\/(.*)\.(\d)$/, "$1($2)")));
  const named = Object.values(PAGES).flatMap((text) => {
    const plain = text.replaceAll("\\-", "-").replaceAll(/ Ns Pq (\d)/g, "($1)");
    return plain.match(/\bbt[\w-]*\(\d\)/g) ?? [];
  });
  expect(new Set(named).size).toBe(known.size);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("a small page as mdoc", () => {
  expect(PAGES["man1/bt-config-path.1"]).toMatchInlineSnapshot(`
    ".Dd November 20, 2026
    .Dt BT-CONFIG-PATH 1
    .Os
    .Sh NAME
    .Nm bt-config-path
    .Nd print the path of the settings file
    .Sh SYNOPSIS
    .Nm "bt config path"
    .Op Ar flags
    .Sh DESCRIPTION
    Print the path of the settings file.
    .Sh OPTIONS
    .Ss Common
    .Bl -tag -width Ds
    .It Fl \\-color Ar when
    use colour: auto, always or never
    .It Fl v , Fl \\-verbose
    log requests to stderr
    .It Fl \\-debug
    like \\-\\-verbose, plus response bodies and error causes (keys
    redacted)
    .El
    .Sh EXIT STATUS
    .Bl -tag -width Ds
    .It 0
    success, including a search without results
    .It 2
    invalid flag, id, date or name, or no tracker configured;
    nothing was changed
    .It 12
    cannot read or write a settings file, journal or output
    .It 70
    internal error in bt
    .El
    .Sh EXAMPLES
    path of the settings file:
    .Bd -literal -offset indent
    bt config path
    .Ed
    .Sh SEE ALSO
    bt(1), bt\\-config(1)
    "
  `);
});

test("the build writes these pages, which differ only in their date", () => {
  for (const [path, text] of Object.entries(PAGES)) {
    expect(undated(readFileSync(join(DIST, "man", path), "utf8"))).toBe(undated(text));
  }
});

function undated(page: string): string {
  return page.replace(/^\.Dd .*/, "");
}

test("mandoc: its linter has no remark on any page", ({ skip }) => {
  skip(!isInstalled("mandoc"), "mandoc is not installed");
  const { stdout, status } = mandoc("lint", Object.keys(PAGES));
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

test("mandoc: what it prints can be copied into a shell", ({ skip }) => {
  skip(!isInstalled("mandoc"), "mandoc is not installed");
  const text = mandoc("utf8", ["man1/bt-bug-search.1"]).stdout.replaceAll(/.[\b]/g, "");
  expect(text).toContain("bt bug search 'is:open priority>=High not has:flag' --explain\n");
  expect(text).toContain("-a, --assigned-to login\n");
});

/** Has mandoc read some of the pages. */
function mandoc(output: "lint" | "utf8", paths: readonly string[]) {
  const folder = freshFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), PAGES[path] ?? "");
  }
  return spawnSync("mandoc", ["-T", output, ...paths], { cwd: folder, encoding: "utf8" });
}
