import path from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { surroundings } from "../process/real.ts";
import { manyServer } from "../servers/many-server.ts";

type Report = Readonly<Record<"chunks" | "builtins" | "locales", readonly string[]>>;

/** What a command loaded: chunks of the bundle, modules of Node's that its own start had not loaded, and kinds of Intl. */
async function loaded(words: string, BT_BASE_URL: string): Promise<Report> {
  const node = ["--require", path.join(import.meta.dirname, "report-loaded.cjs"), LAUNCHER, ...words.split(" ")];
  const env = { ...surroundings(), BT_BASE_URL };
  const run = await execa(process.execPath, node, { env, stdin: "ignore", stdout: "ignore", reject: false });
  return JSON.parse(run.stderr.split("\n").at(-1) ?? "");
}

/** Modules of Node's that take milliseconds, which no command loads that only reads a few bugs. */
const HEAVY = ["crypto", "fs/promises", "http2", "https", "perf_hooks", "tls", "worker_threads"];

test("the version is printed without loading any chunk", async () => {
  expect(await loaded("--version", "demo:")).toEqual({ chunks: ["build.json"], builtins: [], locales: [] });
});

test.each(["--help", "bug --help"])("bt %s loads neither network nor processes", async (words) => {
  const { builtins } = await loaded(words, "demo:");
  expect(builtins.filter((name) => [...HEAVY, "child_process", "http"].includes(name))).toEqual([]);
});

test("a search over the network loads no tracker, writer of settings, prompt or heavy module", async () => {
  const { chunks, builtins, locales } = await loaded("bug search --all", (await manyServer(1)).url);
  expect(chunks).toContain("transport-network.cjs");
  expect(chunks.filter((name) => /^embedded\.cjs|sqlite|libsql|^conf\.|prompt/.test(name))).toEqual([]);
  expect(builtins.filter((name) => HEAVY.includes(name))).toEqual([]);
  expect(locales).toEqual([]);
});

test.each([
  ["bug search --status CONFIRMED", /transport-network|prompt/],
  ["bug get 1 --json", /transport-network|prompt|card|thread|history/],
  ["bug update 44 --priority High", /transport-network|^conf\./], // conf listens for signals
])("bt %s on the demo loads no chunk like %s", async (words, unwanted) => {
  const { chunks } = await loaded(words, "demo:");
  expect(chunks).toContain("embedded.cjs");
  expect(chunks.filter((name) => unwanted.test(name))).toEqual([]);
});
