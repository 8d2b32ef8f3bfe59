import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveQuery } from "../../src/api/query/resolve.ts";
import type { Query, Term, Tree } from "../../src/api/query/tree.ts";
import { createSearches } from "../../src/api/search/searches.ts";
import { BtError } from "../../src/errors.ts";
import { treesOf } from "../api/query/random-trees.ts";
import { knownDialect } from "../api/search-tools.ts";
import { much } from "../sampling.ts";
import { conditions } from "./conditions.ts";
import { isMet } from "./oracle.ts";
import { ASKER, ask, knownBugs, NOW, worldCatalog } from "./world.ts";

/** The user who stands for nobody in this world. */
const NOBODY = ["lucia@example.org", "seun@example.org"];

function resolved(tree: Tree<Term>): Query {
  return resolveQuery(tree, { catalog: worldCatalog, now: NOW, zone: "Europe/Berlin", nobody: NOBODY, me: ASKER });
}

/** Undefined for two conditions that leave nothing between them, which are an error. */
function resolvedOrEmpty(tree: Tree<Term>): Query | undefined {
  try {
    return resolved(tree);
  } catch (error) {
    if (error instanceof BtError && /^(?:no \w+ is both|the range .* is reversed$)/.test(error.message))
      return undefined;
    throw error;
  }
}

const searches = createSearches({
  send: ({ path, query }) => ask(path, query),
  dialect: async () => knownDialect("bugzilla", 0, NOW),
  login: async () => ASKER,
});

async function found(query: Query): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const page of searches.pages({ query }, { include: [] })) ids.push(...page.map(({ id }) => id));
  return ids;
}

function expected(query: Query): readonly number[] {
  return knownBugs.filter((known) => isMet(query, known)).map(({ bug }) => bug.id ?? 0);
}

const RUNS = much(300, 2000);

test("a compiled query selects on the tracker the bugs whose own data meets it", { timeout: 60_000 }, async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(treesOf(conditions), async (tree) => {
      const query = resolvedOrEmpty(tree);
      if (query === undefined) refused++;
      else expect([...(await found(query))].sort((one, other) => one - other)).toEqual(expected(query));
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeLessThan(RUNS / 10);
});
