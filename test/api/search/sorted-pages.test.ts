import { describe, expect, test } from "vitest";
import type { SendRequest } from "../../../src/api/operations/operation.ts";
import type { IdRange } from "../../../src/api/search/id-range.ts";
import { createPairingPace, type PageMemory } from "../../../src/api/search/pace.ts";
import type { SearchPlan } from "../../../src/api/search/search-pages.ts";
import { type SortedSearch, sortedPages } from "../../../src/api/search/sorted-pages.ts";
import { parseOrder } from "../../../src/api/search/sorting.ts";
import { BtError } from "../../../src/errors.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Json, Request } from "../../../src/wire/exchange.ts";
import { exampleCatalog } from "../example-catalog.ts";

type Served = { readonly count: number; readonly maximum: number };

const priorities = ["Highest", "High", "Normal", "Low", "Lowest", "---"];

/** A server that sorts by priority and number, cuts every answer at its maximum, and knows lists and stretches of numbers. */
function server({ count, maximum }: Served, between: (bugs: Map<number, string>, request: number) => void = () => {}) {
  const bugs = new Map(Array.from({ length: count }, (_, at) => [at + 1, priorities[(at * 7) % 6] ?? ""] as const));
  const requests: Request[] = [];
  const send = async (request: Request): Promise<Json> => {
    requests.push(request);
    between(bugs, requests.length);
    const query = new Map(request.query);
    const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    const named = query.get("ids")?.split(",").map(Number);
    const found = [...bugs.keys()]
      .filter((id) => id >= number("from", 0) && id < number("below", Number.POSITIVE_INFINITY))
      .filter((id) => named === undefined || named.includes(id))
      .sort((a, b) => (query.get("order") === "bug_id DESC" ? b - a : rank(bugs, a) - rank(bugs, b) || a - b));
    const start = number("offset", 0);
    const page = found.slice(start, start + Math.min(maximum, number("limit", 0)));
    return { bugs: page.map((id) => ({ id, priority: bugs.get(id) ?? "" })) };
  };
  return { send, requests, bugs };
}

function rank(bugs: ReadonlyMap<number, string>, id: number) {
  return priorities.indexOf(bugs.get(id) ?? "");
}

function pairs(range: IdRange) {
  return Object.entries(range).map(([name, id]) => [name, String(id)] as const);
}

const PART: SearchPlan = { criteria: pairs, include: ["id"] };

const SEARCH: SortedSearch = {
  parts: [PART],
  order: "priority,bug_id",
  sorting: () => parseOrder("priority,bug_id", exampleCatalog),
  byIds: (ids) => ({
    criteria: (range) => [["ids", ids.join(",")], ...pairs(range)],
    include: ["id"],
    limit: ids.length,
  }),
};

function memory(longest = 0): PageMemory {
  return { longest: async () => longest, remember: async () => undefined };
}

async function ids(search: SortedSearch, send: SendRequest, memo = memory()): Promise<number[]> {
  const all: number[] = [];
  for await (const page of sortedPages(search, {
    send,
    memory: memo,
    ticks: () => 0,
    pace: () => createPairingPace(() => 0, 0),
  }))
    all.push(...page.map((bug: Bug) => bug.id as number));
  return all;
}

function expected({ count }: Served) {
  const { bugs } = server({ count, maximum: 1 });
  return [...bugs.keys()].sort((a, b) => rank(bugs, a) - rank(bugs, b) || a - b);
}

const SERVERS: readonly Served[] = [
  { count: 0, maximum: 10_000 },
  { count: 7, maximum: 10_000 },
  { count: 130, maximum: 50 },
  { count: 2600, maximum: 700 },
  { count: 10_000, maximum: 10_000 },
];

describe("every bug is returned exactly once, in order", () => {
  test.each(SERVERS)("$count bugs, a maximum of $maximum", async (served) => {
    expect(await ids(SEARCH, server(served).send)).toEqual(expected(served));
    expect(await ids(SEARCH, server(served).send, memory(Math.min(served.maximum, 1000)))).toEqual(expected(served));
  });

  test.each(SERVERS)("with a limit and an offset, of $count bugs with a maximum of $maximum", async (served) => {
    const [limit, offset] = [60, 25];
    expect(await ids({ ...SEARCH, limit, offset }, server(served).send)).toEqual(expected(served).slice(25, 85));
  });

  test.each(SERVERS)(
    "with a condition evaluated locally, of $count bugs with a maximum of $maximum",
    async (served) => {
      const part = { ...PART, keep: ({ id }: Bug) => (id as number) % 3 === 0 };
      const wanted = expected(served).filter((id) => id % 3 === 0);
      expect(await ids({ ...SEARCH, parts: [part] }, server(served).send)).toEqual(wanted);
      const slice = { limit: 40, offset: 5 };
      expect(await ids({ ...SEARCH, ...slice, parts: [part] }, server(served).send)).toEqual(wanted.slice(5, 45));
    },
  );

  test("if the search had to be split", async () => {
    const stretch = (lowest: number, end: number): SearchPlan => ({
      ...PART,
      criteria: ({ from = lowest, below = end }) => pairs({ from, below }),
    });
    const parts = [stretch(61, 131), stretch(1, 61)];
    expect(await ids({ ...SEARCH, parts }, server({ count: 130, maximum: 50 }).send)).toEqual(
      expected({ count: 130, maximum: 50 }),
    );
  });

  test("while bugs change their position between responses", async () => {
    const { send, bugs } = server({ count: 2000, maximum: 300 }, (all, request) => {
      for (const id of all.keys())
        if (id % 11 === request % 11 && id <= 2000) all.set(id, priorities[request % 6] ?? "");
      all.set(10_000 + request, "Highest");
      all.delete(2000 - request);
    });
    const found = await ids(SEARCH, send);
    expect(new Set(found).size).toBe(found.length);
    const stayed = [...bugs.keys()].filter((id) => id <= 2000);
    expect(stayed.filter((id) => !found.includes(id))).toEqual([]);
  });
});

test("results that fit one response take one request, in the order of the server", async () => {
  const served = { count: 432, maximum: 10_000 };
  const { send, requests } = server(served);
  await ids({ ...SEARCH, limit: 20 }, send);
  expect(requests).toHaveLength(1);
  await ids(SEARCH, send, memory(500));
  expect(requests).toHaveLength(2);
});

test("results over the response size limit are requested in parts", async () => {
  const served = { count: 2600, maximum: 10_000 };
  const { send } = server(served);
  const small: SendRequest = async (request) => {
    const answer = (await send(request)) as { readonly bugs: readonly Json[] };
    if (answer.bugs.length > 400) throw new BtError("reply", "too large", { tooBig: true });
    return answer as unknown as Json;
  };
  expect(await ids(SEARCH, small)).toEqual(expected(served));
});

test("an order by a field that bugs lack is rejected only if there are several pages", async () => {
  const search = { ...SEARCH, sorting: () => parseOrder("relevance,bug_id", exampleCatalog) };
  expect(await ids({ ...search, limit: 50 }, server({ count: 130, maximum: 50 }).send)).toHaveLength(50);
  expect(await ids(search, server({ count: 130, maximum: 500 }).send)).toEqual(expected({ count: 130, maximum: 500 }));
  await expect(ids(search, server({ count: 130, maximum: 50 }).send)).rejects.toThrow("cannot sort them by relevance");
});

describe("a tracker that ignores the order", () => {
  const ignoring =
    (send: SendRequest): SendRequest =>
    (request) =>
      send(
        request.query.some(([name, value]) => name === "order" && value === SEARCH.order)
          ? {
              ...request,
              query: request.query.map(([name, value]) => [name, name === "order" ? "bug_id DESC" : value]),
            }
          : request,
      );

  test.each([SERVERS[1], SERVERS[2]])("has its bugs sorted locally, of $count bugs", async (served = SERVERS[0]) => {
    const { send } = server(served as Served);
    expect(await ids(SEARCH, ignoring(send))).toEqual(expected(served as Served));
    expect(await ids({ ...SEARCH, limit: 5 }, ignoring(send))).toEqual(expected(served as Served).slice(0, 5));
  });

  test("differs from one that sorts: one request is enough", async () => {
    const { send, requests } = server({ count: 7, maximum: 10_000 });
    await ids({ ...SEARCH, limit: 7 }, send);
    expect(requests).toHaveLength(1);
  });
});

test("a result as long as a maximum that may have been lowered since an earlier search is not the whole", async () => {
  const { send } = server({ count: 2600, maximum: 500 });
  expect(await ids(SEARCH, send, memory(2500))).toHaveLength(2600);
});
