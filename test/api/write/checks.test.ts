import { describe, expect, test } from "vitest";
import { bugCheckError, checkInitialStatus, mayBecomePublic } from "../../../src/api/write/checks.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { exampleCatalog as catalog } from "../example-catalog.ts";

const BUG: Bug = { id: 7, status: "CONFIRMED", resolution: "" };

describe("an update of a bug", () => {
  test.each<[what: string, body: JsonObject, message: string]>([
    ["a status without a resolution", { status: "RESOLVED" }, "bug 7 cannot become RESOLVED without a resolution"],
    [
      "an edit of a field that was not returned",
      { whiteboard: { add: ["x"], remove: [] } },
      "bug 7 cannot have whiteboard edited in part: the tracker does not return it",
    ],
  ])("may not have %s", (_, body, message) => {
    expect(bugCheckError(BUG, body, catalog)).toMatchObject({ kind: "usage", message });
  });
});

test("a component is refused for the bug of a product that lacks it", () => {
  const found = ["Firefox", "Archive"].map((product) =>
    bugCheckError({ ...BUG, product }, { component: "Bookmarks" }, catalog),
  );
  expect(found[0]).toBeUndefined();
  expect(found[1]?.message).toBe('bug 7 cannot have component "Bookmarks" in Archive');
});

test("a new bug may not have a status that is none of the first", () => {
  const message = "invalid status RESOLVED for a new bug";
  expect(() => checkInitialStatus({ status: "RESOLVED" }, catalog)).toThrow(
    expect.objectContaining({ kind: "usage", message }),
  );
});

test.each<[what: string, groups: string[] | null, body: JsonObject, isExposed: boolean]>([
  ["moved", ["staff"], { product: "Harbor" }, true],
  ["moved with a group of its own", ["staff"], { product: "Harbor", groups: { add: ["makers"] } }, false],
  ["that stays in its product", ["staff"], { product: "Lantern" }, false],
  ["without groups", [], { product: "Harbor" }, false],
  ["that loses its only group", ["staff"], { groups: { remove: ["staff"] } }, true],
  ["that loses one of two", ["staff", "makers"], { groups: { remove: ["staff"] } }, false],
  ["whose groups are unknown", null, { groups: { remove: ["staff"] } }, false],
])("a bug may become public: %s", (_, groups, body, isExposed) => {
  expect(mayBecomePublic({ id: 7, product: "Lantern", groups }, body)).toBe(isExposed);
});
