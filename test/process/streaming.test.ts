import { readdirSync, readlinkSync, statSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { freshFolder } from "../fresh-folder.ts";
import { much, sampled } from "../much.ts";
import { manyServer } from "../servers/many-server.ts";
import { surroundings } from "./real.ts";

const REPORT = path.join(import.meta.dirname, "report-memory.cjs");

/** Starts the real tool on a search of every bug, its lines going nowhere. */
function everything(url: string, format: string, env = surroundings()) {
  const words = ["bug", "search", "--all", "--format", format, "--fields", "id,status,priority,assigned_to,summary"];
  return execa(process.execPath, ["--require", REPORT, LAUNCHER, "--base-url", url, ...words], {
    ...{ reject: false, extendEnv: false, env, stdin: "ignore", buffer: { stdout: false } },
  });
}

/** Number of lines that came, and the most memory that was held (MiB). */
async function measured(count: number, format: string) {
  const { url } = await manyServer(count);
  const run = everything(url, format);
  let lines = 0;
  run.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines += 1;
  });
  const { exitCode, stderr } = await run;
  return { exitCode, lines, memory: Number(stderr) };
}

/** In MiB: 100,000 of these bugs are 255 when they are parsed and kept; Node itself and its reserves are about 140. */
const FLAT = 200;
const MANY = much(100_000, 200_000);

test.each(sampled(["json", "tsv", "csv", "ndjson", "ids"], 3))(
  "many bugs are streamed as %s in bounded memory",
  { timeout: 60_000 },
  async (format) => {
    const { exitCode, lines, memory } = await measured(MANY, format);
    const expected: Readonly<Record<string, number>> = { csv: MANY + 1, json: 1 };
    expect([exitCode, lines]).toEqual([0, expected[format] ?? MANY]);
    expect(memory).toBeGreaterThan(40);
    expect(memory).toBeLessThan(FLAT);
  },
);

test("the first bugs are printed before the next ones arrive", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let before = Number.POSITIVE_INFINITY; // requests by which it knows the tracker
  const { url, requests } = await manyServer(5000, (request) => (request > before + 1 ? held : undefined));
  const env = surroundings();
  const search = [LAUNCHER, "--base-url", url, "bug", "search", "--quicksearch", "shown", "--limit", "1"];
  await execa(process.execPath, search, { extendEnv: false, env });
  before = requests();
  const run = everything(url, "ids", env);
  const lines: string[] = [];
  for await (const line of run.iterable({ from: "stdout" })) {
    lines.push(line);
    if (lines.length === 1000) {
      expect(requests() - before).toBeLessThan(4);
      release();
    }
  }
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([5000, "5000", "1"]);
});

/** Runs a line of bash in which `bt --json` reads more than is kept in memory; the last requests may be held. */
async function large(line: string, before?: (request: number) => Promise<void> | void) {
  const { url } = await manyServer(80_000, before);
  const folder = freshFolder();
  const env = { ...surroundings(), TMPDIR: folder, BT_BASE_URL: url };
  return { folder, run: execa("bash", ["-c", line], { reject: false, extendEnv: false, env, stdin: "ignore" }) };
}

const EVERYTHING =
  "bt bug search --all --fields id,summary,status,product,component,priority,severity,assigned_to,assigned_to_detail,last_change_time --json";

describe("an incomplete JSON array", { timeout: 30_000 }, () => {
  test("is not printed if the disk is full", async () => {
    const { folder, run } = await large(`ulimit -f 18; exec ${EVERYTHING}`);
    const { exitCode, stdout, stderr } = await run;
    expect([exitCode, stdout]).toEqual([12, ""]);
    expect(stderr).toMatch(/"cannot buffer the output in .*: file too large"/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves no files if the process is killed", async () => {
    let stop = () => {};
    const held = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { folder, run } = await large(`${EVERYTHING} & echo $! >&2; wait`, (request) => {
      if (request < 16) return;
      stop();
      return new Promise(() => undefined);
    });
    let told = "";
    run.stderr?.on("data", (chunk) => {
      told += chunk;
    });
    expect(await Promise.race([held, run])).toBeUndefined(); // it is held, and did not end
    const descriptors = `/proc/${Number(told)}/fd`;
    const spools = readdirSync(descriptors).filter((name) => readlinkSync(`${descriptors}/${name}`).startsWith(folder));
    expect(spools).toHaveLength(1);
    expect(statSync(`${descriptors}/${spools[0]}`).mode & 0o777).toBe(0o600);
    process.kill(Number(told), "SIGKILL");
    expect((await run).stdout).toBe("");
    expect(readdirSync(folder)).toEqual([]);
  });
});
