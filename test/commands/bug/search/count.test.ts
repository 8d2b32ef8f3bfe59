import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveQuery } from "../../../../src/api/query/resolve.ts";
import { readBugs } from "../../../../src/api/response/response-objects.ts";
import { compileQuery } from "../../../../src/api/search/compile.ts";
import { BtError } from "../../../../src/errors.ts";
import { countTable } from "../../../../src/view/bug-counts.ts";
import { type Bug, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../../src/wire/bug-fields.ts";
import type { Exchange, GroupedBugs, Request } from "../../../../src/wire/exchange.ts";
import { fieldConditions } from "../../../agreement/field-conditions.ts";
import { ASKER, knownBugs, NOW, worldCatalog, worldExchange } from "../../../agreement/world.ts";
import { treesOf } from "../../../api/query/random-trees.ts";
import { asked, bt } from "../../../bt.ts";
import { much } from "../../../sampling.ts";
import { demo } from "../../demo.ts";

const CUSTOM = worldCatalog.fields.filter(({ isCustom }) => isCustom).map(({ api }) => api);
const FIELDS = [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS, ...CUSTOM].filter((name) => !name.endsWith("_detail"));

/** Fields whose values depend on more than what is stored of the bug. */
const NOT_GROUPED = ["actual_time", "update_token"];

async function search(exchange: Exchange, request: Pick<Request, "query" | "groupBy">) {
  const { body } = await exchange({ method: "GET", path: "/rest/bug", ...request });
  return JSON.parse(body) as GroupedBugs;
}

/** Counts by fields as `--by` prints them: one by one, and by groups; undefined where the tracker makes none. */
async function bothWays(exchange: Exchange, query: Request["query"], fields: readonly string[]) {
  const shape = [
    ["include_fields", ["id", ...fields].join(",")],
    ["order", "bug_id DESC"],
  ] as const;
  const single = countTable(fields);
  single.add(readBugs({ ...(await search(exchange, { query: [...query, ...shape] })) }));
  const grouped = countTable(fields);
  const found = await search(exchange, { query: [...query, ...shape], groupBy: fields });
  for (const [at, bug] of found.bugs.entries()) grouped.add([bug as Bug], found.counts?.[at]);
  const text = ({ rows, total }: typeof single) => JSON.stringify([rows(), total()]);
  return { single: text(single), grouped: found.counts === null ? undefined : text(grouped) };
}

const people = ["ada", "tomas", "mei", "seun"].map((name) => `${name}@example.org`);
const words = ["crash", "hang", "works"];
const conditions = fieldConditions({ catalog: worldCatalog, bugs: knownBugs.map(({ bug }) => bug), words, people });
const by = fc.uniqueArray(fc.constantFrom(...FIELDS.filter((name) => !NOT_GROUPED.includes(name))), { maxLength: 2 });

test("bugs of a random search are as many by groups as one by one", async () => {
  const exchange = worldExchange;
  const context = { catalog: worldCatalog, now: NOW, zone: "UTC", me: ASKER };
  await fc.assert(
    fc.asyncProperty(treesOf(conditions), by, async (tree, fields) => {
      try {
        const { query } = compileQuery(resolveQuery(tree, context), { serverZone: "UTC" });
        const { single, grouped } = await bothWays(exchange, query, fields);
        expect(grouped).toBe(single);
      } catch (error) {
        if (!(error instanceof BtError)) throw error; // no search has such a condition
      }
    }),
    { numRuns: much(60, 2000), seed: 7 },
  );
});

describe("all bugs", () => {
  test.each(FIELDS)("have the same counts by groups and one by one: %s", async (name) => {
    const { single, grouped } = await bothWays(worldExchange, [["id_mode", ""]], [name]);
    expect(grouped).toBe(NOT_GROUPED.includes(name) ? undefined : single);
  });
});

describe("bt bug search", () => {
  test.each([
    ...FIELDS.map((name) => `--all --by ${name}`),
    "--all --by status,keywords",
    "--all --by status --by keywords",
    "id:1..20 --count",
    "--all --by cc_detail",
  ])("%s prints the same for a tracker that groups and one that does not", async (words) => {
    const [here, there] = await Promise.all(
      [true, false].map((isInProcess) =>
        bt(`bug search ${words}`, { exchange: worldExchange, isInProcess, login: ASKER }),
      ),
    );
    expect([here?.code, here?.out, here?.err]).toEqual([0, there?.out, there?.err]);
  });

  test("--by and --count of an embedded tracker take one search", async () => {
    for (const words of ["status:RESOLVED --count", "--all --by keywords,flags"]) {
      const ran = await bt(`bug search ${words}`, { exchange: worldExchange, login: ASKER });
      expect(asked(ran).filter((line) => line.startsWith("GET /rest/bug?"))).toHaveLength(1);
      expect(ran.requests.at(-1)?.groupBy).toBeDefined();
    }
  });
});

test("flags and users are counted by name", async () => {
  const run = demo();
  expect((await run("bug search --all --by flags")).out).toMatch(/^\t\d+\nreview\+\t\d+\nneedinfo\?\t\d+\n/);
  expect((await run("bug search --all --by cc_detail --format tsv")).out).toMatch(/^ada@example\.org\t\d+$/m);
});
