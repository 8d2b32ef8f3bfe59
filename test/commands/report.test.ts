import { describe, expect, test } from "vitest";
import { bt } from "../bt.ts";
import { demo } from "./demo.ts";

const NOW = "2026-11-20T12:00:00Z"; // a Friday
const terminal = (columns: number) => ({ terminal: true, columns });

/** A tracker with these bugs and histories, which counts requests. */
function trackerOf(bugs: readonly object[], histories: Readonly<Record<number, readonly unknown[]>> = {}) {
  const exchange = async ({ path, query }: { path: string; query: readonly (readonly [string, string])[] }) => {
    const ids = [
      /\/bug\/(\d+)\/history$/.exec(path)?.[1] ?? [],
      ...query.filter(([name]) => name === "ids").map(([, id]) => id),
    ].flat();
    const found = ids.map((id) => ({ id: Number(id), alias: [], history: histories[Number(id)] ?? [] }));
    const body = path.endsWith("/history") ? { bugs: found } : { bugs };
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  };
  return (line: string, around = {}) => bt(line, { exchange, now: NOW, env: { TZ: "UTC" }, ...around });
}

function worked(day: string, who: string, added: string) {
  return { when: `2026-${day}T10:00:00Z`, who, changes: [{ field_name: "work_time", removed: "", added }] };
}

const HOURS = trackerOf(
  [
    { id: 3, actual_time: 5.5, last_change_time: "2026-11-17T10:00:00Z", summary: "Three" },
    { id: 2, actual_time: 1, last_change_time: "2026-11-12T10:00:00Z", summary: "Two" },
    { id: 1, actual_time: 0, last_change_time: "2026-11-12T10:00:00Z", summary: "One" },
  ],
  {
    3: [worked("11-10", "ada", "2.00"), worked("11-16", "ben", "4.00"), worked("11-17", "ada", "-0.50")],
    2: [worked("11-12", "ada", "0.75")],
  },
);

describe("bt report time", () => {
  test.each([
    ["", ["ben\t4", "ada\t2.25", "\t0.25"]],
    ["--by week", ["\t0.25", "2026-W46\t2.75", "2026-W47\t3.5"]],
    ["--by bug", ["3\t5.5\tThree", "2\t1\tTwo"]],
    ["--by person,week", ["\t\t0.25", "2026-W46\tada\t2.75", "2026-W47\tben\t4", "2026-W47\tada\t-0.5"]],
    ["--until 2026-11-16", ["ada\t2.75"]],
  ])("%s", async (flags, rows) => {
    const ran = await HOURS(`report time ${flags}`);
    expect([ran.code, ran.out.trimEnd().split("\n")]).toEqual([0, rows]);
    expect(ran.err).toBe("bt: 0.25 h of 1 bug are not in the history: it is unknown who worked when\n");
  });

  test("--since leaves hours before out, and bugs that did not change since", async () => {
    expect(await HOURS("report time --since 2026-11-16")).toMatchObject({ out: "ben\t4\nada\t-0.5\n", err: "" });
  });

  test("histories are read of bugs with hours alone, and of those changed in the period", async () => {
    const read = async (flags: string) => {
      const { requests } = await HOURS(`report time ${flags}`);
      return requests.filter(({ path }) => path.endsWith("/history")).map(({ path, query }) => [path, query]);
    };
    expect(await read("")).toEqual([["/rest/bug/3/history", [["ids", "2"]]]]);
    expect(await read("--since 2026-11-16")).toEqual([["/rest/bug/3/history", []]]);
  });

  test("hours that the tracker does not show are an error, not 0", async () => {
    const ran = await trackerOf([{ id: 3, last_change_time: NOW }])("report time --json");
    expect(ran).toMatchObject({
      code: 4,
      out: "",
      err: expect.stringContaining("the tracker does not show you hours worked"),
    });
  });

  test("a bug without comments, of which a server returns null, has no hours", async () => {
    const bugs = [
      { id: 2, actual_time: null, last_change_time: NOW },
      { id: 1, actual_time: 2, last_change_time: NOW },
    ];
    const ran = await trackerOf(bugs, { 1: [worked("11-16", "ada", "2.00")] })("report time");
    expect(ran).toMatchObject({ code: 0, out: "ada\t2\n" });
  });

  test("a table has a bar and a total; JSON has numbers", async () => {
    expect((await HOURS("report time", terminal(80))).out).toMatchInlineSnapshot(`
      "PERSON               HOURS
      ben                    4 h  ████████████████
      ada                 2.25 h  █████████
      not in the history  0.25 h  █
      "
    `);
    expect(
      (await HOURS("report time --by week,bug", { ...terminal(80), env: { LC_ALL: "C" } })).out,
    ).toMatchInlineSnapshot(`
      "WEEK                BUG   HOURS                    SUMMARY
      not in the history  #2   0.25 h  #                 Two
      2026-W46            #3      2 h  #########         Three
      2026-W46            #2   0.75 h  ###               Two
      2026-W47            #3    3.5 h  ################  Three
      "
    `);
    expect((await HOURS("report time --by bug", terminal(40))).out).toMatchInlineSnapshot(`
      "BUG  HOURS  SUMMARY
      #3   5.5 h  Three
      #2     1 h  Two
      "
    `);
    expect(JSON.parse((await HOURS("report time --by week --json")).out)[1]).toEqual({ week: "2026-W46", hours: 2.75 });
  });

  test.each([
    ["--by day", 'unknown "day" in --by'],
    ["--since 2026-11-16 --until 2026-11-16", "--since is not before --until"],
    ["--since whenever", "whenever"],
    ["--status opn", "opn"],
  ])("%s is an error", async (flags, message) => {
    expect(await demo()(`report time ${flags}`)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test("the demo has hours, of the criteria alone", async () => {
    const hours = async (flags: string) =>
      Number((await demo()(`report time ${flags} --json --jq 'map(.hours)|add'`)).out);
    const all = await hours("");
    const some = await hours("-p Lantern");
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
  });
});

function resolved(day: string, removed: string, added: string) {
  return { when: `2026-${day}T10:00:00Z`, who: "ada", changes: [{ field_name: "resolution", removed, added }] };
}

const FLOW = trackerOf(
  [
    {
      id: 5,
      is_open: false,
      resolution: "INVALID",
      creation_time: "2026-11-11T10:00:00Z",
      last_change_time: "2026-11-11T10:00:00Z",
    },
    {
      id: 4,
      is_open: true,
      resolution: "",
      creation_time: "2026-11-18T10:00:00Z",
      last_change_time: "2026-11-18T10:00:00Z",
    },
    {
      id: 3,
      is_open: false,
      resolution: "FIXED",
      creation_time: "2026-11-10T10:00:00Z",
      last_change_time: "2026-11-19T10:00:00Z",
    },
    {
      id: 2,
      is_open: true,
      resolution: "",
      creation_time: "2026-08-01T10:00:00Z",
      last_change_time: "2026-11-17T10:00:00Z",
    },
    {
      id: 1,
      is_open: false,
      resolution: "WONTFIX",
      creation_time: "2025-08-01T10:00:00Z",
      last_change_time: "2025-08-01T10:00:00Z",
    },
  ],
  { 3: [resolved("11-19", "", "FIXED")], 2: [resolved("11-11", "", "FIXED"), resolved("11-17", "FIXED", "")] },
);

describe("bt report flow", () => {
  test("counts bugs opened, reopened, closed and open in each week", async () => {
    expect((await FLOW("report flow --weeks 3")).out).toMatchInlineSnapshot(`
      "2026-W45	2026-11-02	0	0	0	1
      2026-W46	2026-11-09	2	0	2	1
      2026-W47	2026-11-16	1	1	1	2
      "
    `);
  });

  test("reads the histories of bugs that changed in these weeks", async () => {
    const { requests } = await FLOW("report flow --weeks 3");
    const reads = requests.filter(({ path }) => path.endsWith("/history"));
    expect(reads.map(({ path, query }) => [path, query])).toEqual([
      [
        "/rest/bug/5/history",
        [
          ["ids", "4"],
          ["ids", "3"],
          ["ids", "2"],
          ["new_since", "2026-11-01T23:59:59Z"],
        ],
      ],
    ]);
  });

  test("JSON has the weeks and the ages of open bugs", async () => {
    expect(JSON.parse((await FLOW("report flow --weeks 1 --json")).out)).toEqual({
      weeks: [{ week: "2026-W47", start: "2026-11-16", opened: 1, reopened: 1, closed: 1, open: 2 }],
      ages: [
        { from_days: 0, to_days: 7, open: 1 },
        { from_days: 7, to_days: 30, open: 0 },
        { from_days: 30, to_days: 90, open: 0 },
        { from_days: 90, to_days: 365, open: 1 },
        { from_days: 365, to_days: null, open: 0 },
      ],
      open: 2,
      median_age_days: 111,
    });
    expect(
      (await FLOW("report flow --ages --format csv")).out
        .split("\n")
        .slice(0, 2)
        .map((line) => line.trim()),
    ).toEqual(["from_days,to_days,open", "0,7,1"]);
  });

  test("a terminal shows both, with bars", async () => {
    expect((await FLOW("report flow --weeks 3", terminal(80))).out).toMatchInlineSnapshot(`
      "WEEK      OPENED  REOPENED  CLOSED  OPEN  █ OPENED ░ CLOSED
      2026-W45       0         0       0     1
      2026-W46       2         0       2     1  ███████████████░░░░░░░░░░░░░░░
      2026-W47       1         1       1     2  ███████████████░░░░░░░░

      Age of open bugs (2 open, median 111 days)
      AGE             OPEN
      under 7 days       1  ██████████████████████████████
      7 to 30 days       0
      30 to 90 days      0
      90 to 365 days     1  ██████████████████████████████
      over 365 days      0
      "
    `);
    expect((await FLOW("report flow --weeks 3", { ...terminal(40), env: { LC_ALL: "C" } })).out).toMatchInlineSnapshot(
      `
      "WEEK      OPENED  CLOSED  OPEN
      2026-W45       0       0     1
      2026-W46       2       2     1
      2026-W47       1       1     2

      Age of open bugs (2 open, median 111 days)
      AGE             OPEN
      under 7 days       1  ############
      7 to 30 days       0
      30 to 90 days      0
      90 to 365 days     1  ############
      over 365 days      0
      "
    `,
    );
  });

  test("the embedded tracker: a bug that is closed and reopened counts in both ways", async () => {
    const bt = demo();
    const week = async () => JSON.parse((await bt("report flow --weeks 1 --json")).out).weeks[0];
    const before = await week();
    await bt("bug close 44 --as WONTFIX");
    await bt("bug reopen 44 -m Again");
    const after = await week();
    expect(after).toEqual({ ...before, closed: before.closed + 1, reopened: before.reopened + 1 });
  });

  test.each([["--weeks 0"], ["--weeks x"], ["--fields wek"], ["--status opn"]])("%s is an error", async (flags) => {
    expect(await demo()(`report flow ${flags}`)).toMatchObject({ code: 2, out: "" });
  });
});
