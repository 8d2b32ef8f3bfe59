import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type * as Open from "../../src/tracker/open.ts";
import type * as Bt from "../bt.ts";
import { isFull } from "../much.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const NOW = "2026-11-20T12:00:00Z";

/** A diff of CONTRIBUTING.md for one file: some lines before and after; none before for a new file. */
type Hunk = { readonly file: string; readonly before: string; readonly after: string };

/** The diffs under each "... a thing" of the page. */
const RECIPES: ReadonlyMap<string, readonly Hunk[]> = recipesIn(
  readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8"),
);

function recipesIn(page: string): ReadonlyMap<string, readonly Hunk[]> {
  const parts = page.split(/^\*\*\.\.\. /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [name = ""] = part.split(/[*.,]/);
      const [, diff = ""] = /```diff\n([\s\S]*?)```/.exec(part) ?? [];
      return [
        name,
        diff
          .split(/^(?=\w)/m)
          .filter(Boolean)
          .map(hunkOf),
      ];
    }),
  );
}

function hunkOf(text: string): Hunk {
  const [file = "", ...lines] = text.split("\n");
  const side = (sign: RegExp) =>
    lines
      .filter((line) => sign.test(line))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return { file, before: side(/^[ -]/), after: side(/^[ +]/) };
}

/** A copy of the project to which all of them were applied. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), "bt-recipes-"));
  const parts = readdirSync(ROOT).filter((name) => !["node_modules", "dist", ".git"].includes(name));
  for (const part of parts) {
    cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  for (const { file, before, after } of [...RECIPES.values()].flat()) apply(path.join(copy, file), before, after);
});

afterAll(() => rmSync(copy, { recursive: true }));

function apply(file: string, before: string, after: string): void {
  if (before === "") {
    expect(existsSync(file), `${file} is new`).toBe(false);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, after);
    return;
  }
  const text = readFileSync(file, "utf8");
  expect(text.split(before), `${file} has the lines of the diff once`).toHaveLength(2);
  writeFileSync(
    file,
    text.replace(before, () => after),
  );
}

test.each([
  ["a field of bugs", 3],
  ["a flag of a search", 1],
  ["a flag of an update", 1],
  ["a verb", 2],
  ["a setting", 1],
  ["an exit code", 1],
])("%s takes %i files of src", (name, count) => {
  const files = RECIPES.get(name)?.map(({ file }) => file);
  expect(new Set(files?.filter((file) => file.startsWith("src/"))).size).toBe(count);
});

const BUG = { product: "Project", component: "General", version: "unspecified", summary: "It crashes" };

test("the new field can be set, updated, searched, sorted by and shown, with history and flags", async () => {
  const { openTracker }: typeof Open = await import(path.join(copy, "src/tracker/open.ts"));
  const { bt }: typeof Bt = await import(path.join(copy, "test/bt.ts"));
  const { exchange, close } = openTracker(`local:${path.join(copy, "tracker.db")}`, {
    now: () => new Date(NOW),
    random: (bytes) => new Uint8Array(bytes).fill(5),
    dataDirectory: copy,
  });
  onTestFinished(close);
  const run = async (line: string, stdin = "") => {
    const { code, out, err } = await bt(line, { exchange, stdin, now: NOW });
    expect([code, err]).toEqual([0, ""]);
    return out;
  };
  for (const found_in of ["beta 2", "beta 1"]) {
    await run("api POST /rest/bug --input -", JSON.stringify({ ...BUG, found_in }));
  }
  await run("bug update 1 --found-in release");

  const history = JSON.parse(await run("bug history 1 --json=field_name,removed,added"));
  expect(history).toEqual([{ field_name: "found_in", removed: "beta 2", added: "release" }]);
  const search = async (words: string) =>
    JSON.parse(await run(`bug search ${words} --all --json=id,found_in`)) as readonly unknown[];
  const [released, beta] = [
    { id: 1, found_in: "release" },
    { id: 2, found_in: "beta 1" },
  ];
  expect(await search("--found-in release")).toEqual([released]);
  expect(await search("'found_in ~ e' --order found_in")).toEqual([beta, released]);
  expect(await search("'found_in changed to release'")).toEqual([released]);
  expect(await search("--quicksearch found_in:beta")).toEqual([beta]);
  const { out: card } = await bt("bug get 1", { exchange, terminal: true, now: NOW });
  expect(card).toMatch(/Found in +release/);
  expect(await run("field list --fields name,display_name")).toContain("found_in\tFound in");
});

test.runIf(isFull)(
  "all of it compiles, is clean, and passes the sweeps over the whole tree",
  async () => {
    const files = [...RECIPES.values()].flat().map(({ file }) => file);
    const sweeps = ["parameters", "flags", "help", "topics", "examples", "wire", "columns"];
    const tests = ["test/wire/search-names", ...sweeps.map((name) => `test/sweeps/${name}`)];
    const run = async (program: string, ...words: readonly string[]) => {
      const { exitCode, all } = await execa(program, words, { cwd: copy, preferLocal: true, reject: false, all: true });
      expect(exitCode, all).toBe(0);
    };
    await run("tsc");
    await run("biome", "check", "--error-on-warnings", "--vcs-enabled=false", ...files);
    await run("node", "bin/build.js");
    await run("vitest", "run", "--config", "test/vitest.config.ts", "--project", "sources", ...tests);
  },
  600_000,
);
