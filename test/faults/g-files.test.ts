import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeNewFile } from "../../src/config/files.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { shell, surroundings } from "../process/real.ts";
import { faultyTracker } from "./faulty-tracker.ts";

/** A fresh home with a file in it, and its path. */
function homeWith(name: string, content: string | Buffer = "") {
  const home = freshFolder();
  const file = join(home, ".config/bt", name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600 });
  return { home, file, env: { HOME: home, BT_BASE_URL: "demo:" } };
}

describe("G1 an invalid configuration is an error with its position, and stays unchanged", () => {
  const broken: Readonly<Record<string, (file: string) => unknown>> = {
    "binary noise (not JSON)": (file) => writeFileSync(file, Buffer.from([0, 1, 2, 0xff, 0x1f, 0x8b])),
    "cut JSON (line 3, column 1)": (file) => writeFileSync(file, '{\n  "limit": 20,\n'),
    "nothing (line 1, column 1)": (file) => writeFileSync(file, ""),
    "a folder (not a regular file|a directory)": (file) => rmSync(file) ?? mkdirSync(file),
    "a pipe (not a regular file)": (file) => rmSync(file) ?? execFileSync("sh", ["-c", 'mkfifo "$0"', file]),
    "a gigabyte (too large)": (file) => truncateSync(file, 2 ** 30),
  };
  test.each(Object.entries(broken))("%s", async (name, spoil) => {
    const { home, file, env } = homeWith("config.json", "{}");
    spoil(file);
    const before = statSync(file);
    for (const line of ["bug get 1", "config list", "config set limit 5", "auth login --base-url http://127.0.0.1:1"]) {
      const run = await btConnected(line, { env });
      expect(run).toMatchObject({ code: 12, out: "", err: expect.stringContaining(file) });
      expect(run.err).toMatch(new RegExp(/\((.*)\)/.exec(name)?.[1] ?? ""));
    }
    const after = statSync(file);
    expect([after.size, after.mtimeMs, after.ino]).toEqual([before.size, before.mtimeMs, before.ino]);
    expect(readdirSync(join(home, ".config/bt"))).toEqual(["config.json"]);
  });
});

describe("G3 a home folder that is not writable", () => {
  const homes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "that is read-only": { HOME: "/proc/1" },
    "that is missing": { HOME: "/proc/nowhere" },
    "that is a file": { HOME: "/etc/hostname" },
    "that is not set": {},
  };
  test.each(Object.entries(homes))("%s: reads work, and storing is an error with the reason", async (_, home) => {
    const tracker = await faultyTracker();
    const env = { ...home, ...tracker.env };
    const key = join(freshFolder(), "key");
    writeFileSync(key, tracker.key, { mode: 0o600 });
    expect(await btConnected("bug get 43 --format ids", { env })).toEqual({ code: 0, out: "43\n", err: "" });
    expect(await btConnected("bug search --status CONFIRMED --limit 1", { env })).toMatchObject({ code: 0, err: "" });
    for (const line of ["config set limit 5", `auth login --api-key-file ${key}`, "comment add 43 -m Hello"]) {
      const run = await btConnected(line, { env });
      expect(run).toMatchObject({ code: 12, out: "", err: expect.stringMatching(/no home directory|cannot write/) });
    }
    expect(tracker.writes()).toEqual([]);
  });
});

describe("G4 a full disk preserves existing files", () => {
  const FULL = "trap '' XFSZ; ulimit -f 0;"; // no file may grow

  test("the configuration", async () => {
    const env = surroundings();
    expect((await shell("bt config set base_url https://one.example.org", { env })).code).toBe(0);
    const file = join(env["XDG_CONFIG_HOME"] ?? "", "bt/config.json");
    const before = readFileSync(file, "utf8");
    const run = await shell(`${FULL} bt config set base_url https://other.example.org`, { env });
    expect(run).toMatchObject({ code: 12, out: "" });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(readdirSync(join(env["XDG_CONFIG_HOME"] ?? "", "bt"))).toEqual(["config.json"]);
  });

  test("a configuration of which only a part fits", async () => {
    const env = surroundings();
    const folder = join(env["XDG_CONFIG_HOME"] ?? "", "bt");
    await shell(`bt config set editor ${"a".repeat(600)}`, { env });
    const before = readFileSync(join(folder, "config.json"), "utf8");
    const run = await shell(`trap '' XFSZ; ulimit -f 1; bt config set pager ${"b".repeat(900)}`, { env });
    expect(run).toMatchObject({ code: 12, out: "", err: expect.stringContaining("cannot write") });
    expect(readFileSync(join(folder, "config.json"), "utf8")).toBe(before);
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  test("the journal: nothing is sent that could not be journaled", async () => {
    const tracker = await faultyTracker();
    const env = { ...surroundings(), ...tracker.env };
    const run = await shell(`${FULL} bt comment add 43 -m Hello`, { env });
    expect(run).toMatchObject({ code: 12, out: "", err: expect.stringContaining("nothing was sent") });
    expect([tracker.writes(), readdirSync(join(env["XDG_STATE_HOME"] ?? "", "bt/jobs"))]).toEqual([[], []]);
  });
});

test("G7 a symbolic link in place of a new file is not followed", () => {
  const folder = freshFolder();
  for (const target of ["victim", "nowhere"]) {
    writeFileSync(join(folder, "victim"), "precious");
    symlinkSync(join(folder, target), join(folder, `${target}.new`));
    expect(() => writeNewFile(join(folder, `${target}.new`), "planted")).toThrow(/EEXIST|ELOOP/);
  }
  expect(readdirSync(folder).sort()).toEqual(["nowhere.new", "victim", "victim.new"]);
  expect(readFileSync(join(folder, "victim"), "utf8")).toBe("precious");
});
