import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { freshFolder } from "../fresh-folder.ts";

const REPORT = fileURLToPath(new URL("report-ending.cjs", import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** An environment in which `bt` reports how it ends after a signal, and a check of that report. */
export function endingReport(env: Environment) {
  const file = path.join(freshFolder(), "ending");
  const options = [env["NODE_OPTIONS"] ?? "", `--require=${REPORT}`].join(" ");
  const reporting: Environment = { ...env, NODE_OPTIONS: options, TEST_ENDING: file };
  return { env: reporting, expectQuickEnd: () => expectQuickEnd(JSON.parse(readFileSync(file, "utf8"))) };
}

type Ending = { readonly before: number; readonly after: number; readonly waited: number };

/** It waited for nothing, and computed little beside what it had computed before: both hold on a busy machine, too. */
function expectQuickEnd({ before, after, waited }: Ending): void {
  expect(waited).toBe(0);
  expect(after).toBeLessThan(before / 6);
}
