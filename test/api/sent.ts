import { flagsToTree } from "../../src/api/query/flags.ts";
import { parseExpression } from "../../src/api/query/parse.ts";
import { resolveQuery } from "../../src/api/query/resolve.ts";
import { isEveryBug, type Term, type Tree } from "../../src/api/query/tree.ts";
import { unparseQuery } from "../../src/api/query/unparse.ts";
import { compile, pairsOf } from "../../src/api/search/compile.ts";
import type { Dialect } from "../../src/api/search/dialect.ts";
import { exampleCatalog, exampleContext } from "./example-catalog.ts";

type Way = { readonly me?: string; readonly dialect?: Dialect };

/** Parameters that are sent for a tree, and after `then` the conditions to test on the bugs, by their fields and by searches. */
function sentFor(tree: Tree<Term>, { me, dialect = "bugzilla" }: Way = {}): string {
  const compiled = compile(resolveQuery(tree, { ...exampleContext, me }), dialect, exampleContext.now);
  const { rest, tested, asides } = compiled;
  const by = [...tested, ...asides.map((leaf) => `[${unparseQuery(leaf)}]`)].join(",");
  const left = isEveryBug(rest) ? "" : ` then ${unparseQuery(rest)} by ${by}`;
  return (
    pairsOf(compiled)
      .map((pair) => pair.join("="))
      .join("&") + left
  );
}

export function sent(text: string, way?: Way): string {
  return sentFor(parseExpression(text), way);
}

/** Texts of search flags; a single one by itself. */
export type SearchTexts = Readonly<Record<string, string | readonly string[]>>;

export function sentByFlags(flags: SearchTexts): string {
  const lists = Object.entries(flags).map(([name, texts]) => [name, [texts].flat()] as const);
  return sentFor(flagsToTree(Object.fromEntries(lists), exampleCatalog));
}
