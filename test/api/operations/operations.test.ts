import { describe, expect, test } from "vitest";
import { BUG_HISTORY, GET_BUG, SEARCH_BUGS } from "../../../src/api/operations/bugs.ts";
import { CREATE_COMMENT, GET_COMMENTS_BY_ID } from "../../../src/api/operations/comments.ts";
import { allOperations, withOperation } from "../../../src/api/operations/known-operations.ts";
import { fieldOf, requestFor } from "../../../src/api/operations/operation.ts";
import { GET_FLAG_TYPES, UPDATE_GROUP } from "../../../src/api/operations/tracker.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../src/api/operations/write-bugs.ts";
import { BUG_FIELDS } from "../../../src/wire/bug-fields.ts";
import { pathAndQuery, type Request } from "../../../src/wire/exchange.ts";

describe("an operation makes a request of values", () => {
  test.each<readonly [string, Request, string]>([
    ["a value of the path", requestFor(GET_BUG, { id_or_alias: 7, limit: 1 }), "/rest/bug/7?limit=1"],
    [
      "blanks and slashes in it",
      requestFor(GET_FLAG_TYPES, { product: "A/B", component: "C D" }),
      "/rest/flag_type/A%2FB/C%20D",
    ],
    ["an undefined value", requestFor(BUG_HISTORY, { id: 7, new_since: undefined }), "/rest/bug/7/history"],
    [
      "several bugs",
      requestFor(BUG_HISTORY, { ids: ["7", "8"], new_since: "x" }),
      "/rest/bug/7/history?ids=8&new_since=x",
    ],
    ["a name before a number", requestFor(GET_BUG, { ids: ["crash", "7"] }), "/rest/bug/crash?ids=7"],
    ["a name alone", requestFor(GET_BUG, { ids: ["crash"], limit: 1 }), "/rest/bug/crash?limit=1"],
    ["names that no path can hold", requestFor(GET_BUG, { ids: ["a b", "c/d"] }), "/rest/bug/?ids=a%20b&ids=c/d"],
    [
      "several comments",
      requestFor(GET_COMMENTS_BY_ID, { comment_ids: ["1", "2"] }),
      "/rest/bug/comment/1?comment_ids=2",
    ],
    [
      "repeated names",
      requestFor(SEARCH_BUGS, [
        ["id", "1"],
        ["id", 2],
      ]),
      "/rest/bug?id=1&id=2",
    ],
    [
      "a write of one object",
      requestFor(CREATE_COMMENT, { id: 7, comment: "x" }),
      '/rest/bug/7/comment {"comment":"x"}',
    ],
    [
      "a write of several objects",
      requestFor(UPDATE_BUG, { ids: [7, 8], url: "" }),
      '/rest/bug/7 {"ids":[7,8],"url":""}',
    ],
    ["a write of one group", requestFor(UPDATE_GROUP, { ids: [3], name: "qa" }), '/rest/group/3 {"name":"qa"}'],
    [
      "a write of several groups",
      requestFor(UPDATE_GROUP, { ids: [3, 4], icon_url: "" }),
      '/rest/group/3 {"ids":[3,4],"icon_url":""}',
    ],
  ])("%s", (_, request, expected) => {
    const body = request.body === undefined ? "" : ` ${JSON.stringify(request.body)}`;
    expect(pathAndQuery(request) + body).toBe(expected);
  });
});

describe("a request without an operation gets the one that matches its path", () => {
  test.each(allOperations().map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, "7");
    expect(withOperation({ method: operation.method, path, query: [] }).operation).toBe(name);
    expect(requestFor(operation).operation).toBe(name);
  });
});

describe("a parameter of bugs names the row of the field that it is about", () => {
  const all = {
    search: SEARCH_BUGS.parameters,
    create: CREATE_BUG.parameters,
    update: UPDATE_BUG.parameters,
  };

  test.each(Object.entries(all))("%s: a row, or none", (_, parameters) => {
    for (const field of parameters.map(fieldOf)) if (field !== null) expect(Object.keys(BUG_FIELDS)).toContain(field);
  });
});
