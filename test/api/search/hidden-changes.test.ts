import { expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { allOf } from "../../../src/api/query/tree.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { negatedChanges, otherConjuncts } from "../../../src/api/search/hidden-changes.ts";
import { exampleContext } from "../example-catalog.ts";

const SINCE = "comment changed since 2026-01-02T00:00:00Z";

test.each([
  [SINCE, []],
  [`not (not ${SINCE})`, []],
  ["not status changed since 2026-01-02", []],
  ["not comment changed by ada@example.org", []],
  [`not ${SINCE}`, [SINCE]],
  [`priority = High not ${SINCE}`, [SINCE]],
  [`not (${SINCE} or priority = High)`, [`${SINCE} or priority = High`]],
  ["not flags changed to review+", ["flags changed to review+"]],
  [`priority = High or not ${SINCE}`, "nested"],
  [`not (priority = High not ${SINCE})`, []],
] as const)("changes that servers may count although they are hidden, below not: %s", (text, expected) => {
  const query = resolveQuery(parseExpression(text).tree, exampleContext);
  const negated = negatedChanges(query);
  expect(negated === "nested" ? negated : negated.map((tree) => unparseQuery(tree))).toEqual(expected);
});

test("the other conditions of a search narrow the changes that are looked up", () => {
  const query = resolveQuery(parseExpression(`priority = High not ${SINCE}`).tree, exampleContext);
  expect(unparseQuery(allOf(otherConjuncts(query)))).toBe("priority = High");
});
