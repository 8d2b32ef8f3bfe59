import { expect, test } from "vitest";
import {
  findStatus,
  illegalStatusMoveFault,
  moveNeedsComment,
  nextStatuses,
  startingStatus,
  type Workflow,
} from "../../../src/tracker/bug-fields/workflow.ts";
import { outcome } from "../refusal.ts";

function move(from: string | null, to: string, comment_required = false) {
  return { from, to, comment_required };
}

const WORKFLOW: Workflow = {
  statuses: [
    { name: "UNCONFIRMED", is_open: true },
    { name: "CONFIRMED", is_open: true },
    { name: "IN_PROGRESS", is_open: true },
    { name: "RESOLVED", is_open: false },
  ],
  moves: [
    move(null, "IN_PROGRESS"),
    move(null, "CONFIRMED"),
    move(null, "UNCONFIRMED"),
    move("UNCONFIRMED", "CONFIRMED"),
    move("CONFIRMED", "RESOLVED", true),
    move("RESOLVED", "UNCONFIRMED"),
    move("RESOLVED", "CONFIRMED"),
  ],
};

function names(from: string | null, has_unconfirmed = true) {
  return nextStatuses(WORKFLOW, from, { has_unconfirmed }).map(({ name }) => name);
}

test("status changes are listed in the order of the statuses", () => {
  expect(names(null)).toEqual(["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"]);
  expect(names("CONFIRMED")).toEqual(["RESOLVED"]);
  expect(names("IN_PROGRESS")).toEqual([]);
});

test("a product may lack the unconfirmed status", () => {
  expect(names(null, false)).toEqual(["CONFIRMED", "IN_PROGRESS"]);
  expect(names("RESOLVED", false)).toEqual(["CONFIRMED"]);
});

test.each([
  ["a user with canconfirm starts with the first confirmed status", true, true, "CONFIRMED"],
  ["others start unconfirmed", false, true, "UNCONFIRMED"],
  ["others start with the first status if there is no unconfirmed one", false, false, "CONFIRMED"],
])("%s", (...[_fact, mayConfirm, has_unconfirmed, expected]) => {
  expect(startingStatus(nextStatuses(WORKFLOW, null, { has_unconfirmed }), mayConfirm)?.name).toBe(expected);
});

test("a status change may require a comment", () => {
  expect(moveNeedsComment(WORKFLOW, "CONFIRMED", "RESOLVED")).toBe(true);
  expect(moveNeedsComment(WORKFLOW, "UNCONFIRMED", "CONFIRMED")).toBe(false);
});

test.each([
  ["in_progress", '"IN_PROGRESS"'],
  ["REOPENED", "404/51: There is no status named 'REOPENED'."],
  ["", "400/50: You must select/enter a status."],
])("the status %j", (text, expected) => {
  expect(outcome(() => findStatus(WORKFLOW, text).name)).toBe(expected);
});

test("the error for an illegal status change names both statuses", () => {
  expect(illegalStatusMoveFault(null, "RESOLVED").message).toBe(
    "You are not allowed to file new bugs with the RESOLVED status.",
  );
  expect(illegalStatusMoveFault("CONFIRMED", "VERIFIED").message).toBe(
    "You are not allowed to change the bug status from CONFIRMED to VERIFIED.",
  );
});
