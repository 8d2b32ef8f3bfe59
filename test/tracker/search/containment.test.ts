import fc from "fast-check";
import { expect, test } from "vitest";
import type { QueryPair } from "../../../src/api/query/chart.ts";
import { compileQuery } from "../../../src/api/query/compile.ts";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { allOf, anyOf, notOf, type TypedQuery } from "../../../src/api/query/tree.ts";
import { readServerParameters } from "../../../src/tracker/http/server-parameters.ts";
import { isContained } from "../../../src/tracker/search/containment.ts";
import { readParameterValues } from "../../../src/tracker/search/context.ts";
import { searchCondition, searchContext } from "../../../src/tracker/search/search.ts";
import { requesterOf, userByLogin } from "../../../src/tracker/users/requester.ts";
import { conditions } from "../../agreement/conditions.ts";
import { ASKER, ask, NOW, worldCatalog, worldStore } from "../../agreement/world.ts";
import { treesOf } from "../../api/query/random-trees.ts";
import { much } from "../../much.ts";

const user = userByLogin(worldStore, ASKER);
if (user === undefined) throw new Error("nobody searches");

const context = searchContext({
  store: worldStore,
  requester: requesterOf(worldStore, user),
  parameters: readServerParameters(worldStore),
  now: NOW.toISOString(),
  runtime: { now: () => NOW, random: (count) => new Uint8Array(count) },
});

function conditionOf(pairs: readonly QueryPair[]) {
  const input = Object.fromEntries(
    pairs.map(([name]) => [name, pairs.flatMap(([one, text]) => (one === name ? [text] : []))]),
  );
  return searchCondition(context, readParameterValues(input));
}

function pairsOf(tree: TypedQuery): readonly QueryPair[] {
  const query = resolveQuery(tree, {
    catalog: worldCatalog,
    now: NOW,
    zone: "UTC",
    nobody: ["seun@example.org"],
    me: ASKER,
  });
  return compileQuery(query, { serverZone: "UTC" }).query;
}

function contains(
  question: readonly QueryPair[],
  criteria: readonly QueryPair[],
  covered: readonly number[] = [],
): boolean {
  return isContained(conditionOf(question), conditionOf(criteria), {
    ...context,
    covers: (id) => covered.includes(id),
  });
}

function typed(text: string): readonly QueryPair[] {
  return pairsOf(parseExpression(text).tree);
}

test.each([
  ["product:Harbor is:open", "product:Harbor"],
  ["product:Harbor", "product in (Harbor, Lantern)"],
  ["product:harbor", "product = Harbor or priority = High"],
  ["(product:Harbor or product:Lantern) is:open", "product in (Harbor, Lantern) and not is:closed"],
  ["is:open", "not status = VERIFIED"],
  ["not (status in (RESOLVED, VERIFIED))", "status != VERIFIED"],
  ["id > 20", "id >= 20"],
  ["id in (30, 40)", "id > 20"],
  ["created >= 2026-11-01", "created >= 2026-10-01"],
  ["created:2026-11-03", "created:2026-11"],
  ["deadline < 2026-11-01", "deadline <= 2026-11-05"],
  ['summary ~ "crash at"', "summary ~ crash"],
  ['summary = "Crash at start"', "summary ~ CRASH"],
  ["resolution = FIXED", "has:resolution"],
  [
    "status changed to RESOLVED by ada@example.org since 2026-11-01",
    "status changed to RESOLVED by ada@example.org since 2026-11-01",
  ],
  ["status changed to RESOLVED by ada@example.org", "status changed to RESOLVED"],
  ["assignee:@me product:Harbor", "assignee:@me or cc:@me"],
  ["keyword:crash keyword:perf", "keyword:perf"],
  ["fulltext:crash is:open", "fulltext:crash"],
  ["is:open", "not (not is:open)"],
])("%s is inside %s", (question, criteria) => {
  expect(contains(typed(question), typed(criteria))).toBe(true);
});

test.each([
  ["is:open", "product:Harbor"],
  ["product:Harbor or is:open", "product:Harbor"],
  ["product in (Harbor, Lantern)", "product:Harbor"],
  ["not product:Lantern", "product:Harbor"],
  ["id >= 20", "id > 20"],
  ["id < 30", "id > 20"],
  ["created >= 2026-10-01", "created >= 2026-11-01"],
  ["summary ~ crash", 'summary ~ "crash at"'],
  ["keyword:crash", "keyword != perf"],
  ["cc:ada@example.org", "cc != mei@example.org"],
  ["summary = größe", "summary != grosse"],
  ["not (status changed to RESOLVED by ada@example.org)", "not (status changed to RESOLVED)"],
  ["status changed to RESOLVED", "status changed to RESOLVED by ada@example.org"],
  ["assignee:@me", "assignee:mei@example.org"],
])("%s may be outside %s", (question, criteria) => {
  expect(contains(typed(question), typed(criteria))).toBe(false);
});

test("bugs that are covered by their numbers are inside", () => {
  const criteria = typed("product:Harbor");
  expect(contains(typed("id in (3, 4) is:open"), criteria, [3, 4])).toBe(true);
  expect(contains(typed("id in (3, 4)"), criteria, [3])).toBe(false);
  expect(contains(typed("id in (3, 4) or product:Harbor"), criteria, [3, 4])).toBe(true);
  expect(contains(typed("id != 3"), criteria, [3])).toBe(false);
});

test("a quicksearch is read as the tracker reads it", () => {
  const criteria = typed("is:open");
  expect(contains([["quicksearch", "crash"]], criteria)).toBe(true);
  expect(contains([["quicksearch", "ALL crash"]], criteria)).toBe(false);
  expect(contains([["quicksearch", "3,4"]], criteria, [3, 4])).toBe(true);
});

const tree = treesOf(conditions);
const related = fc
  .tuple(tree, tree)
  .chain(([one, other]) =>
    fc.constantFrom<readonly [TypedQuery, TypedQuery]>(
      [one, other],
      [allOf([one, other]), one],
      [one, anyOf([other, one])],
      [allOf([one, other]), anyOf([other, one])],
      [notOf(anyOf([one, other])), notOf(one)],
      [notOf(one), notOf(allOf([one, other]))],
    ),
  );

async function idsOf(pairs: readonly QueryPair[]): Promise<readonly number[]> {
  const { bugs } = await ask<{ bugs: readonly { readonly id: number }[] }>("/rest/bug", [
    ...pairs,
    ["include_fields", "id"],
  ]);
  return bugs.map(({ id }) => id);
}

/** Undefined for conditions that leave nothing between them, which are an error. */
function pairsOrNone(query: TypedQuery): readonly QueryPair[] | undefined {
  try {
    return pairsOf(query);
  } catch {
    return undefined;
  }
}

test("a search that counts as inside another finds only its bugs", { timeout: 60_000 }, async () => {
  let proven = 0;
  await fc.assert(
    fc.asyncProperty(related, async ([question, criteria]) => {
      const pairs = [pairsOrNone(question), pairsOrNone(criteria)] as const;
      if (pairs[0] === undefined || pairs[1] === undefined || !contains(pairs[0], pairs[1])) return;
      proven++;
      const outer = new Set(await idsOf(pairs[1]));
      expect((await idsOf(pairs[0])).filter((id) => !outer.has(id))).toEqual([]);
    }),
    { numRuns: much(250, 3000) },
  );
  expect(proven).toBeGreaterThan(much(50, 600));
});
