import { expect, test } from "vitest";
import { isAsRequested } from "../../../src/api/write/changes.ts";

test("an address of another bug is the same with https, as trackers store it", () => {
  const now = { see_also: ["https://bugs.example.org/show_bug.cgi?id=4"] };
  const isAdded = (id: number) =>
    isAsRequested("see_also", { add: [`http://bugs.example.org/show_bug.cgi?id=${id}`] }, now);
  expect([isAdded(4), isAdded(5)]).toEqual([true, false]);
});
