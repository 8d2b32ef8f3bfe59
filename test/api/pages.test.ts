import { describe, expect, test } from "vitest";
import { type PageMemory, type SearchPlan, searchPages } from "../../src/api/pages.ts";
import type { Bug } from "../../src/wire/bug.ts";
import type { Json, Request } from "../../src/wire/exchange.ts";

/** A server with the bugs 1..count, newest first, that cuts every page at its maximum; `between` runs before each answer. */
function server(
  count: number,
  maximum: number,
  between: (bugs: Set<number>, request: number) => void = () => undefined,
) {
  const bugs = new Set(Array.from({ length: count }, (_, at) => at + 1));
  const requests: Request[] = [];
  const ask = async (request: Request): Promise<Json> => {
    requests.push(request);
    between(bugs, requests.length);
    const query = new Map(request.query);
    const below = Number(query.get("below") ?? Number.POSITIVE_INFINITY);
    const offset = Number(query.get("offset") ?? 0);
    const ids = [...bugs].filter((id) => id < below).sort((a, b) => b - a);
    return { bugs: ids.slice(offset, offset + Math.min(maximum, Number(query.get("limit")))).map((id) => ({ id })) };
  };
  return { ask, requests };
}

const PLAN: SearchPlan = {
  criteria: (below) => (below === undefined ? [] : [["below", String(below)]]),
  include: ["id"],
};

function memory(longest = 0): PageMemory & { kept: number } {
  const self = {
    kept: longest,
    longest: async () => self.kept,
    remember: async (value: number) => {
      self.kept = value;
    },
  };
  return self;
}

async function ids(plan: SearchPlan, ask: (request: Request) => Promise<Json>, memo = memory()): Promise<number[]> {
  const all: number[] = [];
  for await (const page of searchPages(plan, ask, memo)) all.push(...page.map((bug: Bug) => bug.id as number));
  return all;
}

const downFrom = (from: number, to = 1) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

describe("every bug comes exactly once", () => {
  test.each([
    { count: 0, maximum: 10_000 },
    { count: 7, maximum: 10_000 },
    { count: 50, maximum: 50 },
    { count: 130, maximum: 50 },
    { count: 2500, maximum: 10_000 },
    { count: 3000, maximum: 1000 },
    { count: 5, maximum: 1 },
  ])("$count bugs, a maximum of $maximum", async ({ count, maximum }) => {
    expect(await ids(PLAN, server(count, maximum).ask)).toEqual(downFrom(count));
    expect(await ids({ ...PLAN, order: "priority" }, server(count, maximum).ask)).toEqual(downFrom(count));
  });

  test("while others come and go between the pages", async () => {
    const { ask } = server(200, 50, (bugs, request) => {
      bugs.add(1000 + request);
      bugs.delete(200 - request);
    });
    const found = await ids(PLAN, ask);
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((id) => id <= 190)).toEqual(downFrom(190));
  });
});

describe("requests are saved", () => {
  test("a limit that one page holds takes one", async () => {
    const { ask, requests } = server(100, 50);
    expect(await ids({ ...PLAN, limit: 20 }, ask)).toEqual(downFrom(100, 81));
    expect(requests).toHaveLength(1);
  });

  test("a short page is the end once the server has given a longer one, in this search or before", async () => {
    const { ask, requests } = server(7, 50);
    const memo = memory();
    await ids(PLAN, ask, memo);
    expect(requests).toHaveLength(2);
    expect(memo.kept).toBe(7);
    await ids(PLAN, server(50, 50).ask, memo);
    const again = server(7, 50);
    await ids(PLAN, again.ask, memo);
    expect(again.requests).toHaveLength(1);
  });

  test("a limit above the maximum goes on", async () => {
    const { ask, requests } = server(300, 50);
    expect(await ids({ ...PLAN, limit: 120 }, ask)).toEqual(downFrom(300, 181));
    expect(requests.map(({ query }) => new Map(query).get("limit"))).toEqual(["120", "70", "20"]);
  });
});

test("an offset leaves out the first ones, once", async () => {
  expect(await ids({ ...PLAN, offset: 10, limit: 60 }, server(100, 25).ask)).toEqual(downFrom(90, 31));
});

test("what the server cannot decide is decided here, and the limit counts what is left", async () => {
  const keep = (bug: Bug) => (bug.id as number) % 10 === 0;
  expect(await ids({ ...PLAN, keep, limit: 3 }, server(200, 50).ask)).toEqual([200, 190, 180]);
});

test("a tracker that ignores the criteria is caught, not believed", async () => {
  const ask = async () => ({ bugs: [{ id: 3 }, { id: 2 }, { id: 1 }] });
  await expect(ids(PLAN, ask)).rejects.toThrow(/below 1 with bug 3/);
});

test("the id is asked for even when nobody shows it", async () => {
  const { ask, requests } = server(1, 50);
  await ids({ ...PLAN, include: ["summary"], limit: 1 }, ask);
  expect(new Map(requests[0]?.query).get("include_fields")).toBe("id,summary");
});
