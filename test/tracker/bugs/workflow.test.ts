import { expect, test } from "vitest";
import { findStatus, type Workflow } from "../../../src/tracker/bug-fields/workflow.ts";
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

test.each([
  ["in_progress", '"IN_PROGRESS"'],
  ["REOPENED", "404/51: There is no status named 'REOPENED'."],
  ["", "400/50: You must select/enter a status."],
])("the status %j", (text, expected) => {
  expect(outcome(() => findStatus(WORKFLOW, text).name)).toBe(expected);
});
