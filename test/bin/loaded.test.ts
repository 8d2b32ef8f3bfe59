import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/tracker/server/server.ts";
import { LAUNCHER } from "../built.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import { surroundings } from "../process/real.ts";

/** What every command loads: the start, and the functions of the bundler. */
const START = ["main.cjs", "rolldown-runtime.cjs"];

/** What a command loaded: chunks of the bundle, modules of Node's that its own start had not loaded, and kinds of Intl. */
async function loaded(words: string, given: Env = {}) {
  const node = ["--require", path.join(import.meta.dirname, "report-loaded.cjs"), LAUNCHER, ...words.split(" ")];
  const env = { ...surroundings(), ...given };
  const run = await execa(process.execPath, node, { env, stdin: "ignore", stdout: "ignore", reject: false });
  const report: Readonly<Record<"chunks" | "builtins" | "locales", readonly string[]>> = JSON.parse(
    run.stderr.replace(/^(?:bt:|hint:|copy:|mirror \S+: |the demo remembers | {4}).*\n/gm, ""),
  );
  return report;
}

type Env = Readonly<Record<string, string>>;

/** Surroundings with a demo that an earlier command has made. */
async function withDemo(): Promise<Env> {
  const env = { ...surroundings(), BT_BASE_URL: "demo:" };
  await execa(process.execPath, [LAUNCHER, "bug", "get", "1"], { env });
  return env;
}

/** The demo, served to anybody; gives its address. */
async function servedDemo(): Promise<string> {
  const { tracker } = freshDemo({ now: clockOf({}), random: (count) => new Uint8Array(count) });
  const { url, close } = await startServer({ tracker, port: 0 });
  onTestFinished(close);
  return url;
}

/** A tracker with one bug; gives its address. */
async function smallTracker(): Promise<string> {
  const server = createServer((_, response) => response.end('{"bugs":[{"id":1}]}'));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Modules of Node's that take milliseconds, which no command loads that only reads a few bugs. */
const HEAVY = ["crypto", "fs/promises", "http2", "https", "perf_hooks", "tls", "worker_threads"];

test("the version is printed without loading any chunk", async () => {
  expect(await loaded("--version")).toEqual({ chunks: ["build.json"], builtins: [], locales: [] });
});

test.each(["--help", "bug --help", "bug search --help"])("bt %s loads one chunk and no heavy module", async (words) => {
  const { chunks, builtins } = await loaded(words);
  expect(chunks).toEqual(["build.json", ...START]);
  expect(builtins.filter((name) => [...HEAVY, "child_process", "http", "net"].includes(name))).toEqual([]);
});

test("a search loads its own chunk and the network, but no cards, settings writer, tracker or heavy module", async () => {
  const { chunks, builtins, locales } = await loaded("bug search --limit 20", { BT_BASE_URL: await smallTracker() });
  const own = ["cli-parse-verb.cjs", "session.cjs", "search.cjs"];
  expect(chunks).toEqual(["build.json", ...START, ...own, "transport-network.cjs"]);
  expect(builtins.filter((name) => HEAVY.includes(name))).toEqual([]);
  expect(locales).toEqual([]);
});

test("the terms of a search load nothing that only reads by name and writes need", async () => {
  const { chunks } = await loaded("bug search is:open", await withDemo());
  expect(chunks).toContain("search.cjs");
  expect(chunks.filter((name) => /^(?:common|targets|cards)\.cjs$/.test(name))).toEqual([]);
});

test.each(["bug get 1", "field list"])("%s over the network loads neither the tracker nor SQLite", async (words) => {
  const { chunks } = await loaded(words, { BT_BASE_URL: await smallTracker() });
  expect(chunks).toContain("transport-network.cjs");
  expect(chunks.filter((name) => /tracker|libsql|index/.test(name))).toEqual([]);
});

test.each(["bug get 1", "bug get 1 --json"])("bt %s in a pipe loads no cards, threads or searches", async (words) => {
  const { chunks } = await loaded(words, await withDemo());
  expect(chunks).toContain("commands-bug-read-get.cjs");
  expect(chunks.filter((name) => /cards|thread|history|search/.test(name))).toEqual([]);
});

test("comments in a pipe load neither searches nor what writes share", async () => {
  const { chunks } = await loaded("comment list 1 --json", await withDemo());
  expect(chunks).toContain("targets.cjs");
  expect(chunks.filter((name) => /^(?:search|common|change)\.cjs$/.test(name))).toEqual([]);
});

test("a search on the embedded tracker loads no network code", async () => {
  const { chunks } = await loaded("bug search --status CONFIRMED", await withDemo());
  expect(chunks).toContain("tracker.cjs");
  expect(chunks).not.toContain("transport-network.cjs");
});

test("a search in a mirror loads neither writes nor the network, and a sync nothing that changes or draws bugs", async () => {
  const env = surroundings();
  const base = { ...env, BT_BASE_URL: await servedDemo() };
  await execa(process.execPath, [LAUNCHER, "mirror", "create", "copy"], { env: base });
  const synced = await loaded("mirror sync copy", base);
  expect(synced.chunks).toContain("run-sync.cjs");
  expect(synced.chunks.filter((name) => /^(?:change|cards)\.cjs$/.test(name))).toEqual([]);
  const search = "bug search --status CONFIRMED";
  const { chunks, locales } = await loaded(search, { ...env, BT_BASE_URL: "mirror:copy" });
  expect(chunks).toContain("connect.cjs");
  expect(locales).toEqual([]);
  expect(chunks.filter((name) => /^(?:common|targets|transport-network)\.cjs$/.test(name))).toEqual([]);
});

test("a write loads no writer of settings, whose package listens for signals and ends the process", async () => {
  const { chunks } = await loaded("bug update 44 --priority High", await withDemo());
  expect(chunks).toContain("common.cjs");
  expect(chunks.filter((name) => /settings-store|^conf\./.test(name))).toEqual([]);
});

test.each(["-t x", "-c Library --version 3.2 -t x"])(
  "bug create -p Lantern %s without a terminal loads no prompt",
  async (flags) => {
    const { chunks } = await loaded(`bug create -p Lantern ${flags}`, await withDemo());
    expect(chunks).toContain("commands-bug-write-create.cjs");
    expect(chunks.filter((name) => /^prompt|form/.test(name))).toEqual([]);
  },
);
