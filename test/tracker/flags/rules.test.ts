import { expect, test } from "vitest";
import { flagsAfterMove } from "../../../src/tracker/flags/edit.ts";
import { ADA } from "../bugs/a-bug.ts";

test("after a move flags keep their type, get the type of the same name, or are deleted", () => {
  const flag = (id: number, type_id: number, name: string) => {
    return { id, type_id, name, status: "?", setter: ADA, requestee: null };
  };
  const flags = [flag(1, 1, "review"), flag(2, 4, "landing"), flag(3, 3, "approval")];
  const there = [
    { id: 1, name: "review" },
    { id: 12, name: "landing" },
  ];
  expect(flagsAfterMove(flags, there)).toEqual([flag(1, 1, "review"), flag(2, 12, "landing")]);
});
