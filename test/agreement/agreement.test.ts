import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateQuery } from "../../src/api/query/evaluate.ts";
import { resolveQuery } from "../../src/api/query/resolve.ts";
import type { Query, UnresolvedQuery } from "../../src/api/query/tree.ts";
import { type CompileOptions, compileQuery } from "../../src/api/search/compile.ts";
import { BtError } from "../../src/errors.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import { treesOf } from "../api/query/random-trees.ts";
import { much } from "../sampling.ts";
import { conditions } from "./conditions.ts";
import { isMet } from "./oracle.ts";
import { ASKER, ask, knownBugs, NOW, worldCatalog } from "./world.ts";

/** The user who stands for nobody in this world. */
const NOBODY = ["lucia@example.org", "seun@example.org"];

function resolved(tree: UnresolvedQuery): Query {
  return resolveQuery(tree, { catalog: worldCatalog, now: NOW, zone: "Europe/Berlin", nobody: NOBODY, me: ASKER });
}

/** Undefined for two conditions that leave nothing between them, which are an error. */
function resolvedOrEmpty(tree: UnresolvedQuery): Query | undefined {
  try {
    return resolved(tree);
  } catch (error) {
    if (error instanceof BtError && /^(?:no \w+ is both|the range .* is reversed$)/.test(error.message))
      return undefined;
    throw error;
  }
}

/** Bugs that the tracker finds and the rest of the query lets through; undefined when no server can be asked this. */
async function found(query: Query, options: CompileOptions): Promise<readonly number[] | undefined> {
  const compiled = compiledOrRefused(query, options);
  if (compiled === undefined) return undefined;
  const include = ["id", ...compiled.fields].join(",");
  const { bugs } = await ask<{ bugs: readonly Bug[] }>("/rest/bug", [...compiled.query, ["include_fields", include]]);
  const { rest } = compiled;
  return bugs
    .filter((bug) => rest === undefined || evaluateQuery(rest, bug, { login: ASKER }))
    .map(({ id }) => id ?? 0);
}

function compiledOrRefused(query: Query, options: CompileOptions) {
  try {
    return compileQuery(query, options);
  } catch (error) {
    if (error instanceof BtError && error.message.includes('cannot be combined by "or"')) return undefined;
    throw error;
  }
}

function expected(query: Query): readonly number[] {
  return knownBugs.filter((known) => isMet(query, known)).map(({ bug }) => bug.id ?? 0);
}

const RUNS = much(300, 2000);

test("a compiled query selects on the tracker the bugs whose own data meets it", { timeout: 60_000 }, async () => {
  let refused = 0;
  const zones = fc.constantFrom<CompileOptions>({ serverZone: "UTC" }, {}, { serverZone: "UTC", rowsOnly: true });
  await fc.assert(
    fc.asyncProperty(treesOf(conditions), zones, async (tree, options) => {
      const query = resolvedOrEmpty(tree);
      const ids = query && (await found(query, options));
      if (query === undefined || ids === undefined) refused++;
      else expect([...ids].sort((one, other) => one - other)).toEqual(expected(query));
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeLessThan(RUNS / 10);
});
