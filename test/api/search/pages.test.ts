import { describe, expect, test } from "vitest";
import type { SendRequest } from "../../../src/api/operations/operation.ts";
import { fieldTest } from "../../../src/api/query/families.ts";
import { EVERY_BUG } from "../../../src/api/query/tree.ts";
import type { Search } from "../../../src/api/search/search.ts";
import { lastChangedFirst } from "../../../src/api/search/sort.ts";
import { BtError } from "../../../src/errors.ts";
import type { Json, Request } from "../../../src/wire/exchange.ts";
import { knownDialect, searchesOn } from "../search-tools.ts";

type Served = {
  readonly ids: readonly number[];
  readonly maximum?: number; // in a page
  readonly ignores?: readonly string[];
  readonly hidden?: (id: number) => boolean; // after a page was cut
};

/** A server of both dialects with bugs, which changed in the order of their ids; `between` runs before each response. */
function server(
  { ids, maximum = 10_000, ignores = [], hidden = () => false }: Served,
  between?: (bugs: Set<number>, at: number) => void,
) {
  const bugs = new Set(ids);
  const requests: Request[] = [];
  const send = async (request: Request): Promise<Json> => {
    requests.push(request);
    between?.(bugs, requests.length);
    const query = new Map(request.query.filter(([name]) => !ignores.includes(name)));
    const end = query.get("f1") === "bug_id" ? Number(query.get("v1")) : undefined;
    const isOldest = query.get("o1") === "greaterthan";
    const found = [...bugs].filter((id) => end === undefined || (isOldest ? id > end : id < end));
    const sign = query.get("order") === "bug_id" ? 1 : -1;
    const size = Math.min(maximum, Number(query.get("limit") ?? 0) || Number.POSITIVE_INFINITY);
    const last = ignores.includes("end") ? size * Math.floor((found.length - 1) / size) : Number.POSITIVE_INFINITY;
    const start = Math.min(last, Number(query.get("offset") ?? 0));
    const page = found.sort((one, other) => sign * (one - other)).slice(start, start + size);
    return {
      bugs: page
        .filter((id) => !hidden(id))
        .map((id) => ({ id, priority: "Low", last_change_time: `2026-01-01T00:00:${String(id).padStart(6, "0")}Z` })),
    };
  };
  return { send, requests };
}

async function idsOf(
  send: SendRequest,
  dialect = knownDialect("bugzilla"),
  search: Search = { query: EVERY_BUG },
  size: { limit?: number; offset?: number } = {},
) {
  const ids: number[] = [];
  for await (const page of searchesOn(send, dialect).pages(search, { include: ["id"], ...size }))
    ids.push(...page.map(({ id }) => id));
  return ids;
}

function downFrom(from: number, to = 1, step = 1) {
  return Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, at) => from - at * step);
}

const OLDEST_FIRST = { query: EVERY_BUG, order: lastChangedFirst().slice(-1) };

describe("every bug is returned once", () => {
  test.each([
    { name: "none", ids: [], maximum: 10_000 },
    { name: "50, a maximum of 50", ids: downFrom(50), maximum: 50 },
    { name: "130, a maximum of 50", ids: downFrom(130), maximum: 50 },
    { name: "2500", ids: downFrom(2500), maximum: 10_000 },
    { name: "5000 sparse ones, a maximum of 700", ids: downFrom(250_000, 1, 50), maximum: 700 },
    { name: "5, a maximum of 1", ids: downFrom(5), maximum: 1 },
  ])("$name", async (served) => {
    const sorted = { query: EVERY_BUG, order: lastChangedFirst() };
    for (const longest of [0, Math.min(served.maximum, 1000)]) {
      expect(await idsOf(server(served).send, knownDialect("bugzilla", longest))).toEqual(served.ids);
      expect(await idsOf(server(served).send, knownDialect("bugzilla", longest), sorted)).toEqual(served.ids);
      expect(await idsOf(server(served).send, knownDialect("bugzilla", longest), OLDEST_FIRST)).toEqual(
        served.ids.toReversed(),
      );
    }
    expect(await idsOf(server(served).send, knownDialect("plain"))).toEqual(served.ids);
  });

  test("while bugs are added and removed between pages", async () => {
    const { send } = server({ ids: downFrom(6000), maximum: 700 }, (bugs, request) => {
      for (const id of downFrom(20)) bugs.add(10_000 * request + id);
      for (const id of downFrom(40)) bugs.delete(6000 - 40 * request - id);
    });
    const found = await idsOf(send);
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((id) => id <= 700)).toEqual(downFrom(700));
  });

  test("by a server that hides bugs of pages after it cut them", async () => {
    const hidden = (id: number) => (id > 1000 && id <= 1075) || (id > 100 && id <= 105);
    const served = { ids: downFrom(2500), maximum: 1000, hidden };
    expect(await idsOf(server(served).send, knownDialect("plain"))).toHaveLength(2420);
  });

  test.each([1, 7, 600])("where a response holds %i bugs at most", async (most) => {
    const { send } = server({ ids: downFrom(most * 6 + 5) });
    const small: SendRequest = async (request) => {
      const response = (await send(request)) as { readonly bugs: readonly Json[] };
      if (response.bugs.length > most) throw new BtError("reply", "too large", { tooBig: true });
      return response as unknown as Json;
    };
    for (const name of ["bugzilla", "plain"] as const)
      expect(await idsOf(small, knownDialect(name))).toEqual(downFrom(most * 6 + 5));
  });
});

describe("the number of requests", () => {
  test.each([
    ["a limit that fits into a page", 1, { limit: 20 }, 0],
    ["a list shorter than the longest of the tracker", 1, {}, 500],
    ["a list that may be cut", 2, {}, 0],
  ] as const)("%s: %i", async (_, count, size, longest) => {
    const { send, requests } = server({ ids: downFrom(101, 2) });
    await idsOf(send, knownDialect("bugzilla", longest), { query: EVERY_BUG }, size);
    expect(requests).toHaveLength(count);
  });

  test("a sort with a limit takes two at most", async () => {
    const sorted = { query: EVERY_BUG, order: lastChangedFirst() };
    for (const ids of [downFrom(2000), downFrom(10)]) {
      const { send, requests } = server({ ids });
      expect(await idsOf(send, knownDialect("bugzilla"), sorted, { limit: 25 })).toEqual(ids.slice(0, 25));
      expect(requests.length).toBeLessThanOrEqual(2);
    }
  });
});

test("an offset skips the first bugs, once", async () => {
  const { send } = server({ ids: downFrom(100), maximum: 25 });
  expect(await idsOf(send, knownDialect("bugzilla"), { query: EVERY_BUG }, { offset: 10, limit: 60 })).toEqual(
    downFrom(90, 31),
  );
});

test("an offset beyond a page, in another order", async () => {
  const { send, requests } = server({ ids: downFrom(3000) });
  const sorted = { query: EVERY_BUG, order: lastChangedFirst() };
  const size = { offset: 1500, limit: 20 };
  expect(await idsOf(send, knownDialect("bugzilla"), sorted, size)).toEqual(downFrom(1500, 1481));
  expect(requests).toHaveLength(1);
});

describe("a server that ignores parts of a search is an error", () => {
  test.each([
    ["the range of a page", "bugzilla", ["f1"], "out of the order"],
    ["the offset", "plain", ["offset"], 'ignores "offset", so that only the first 15 bugs can be read'],
    ["the end of the list", "plain", ["end"], 'ignores "offset", so that only the first 45 bugs can be read'],
  ] as const)("%s", async (_, name, ignores, message) => {
    const found = idsOf(server({ ids: downFrom(45), maximum: 15, ignores }).send, knownDialect(name));
    await expect(found).rejects.toThrow(message);
  });

  test("unless it returns all bugs always", async () => {
    const { send } = server({ ids: downFrom(45), ignores: ["offset", "limit"] });
    expect(await idsOf(send, knownDialect("plain"))).toEqual(downFrom(45));
  });

  test("a bug without a field that is tested", async () => {
    const { send } = server({ ids: [3, 2, 1] });
    const search = { query: fieldTest("keywords", "=", "crash") };
    await expect(idsOf(send, knownDialect("plain"), search)).rejects.toThrow('without "keywords"');
  });
});
