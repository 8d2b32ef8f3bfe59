import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExpression } from "../../src/api/query/parse.ts";
import { resolveQuery } from "../../src/api/query/resolve.ts";
import type { Query, QueryContext, Term, Tree } from "../../src/api/query/tree.ts";
import { createSearches, type Searches } from "../../src/api/search/searches.ts";
import { BtError } from "../../src/errors.ts";
import { mirrorSearches } from "../../src/mirror/search.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { treesOf } from "../api/query/random-trees.ts";
import { treeText } from "../api/query/tree-text.ts";
import { knownDialect } from "../api/search-tools.ts";
import { filledStore } from "../mirrored.ts";
import { much } from "../sampling.ts";
import { conditions } from "./conditions.ts";
import { fieldConditions } from "./field-conditions.ts";
import { EXPRESSIONS } from "./thirty-expressions.ts";
import { ME, NOW as THIRTY, exchange as thirty, catalog as thirtyCatalog } from "./thirty-world.ts";
import { ASKER, knownBugs, NOW, worldCatalog, worldExchange } from "./world.ts";

/** The searches of a tracker, and those of a mirror of it. */
async function bothOf(exchange: Exchange, login: string, now: Date) {
  const send = async (request: Parameters<Exchange>[0]) => {
    const { status, body } = await exchange(request);
    if (status !== 200) throw new BtError("refused", body);
    return JSON.parse(body);
  };
  const store = await filledStore(":memory:", exchange, { login });
  const tracker = createSearches({
    send,
    dialect: async () => knownDialect("bugzilla", 0, now),
    login: async () => login,
  });
  return { tracker, mirror: mirrorSearches({ store, now, name: "work", toReachTracker: "" }) };
}

/** Ids in the order of a search, or why there are none; as many as groups count. */
async function found({ pages, groups }: Searches, query: Query): Promise<readonly number[] | string> {
  try {
    const ids: number[] = [];
    for await (const page of pages({ query }, { include: [] })) ids.push(...page.map(({ id }) => id));
    let count = 0;
    for await (const page of groups({ query }, ["status", "component", "cf_impact"]))
      for (const group of page) count += group.count;
    expect(count).toBe(ids.length);
    return ids;
  } catch (error) {
    if (error instanceof BtError) return error.message;
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
  const { tracker, mirror } = await bothOf(thirty, ME, THIRTY);
  const refused: string[] = [];
  for (const [expression] of EXPRESSIONS) {
    const query = resolved(parseExpression(expression), context);
    const own = query && (await found(mirror, query));
    if (query === undefined || own === undefined) continue;
    if (typeof own === "string") refused.push(expression);
    else expect([expression, own]).toEqual([expression, await found(tracker, query)]);
  }
  expect(refused).toEqual(["assignee = @group.editbugs and id < 20"]);
});

const words = ["crash", "hang", "works", "leak", "Größe", "stimmt"];
const people = ["ada", "tomas", "mei", "seun"].map((name) => `${name}@example.org`);
const bugs = knownBugs.map(({ bug }) => bug);

test.each([
  ["over all fields", fieldConditions({ catalog: worldCatalog, bugs, words, people })],
  ["with comments, history and flags", conditions],
])("random expressions %s find on a mirror what they find on its tracker", { timeout: 240_000 }, async (_, leaves) => {
  const context = { catalog: worldCatalog, now: NOW, zone: "UTC", me: ASKER };
  const { tracker, mirror } = await bothOf(worldExchange, ASKER, NOW);
  const counts = { compared: 0, refused: 0, some: 0 };
  await fc.assert(
    fc.asyncProperty(treesOf(leaves), async (tree) => {
      const query = resolved(tree, context);
      if (query === undefined) return;
      const [ids, own] = [await found(tracker, query), await found(mirror, query)];
      if (typeof own === "string" || typeof ids === "string") counts.refused++;
      else {
        expect([treeText(tree), own]).toEqual([treeText(tree), ids]);
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
