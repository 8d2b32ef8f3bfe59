import { expect, test } from "vitest";
import { parseExpression, parseTerms } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { probableExpression } from "../../../src/api/query/suggest-expression.ts";
import { exampleCatalog, exampleContext } from "../example-catalog.ts";

test.each([
  ["changed since -2h", "updated >= -2h"],
  ["crash since yesterday", "crash updated >= yesterday"],
  ["assigned to mei", "assignee = mei"],
  ["reported by me", "creator = @me"],
  ["assignee me", "assignee = @me"],
  ["priority high", "priority:High"],
  ["open bugs in Firefox", "is:open product:Firefox"],
  ["between 2026-10 2026-11", "created between 2026-10 and 2026-11"],
  ["between 10 20", "id between 10 and 20"],
  ["between the lines", "created between last-month and today lines"],
  ["me", "assignee = @me"],
])("%s is probably %s, which can be typed", (words, expression) => {
  expect(probableExpression([words], exampleCatalog)).toBe(expression);
  expect(() =>
    resolveQuery(parseExpression(expression).tree, { ...exampleContext, me: "ada@example.org" }),
  ).not.toThrow();
});

test("words of several arguments are combined", () => {
  expect(probableExpression(["priority", "high"], exampleCatalog)).toBe("priority:High");
});

test.each(["crash", "red eye", "menu in the toolbar", "priority inversion", "status bar", "some text"])(
  "%s is plain words",
  (words) => {
    expect(probableExpression([words], exampleCatalog)).toBeUndefined();
  },
);

test.each([
  ["changed since -2h", ["changed since -2h"]],
  ["assigned to mei", ["assigned to mei"]],
  ["open bugs in Lantern", ["open bugs in Lantern"]],
  ["hang problem", ["hang problem"]],
])("plain words in one argument are one phrase: %s", (term, values) => {
  expect(parseTerms([term])).toEqual({
    tree: { kind: "test", field: "summary", op: "~", values, at: 1 },
    sort: [],
    texts: values,
  });
});

test.each(["crash or hang", "is:open crash", "not crash", "status changed", "summary contains crash", "id in (1, 2)"])(
  "otherwise they are an expression: %s",
  (term) => {
    expect(parseTerms([term]).tree).toEqual(parseExpression(term).tree);
  },
);

test("a field name takes all words after it", () => {
  expect(parseTerms(["component:New Tab"]).tree).toMatchObject({ field: "component", values: ["New Tab"] });
});
