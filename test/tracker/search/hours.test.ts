import { beforeAll, expect, test } from "vitest";
import { file, type Talk, talk } from "../talk.ts";

let here: Talk;
let id = 0;

beforeAll(async () => {
  here = talk();
  id = await file(here, "alice", { estimated_time: 10 });
  await here.put("alice", `/rest/bug/${id}`, { estimated_time: 7.5, remaining_time: 2 });
  await here.put("alice", `/rest/bug/${id}`, { work_time: 1.5, remaining_time: 3, comment: { body: "begun" } });
});

async function isFound(row: string): Promise<boolean> {
  const [f1 = "", o1 = "", v1 = ""] = row.split(" ");
  const { body } = await here.get("alice", `/rest/bug?id=${id}&${new URLSearchParams({ f1, o1, v1 })}`);
  return (body as { readonly bugs: readonly unknown[] }).bugs.length === 1;
}

test.each([
  ["work_time changedto 1.5", true],
  ["work_time changedto 1.50", true],
  ["work_time changedto 1", false],
  ["work_time changedfrom 0", false],
  ["estimated_time changedto 7.50", true],
  ["estimated_time changedfrom 10", true],
  ["estimated_time changedto 7.5h", false],
  ["remaining_time changedto 3.00", true],
])("hours in the history are compared as numbers: %s is %s", async (row, isTrue) => {
  expect(await isFound(row)).toBe(isTrue);
});
