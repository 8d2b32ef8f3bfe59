import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";

/** Highest number of named functions that a run may execute of the client between `main` and the Exchange, without views. */
test.each([
  ["bug search --status CONFIRMED", 190],
  ["bug update 1 --add-keywords crash", 210],
  ["bug get 1", 107],
  ["comment add 1 -m Seen", 111],
])("bt %s executes at most %i named functions", async (line, limit) => {
  const functions = (await executed(line)).filter(({ name }) => name !== "");
  expect(functions.length, functions.map(({ file, name }) => `${file}:${name}`).join("\n")).toBeLessThanOrEqual(limit);
  expect(functions.length).toBeGreaterThan(0);
});

test("a search executes the files that CONTRIBUTING.md names on its way", async () => {
  const line = "bug search --status CONFIRMED";
  expect(wayOf(line).length).toBeGreaterThan(9);
  expect(await executedFiles(line)).toEqual(expect.arrayContaining([...wayOf(line)]));
});

test("the files that a search executes only for a value are listed", async () => {
  const line = "bug search --status CONFIRMED";
  const without = await executedFiles("bug search --all");
  const more = (await executedFiles(line)).filter((file) => !without.includes(file));
  expect(wayOf(line)).toEqual(expect.arrayContaining(more));
});

/** The files that CONTRIBUTING.md names on the way of a command line. */
function wayOf(line: string): readonly string[] {
  const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const [, list = ""] = page.split(`<!-- way of: ${line} -->\n`);
  return [...(list.split("\n\n")[0] ?? "").matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file ?? "");
}

/** The files of the client, views apart, of which a run executes a function; what runs when a module is loaded does not count. */
async function executedFiles(line: string): Promise<readonly string[]> {
  return [...new Set((await executed(line)).map(({ file }) => file))].sort();
}

type ExecutedFunction = { readonly file: string; readonly name: string }; // the name is empty for an arrow without one

/**
 * The functions that a run executes of the client, views and transport apart; `cli/help.ts` is what `btConnected` checks the exit code by.
 * V8 forgets calls of closures at times, so that counts vary downwards.
 */
async function executed(line: string): Promise<readonly ExecutedFunction[]> {
  const run = () => btConnected(line, { env: { BT_BASE_URL: "demo:" } });
  await run();
  const inspector = new Session();
  inspector.connect();
  await inspector.post("Debugger.enable");
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  expect(await run()).toMatchObject({ code: 0 });
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  const called: ExecutedFunction[] = [];
  for (const { url, scriptId, functions } of result) {
    const [, file] = /\/src\/((?!tracker\/|view\/|transport\/|cli\/help\.ts).+\.ts)$/.exec(url) ?? [];
    if (file === undefined) continue;
    const { scriptSource } = await inspector.post("Debugger.getScriptSource", { scriptId });
    for (const { functionName: name, ranges } of functions) {
      if (ranges.some((range) => isExecuted(range, scriptSource))) called.push({ file, name });
    }
  }
  inspector.disconnect();
  return called;
}

type Executed = { readonly count: number; readonly startOffset: number; readonly endOffset: number };

/** True if a function was called; those that the test runner makes for exports are none of the file's. */
function isExecuted({ count, startOffset, endOffset }: Executed, source: string): boolean {
  return count > 0 && !/^\(\) ?=> ?\{ ?try ?\{ ?return \w+ ?\}/.test(source.slice(startOffset, endOffset));
}
