import { describe, expect, test } from "vitest";
import type { SendRequest } from "../../../src/api/operations/operation.ts";
import { createPairingPace, type Pace, type PageMemory } from "../../../src/api/search/pace.ts";
import { type SearchPlan, searchPages } from "../../../src/api/search/search-pages.ts";
import { BtError } from "../../../src/errors.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Json, Request } from "../../../src/wire/exchange.ts";

type Served = { readonly ids: readonly number[]; readonly maximum: number };

/** A server with some bugs that cuts every page at its maximum; `between` runs before each answer. */
function server({ ids, maximum }: Served, between: (bugs: Set<number>, request: number) => void = () => undefined) {
  const bugs = new Set(ids);
  const requests: Request[] = [];
  const send = async (request: Request): Promise<Json> => {
    requests.push(request);
    between(bugs, requests.length);
    const query = new Map(request.query);
    const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    const found = [...bugs].filter((id) => id >= number("from", 0) && id < number("below", Number.POSITIVE_INFINITY));
    const sign = query.get("order") === "bug_id" ? 1 : -1;
    const start = number("offset", 0);
    const page = found.sort((a, b) => sign * (a - b)).slice(start, start + Math.min(maximum, number("limit", 0)));
    return { bugs: page.map((id) => ({ id })) };
  };
  return { send, requests };
}

const PLAN: SearchPlan = {
  criteria: (range) => Object.entries(range).map(([name, id]) => [name, String(id)]),
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

/** A pace without a limit, and one by which two requests at once gain nothing. */
const FREE: Pace = {
  mayStart: () => true,
  mayPair: () => true,
  isUndecided: () => false,
  send: (request) => request(),
};
const slowPace = () => createPairingPace(() => 0, 0);

async function ids(
  plan: SearchPlan,
  send: SendRequest,
  { memo = memory(), pace = FREE }: { readonly memo?: PageMemory; readonly pace?: Pace } = {},
): Promise<number[]> {
  const all: number[] = [];
  for await (const page of searchPages(plan, { send, memory: memo, ticks: () => 0, pace: () => pace }))
    all.push(...page.map((bug: Bug) => bug.id as number));
  return all;
}

function downFrom(from: number, to = 1, step = 1) {
  return Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, at) => from - at * step);
}

/** A tracker whose answers with more bugs than this are larger than allowed. */
function noMoreThan(most: number, send: SendRequest): SendRequest {
  return async (request) => {
    const answer = await send(request);
    if ((answer as { bugs: unknown[] }).bugs.length <= most) return answer;
    throw new BtError("reply", "too large", { tooBig: true });
  };
}

describe("every bug is returned exactly once", () => {
  const gaps = downFrom(9000).filter((id) => id < 1500 || id % 37 === 0 || (id > 4000 && id < 7000));
  test.each([
    { name: "none", ids: [], maximum: 10_000 },
    { name: "7", ids: downFrom(7), maximum: 10_000 },
    { name: "50, a maximum of 50", ids: downFrom(50), maximum: 50 },
    { name: "130, a maximum of 50", ids: downFrom(130), maximum: 50 },
    { name: "2500", ids: downFrom(2500), maximum: 10_000 },
    { name: "1000, a page in length", ids: downFrom(1000), maximum: 10_000 },
    { name: "12000", ids: downFrom(12_000), maximum: 10_000 },
    { name: "3000, a maximum of 1000", ids: downFrom(3000), maximum: 1000 },
    { name: "5000 sparse ones, a maximum of 700", ids: downFrom(250_000, 1, 50), maximum: 700 },
    { name: "some with gaps", ids: gaps, maximum: 10_000 },
    { name: "some with gaps, a maximum of 333", ids: gaps, maximum: 333 },
    { name: "5, a maximum of 1", ids: downFrom(5), maximum: 1 },
  ])("$name", async (served) => {
    const oldest = served.ids.toReversed();
    for (const pace of [FREE, slowPace()]) {
      for (const known of [0, Math.min(served.maximum, 2500)]) {
        const ways = () => ({ memo: memory(known), pace });
        expect(await ids(PLAN, server(served).send, ways())).toEqual(served.ids);
        expect(await ids({ ...PLAN, isOldestFirst: true }, server(served).send, ways())).toEqual(oldest);
      }
    }
  });

  test.each([100, 250, 500, 1000])("where the maximum was lowered to %d since an earlier search", async (maximum) => {
    const all = downFrom(5000);
    for (const pace of [FREE, slowPace()]) {
      const memo = memory(2500);
      expect(await ids(PLAN, server({ ids: all, maximum }).send, { memo, pace })).toEqual(all);
      expect(memo.kept, "is remembered").toBe(maximum);
      expect(
        await ids({ ...PLAN, isOldestFirst: true }, server({ ids: all, maximum }).send, { memo, pace }),
      ).toHaveLength(5000);
    }
  });

  test("where the second of two pages comes later and is cut, whatever two at once gain", async () => {
    const all = [...downFrom(12_000, 8402, 2), ...downFrom(8401)];
    for (const pace of [FREE, slowPace()]) {
      const { send, requests } = server({ ids: all, maximum: 10_000 });
      const thirdIsLate: SendRequest = async (request) => {
        const answer = await send(request);
        for (let turn = 0; requests.length === 3 && turn < 3; turn += 1) await new Promise(setImmediate);
        return answer;
      };
      expect(await ids(PLAN, thirdIsLate, { memo: memory(2500), pace })).toEqual(all);
    }
  });

  test.each([50, 700, 10_000])(
    "while bugs are added and removed between pages, with a maximum of %i",
    async (maximum) => {
      const { send } = server({ ids: downFrom(6000), maximum }, (bugs, request) => {
        for (const id of downFrom(20)) bugs.add(10_000 * request + id);
        for (const id of downFrom(40)) bugs.delete(6000 - 40 * request - id);
      });
      const found = await ids(PLAN, send);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((id) => id <= 700)).toEqual(downFrom(700));
    },
  );
});

describe("the number of requests", () => {
  test("a limit that fits one page takes one request", async () => {
    const { send, requests } = server({ ids: downFrom(100), maximum: 50 });
    expect(await ids({ ...PLAN, limit: 20 }, send)).toEqual(downFrom(100, 81));
    expect(requests).toHaveLength(1);
  });

  test("a short page is the last one once the server has returned a longer page, in this or an earlier search", async () => {
    const few = server({ ids: downFrom(8, 2), maximum: 50 });
    const memo = memory();
    await ids(PLAN, few.send, { memo });
    expect(few.requests).toHaveLength(2);
    expect(memo.kept).toBe(7);
    await ids(PLAN, server({ ids: downFrom(50), maximum: 50 }).send, { memo });
    const again = server({ ids: downFrom(8, 2), maximum: 50 });
    await ids(PLAN, again.send, { memo });
    expect(again.requests).toHaveLength(1);
  });

  test("a limit above the maximum takes several pages", async () => {
    const { send, requests } = server({ ids: downFrom(300), maximum: 50 });
    expect(await ids({ ...PLAN, limit: 120 }, send)).toEqual(downFrom(300, 181));
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  test("20,000 bugs take five requests, two at a time after the first, of equal parts", async () => {
    const { send, requests } = server({ ids: downFrom(20_000), maximum: 10_000 });
    let [now, most] = [0, 0];
    const counting = async (request: Request) => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      const answer = await send(request);
      now -= 1;
      return answer;
    };
    expect(await ids(PLAN, counting)).toEqual(downFrom(20_000));
    expect([requests.length, most]).toEqual([5, 2]);
  });
});

test.each([1, 7, 600, 1000, 2499])(
  "where a response holds %i bugs at most, smaller pages are requested",
  async (most) => {
    const all = downFrom(most * 6 + 5);
    const { send, requests } = server({ ids: all, maximum: 10_000 });
    expect(await ids(PLAN, noMoreThan(most, send))).toEqual(all);
    expect(await ids({ ...PLAN, isOldestFirst: true }, noMoreThan(most, send))).toEqual(all.toReversed());
    const sizes = requests.map(({ query }) => Number(new Map(query).get("limit")));
    expect(sizes.filter((size) => size > most).length).toBeLessThan(2 * 7);
  },
);

test("a single bug over the response size limit ends the search", async () => {
  const { send } = server({ ids: [3, 2, 1], maximum: 10_000 });
  await expect(ids(PLAN, noMoreThan(0, send))).rejects.toThrow("too large");
});

test("the first bugs are returned before the next page arrives", async () => {
  const { send, requests } = server({ ids: downFrom(3000), maximum: 10_000 });
  const never = new Promise<Json>(() => undefined);
  const oneAnswer: SendRequest = (request) => (requests.length === 0 ? send(request) : never);
  const pages = searchPages(PLAN, { send: oneAnswer, memory: memory(), ticks: () => 0, pace: () => FREE });
  expect((await pages.next()).value).toHaveLength(1000);
});

test("an offset skips the first bugs, once", async () => {
  expect(await ids({ ...PLAN, offset: 10, limit: 60 }, server({ ids: downFrom(100), maximum: 25 }).send)).toEqual(
    downFrom(90, 31),
  );
});

describe("conditions that the server cannot evaluate are evaluated locally", () => {
  const keep = (bug: Bug) => (bug.id as number) % 10 === 0;
  const plan = { ...PLAN, keep, needs: ["whiteboard"] };

  test("limit and offset count the remaining bugs", async () => {
    const served = { ids: downFrom(200), maximum: 50 };
    expect(await ids({ ...plan, limit: 3 }, server(served).send)).toEqual([200, 190, 180]);
    expect(await ids({ ...plan, limit: 3, offset: 4 }, server(served).send)).toEqual([160, 150, 140]);
  });

  test("fields needed by conditions are fetched", async () => {
    const { send, requests } = server({ ids: [1], maximum: 50 });
    await ids(plan, send);
    expect(new Map(requests[0]?.query).get("include_fields")).toBe("id,whiteboard");
  });
});

describe("a tracker that ignores parts of a search is detected", () => {
  test("an ignored page range", async () => {
    const send = async () => ({ bugs: [{ id: 3 }, { id: 2 }] });
    await expect(ids(PLAN, send)).rejects.toThrow(/bug 3 for a search for bugs below 2/);
  });

  test("an ignored order", async () => {
    const send = async () => ({ bugs: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    await expect(ids(PLAN, send)).rejects.toThrow(/ignored the sort order/);
  });
});

test("the id is fetched even if it is not shown", async () => {
  const { send, requests } = server({ ids: [1], maximum: 50 });
  await ids({ ...PLAN, include: ["summary"], limit: 1 }, send);
  expect(new Map(requests[0]?.query).get("include_fields")).toBe("id,summary");
});
