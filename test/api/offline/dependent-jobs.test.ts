import { expect, test } from "vitest";
import { dependentBugs } from "../../../src/api/offline/dependent-jobs.ts";
import type { KeptJob } from "../../../src/api/offline/kept-write.ts";
import { CREATE_COMMENT } from "../../../src/api/operations/comments.ts";
import { requestFor } from "../../../src/api/operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../src/api/operations/write-bugs.ts";
import type { Request } from "../../../src/wire/exchange.ts";

function kept(request: Request, name?: string): KeptJob {
  return { job: "J", request, offline: { place: 1, mirror: "work", asOf: null, name } };
}

const update = (values: Parameters<typeof requestFor>[1]) => kept(requestFor(UPDATE_BUG, values));
const comment = (id: number | string) => kept(requestFor(CREATE_COMMENT, { id, comment: "Hello" }));
const NEW = kept(requestFor(CREATE_BUG, { summary: "new" }), "new-1");
const PRIORITY = update({ ids: [12, 13], priority: "Low" });
const CLOSED = update({ ids: [12], status: "RESOLVED", resolution: "FIXED" });

test.each([
  ["a comment on a new bug", comment("new-1"), NEW, true],
  ["a comment on another new bug", comment("new-2"), NEW, false],
  [
    "a comment that mentions a new bug",
    kept(requestFor(CREATE_COMMENT, { id: 7, comment: "see bug new-1" })),
    NEW,
    true,
  ],
  ["an update of a new bug", update({ ids: ["new-1"], priority: "Low" }), NEW, true],
  ["a dependency on a new bug", update({ ids: [7], depends_on: { add: ["new-1"] } }), NEW, true],
  ["a duplicate of a new bug", update({ ids: [7], dupe_of: "new-1" }), NEW, true],
  ["a new bug that blocks it", kept(requestFor(CREATE_BUG, { blocks: ["new-1"] }), "new-2"), NEW, true],
  ["another new bug", kept(requestFor(CREATE_BUG, { summary: "new-1" }), "new-2"), NEW, false],
  ["the same field", update({ ids: [13], priority: "High" }), PRIORITY, true],
  ["the same field of another bug", update({ ids: [14], priority: "High" }), PRIORITY, false],
  ["another field", update({ ids: [12], severity: "major" }), PRIORITY, false],
  ["a comment on the same bug", comment(12), PRIORITY, false],
  ["the same list", update({ ids: [12], cc: { add: ["a"] } }), update({ ids: [12], cc: { add: ["b"] } }), true],
  ["a duplicate after a status", update({ ids: [12], dupe_of: 5 }), CLOSED, true],
  ["a duplicate of a bug that is closed", update({ ids: [7], dupe_of: 12 }), CLOSED, true],
  ["a duplicate of a bug whose priority changes", update({ ids: [7], dupe_of: 12 }), PRIORITY, false],
  ["a component after a product", update({ ids: [12], component: "x" }), update({ ids: [12], product: "y" }), true],
])("%s: %#", (...[, later, earlier, depends]) => {
  expect(dependentBugs(later, earlier).length > 0).toBe(depends);
});

test("of a bulk update, the bugs that an earlier job has still to update wait", () => {
  const later = { ...update({ ids: [12, 13, 14], priority: "High" }), open: ["12", "13"] };
  expect(dependentBugs(later, PRIORITY)).toEqual(["12", "13"]);
  expect(dependentBugs(later, { ...PRIORITY, open: ["13"] })).toEqual(["13"]);
  expect(dependentBugs(later, { ...PRIORITY, open: [] })).toEqual([]);
  expect(dependentBugs(update({ ids: [12], dupe_of: 5 }), { ...CLOSED, open: [] })).toEqual([]);
  expect(dependentBugs(comment("new-1"), NEW)).toBe("all");
});
