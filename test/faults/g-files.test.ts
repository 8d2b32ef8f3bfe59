import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder, shell, surroundings } from "../process/real.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { jobsOf } from "./ran.ts";

describe("G4 a disk that is full leaves what was there", () => {
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

  test("the journal: nothing is sent that could not be written down", async () => {
    const tracker = await faultyTracker();
    const env = { ...surroundings(), ...tracker.env };
    const run = await shell(`${FULL} bt comment add 43 -m Hello`, { env });
    expect(run).toMatchObject({ code: 12, out: "", err: expect.stringContaining("--no-journal") });
    expect(tracker.writes()).toEqual([]);
  });
});

test("G5 hosts with dots, ports and IPv6 numbers are kept as they are", async () => {
  const tracker = await faultyTracker();
  const home = freshFolder();
  const key = join(home, "key");
  writeFileSync(key, tracker.key);
  const urls = [tracker.url, tracker.url.replace("127.0.0.1", "localhost")];
  for (const url of urls) {
    expect(
      (await btConnected(`auth login --base-url ${url} --api-key-file ${key}`, { env: { HOME: home } })).code,
    ).toBe(0);
  }
  const { entries } = JSON.parse(readFileSync(join(home, ".config/bt/credentials.json"), "utf8"));
  expect(entries.map(({ origin }: { origin: string }) => origin).sort()).toEqual(urls.toSorted());
});

test("G7 a symbolic link in the place of a new file is not followed", async () => {
  const tracker = await faultyTracker();
  const home = freshFolder();
  const jobs = join(home, ".local/state/bt");
  const elsewhere = freshFolder();
  mkdirSync(jobs, { recursive: true });
  const victim = join(elsewhere, "victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, join(jobs, "reminded"));
  const run = await btConnected("comment add 43 -m Hello", { env: { ...tracker.env, HOME: home } });
  expect(run.code).toBe(0);
  expect(readFileSync(victim, "utf8")).toBe("precious");
});

test("a journal that ends in half a line is read up to it, and goes on behind it", async () => {
  const tracker = await faultyTracker({
    write: ({ count, pass, socket }) => (count === 1 ? socket.resetAndDestroy() : pass()),
  });
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home };
  expect((await btConnected("comment add 43 -m Hello", { env })).code).toBe(9);
  const [name = ""] = jobsOf(home, "open");
  const file = join(home, ".local/state/bt/jobs", name);
  const [head, sent] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${head}\n${sent}\n{"st":"DONE","i":0,"answ`);
  const run = await btConnected(`resume ${name.replace(".jsonl", "")}`, { env });
  expect(run).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\n$/) });
  expect(tracker.count("SELECT count(*) FROM comments WHERE text = 'Hello'")).toBe(1);
  expect(existsSync(file)).toBe(false);
});
