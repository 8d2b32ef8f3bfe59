import { describe, expect, test } from "vitest";
import { userByLogin } from "../../../../src/tracker/http/call.ts";
import { createTracker } from "../../../../src/tracker/tracker.ts";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { asked, bt } from "../../../bt.ts";
import { manyBugs } from "../../../tracker/many-bugs.ts";
import { zebraStore } from "../../../tracker/search/zebra-store.ts";
import { demo } from "../../demo.ts";

/** The recorded bugs as carol sees them: 20004 is closed to her, zeb is another name of 20002. */
function asCarol(): Exchange {
  const store = zebraStore();
  const answer = createTracker(store, {
    now: () => new Date("2026-11-20T05:58:00Z"),
    random: (n) => new Uint8Array(n),
  });
  const userId = userByLogin(store, "carol@example.org")?.id ?? 0;
  return (request) => answer(request, userId);
}

const VERBS = ["bug get", "bug history", "comment list"] as const;

describe.each(VERBS)("%s of many bugs", (verb) => {
  test("prints the found bugs in the order given and names each missing one with its reason", async () => {
    const ran = await bt(`${verb} 20003 999999 zeb 20004 20002 no-such 5 --json`, { exchange: asCarol() });
    expect(ran.code).toBe(10);
    const said = JSON.parse(ran.err).error;
    expect(said.message).toMatch(/^3 of \d bugs could not be shown$/);
    expect([...said.details].sort()).toEqual([
      "20004: not visible to you",
      "999999: not found",
      "no-such: no bug number or alias",
    ]);
    const shown = JSON.parse(ran.out).map((one: { id: number; bug_id?: number }) => one.bug_id ?? one.id);
    expect([...new Set(shown)]).toEqual([20003, 20002, 5]);
  });

  test("costs one request, with missing bugs a search, the others and one for each reason", async () => {
    const count = async (words: string) =>
      (await bt(`${verb} ${words} --json`, { exchange: asCarol() })).requests.length;
    expect(await count("1 2 3 4 5")).toBe(1);
    expect(await count("1 2 999999 4 5")).toBeLessThanOrEqual(1 + 2 + 1 + 1);
    expect(await count("1 999991 999992 999993 999994 5")).toBeLessThanOrEqual(1 + 2 + 1 + 4);
  });

  test.each([
    ["999999", 5],
    ["20004", 4],
    ["999999 999998", 5],
  ])("of %s alone prints nothing and exits with %i", async (words, code) => {
    const ran = await bt(`${verb} ${words} --json`, { exchange: asCarol() });
    expect([ran.code, ran.out]).toEqual([code, ""]);
  });
});

test.each([...VERBS, "attachment list"])("%s of an alias that no path can hold", async (verb) => {
  const run = demo();
  await run("bug update 21 --alias a/ü");
  for (const names of ["a/ü", "a/ü 21"])
    expect(await run(`${verb} ${names} --json`)).toMatchObject({ code: 0, out: (await run(`${verb} 21 --json`)).out });
  expect(await run(`${verb} 12 b/ü --json`)).toMatchObject({
    code: 10,
    err: expect.stringContaining("b/ü: no bug number or alias"),
  });
});

test.each(VERBS)("%s of three thousand bugs from stdin takes few requests", async (verb) => {
  const ids = Array.from({ length: 3000 }, (_, at) => 1 + ((at * 7919) % 3000)).filter((id) => id > 50);
  const { exchange, login } = manyBugs(3000, 10_000);
  const ran = await bt(`${verb} - --format ndjson`, { exchange, login, stdin: ids.join("\n") });
  expect([ran.code, ran.err]).toEqual([0, ""]);
  expect(ran.requests.length).toBeLessThanOrEqual(verb === "bug get" ? 10 : 30);
  expect(Math.max(...asked(ran).map((line) => line.length))).toBeLessThan(8000);
  const lines = ran.out
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "");
  const shown = lines.map((line) => JSON.parse(line)).map(({ id, bug_id }) => bug_id ?? id);
  expect([...new Set(shown)]).toEqual(ids);
});
