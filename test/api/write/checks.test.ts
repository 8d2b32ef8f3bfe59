import { describe, expect, test } from "vitest";
import { bugCheckError, checkInitialStatus, checkSingleBugRules } from "../../../src/api/write/checks.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { exampleCatalog as catalog } from "../example-catalog.ts";

const BUG: Bug = { id: 7, alias: ["disk"], status: "CONFIRMED", resolution: "", depends_on: [3], blocks: [4] };
const context = { catalog, address: "https://bugs.example.org" };

describe("an update of a bug", () => {
  test.each<[what: string, body: JsonObject, message: string]>([
    ["a duplicate of itself", { dupe_of: 7 }, "bug 7 cannot be a duplicate of itself"],
    ["itself by alias", { depends_on: { add: ["DISK"] } }, "bug 7 cannot depend on itself"],
    ["itself as a whole list", { blocks: { set: [7] } }, "bug 7 cannot block itself"],
    [
      "its own address",
      { see_also: { add: ["https://bugs.example.org/show_bug.cgi?id=7"] } },
      "bug 7 cannot list itself in see also",
    ],
    ["what it blocks already", { depends_on: { add: [4] } }, "bug 7 cannot both depend on and block bug 4"],
    ["both at once", { depends_on: { set: [9] }, blocks: { add: [9] } }, "bug 7 cannot both depend on and block bug 9"],
    ["a status without a resolution", { status: "RESOLVED" }, "bug 7 cannot become RESOLVED without a resolution"],
    [
      "an edit of a field that was not returned",
      { whiteboard: { add: ["x"], remove: [] } },
      "bug 7 cannot have whiteboard edited in part: the tracker does not return it",
    ],
  ])("may not have %s", (_, body, message) => {
    expect(bugCheckError(BUG, body, context)).toMatchObject({ kind: "usage", message });
  });
});

test("a component is refused for the bug of a product that lacks it", () => {
  const found = ["Firefox", "Archive"].map((product) =>
    bugCheckError({ ...BUG, product }, { component: "Bookmarks" }, context),
  );
  expect(found[0]).toBeUndefined();
  expect(found[1]?.message).toBe('bug 7 cannot have component "Bookmarks" in Archive');
});

describe("a new bug", () => {
  test.each<[body: JsonObject, message: string]>([
    [{ status: "RESOLVED" }, "invalid status RESOLVED for a new bug"],
    [{ resolution: "DUPLICATE" }, "invalid resolution DUPLICATE for a new bug"],
    [{ status: "CONFIRMED", resolution: "FIXED" }, "a new bug with status CONFIRMED cannot have a resolution"],
    [{ resolution: "FIXED" }, "a new bug with an open status cannot have a resolution"],
    [{ depends_on: [3], blocks: [3] }, "a new bug cannot both depend on and block bug 3"],
  ])("%j is refused", (body, message) => {
    expect(() => checkInitialStatus(body, catalog)).toThrow(expect.objectContaining({ kind: "usage", message }));
  });

  const starts = [
    { name: "CONFIRMED", comment_required: true },
    { name: "RESOLVED", comment_required: false },
  ];

  test.each<[body: JsonObject, message: string]>([
    [{ status: "CONFIRMED" }, "a new bug with status CONFIRMED requires a description"],
    [{ status: "CONFIRMED", description: " " }, "a new bug with status CONFIRMED requires a description"],
    [{ status: "RESOLVED" }, "a new bug with status RESOLVED requires a resolution"],
  ])("%j is refused by another workflow", (body, message) => {
    expect(() => checkInitialStatus(body, { ...catalog, starts })).toThrow(expect.objectContaining({ message }));
  });
});

test.each(["alias", "comment_is_private", "dupe_of"])("%s can be changed on one bug only", (name) => {
  expect(() => checkSingleBugRules(2, { [name]: 1 })).toThrow("can be changed on one bug at a time, not on 2");
});
