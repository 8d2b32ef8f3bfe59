import { expect, test } from "vitest";
import { requestBody, writeTargets } from "../../../src/api/write/write-state.ts";
import type { Request } from "../../../src/wire/exchange.ts";

const PUT: Request = { operation: "Update Bug", method: "PUT", path: "/rest/bug/7", query: [] };

test.each([
  ["an object", { a: 1 }, { a: 1 }],
  ["an object as text", '{"a":1}', { a: 1 }],
  ["a list", "[1]", {}],
  ["a text that is not JSON", "{", {}],
  ["nothing", undefined, {}],
] as const)("the body of %s", (...[, body, object]) => {
  expect(requestBody(body === undefined ? {} : { body })).toEqual(object);
});

test.each<[string, Partial<Request>, readonly string[]]>([
  ["its path", {}, ["7"]],
  ["an encoded path", { path: "/rest/bug/a%20b" }, ["a b"]],
  ["the ids of its body", { body: { ids: [8, "9"] } }, ["8", "9"]],
  ["a single id of its body", { body: { ids: 8 } }, ["8"]],
  [
    "the first ids of its query, which win",
    {
      query: [
        ["ids", "5"],
        ["ids", "6"],
      ],
      body: { ids: [8] },
    },
    ["5"],
  ],
])("an update names its bugs by %s", (...[, request, targets]) => {
  expect(writeTargets({ ...PUT, ...request })).toEqual(targets);
});
