import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { words } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { real } from "./real.ts";

/** A machine on which the demo was not used yet: commands on it, the priority of bug 44, and the demo's file. */
function machine() {
  const home = freshFolder();
  const folders = { HOME: home, XDG_CACHE_HOME: "", XDG_STATE_HOME: "", XDG_DATA_HOME: "" };
  const run = (line: string, env = {}) => real(words(line), { env: { ...folders, BT_BASE_URL: "demo:", ...env } });
  const priority = async () => (await run("bug get 44 --fields priority")).out.trim();
  return { home, run, priority, file: `${home}/.cache/bt/demo.db` };
}

const HIGH = "bug update 44 --priority High";

describe("the demo remembers changes", () => {
  test("and says so at the first one", async () => {
    const { run, priority, file } = machine();
    expect(await priority()).toBe("Normal");
    expect(await run(HIGH)).toEqual({
      code: 0,
      out: "44\tapplied\n",
      err: `note: saved in the demo tracker; delete ${file} to reset it\n`,
    });
    expect((await run("bug update 44 --severity minor")).err).toBe("");
    expect(await priority()).toBe("High");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test.each([
  [
    "removed, with a log left beside it",
    (file: string) => {
      rmSync(file);
      writeFileSync(`${file}-wal`, "not the log of the next one");
    },
  ],
  [
    "damaged",
    (file: string) => {
      writeFileSync(file, "no database");
    },
  ],
  [
    "of another version",
    (file: string) => {
      const bytes = readFileSync(file);
      bytes.writeUInt32BE(9999, 60); // "user version", in SQLite's file format
      writeFileSync(file, bytes);
    },
  ],
])("a demo whose file is %s is made again", async (_, spoil) => {
  const { run, priority, file } = machine();
  await run(HIGH);
  for (const log of ["-wal", "-shm"]) rmSync(`${file}${log}`, { force: true });
  spoil(file);
  expect(await priority()).toBe("Normal");
  expect((await run(HIGH)).err).toContain("note: saved in the demo tracker");
});

test.each([
  ["first", () => undefined],
  ["damaged", (file: string) => writeFileSync(file, "no database")],
])("commands at once share one demo: %s", async (_, spoil) => {
  const { run, file } = machine();
  mkdirSync(dirname(file), { recursive: true });
  spoil(file);
  await Promise.all([run(HIGH), run("bug update 48 --priority Low")]);
  expect((await run("bug get 44 48 --fields priority")).out).toBe("High\nLow\n");
});

test("where no file can be written, the demo is in memory and says that it forgets the change", async () => {
  const { home, run, priority, file } = machine();
  writeFileSync(`${home}/file`, "");
  const env = { XDG_CACHE_HOME: `${home}/file` };
  expect(await run("bug get 44 --fields id", env)).toEqual({ code: 0, out: "44\n", err: "" });
  const lost = "note: the demo forgets this when the command ends: the cache folder is not writable\n";
  expect((await run(HIGH, env)).err).toBe(lost);
  expect(await priority()).toBe("Normal");
  renameSync(file, `${file}.old`);
  expect((await run(HIGH, { HOME: "" })).err).toBe(lost);
  expect(existsSync(file)).toBe(false);
});
