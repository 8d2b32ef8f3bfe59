import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execaSync } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { LAUNCHER } from "../built.ts";

const CHUNKS = {
  "main.cjs": "exports.main = async ([name]) => (console.log(require('./' + name + '.cjs').word), 0);",
  "shared.cjs": "exports.say = (word) => 'said ' + word; exports.shout = () => 'LOUD';",
  "one.cjs": "exports.word = require('./shared.cjs').say('one');",
  "two.cjs": "exports.word = require('./shared.cjs').shout() + require('node:path').sep;",
};

/** The launcher with a build of two chunks, and a place for their caches; `run` has main load one of them. */
function scene() {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-code-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ["bin", "dist"]) mkdirSync(path.join(folder, part));
  const launcher = path.join(folder, "bin", "bt.cjs");
  copyFileSync(LAUNCHER, launcher);
  for (const [name, code] of Object.entries(CHUNKS)) writeFileSync(path.join(folder, "dist", name), code);
  const base = path.join(folder, "cache");
  const store = path.join(base, "bt");
  return {
    base,
    store,
    run(chunk: string, { hash = "abc", env = {} }: { hash?: string; env?: Readonly<Record<string, string>> } = {}) {
      writeFileSync(path.join(folder, "dist", "build.json"), JSON.stringify({ version: "0", hash }));
      const own = { XDG_CACHE_HOME: base, BT_NO_CODE_CACHE: "", ...env };
      return execaSync(process.execPath, [launcher, chunk], { env: own }).stdout;
    },
    file: (chunk: string) => path.join(store, `abc-${process.version}-${process.arch}-${chunk}.cjs`),
  };
}

/** Tells one writing of a file from another: each is a new file under the old name. */
function identity(file: string) {
  return statSync(file, { bigint: true }).ino;
}

function mode(file: string) {
  return statSync(file).mode & 0o777;
}

test("the first run writes a private code cache, and the second run uses it unchanged", () => {
  const { run, store, file } = scene();
  expect(run("one")).toBe("said one");
  expect([mode(store), mode(file("one")), mode(file("shared"))]).toEqual([0o700, 0o600, 0o600]);
  const first = identity(file("one"));
  expect(run("one")).toBe("said one");
  expect(identity(file("one"))).toBe(first);
});

test("a chunk without a cache refreshes the caches of the chunks loaded with it", () => {
  const { run, file } = scene();
  run("one");
  const first = identity(file("shared"));
  expect(run("two")).toBe("LOUD/");
  expect(identity(file("shared"))).not.toBe(first);
});

test.each<[what: string, damage: (intact: Buffer) => Buffer[]]>([
  [
    "a byte of damage anywhere",
    (intact) => [0, 40, intact.length / 2, intact.length - 1].map((at) => flipped(intact, at)),
  ],
  [
    "an end too early, as by a full disk",
    (intact) => [0, 3, 4, intact.length - 1].map((size) => intact.subarray(0, size)),
  ],
])("a cache with %s is ignored and rewritten", (_, damage) => {
  const { run, file } = scene();
  run("one");
  for (const damaged of damage(readFileSync(file("one")))) {
    writeFileSync(file("one"), damaged);
    expect(run("one")).toBe("said one");
    expect(readFileSync(file("one")).equals(damaged)).toBe(false);
  }
});

function flipped(intact: Buffer, at: number): Buffer {
  const damaged = Buffer.from(intact);
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  return damaged;
}

test("a cache writable by other users is ignored", () => {
  const { run, file } = scene();
  run("one");
  chmodSync(file("one"), 0o666);
  const first = identity(file("one"));
  expect(run("one")).toBe("said one");
  expect([identity(file("one")) === first, mode(file("one"))]).toEqual([false, 0o600]);
});

test("another build has its own caches, and deletes those of the first", () => {
  const { run, store } = scene();
  run("one");
  writeFileSync(path.join(store, "fields.json"), "{}");
  expect(run("one", { hash: "def" })).toBe("said one");
  const kept = readdirSync(store).map((name) => `${name.slice(0, 3)} ${name.split("-").at(-1)}`);
  expect(kept).toEqual(["def main.cjs", "def one.cjs", "def shared.cjs", "fie fields.json"]);
});

test.each<[which: string, env: Readonly<Record<string, string>>, prepare: (base: string) => unknown]>([
  ["below a file", {}, (base) => writeFileSync(base, "")],
  ["not writable", {}, (base) => mkdirSync(base, { mode: 0o500 })],
  ["relative", { XDG_CACHE_HOME: "cache" }, () => undefined],
  ["unset", { XDG_CACHE_HOME: "", HOME: "" }, () => undefined],
  ["in /proc", { XDG_CACHE_HOME: "/proc/none/such" }, () => undefined],
])("where the cache folder is %s, commands still run", (_which, env, prepare) => {
  const { run, base } = scene();
  prepare(base);
  expect(run("one", { env })).toBe("said one");
});

test("a file that cannot be replaced disables the cache, and commands still run", () => {
  const { file, run } = scene();
  mkdirSync(path.join(file("one"), "in-the-way"), { recursive: true });
  expect(run("one")).toBe("said one");
});
