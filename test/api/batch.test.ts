import { expect, test } from "vitest";
import { type BatchPlan, requestEach } from "../../src/api/batch.ts";
import type { SendRequest } from "../../src/api/operations/operation.ts";
import { BtError } from "../../src/errors.ts";
import type { Json, Request } from "../../src/wire/exchange.ts";

const PLAN: BatchPlan<string> = {
  request: (refs) => ({ method: "GET", path: "/rest/things", query: refs.map((ref) => ["ids", ref] as const) }),
  read: (answer) => (answer as string[]).map((id) => [id, `bug ${id}`]),
};

type Served = {
  readonly has: (id: string) => boolean;
  readonly areListsKnown?: boolean;
};

/** A server that has some bugs and fails a whole request for the first bad one. */
function server({ has, areListsKnown = true }: Served) {
  const requests: Request[] = [];
  const answer = async (request: Request): Promise<Json> => {
    requests.push(request);
    const ids = request.query.map(([, id]) => id);
    const bad = ids.find((id) => !has(id));
    if (bad === undefined) return ids.toReversed();
    throw new BtError("missing", `Bug #${bad} does not exist.`, { bugzillaCode: 101 });
  };
  const searched: string[] = [];
  const visible = async (ids: readonly string[]) => {
    searched.push(...ids);
    return new Set(ids.filter(has));
  };
  return {
    send: Object.assign(answer, { lists: { areSupported: async () => areListsKnown, visible } }),
    requests,
    searched,
  };
}

function numbers(count: number, from = 1) {
  return Array.from({ length: count }, (_, at) => String(from + at));
}

async function outcomes(refs: readonly string[], send: SendRequest) {
  const all = [];
  for await (const page of requestEach(refs, PLAN, send)) all.push(...page);
  return all.map((outcome) => ("thing" in outcome ? outcome.thing : `${outcome.ref}: ${outcome.error.message}`));
}

test.each([
  { count: 400, bad: (id: number) => id % 20 === 7 },
  { count: 1043, bad: () => true },
  { count: 1043, bad: (id: number) => id !== 700 },
  { count: 5000, bad: (id: number) => id % 2 === 0 },
  { count: 5000, bad: (id: number) => id > 40 },
])("of $count bugs each has its outcome, the first twenty missing ones with the reason", async ({ count, bad }) => {
  const { send, requests } = server({ has: (id) => !bad(Number(id)) });
  const refs = numbers(count);
  const found = await outcomes(refs, send);
  expect(found.map((text) => /^bug (\d+)$/.exec(text)?.[1] ?? "")).toEqual(
    refs.map((id) => (bad(Number(id)) ? "" : id)),
  );
  const missing = refs.filter((id) => bad(Number(id))).length;
  const alone = server({ has: () => true });
  await outcomes(refs, alone.send);
  const explained = found.filter((text) => text.endsWith("does not exist.")).length;
  expect(explained).toBe(Math.min(20, missing));
  expect(requests.length).toBeLessThanOrEqual(2 * alone.requests.length + explained);
});

test("without a search, what is missing in a list is found by halves", async () => {
  const { send } = server({ has: (id) => id !== "77" });
  const refs = numbers(100);
  const found = await outcomes(refs, async (request) => send(request));
  expect(found).toEqual(refs.map((id) => (id === "77" ? "77: Bug #77 does not exist." : `bug ${id}`)));
});

test.each([
  ["a plain server", false, ["1", "2"], [["1"], ["2"]]],
  ["a Bugzilla", true, ["1", "2", "it", "3"], [["1", "2"], ["it"], ["3"]]],
] as const)("%s is sent these lists", async (_, areListsKnown, refs, lists) => {
  const { send, requests, searched } = server({ has: () => true, areListsKnown });
  expect(await outcomes(refs, send)).toHaveLength(refs.length);
  expect(requests.map(({ query }) => query.map(([, id]) => id))).toEqual(lists);
  expect(searched).toEqual([]);
});

test("names match in any letter case", async () => {
  const plan: BatchPlan<number> = {
    ...PLAN,
    name: "group",
    read: () => [
      [["1", "Über"], 1],
      [["2", "uber"], 2],
    ],
  };
  const refs = ["über", "UBER"];
  const all = [];
  for await (const page of requestEach(refs, plan, async () => ({}))) all.push(...page);
  expect(all).toEqual([
    { ref: "über", thing: 1 },
    { ref: "UBER", thing: 2 },
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
  expect(await outcomes(["1", "2"], ask)).toEqual(["bug 1", "2: bug 2 was not found, or is not visible to you"]);
});

test("a request is about 300 bugs at most, and its URL not longer than servers accept", async () => {
  const { send, requests } = server({ has: () => true });
  expect(await outcomes(numbers(650), send)).toHaveLength(650);
  expect(requests.map(({ query }) => query.length)).toEqual([300, 300, 50]);
  const names = numbers(100).map((number) => number.padStart(255, "ü"));
  for await (const _ of requestEach(names, { ...PLAN, name: "group" }, send));
  const longest = Math.max(
    ...requests.map((request) => new URLSearchParams(request.query as [string, string][]).toString().length),
  );
  expect(longest).toBeLessThan(8000);
});
