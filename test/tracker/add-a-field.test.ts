import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type * as Open from "../../src/tracker/open.ts";
import type * as Bt from "../bt.ts";
import { isFull } from "../much.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const NOW = "2026-11-20T12:00:00Z";

/** A copy of the sources to which the diff of CONTRIBUTING.md was applied. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), "bt-field-"));
  for (const part of [
    "src",
    "package.json",
    "test/tracker/bugs/a-bug.ts",
    "test/bt.ts",
    "test/built.ts",
    "test/clock.ts",
    "test/clock",
  ]) {
    cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  for (const { file, before, after } of hunks()) {
    const text = readFileSync(path.join(copy, file), "utf8");
    expect(text.split(before), `${file} has the lines of the diff once`).toHaveLength(2);
    writeFileSync(
      path.join(copy, file),
      text.replace(before, () => after),
    );
  }
});

afterAll(() => rmSync(copy, { recursive: true }));

type Hunk = { readonly file: string; readonly before: string; readonly after: string };

/** The hunks of the diff that adds a field. */
function hunks(): readonly Hunk[] {
  const page = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  const [, diff = ""] = /```diff\n([^`]*(?:`(?!``)[^`]*)*)```/.exec(page) ?? [];
  return diff.split(/^--- .*\n(?=\+\+\+ )/m).flatMap((part) => {
    const [, file = "", body = ""] = /^\+\+\+ b\/(.*)\n@@.*\n([\s\S]*)/.exec(part) ?? [];
    const lines = body.split(/(?<=\n)/);
    const side = (sign: RegExp) => lines.flatMap((line) => (sign.test(line) ? [line.slice(1)] : [])).join("");
    return file ? [{ file, before: side(/^[ -]/), after: side(/^[ +]/) }] : [];
  });
}

test("a plain field takes three files", () => {
  expect(hunks().map(({ file }) => file)).toEqual([
    "src/wire/bug-fields.ts",
    "src/tracker/fields.ts",
    "src/tracker/store/bug-schema.ts",
  ]);
});

test.runIf(isFull)(
  "the files of a plain field compile",
  async () => {
    const config = { extends: path.join(ROOT, "tsconfig.json"), include: ["src", "test/tracker"] };
    writeFileSync(path.join(copy, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = await execa("node_modules/.bin/tsc", { cwd: copy, reject: false });
    expect(stdout).toBe("");
  },
  120_000,
);

const BUG = { product: "Project", component: "General", version: "unspecified", summary: "It crashes" };

test("a plain field can be set, updated, searched, sorted by and shown, with history", async () => {
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
  await run("api PUT /rest/bug/1 --input -", JSON.stringify({ found_in: "release" }));

  const history = JSON.parse(await run("bug history 1 --json=field_name,removed,added"));
  expect(history).toEqual([{ field_name: "found_in", removed: "beta 2", added: "release" }]);
  const search = async (words: string) =>
    JSON.parse(await run(`bug search ${words} --all --json=id,found_in`)) as readonly unknown[];
  const [released, beta] = [
    { id: 1, found_in: "release" },
    { id: 2, found_in: "beta 1" },
  ];
  expect(await search("'found_in = release'")).toEqual([released]);
  expect(await search("'found_in ~ e' --order found_in")).toEqual([beta, released]);
  expect(await search("'found_in changed to release'")).toEqual([released]);
  expect(await search("--quicksearch found_in:beta")).toEqual([beta]);
  const { out: card } = await bt("bug get 1", { exchange, terminal: true, now: NOW });
  expect(card).toMatch(/Found in +release/);
  expect(await run("field list --fields name,display_name")).toContain("found_in\tFound in");
});
