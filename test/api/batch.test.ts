import { expect, test } from "vitest";
import { askEach, type BatchPlan, QUERY_BYTES } from "../../src/api/batch.ts";
import { get } from "../../src/api/operation.ts";
import { BtError } from "../../src/errors.ts";
import type { Json, Request } from "../../src/wire/exchange.ts";

const PLAN: BatchPlan<string> = {
  request: (refs) =>
    get(
      "/rest/bug",
      refs.map((ref) => ["ids", ref] as const),
    ),
  read: (answer) => (answer as string[]).map((id) => ({ thing: `bug ${id}`, isOf: (ref) => ref === id })),
};

/** A server that has some bugs and fails a whole request for the first bad one, with or without naming it. */
function server(has: (id: string) => boolean, naming: boolean) {
  const requests: Request[] = [];
  const ask = async (request: Request): Promise<Json> => {
    requests.push(request);
    const ids = request.query.map(([, id]) => id);
    const bad = ids.find((id) => !has(id));
    if (bad === undefined) return ids.toReversed();
    throw new BtError("missing", naming ? `Bug #${bad} does not exist.` : "Some bug does not exist.", {
      bugzillaCode: 101,
    });
  };
  return { ask, requests };
}

async function outcomes(refs: readonly string[], ask: (request: Request) => Promise<Json>) {
  const all = [];
  for await (const page of askEach(refs, PLAN, ask)) all.push(...page);
  return all.map((outcome) => ("thing" in outcome ? outcome.thing : `${outcome.ref}: ${outcome.error.kind}`));
}

test("several bugs go in one request and come back in the order asked", async () => {
  const { ask, requests } = server(() => true, true);
  expect(await outcomes(["3", "1", "2"], ask)).toEqual(["bug 3", "bug 1", "bug 2"]);
  expect(requests).toHaveLength(1);
});

test("a missing bug that the server names costs one request more and is named in its place", async () => {
  const { ask, requests } = server((id) => id !== "5", true);
  const refs = Array.from({ length: 40 }, (_, at) => String(at + 1));
  expect((await outcomes(refs, ask))[4]).toBe("5: missing");
  expect(requests).toHaveLength(2);
});

test("missing bugs that the server does not name are found by halving", async () => {
  const { ask } = server((id) => id !== "5" && id !== "12", false);
  const refs = Array.from({ length: 16 }, (_, at) => String(at + 1));
  const found = await outcomes(refs, ask);
  expect(found.filter((line) => line.endsWith("missing"))).toEqual(["5: missing", "12: missing"]);
  expect(found).toHaveLength(16);
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
  const { ask, requests } = server(() => true, true);
  const refs = Array.from({ length: 3000 }, (_, at) => String(1_000_000 + at));
  expect(await outcomes(refs, ask)).toHaveLength(3000);
  const longest = Math.max(
    ...requests.map((request) => new URLSearchParams(request.query as [string, string][]).toString().length),
  );
  expect(longest).toBeLessThanOrEqual(QUERY_BYTES + 5);
  expect(requests.length).toBeLessThan(8);
});
