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
  ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ page: `bt-${noun.name}`, verb }))),
  ...TREE.verbs.map((verb) => ({ page: `bt-${verb.name}`, verb })),
].filter(({ verb }) => !verb.hidden);

test.each(COMMANDS)("$page(1) and bt(1) have every flag of $verb.name, and its examples", ({ page, verb }) => {
  const plain = (name: string) =>
    (PAGES[`man1/${name}.1`] ?? "")
      .replaceAll("\\-", "-")
      .replaceAll("\\(aq", "'")
      .replaceAll("\\e", "\\")
      .replaceAll("\\(ha", "^");
  for (const { name } of listedFlags(verb)) expect(plain(page) + plain("bt")).toMatch(new RegExp(`--${name}\\b`));
  const whole = plain(page).replace(/ \\\n +/g, " "); // without line continuations
  for (const { line } of verb.examples) expect(whole).toContain(`  $ ${line}`);
});

test("a page lists the JSON keys of its verbs", () => {
  expect(PAGES["man1/bt-tag.1"]).toMatch(/^Columns and JSON keys:\ntag\.\n/m);
  expect(PAGES["man1/bt-job.1"]).toContain("not_applied");
});

test("the program, nouns and lone verbs have a page, hidden commands have none", () => {
  const names = Object.keys(PAGES);
  expect(names).toEqual(expect.arrayContaining(["man1/bt.1", "man1/bt-bug.1", "man1/bt-todo.1"]));
  expect(names.filter((name) => /resume|complete\.|reference/.test(name))).toEqual([]);
});

test("the name line of a page has one sentence", () => {
  for (const text of Object.values(PAGES)) expect(text).not.toMatch(/\.SH NAME\n.*\. /);
});

test("a page refers only to pages that exist", () => {
  const known = new Set(Object.keys(PAGES).map((path) => path.replace(/^.*\/(.*)\.(\d)$/, "$1($2)")));
  const named = Object.values(PAGES).flatMap((text) => {
    return text.replaceAll("\\-", "-").match(/\bbt[\w-]*\(\d\)/g) ?? [];
  });
  expect(new Set(named).size).toBe(known.size - 1); // bt(1) itself
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("the build writes these pages, which differ only in their date", () => {
  for (const [path, text] of Object.entries(PAGES)) {
    expect(undated(readFileSync(join(DIST, "man", path), "utf8"))).toBe(undated(text));
  }
});

function undated(page: string): string {
  return page.replace(/^\.TH .*/, "");
}

test("mandoc: its linter has no warning about any page", ({ skip }) => {
  skip(!isInstalled("mandoc"), "mandoc is not installed");
  const { stdout, status } = mandoc("lint", Object.keys(PAGES));
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

test("mandoc: printed examples can be copied into a shell", ({ skip }) => {
  skip(!isInstalled("mandoc"), "mandoc is not installed");
  const text = mandoc("utf8", ["man1/bt-bug.1"]).stdout.replaceAll(/.[\b]/g, "");
  expect(text).toContain("$ bt bug search 'is:open priority>=High not has:flag' --explain\n");
  expect(text).toContain("-a, --assigned-to <login> ");
});

/** Has mandoc read some of the pages. */
function mandoc(output: "lint" | "utf8", paths: readonly string[]) {
  const folder = freshFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), PAGES[path] ?? "");
  }
  return spawnSync("mandoc", ["-T", output, "-W", "warning", ...paths], { cwd: folder, encoding: "utf8" });
}
