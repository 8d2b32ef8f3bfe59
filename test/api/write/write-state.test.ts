import { expect, test } from "vitest";
import { isUpdateInHistory, writeState } from "../../../src/api/write/write-state.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";

function row(field_name: string, removed: string, added: string) {
  return { field_name, removed, added };
}

test.each([
  ["the requested value", { whiteboard: "w3" }, [row("whiteboard", "", "w3")], true],
  ["another value", { whiteboard: "w3" }, [row("whiteboard", "", "w4")], false],
  ["a value that the tracker replaced", { type: "task" }, [row("type", "task", "defect")], true],
  ["a value that another one replaced", { type: "task" }, [row("type", "enhancement", "defect")], false],
  ["values of one second, joined", { whiteboard: "w3" }, [row("whiteboard", "a w1", "w1 w3")], true],
  ["part of a word", { whiteboard: "w3" }, [row("whiteboard", "", "w31 aw3")], false],
  ["a number in another form", { estimated_time: 8 }, [row("estimated_time", "0.00", "8.00")], true],
  ["yes as a number", { is_cc_accessible: false }, [row("is_cc_accessible", "1", "0")], true],
  ["one of two fields", { priority: "High", severity: "major" }, [row("priority", "Low", "High")], false],
  ["an added item", { cc: { add: ["ada@example.org"] } }, [row("cc", "", "mei@x.org, ada@example.org")], true],
  ["a removed item", { keywords: { remove: ["crash"] } }, [row("keywords", "crash", "")], true],
  ["other items", { keywords: { add: ["perf"], remove: ["crash"] } }, [row("keywords", "easy", "")], false],
  ["a replaced list", { keywords: { set: ["perf"] } }, [row("keywords", "easy", "")], true],
  ["a flag", { flags: [{ name: "review", status: "+" }] }, [row("flagtypes.name", "review?", "review+")], true],
  ["a cleared flag", { flags: [{ name: "review", status: "X" }] }, [row("flagtypes.name", "review?", "")], true],
  ["another flag", { flags: [{ name: "review", status: "+" }] }, [row("flagtypes.name", "", "landing+")], false],
  ["a default assignee", { reset_assigned_to: true }, [row("assigned_to", "ada@example.org", "mei@x.org")], true],
  ["a cleared field", { deadline: "" }, [row("deadline", "2026-12-24", "")], true],
])("rows with %s", (...[, body, rows, isTrace]) => {
  expect(isUpdateInHistory(rows, body as JsonObject)).toBe(isTrace);
});

test("a reference that the tracker stores with https is the requested one", () => {
  const states = { before: undefined, now: { see_also: ["https://bugs.example.org/show_bug.cgi?id=4"] } };
  expect(writeState({ see_also: { add: ["http://bugs.example.org/show_bug.cgi?id=4"] } }, states)).toBe("requested");
  expect(writeState({ see_also: { add: ["http://bugs.example.org/show_bug.cgi?id=5"] } }, states)).toBe("different");
});
