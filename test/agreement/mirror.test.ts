import fc from "fast-check";
import { expect, test } from "vitest";
import type { QueryPair } from "../../src/api/query/chart.ts";
import { parseExpression } from "../../src/api/query/parse.ts";
import { resolveQuery } from "../../src/api/query/resolve.ts";
import type { QueryContext, UnresolvedQuery } from "../../src/api/query/tree.ts";
import { unparseTree } from "../../src/api/query/unparse.ts";
import { compileQuery } from "../../src/api/search/compile.ts";
import { BtError } from "../../src/errors.ts";
import { judgeSearch } from "../../src/tracker/mirror/judged-search.ts";
import { createMirror, type OpenedMirror } from "../../src/tracker/mirror/open.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { treesOf } from "../api/query/random-trees.ts";
import { much } from "../sampling.ts";
import { receiveBugs, receiveMetadata } from "../tracker/mirror/received.ts";
import { fieldConditions } from "./field-conditions.ts";
import { EXPRESSIONS } from "./thirty-expressions.ts";
import { ME, NOW as THIRTY, exchange as thirty, catalog as thirtyCatalog } from "./thirty-world.ts";
import { ASKER, knownBugs, NOW, worldCatalog, worldExchange } from "./world.ts";

async function mirrorOf(exchange: Exchange, login: string, now: Date): Promise<OpenedMirror> {
  const facts = { tracker: "https://bugs.example.org", products: [], attachments: "all" } as const;
  const runtime = { now: () => now, random: (count: number) => new Uint8Array(count) };
  const opened = createMirror(":memory:", { ...facts, publicOnly: false, login }, runtime);
  opened.mirror.keepMetadata(await receiveMetadata(exchange));
  const readTime = now.toISOString();
  await opened.mirror.keepBugs(await receiveBugs(exchange), readTime, { lastSync: readTime });
  return opened;
}

async function found(exchange: Exchange, query: readonly QueryPair[]): Promise<unknown> {
  const shape: readonly QueryPair[] = [
    ["include_fields", "id"],
    ["order", "bug_id"],
  ];
  const { status, body } = await exchange({ method: "GET", path: "/rest/bug", query: [...query, ...shape] });
  const answer = JSON.parse(body);
  return status === 200 ? answer.bugs.map(({ id }: { readonly id: number }) => id) : answer.code;
}

/** Parameters of an expression; undefined for conditions that no search can have. */
function pairsOf(tree: UnresolvedQuery, context: QueryContext): readonly QueryPair[] | undefined {
  try {
    return compileQuery(resolveQuery(tree, context), { serverZone: "UTC" }).query;
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

test("every expression of thirty finds on a mirror what it finds on its tracker, or is refused", async () => {
  const mirror = await mirrorOf(thirty, ME, THIRTY);
  const context = { catalog: thirtyCatalog, now: THIRTY, zone: "UTC", me: ME };
  const refused: string[] = [];
  for (const [expression] of EXPRESSIONS) {
    const query = pairsOf(parseExpression(expression).tree, context) ?? [];
    const isUndecidable = (judgeSearch(query, mirror.coverage())?.undecidable ?? []).length > 0;
    if (isUndecidable) refused.push(expression);
    else expect([expression, await found(mirror.exchange, query)]).toEqual([expression, await found(thirty, query)]);
  }
  expect(refused).toEqual(["is:unread", "assignee = @group.editbugs and id < 20"]);
});

test("random expressions over all fields find on a mirror what they find on its tracker", {
  timeout: 60_000,
}, async () => {
  const mirror = await mirrorOf(worldExchange, ASKER, NOW);
  const words = ["crash", "hang", "works", "leak", "Größe", "stimmt"];
  const people = ["ada", "tomas", "mei", "seun"].map((name) => `${name}@example.org`);
  const bugs = knownBugs.map(({ bug }) => bug);
  const conditions = fieldConditions({ catalog: worldCatalog, bugs, words, people });
  const context = { catalog: worldCatalog, now: NOW, zone: "UTC", me: ASKER };
  const counts = { compared: 0, refused: 0, some: 0 };
  await fc.assert(
    fc.asyncProperty(treesOf(conditions), async (tree) => {
      const query = pairsOf(tree, context);
      if (query === undefined) return;
      if ((judgeSearch(query, mirror.coverage())?.undecidable ?? []).length > 0) counts.refused++;
      else {
        const ids = await found(worldExchange, query);
        expect([unparseTree(tree), await found(mirror.exchange, query)]).toEqual([unparseTree(tree), ids]);
        counts.compared++;
        if (Array.isArray(ids) && ids.length > 0 && ids.length < bugs.length) counts.some++;
      }
    }),
    { numRuns: much(200, 4000), seed: 13 },
  );
  expect(counts.compared).toBeGreaterThan(much(150, 3000));
  expect(counts.some).toBeGreaterThan(counts.compared / 3);
  expect(counts.refused).toBeLessThan(10);
});
