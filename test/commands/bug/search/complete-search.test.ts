import { describe, expect, test } from "vitest";
import type { Bug } from "../../../../src/wire/bug-fields.ts";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { asked, bt } from "../../../bt.ts";
import { much } from "../../../sampling.ts";
import { manyBugs } from "../../../tracker/many-bugs.ts";

/** Conditions that the query language has no words for, joined by OR, so that nothing can be added to them. */
const WEB_FORM = [
  ...["j_top=OR", "f1=short_desc", "o1=casesubstring", "v1=e", "f2=bug_status", "o2=casesubstring", "v2=E"],
]
  .map((pair) => `--param ${pair}`)
  .join(" ");

/** A tracker on which another client files a bug, closes one and moves one in the order before every answer to a search. */
function busy(count: number, maximum: number) {
  const { exchange, login } = manyBugs(count, maximum);
  const touched = new Set<number>();
  const change = async (id: number, body: Readonly<Record<string, string>>) => {
    touched.add(id);
    await exchange({ method: "PUT", path: `/rest/bug/${id}`, query: [], body });
  };
  let round = 0;
  const between: Exchange = async (request) => {
    if (request.path === "/rest/bug" && request.method === "GET") {
      round += 1;
      touched.add(await fileBug(exchange));
      await change(count - 31 * round, { status: "RESOLVED", resolution: "FIXED" });
      await change(count - 37 * round, { priority: round % 2 === 0 ? "Highest" : "Lowest" });
    }
    return exchange(request);
  };
  return { exchange, between, login, touched };
}

async function fileBug(exchange: Exchange): Promise<number> {
  const body = {
    product: "Lantern",
    component: "Library",
    version: "3.1",
    summary: "made meanwhile",
    description: "x",
  };
  const reply = await exchange({ method: "POST", path: "/rest/bug", query: [], body });
  return JSON.parse(reply.body).id;
}

const ORDERS = [
  { order: "newest first", flags: "" },
  { order: "by priority", flags: "--sort priority,updated:desc" },
  { order: "oldest first", flags: "--sort id" },
  { order: "passed on from the web form", flags: WEB_FORM },
  { order: "passed on from the web form, by priority", flags: `${WEB_FORM} --sort priority,updated:desc` },
];

const CASES = [
  ...ORDERS.slice(0, much(1, 2)).map((order) => ({ count: much(12_000, 25_000), maximum: 10_000, ...order })),
  ...ORDERS.map((order) => ({ count: much(600, 3000), maximum: 50, ...order })),
];

/** A tracker on the network, of whose pages nothing is known. */
const NETWORK = { isInProcess: false, address: "https://bugs.example.org" } as const;

const SLOW = { timeout: 60_000 };

describe("while bugs are filed and closed, every bug is returned exactly once", () => {
  test.each(CASES)("of $count on a tracker with pages of $maximum, $order", SLOW, async ({ count, maximum, flags }) => {
    const { exchange, between, login, touched } = busy(count, maximum);
    const before = (await bt(`bug search --all ${flags} --fields id --json`, { exchange, login, ...NETWORK })).out;
    const wanted = (JSON.parse(before) as readonly Bug[]).map(({ id }) => id ?? 0);
    expect(new Set(wanted).size).toBe(count - HIDDEN);
    const { out, code } = await bt(`bug search --all ${flags} --format ids`, { exchange: between, login, ...NETWORK });
    const found = out.trimEnd().split("\n").map(Number);
    expect(code).toBe(0);
    expect(new Set(found).size).toBe(found.length);
    const still = (ids: readonly number[]) => ids.filter((id) => !touched.has(id));
    expect(still(found)).toEqual(still(wanted));
    expect(touched.size).toBeGreaterThan(5);
  });

  test.each([50, 10_000])("every bug that matched throughout is returned, with pages of %i", SLOW, async (maximum) => {
    const { exchange, between, login, touched } = busy(3000, maximum);
    const open = async (from: Exchange) =>
      (await bt("bug search is:open --all --format ids", { exchange: from, login, ...NETWORK })).out;
    const wanted = (await open(exchange)).trimEnd().split("\n").map(Number);
    const found = (await open(between)).trimEnd().split("\n").map(Number);
    expect(found.filter((id) => !touched.has(id))).toEqual(wanted.filter((id) => !touched.has(id)));
  });
});

/** The demo's bugs that its user may not see. */
const HIDDEN = 2;

test("a custom order costs one request if one response holds all bugs", async () => {
  const { exchange, login } = manyBugs(3000, 10_000);
  const ran = await bt("bug search 'id > 0' --sort updated:desc --limit 500 --format ids", {
    exchange,
    login,
    ...NETWORK,
  });
  expect(asked(ran).filter((line) => line.includes("order=changeddate"))).toHaveLength(1);
});

test("conditions from the web form keep their numbers when pages are added", async () => {
  const ran = await bt(`bug search ${WEB_FORM} --format ids`, { ...manyBugs(2000, 300), ...NETWORK });
  expect(asked(ran).find((line) => line.includes("v5=1701"))).toMatch(/f1=OP&j1=OR&.*v3=E&f4=CP.*order=bug_id DESC&/);
});

test("later pages are the same however the first ones were loaded", async () => {
  const wide = manyBugs(3000, 10_000);
  const narrow = manyBugs(3000, 50);
  const line = "bug search --all --sort priority,updated:desc --format ids";
  expect((await bt(line, { ...narrow, ...NETWORK })).out).toBe((await bt(line, wide)).out);
  const page = "bug search --sort -severity,product,id --limit 70 --offset 1200 --format ids";
  expect((await bt(page, { ...narrow, ...NETWORK })).out).toBe((await bt(page, wide)).out);
});
