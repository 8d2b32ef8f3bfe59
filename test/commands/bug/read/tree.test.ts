import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { asked, bt } from "../../../bt.ts";
import { errorResponse, jsonResponse } from "../../../servers/responses.ts";
import { demo } from "../../demo.ts";

const at = { terminal: true, columns: 60 };

/** A tracker of bugs that say which ones they depend on and block; bug 9 is hidden. */
function trackerOf(bugs: Readonly<Record<number, { depends_on?: number[]; blocks?: number[]; is_open?: boolean }>>) {
  const exchange: Exchange = async ({ path, query }) => {
    const named = query.filter(([name]) => name === "ids" || name === "id").flatMap(([, value]) => value.split(","));
    const ids = [...(/\/bug\/(\d+)$/.exec(path)?.slice(1) ?? []), ...named].map(Number);
    const isRest = query.some(([name]) => name === "f1");
    const found = isRest ? [] : ids.filter((id) => id in bugs);
    if (ids.includes(9) && !path.endsWith("/bug"))
      return errorResponse(102, "You are not authorized to access bug 9.", 404);
    const told = found.map((id) => ({
      id,
      alias: [],
      status: "NEW",
      summary: `bug ${id}`,
      is_open: true,
      ...bugs[id],
    }));
    return jsonResponse({ bugs: told, faults: [] });
  };
  return (line: string) => bt(line, { exchange, ...at });
}

describe("bt bug tree", () => {
  test("draws what a bug depends on and blocks, cut to the terminal", async () => {
    expect((await demo()("bug tree 48", at)).out).toMatchInlineSnapshot(`
      "#48 IN_PROGRESS  Crash on start after the catalogue is conv…
      depends on
      └─ #21 IN_PROGRESS  A new catalogue: photos and albums have…
         └─ #5 IN_PROGRESS  Opening a library of 90,000 photos ta…
      "
    `);
  });

  test("sends one request a level", async () => {
    const ran = await trackerOf({
      1: { depends_on: [2, 3] },
      2: { depends_on: [4] },
      3: { depends_on: [4, 5] },
      4: { depends_on: [] },
      5: {},
    })("bug tree 1");
    expect(asked(ran).filter((line) => line.includes("/bug")).length).toBe(3);
    expect(ran.out).toMatchInlineSnapshot(`
      "#1 NEW  bug 1
      depends on
      ├─ #2 NEW  bug 2
      │  └─ #4 NEW  bug 4
      └─ #3 NEW  bug 3
         ├─ #4 NEW  bug 4 (repeated)
         └─ #5 NEW  bug 5
      "
    `);
  });

  test("ends at a cycle", async () => {
    const run = trackerOf({ 1: { depends_on: [2] }, 2: { depends_on: [1], blocks: [1] } });
    expect((await run("bug tree 1")).out).toMatch(/#2 NEW {2}bug 2\n {3}└─ #1 NEW {2}bug 1 \(cycle\)\n$/);
  });

  test("names a bug that is not visible", async () => {
    const run = trackerOf({ 1: { depends_on: [2, 9] }, 2: {} });
    const { out, code } = await run("bug tree 1");
    expect(out).toContain("└─ #9 (not visible)\n");
    expect(code).toBe(0);
  });

  test("with --depth says how many bugs are behind the last level", async () => {
    const run = trackerOf({ 1: { depends_on: [2] }, 2: { depends_on: [3, 4] } });
    expect((await run("bug tree 1 --depth 1")).out).toMatch(/#2 NEW {2}bug 2 \(2 more below\)\n$/);
    expect(await run("bug tree 1 --depth 0")).toMatchObject({ code: 2, out: "" });
  });

  test("with --open leaves out closed bugs and what is only behind them", async () => {
    const run = trackerOf({
      1: { depends_on: [2, 3] },
      2: { depends_on: [4], is_open: false },
      3: {},
      4: {},
      5: { blocks: [2] },
    });
    expect((await run("bug tree 1 --open")).out).toMatch(/depends on\n└─ #3 NEW {2}bug 3\n$/);
    expect((await run("bug tree 5 --open")).out).toMatch(/\nno open bugs\n$/);
  });

  test("as JSON and in pipes has a row for each bug, below the one that names it", async () => {
    const rows = (await demo()("bug tree 48 --json=relation,depth,parent,id,mark")).out;
    expect(JSON.parse(rows)).toEqual([
      { relation: null, depth: 0, parent: null, id: 48, mark: null },
      { relation: "depends_on", depth: 1, parent: 48, id: 21, mark: null },
      { relation: "depends_on", depth: 2, parent: 21, id: 5, mark: null },
    ]);
    expect((await demo()("bug tree 48 --format ids")).out).toBe("48\n21\n5\n");
  });
});
