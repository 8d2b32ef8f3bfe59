import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExpression } from "../../src/api/query/parse.ts";
import { resolveQuery } from "../../src/api/query/resolve.ts";
import type { Query, QueryContext, Term, Tree } from "../../src/api/query/tree.ts";
import { unparseTree } from "../../src/api/query/unparse.ts";
import { readResponse } from "../../src/api/response/response.ts";
import { ownDialect } from "../../src/api/search/dialect.ts";
import { createSearches } from "../../src/api/search/searches.ts";
import { readSort } from "../../src/api/search/sort.ts";
import { BtError } from "../../src/errors.ts";
import { groupMirror, searchMirror } from "../../src/mirror/search.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { treesOf } from "../api/query/random-trees.ts";
import { filledStore } from "../mirrored.ts";
import { much } from "../sampling.ts";
import { conditions } from "./conditions.ts";
import { fieldConditions } from "./field-conditions.ts";
import { EXPRESSIONS } from "./thirty-expressions.ts";
import { ME, NOW as THIRTY, exchange as thirty, catalog as thirtyCatalog } from "./thirty-world.ts";
import { ASKER, knownBugs, NOW, worldCatalog, worldExchange } from "./world.ts";

type Finder = (query: Query) => readonly number[] | string;

async function mirrorOf(exchange: Exchange, login: string, context: QueryContext): Promise<Finder> {
  const store = await filledStore(":memory:", exchange, { login, attachments: "all" });
  const mirror = { store, now: new Date(context.now), name: "work", without: "" };
  return (query) => {
    const search = { query, order: readSort(["id"], context.catalog) };
    try {
      const ids = [...searchMirror(search, {}, mirror)].flat().map(({ id }) => id);
      const counts = groupMirror(search, ["status", "component", "cf_impact"], mirror).map(({ count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
      return ids;
    } catch (error) {
      if (error instanceof BtError) return error.message;
      throw error;
    }
  };
}

/** What the tracker finds; undefined for conditions that no search of it can have. */
async function found(
  exchange: Exchange,
  query: Query,
  { now, me }: QueryContext,
): Promise<readonly number[] | undefined> {
  const searches = createSearches({
    send: async (request) => readResponse(await exchange(request), request),
    dialect: ownDialect(() => now),
    login: async () => me,
  });
  try {
    const ids: number[] = [];
    for await (const page of searches.pages({ query }, { include: [] })) ids.push(...page.map(({ id }) => id));
    return ids.toReversed();
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

function resolved(tree: Tree<Term>, context: QueryContext): Query | undefined {
  try {
    return resolveQuery(tree, context);
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

test("every expression of thirty finds on a mirror what it finds on its tracker, or is refused", async () => {
  const context = { catalog: thirtyCatalog, now: THIRTY, zone: "UTC", me: ME };
  const search = await mirrorOf(thirty, ME, context);
  const refused: string[] = [];
  for (const [expression] of EXPRESSIONS) {
    const query = resolved(parseExpression(expression), context);
    const ids = query && (await found(thirty, query, context));
    if (query === undefined || ids === undefined) continue;
    const own = search(query);
    if (typeof own === "string") refused.push(expression);
    else expect([expression, own]).toEqual([expression, ids]);
  }
  expect(refused).toEqual(["is:unread", "assignee = @group.editbugs and id < 20"]);
});

const words = ["crash", "hang", "works", "leak", "Größe", "stimmt"];
const people = ["ada", "tomas", "mei", "seun"].map((name) => `${name}@example.org`);
const bugs = knownBugs.map(({ bug }) => bug);

test.each([
  ["over all fields", fieldConditions({ catalog: worldCatalog, bugs, words, people })],
  ["with comments, history and flags", conditions],
])("random expressions %s find on a mirror what they find on its tracker", { timeout: 60_000 }, async (_, leaves) => {
  const context = { catalog: worldCatalog, now: NOW, zone: "UTC", me: ASKER };
  const search = await mirrorOf(worldExchange, ASKER, context);
  const counts = { compared: 0, refused: 0, some: 0 };
  await fc.assert(
    fc.asyncProperty(treesOf(leaves), async (tree) => {
      const query = resolved(tree, context);
      const ids = query && (await found(worldExchange, query, context));
      if (query === undefined || !Array.isArray(ids)) return;
      const own = search(query);
      if (typeof own === "string") counts.refused++;
      else {
        expect([unparseTree(tree), own]).toEqual([unparseTree(tree), ids]);
        counts.compared++;
        if (ids.length > 0 && ids.length < bugs.length) counts.some++;
      }
    }),
    { numRuns: much(200, 4000), seed: 13 },
  );
  expect(counts.compared).toBeGreaterThan(much(100, 2000));
  expect(counts.some).toBeGreaterThan(counts.compared / 4);
  expect(counts.refused).toBeLessThan(counts.compared / 5);
});
