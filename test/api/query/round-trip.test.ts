import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { isEveryBug } from "../../../src/api/query/tree.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { exampleContext } from "../example-catalog.ts";
import { sensibleTrees } from "./random-trees.ts";

test("a resolved query formatted as text resolves to the same query", () => {
  fc.assert(
    fc.property(sensibleTrees(), (tree) => {
      const query = resolveQuery(tree, exampleContext);
      fc.pre(!isEveryBug(query));
      const again = resolveQuery(parseExpression(unparseQuery(query)), exampleContext);
      expect(unparseQuery(again)).toBe(unparseQuery(query));
    }),
    { numRuns: 1000 },
  );
});
