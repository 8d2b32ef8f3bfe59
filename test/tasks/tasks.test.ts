import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { demo } from "../commands/demo.ts";
import { faultOf } from "./attempt.ts";
import { TASKS } from "./tasks.ts";
import { TRANSCRIPT } from "./transcript.ts";

test("there are forty tasks", () => expect(new Set(TASKS.map(({ task }) => task)).size).toBe(40));

const ALL = path.join(mkdtempSync(path.join(tmpdir(), "all-")), "all.tsv");

test("there is a list of all bugs and users", async () => {
  const run = demo();
  const [bugs, users] = [await run("bug search --all --fields _all"), await run("user search example.org")];
  expect([bugs.code, users.code]).toEqual([0, 0]);
  writeFileSync(ALL, bugs.out + users.out);
});

test.each(TASKS)("is not done by a line that does nothing, nor by that list: $task", async (task) => {
  expect(await faultOf(task, "true")).toBeDefined();
  expect(await faultOf(task, `cat ${ALL}`)).toBeDefined();
});

test.each(TASKS.map((task, at) => [task.task, task, TRANSCRIPT[at] ?? ""] as const))(
  "is done at the first line typed: %s",
  async (_, task, line) => expect(await faultOf(task, line), line).toBeUndefined(),
);
