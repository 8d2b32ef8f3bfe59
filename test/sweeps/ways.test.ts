import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";

/** Number of files that each of these may execute of the client between `main` and the Exchange, without views. */
test.each([
  ["bug search --status CONFIRMED", 44],
  ["bug update 1 --add-keywords crash", 52],
])("bt %s executes at most %i files, and those that CONTRIBUTING.md names", async (line, most) => {
  const files = await executedFiles(line);
  expect(files.filter((file) => !BEFORE.test(file)).length, files.join(" ")).toBeLessThanOrEqual(most);
  expect(files).toEqual(expect.arrayContaining([...wayOf(line)]));
});

test("the files that a search executes only for a value are listed", async () => {
  const line = "bug search --status CONFIRMED";
  const without = await executedFiles("bug search --all");
  const more = (await executedFiles(line)).filter((file) => !without.includes(file));
  expect(wayOf(line)).toEqual(expect.arrayContaining(more));
  expect(wayOf(line).length).toBeLessThanOrEqual(16);
});

/** Ends of the way. */
const BEFORE = /^(main|transport\/.*)\.ts$/;

/** The files that CONTRIBUTING.md names for the value of a command line. */
function wayOf(line: string): readonly string[] {
  const page = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const [, list = ""] = page.split(`<!-- way of: ${line} -->\n`);
  return [...(list.split("\n\n")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? "");
}

/** The files of the client, views apart, of which a run executes a function; what runs when a module is loaded does not count. */
async function executedFiles(line: string): Promise<readonly string[]> {
  const run = () => btConnected(line, { env: { BT_BASE_URL: "demo:" } });
  await run();
  const inspector = new Session();
  inspector.connect();
  await inspector.post("Debugger.enable");
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  expect(await run()).toMatchObject({ code: 0 });
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  const files: string[] = [];
  for (const { url, scriptId, functions } of result) {
    const [, file] = /\/src\/((?!tracker\/|view\/).+\.ts)$/.exec(url) ?? [];
    if (file === undefined) continue;
    const { scriptSource } = await inspector.post("Debugger.getScriptSource", { scriptId });
    if (functions.some(({ ranges }) => ranges.some((range) => isExecuted(range, scriptSource)))) files.push(file);
  }
  inspector.disconnect();
  return files.sort();
}

type Executed = { readonly count: number; readonly startOffset: number; readonly endOffset: number };

/** True if a function was called; those that the test runner makes for exports are none of the file's. */
function isExecuted({ count, startOffset, endOffset }: Executed, source: string): boolean {
  return count > 0 && !/^\(\) ?=> ?\{ ?try ?\{ ?return \w+ ?\}/.test(source.slice(startOffset, endOffset));
}
