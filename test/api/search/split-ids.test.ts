import { expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { splitByIds } from "../../../src/api/search/compile.ts";
import { exampleContext } from "../example-catalog.ts";

function split(text: string, most: number): readonly string[] {
  return splitByIds(resolveQuery(parseExpression(text).tree, exampleContext), most).map(unparseQuery);
}

test("many ids are split into several requests, highest first, each with the other conditions", () => {
  expect(split("id:3,9,1,7,5 priority:High", 2)).toEqual([
    "id in (9, 7) and priority = High",
    "id in (5, 3) and priority = High",
    "id = 1 and priority = High",
  ]);
});

test("few ids, and ids that are only a part of the condition, are not split", () => {
  expect(split("id:3,9", 2)).toEqual(["id in (3, 9)"]);
  expect(split("id:3,9,1 or priority:High", 2)).toEqual(["id in (3, 9, 1) or priority = High"]);
});
