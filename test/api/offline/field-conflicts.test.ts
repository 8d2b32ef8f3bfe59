import { describe, expect, test } from "vitest";
import { basisOf, fieldConflicts, lastKnownChange, setFields } from "../../../src/api/offline/field-conflicts.ts";
import type { AppliedKept } from "../../../src/api/offline/kept-write.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";

const BASED = { id: 12, priority: "High", whiteboard: "", keywords: ["crash"], assigned_to: "ada@example.org" };

function conflicts(body: JsonObject, now: JsonObject) {
  return fieldConflicts({ ...BASED, ...now }, body, BASED).map(({ field }) => field);
}

test.each([
  [{ priority: "Low", keywords: { add: ["x"] }, comment: { body: "Hello" } }, ["priority"]],
  [{ keywords: { set: ["x"] }, cc: { remove: ["x"] } }, ["keywords"]],
  [{ reset_assigned_to: true }, ["assigned_to"]],
  [{ whiteboard: { add: ["x"], remove: [] }, flags: [{ name: "review", status: "?" }], work_time: 1 }, []],
])("%j sets %j", (body, fields) => {
  expect(setFields(body)).toEqual(fields);
});

describe("a field collides only when it was changed itself, to something else", () => {
  test.each<[JsonObject, JsonObject, readonly string[]]>([
    [{ priority: "Low" }, { priority: "High" }, []],
    [{ priority: "Low" }, { priority: "Lowest" }, ["priority"]],
    [{ priority: "Low" }, { priority: "Low" }, []],
    [{ priority: "Low" }, { whiteboard: "x", keywords: [] }, []],
    [{ keywords: { add: ["x"] } }, { keywords: ["y"] }, []],
    [{ keywords: { remove: ["crash"] } }, { keywords: [] }, []],
    [{ keywords: { set: ["x"] } }, { keywords: ["y"] }, ["keywords"]],
    [{ keywords: { set: ["x"] } }, { keywords: ["crash"] }, []],
    [{ whiteboard: { add: ["x"], remove: [] } }, { whiteboard: "other" }, []],
    [{ reset_assigned_to: true }, { assigned_to: "mei@example.org" }, ["assigned_to"]],
    [{ comment: { body: "Hello" } }, { priority: "Lowest" }, []],
  ])("%j on %j: %j", (body, now, fields) => {
    expect(conflicts(body, now)).toEqual(fields);
  });

  test("with the values from before, now, and wanted", () => {
    expect(fieldConflicts({ ...BASED, priority: "Lowest" }, { priority: "Low" }, BASED)).toEqual([
      { bug: 12, field: "priority", based: "High", now: "Lowest", wanted: "Low" },
    ]);
  });
});

describe("the basis follows own writes that the mirror does not have yet", () => {
  const write = { place: 3, mirror: "work", asOf: "2026-11-20T12:00:00Z", based: [BASED] };
  const applied = (place: number, time: string, changes: AppliedKept["changes"]): AppliedKept => ({
    place,
    sentAt: Date.parse(time),
    times: new Map(),
    changes,
  });
  const lower = new Map([
    [12, { priority: { removed: "High", added: "Low" }, keywords: { removed: "crash", added: "a, b" } }],
  ]);

  test.each([
    ["sent after the sync", [applied(1, "2026-11-20T12:30:00Z", lower)], "Low", ["a", "b"]],
    ["sent before the sync", [applied(1, "2026-11-20T11:30:00Z", lower)], "High", ["crash"]],
    ["made later", [applied(4, "2026-11-20T12:30:00Z", lower)], "High", ["crash"]],
    [
      "on another bug",
      [applied(1, "2026-11-20T12:30:00Z", new Map([[13, { priority: { removed: "", added: "x" } }]]))],
      "High",
      ["crash"],
    ],
    [
      "two, in order of their places",
      [
        applied(2, "2026-11-20T12:30:00Z", new Map([[12, { priority: { removed: "Low", added: "Highest" } }]])),
        applied(1, "2026-11-20T12:30:00Z", lower),
      ],
      "Highest",
      ["a", "b"],
    ],
  ])("%s", (...[, own, priority, keywords]) => {
    expect(basisOf(write, 12, own)).toMatchObject({ priority, keywords });
  });

  test("a bug without a basis has none", () => {
    expect(basisOf(write, 99, [])).toBeUndefined();
    expect(fieldConflicts({ id: 99, priority: "Low" }, { priority: "High" }, undefined)).toEqual([]);
  });
});

describe("the last change that a conditional update knows of", () => {
  const own = (place: number, before: string, after: string): AppliedKept => ({
    ...{ place, sentAt: 0, changes: new Map() },
    times: new Map([[12, { before, after }]]),
  });
  const after = (...applied: readonly AppliedKept[]) => lastKnownChange(12, { seen: "2026-01-01", place: 3 }, applied);

  test.each([
    [after(), "2026-01-01"],
    [after(own(2, "2026-02-01", "2026-03-01")), "2026-01-01"],
    [after(own(2, "2026-02-01", "2026-03-01"), own(1, "2026-01-01", "2026-02-01")), "2026-03-01"],
    [after(own(4, "2026-01-01", "2026-02-01")), "2026-01-01"],
    [after(own(1, "", "2026-02-01")), "2026-01-01"],
  ])("case %#", (found, wanted) => expect(found).toBe(wanted));
});
