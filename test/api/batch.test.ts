import { expect, test } from "vitest";
import { type BatchPlan, QUERY_BYTES, requestEach } from "../../src/api/batch.ts";
import { bugNamedInError } from "../../src/api/bug-ref.ts";
import { factsInMessage } from "../../src/api/response/response-errors.ts";
import { BtError } from "../../src/errors.ts";
import type { Json, Request } from "../../src/wire/exchange.ts";

const PLAN: BatchPlan<string> = {
  request: (refs) => ({ method: "GET", path: "/rest/things", query: refs.map((ref) => ["ids", ref] as const) }),
  read: (answer) => (answer as string[]).map((id) => ({ thing: `bug ${id}`, names: [id] })),
};

type Served = {
  readonly has: (id: string) => boolean;
  readonly naming?: boolean;
  readonly maximum?: number; // of a search
};

/**
 * A server that has some bugs and fails a whole request for the first bad one, with or without naming it; a search leaves
 * the bad ones out.
 */
function server({ has, naming = true, maximum = 10_000 }: Served) {
  const requests: Request[] = [];
  const search = ({ query }: Request) => {
    const words = query.flatMap(([name, list]) => (["id", "alias"].includes(name) ? list.split(",") : []));
    const order = (word: string) => Number(word) || 1_000_000 + word.charCodeAt(0);
    const found = words.filter(has).sort((one, other) => order(one) - order(other));
    return found.slice(0, maximum).map((word) => ({ id: order(word), alias: /^\d/.test(word) ? [] : [word] }));
  };
  const send = async (request: Request): Promise<Json> => {
    requests.push(request);
    if (request.operation === "Search Bugs") return { bugs: search(request) };
    const ids = request.query.map(([, id]) => id);
    const bad = ids.find((id) => !has(id));
    if (bad === undefined) return ids.toReversed();
    throw new BtError("missing", naming ? `Bug #${bad} does not exist.` : "Some bug does not exist.", {
      bugzillaCode: 101,
    });
  };
  return { send, requests };
}

function numbers(count: number, from = 1) {
  return Array.from({ length: count }, (_, at) => String(from + at));
}

async function outcomes(refs: readonly string[], send: (request: Request) => Promise<Json>) {
  const all = [];
  for await (const page of requestEach(refs, PLAN, send)) all.push(...page);
  return all.map((outcome) => ("thing" in outcome ? outcome.thing : `${outcome.ref}: ${outcome.error.kind}`));
}

test.each([
  { naming: true, maximum: 10_000, most: 4 + 20 },
  { naming: false, maximum: 10_000, most: 9 + 20 },
  { naming: true, maximum: 50, most: 12 + 20 },
])("of twenty missing bugs among 400 each costs one request, the others a few: %o", async ({ most, ...served }) => {
  const isBad = (id: string) => Number(id) % 20 === 7;
  const { send, requests } = server({ ...served, has: (id) => !isBad(id) });
  const refs = numbers(400);
  expect(await outcomes(refs, send)).toEqual(refs.map((id) => (isBad(id) ? `${id}: missing` : `bug ${id}`)));
  expect(requests.length).toBeLessThanOrEqual(most);
});

test.each([
  { count: 1043, bad: () => true },
  { count: 1043, bad: (id: number) => id !== 700 },
  { count: 5000, bad: (id: number) => id % 2 === 0 },
  { count: 5000, bad: (id: number) => id > 40 },
  { count: 5000, bad: (id: number) => id % 900 === 7 },
])(
  "however many of $count bugs are missing: two requests per batch, and twenty more in total",
  async ({ count, bad }) => {
    for (const naming of [true, false]) {
      const { send, requests } = server({ has: (id) => !bad(Number(id)), naming });
      const refs = numbers(count);
      expect(await outcomes(refs, send)).toEqual(refs.map((id) => (bad(Number(id)) ? `${id}: missing` : `bug ${id}`)));
      const alone = await countOf(refs);
      expect(requests.length).toBeLessThanOrEqual(2 * alone + 20);
    }
  },
);

/** Number of requests that the same bugs cost when all are there. */
async function countOf(refs: readonly string[]) {
  const { send, requests } = server({ has: () => true });
  await outcomes(refs, send);
  return requests.length;
}

test.each([
  ["'it's' is not a valid bug number nor an alias to a bug.", "it's"],
  ["'x=y' is not a valid bug number nor an alias to a bug.", "x=y"],
  ["Bug #5 does not exist.", "5"],
  ["You are not authorized to access bug #51. To see it, log in.", "51"],
  ["Bug #p%22 does not exist.", "p%22"],
  ["You are not authorized to access bug #IT. To see it, log in.", "it"],
  ["Log in to see it.", undefined],
  ["no such bug: 1.5", undefined],
  ["neither 5 nor 51", undefined],
])("of the bugs %j, the server names %j", (message, named) => {
  const refs = ["it", "it's", "x", "x=y", "5", "51", "p%22"];
  expect(bugNamedInError(refs, new BtError("missing", message, factsInMessage(undefined, message)))).toBe(named);
});

test("names match regardless of case and accents, unless another bug matches exactly", async () => {
  const plan: BatchPlan<number> = {
    ...PLAN,
    read: () => [
      { thing: 1, names: ["1", "Über"] },
      { thing: 2, names: ["2", "uber"] },
      { thing: 3, names: ["3", "naïve"] },
    ],
  };
  const refs = ["über", "UBER", "naive"];
  const all = [];
  for await (const page of requestEach(refs, plan, async () => ({}))) all.push(...page);
  expect(all).toEqual([
    { ref: "über", thing: 1 },
    { ref: "UBER", thing: 2 },
    { ref: "naive", thing: 3 },
  ]);
});

test("a batch over the response size limit is requested in smaller parts", async () => {
  const { send, requests } = server({ has: () => true });
  const small = async (request: Request) => {
    const answer = await send(request);
    if (Array.isArray(answer) && answer.length > 30) throw new BtError("reply", "too large", { tooBig: true });
    return answer;
  };
  const refs = numbers(100);
  expect(await outcomes(refs, small)).toEqual(refs.map((id) => `bug ${id}`));
  expect(requests).toHaveLength(7);
});

test("a single object over the response size limit ends the command", async () => {
  const tooBig = async () => {
    throw new BtError("reply", "too large", { tooBig: true });
  };
  await expect(outcomes(["1", "2"], tooBig)).rejects.toThrow("too large");
});

test("a bug silently omitted by the server is missing, too", async () => {
  const ask = async () => ["1"];
  expect(await outcomes(["1", "2"], ask)).toEqual(["bug 1", "2: missing"]);
});

test("a request URL stays below the length that servers accept", async () => {
  const { send, requests } = server({ has: () => true });
  const refs = Array.from({ length: 3000 }, (_, at) => String(1_000_000 + at));
  expect(await outcomes(refs, send)).toHaveLength(3000);
  const longest = Math.max(
    ...requests.map((request) => new URLSearchParams(request.query as [string, string][]).toString().length),
  );
  expect(longest).toBeLessThanOrEqual(QUERY_BYTES + "&ids=1000000".length);
  expect(requests.length).toBeLessThan(8);
});
