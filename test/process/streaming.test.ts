import { execa } from "execa";
import { expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { much, sampled } from "../sampling.ts";
import { manyServer } from "../servers/many-server.ts";
import { surroundings } from "./real.ts";

/** Size of the heap (MiB). One page of bugs needs 20; of all bugs, the printed text alone is 16, and the parsed ones are 255. */
const MAX_HEAP = 32;
const MANY = much(100_000, 200_000);

/** Starts the real tool on a search of every bug, in that heap. */
function everything(url: string, format: string, env = surroundings()) {
  const columns = format === "ids" ? [] : ["--fields", "id,status,priority,assigned_to,summary"];
  const search = [LAUNCHER, "--base-url", url, "bug", "search", "--all", "--format", format, ...columns];
  return execa(process.execPath, [`--max-old-space-size=${MAX_HEAP}`, ...search], {
    ...{ reject: false, extendEnv: false, env, stdin: "ignore", buffer: { stdout: false } },
  });
}

test.each(sampled(["tsv", "csv", "ndjson", "ids"], 3))(
  "many bugs are streamed as %s in a heap that cannot hold them",
  { timeout: 60_000 },
  async (format) => {
    const { url } = await manyServer(MANY);
    const run = everything(url, format);
    let lines = 0;
    run.stdout.on("data", (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) lines += 1;
    });
    const { exitCode, stderr } = await run;
    const expected: Readonly<Record<string, number>> = { csv: MANY + 1 };
    expect([exitCode, stderr, lines]).toEqual([0, "", expected[format] ?? MANY]);
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
