import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { demo } from "../commands/demo.ts";
import { faultOf } from "./attempt.ts";
import { TASKS } from "./tasks.ts";
import { TRANSCRIPT } from "./transcript.ts";

test("there are forty tasks", () => expect(new Set(TASKS.map(({ task }) => task)).size).toBe(40));

/** Time for a line, before and after which bt runs, on a machine that does much else. */
const MUCH_MS = 90_000;

const ALL = path.join(mkdtempSync(path.join(tmpdir(), "all-")), "all.tsv");

test("there is a list of all bugs and users", async () => {
  const run = demo();
  const [bugs, users] = [await run("bug search --all --fields _all"), await run("user search example.org")];
  expect([bugs.code, users.code]).toEqual([0, 0]);
  writeFileSync(ALL, bugs.out + users.out);
});

test.each(["true", `cat ${ALL}`].flatMap((line) => TASKS.map((task) => [line, task.task, task] as const)))(
  "%s does not do: %s",
  async (line, _, task) => expect(await faultOf(task, line)).toBeDefined(),
  MUCH_MS,
);

test.each(TASKS.map((task, at) => [task.task, task, TRANSCRIPT[at] ?? ""] as const))(
  "is done at the first line typed: %s",
  async (_, task, line) => expect(await faultOf(task, line), line).toBeUndefined(),
  MUCH_MS,
);
