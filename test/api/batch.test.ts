import { expect, test } from "vitest";
import { askEach, type BatchPlan, QUERY_BYTES } from "../../src/api/batch.ts";
import { get } from "../../src/api/operation.ts";
import { BtError } from "../../src/errors.ts";
import type { Json, Request } from "../../src/wire/exchange.ts";

const PLAN: BatchPlan<string> = {
  request: (refs) =>
    get(
      "/rest/things",
      refs.map((ref) => ["ids", ref] as const),
    ),
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
  const ask = async (request: Request): Promise<Json> => {
    requests.push(request);
    const [, listed] = request.query.find(([name]) => name === "id") ?? [];
    if (listed !== undefined) {
      const found = listed.split(",").filter(has).slice(0, maximum);
      return { bugs: found.map((id) => ({ id: Number(id) })) };
    }
    const ids = request.query.map(([, id]) => id);
    const bad = ids.find((id) => !has(id));
    if (bad === undefined) return ids.toReversed();
    throw new BtError("missing", naming ? `Bug #${bad} does not exist.` : "Some bug does not exist.", {
      bugzillaCode: 101,
    });
  };
  return { ask, requests };
}

function numbers(count: number, from = 1) {
  return Array.from({ length: count }, (_, at) => String(from + at));
}

async function outcomes(refs: readonly string[], ask: (request: Request) => Promise<Json>) {
  const all = [];
  for await (const page of askEach(refs, PLAN, ask)) all.push(...page);
  return all.map((outcome) => ("thing" in outcome ? outcome.thing : `${outcome.ref}: ${outcome.error.kind}`));
}

test("several bugs go in one request and come back in the order asked", async () => {
  const { ask, requests } = server({ has: () => true });
  expect(await outcomes(["3", "1", "2"], ask)).toEqual(["bug 3", "bug 1", "bug 2"]);
  expect(requests).toHaveLength(1);
});

test("a missing bug that the server names costs one request more and is named in its place", async () => {
  const { ask, requests } = server({ has: (id) => id !== "5" });
  expect((await outcomes(numbers(40), ask))[4]).toBe("5: missing");
  expect(requests).toHaveLength(2);
});

test.each([
  { naming: true, maximum: 10_000, most: 4 + 20 },
  { naming: false, maximum: 10_000, most: 9 + 20 },
  { naming: true, maximum: 50, most: 12 + 20 },
])(
  "of twenty missing ones among 400 each is asked for once, the others a few times: %o",
  async ({ most, ...served }) => {
    const isBad = (id: string) => Number(id) % 20 === 7;
    const { ask, requests } = server({ ...served, has: (id) => !isBad(id) });
    const refs = numbers(400);
    expect(await outcomes(refs, ask)).toEqual(refs.map((id) => (isBad(id) ? `${id}: missing` : `bug ${id}`)));
    expect(requests.length).toBeLessThanOrEqual(most);
  },
);

test("aliases that the server does not name are found by halving", async () => {
  const refs = [..."abcdefghijklmnop"];
  const { ask } = server({ has: (id) => id !== "e" && id !== "l", naming: false });
  const found = await outcomes(refs, ask);
  expect(found.filter((line) => line.endsWith("missing"))).toEqual(["e: missing", "l: missing"]);
  expect(found).toHaveLength(16);
});

test("batches are asked for two at once and come in order", async () => {
  const { ask, requests } = server({ has: () => true });
  let [now, most] = [0, 0];
  const slow = async (request: Request) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return ask(request);
  };
  const refs = numbers(3000);
  expect(await outcomes(refs, slow)).toEqual(refs.map((id) => `bug ${id}`));
  expect([requests.length > 3, most]).toEqual([true, 2]);
});

test("what is too much for one answer is asked for in smaller parts", async () => {
  const { ask, requests } = server({ has: () => true });
  const small = async (request: Request) => {
    const answer = await ask(request);
    if (Array.isArray(answer) && answer.length > 30) throw new BtError("reply", "too large", { tooBig: true });
    return answer;
  };
  const refs = numbers(100);
  expect(await outcomes(refs, small)).toEqual(refs.map((id) => `bug ${id}`));
  expect(requests).toHaveLength(7);
});

test("one thing that is too much for an answer ends everything", async () => {
  const tooBig = async () => {
    throw new BtError("reply", "too large", { tooBig: true });
  };
  await expect(outcomes(["1", "2"], tooBig)).rejects.toThrow("too large");
});

test("a bug that the server leaves out without a word is missing too", async () => {
  const ask = async () => ["1"];
  expect(await outcomes(["1", "2"], ask)).toEqual(["bug 1", "2: missing"]);
});

test("a failure that is about no bug ends everything", async () => {
  const ask = async () => {
    throw new BtError("auth", "The API key is not valid.", { bugzillaCode: 306 });
  };
  await expect(outcomes(["1", "2"], ask)).rejects.toThrow("API key");
});

test("a request stays under the length that servers read", async () => {
  const { ask, requests } = server({ has: () => true });
  const refs = Array.from({ length: 3000 }, (_, at) => String(1_000_000 + at));
  expect(await outcomes(refs, ask)).toHaveLength(3000);
  const longest = Math.max(
    ...requests.map((request) => new URLSearchParams(request.query as [string, string][]).toString().length),
  );
  expect(longest).toBeLessThanOrEqual(QUERY_BYTES + 5);
  expect(requests.length).toBeLessThan(8);
});
