import { describe, expect, test } from "vitest";
import { overwrittenLines } from "../../src/api/write/overwritten.ts";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";
import type { Changes } from "../../src/wire/resources.ts";
import { crowd } from "../servers/demo-server.ts";
import { type FaultyTracker, once } from "./faulty-tracker.ts";
import { ran } from "./ran.ts";
import { FIRST_FREE, MOST_FREE } from "./writes.ts";

/** Runs a command while another user makes these changes between its reading and its write. */
function meanwhile(line: string, changes: readonly (readonly [id: number | string, body: JsonObject])[], noun = "bug") {
  let server: FaultyTracker | undefined;
  const change = async () => {
    for (const [id, body] of changes) {
      const request = { method: "PUT", path: `/rest/${noun}/${id}`, body };
      await server?.as(server.login, request);
    }
  };
  return ran(line, { write: once(async ({ pass }) => change().then(pass)) }, (tracker) => {
    server = tracker;
    crowd(tracker, MOST_FREE);
  });
}

describe("a value changed by another user between read and write is reported with both versions", () => {
  test("a value", async () => {
    const run = await meanwhile("bug update 100 --priority Highest", [[100, { priority: "Low" }]]);
    expect({ code: run.code, err: run.err }).toEqual({
      ...{
        code: 0,
        err: expect.stringMatching(/^note: overwrote a newer change: bug 100: priority was "Low" before the update, /),
      },
    });
    expect(run.err).toMatch(/not "[^"]+"; it is now "Highest"\n$/);
  });

  test("a list that is replaced, and one that is edited", async () => {
    const other = { cc: { add: ["mei@example.org"] }, keywords: { add: ["regression"] } };
    const run = await meanwhile("bug update 100 --set-keywords crash --add-cc ada@example.org", [[100, other]]);
    expect({ code: run.code, err: run.err }).toEqual({
      ...{
        code: 0,
        err: 'note: overwrote a newer change: bug 100: keywords was "regression" before the update, not ""\n',
      },
    });
  });

  test("several bugs of one request, and a closed one", async () => {
    const run = await meanwhile("bug close 100 101 102", [[101, { status: "IN_PROGRESS" }]]);
    expect({ code: run.code, lines: run.err.match(/overwrote.*/g) }).toEqual({
      ...{
        code: 0,
        lines: [expect.stringMatching(/bug 101: status was "IN_PROGRESS" before the update, not "CONFIRMED"/)],
      },
    });
  });

  test("bugs of a bulk update, after their lines", async () => {
    const ids = [...Array(30).keys()].map((at) => FIRST_FREE + at).join(" ");
    const run = await meanwhile(`bug update ${ids} -y --whiteboard mine`, [
      [103, { whiteboard: "theirs" }],
      [104, { priority: "Low" }],
    ]);
    const err = run.err.replace(/^note: undo: bt bug undo --job \w{26}\n/m, "");
    expect({ code: run.code, err, lines: run.out.trimEnd().split("\n").length }).toEqual({
      code: 0,
      err: 'note: overwrote a newer change: bug 103: whiteboard was "theirs" before the update, not ""; it is now "mine"\n',
      lines: 30,
    });
  });

  test("a group", async () => {
    const run = await meanwhile(
      "group update staff --description Mine",
      [["staff", { description: "Theirs" }]],
      "group",
    );
    expect({ code: run.code, err: run.err }).toEqual({
      ...{
        code: 0,
        err: expect.stringMatching(
          /group \d+: description was "Theirs" before the update, not ".+"; it is now "Mine"\n$/,
        ),
      },
    });
  });

  test("with --if-unchanged it is a collision, in a bulk update too", async () => {
    const ids = [...Array(30).keys()].map((at) => FIRST_FREE + at).join(" ");
    for (const line of ["bug update 103 --whiteboard mine", `bug update ${ids} -y --whiteboard mine`]) {
      const run = await meanwhile(`${line} --if-unchanged`, [[103, { whiteboard: "theirs" }]]);
      expect({ line, code: run.code, err: run.err }).toEqual({
        ...{
          line,
          code: 11,
          err: expect.stringContaining('bug 103: whiteboard was "theirs" before the update, not ""'),
        },
      });
    }
  });

  test("unmodified values are not reported", async () => {
    const line = `bug update 100 --priority Highest --whiteboard x --add-keywords crash --add-cc ada@example.org --status IN_PROGRESS
      --flag 'needinfo?(mei@example.org)' --estimated-time 3 --deadline 2031-01-02 --add-depends-on 41 -a mei@example.org`;
    const run = await meanwhile(line.replaceAll("\n", " "), []);
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: "" });
  });
});

/** Value that was read, values that the response reports as removed and added, and true for a newer change. */
type Sides = { readonly known: Json; readonly removed: string | null; readonly added: string; readonly stood?: string };

const SIDES: Readonly<Record<string, Sides>> = {
  hours: { known: 2.5, removed: "2.50", added: "3" },
  "no hours": { known: 0, removed: "0.00", added: "3" },
  "other hours": { known: 0, removed: "1.00", added: "3", stood: "1.00" },
  yes: { known: true, removed: "1", added: "0" },
  "no value": { known: null, removed: "", added: "2031-01-02" },
  "a null": { known: "", removed: null, added: "x" },
  "a day": { known: "2031-01-02", removed: "2031-01-02 00:00:00", added: "" },
  "a time in the zone of the server": { known: "2031-01-02T03:04:05Z", removed: "2031-01-02 12:04:05", added: "" },
  "a bug": { known: 24, removed: "24", added: "" },
  "another bug": { known: 24, removed: "25", added: "", stood: "25" },
  "a list": { known: [24, 25], removed: "24", added: "26" },
  "a longer list": { known: [24, 25], removed: "24, 27", added: "26", stood: "24, 25, 27" },
  "an item that was gone": { known: ["a", "b"], removed: "", added: "b", stood: "a" },
  "items with commas": { known: ["New, old & more", "x"], removed: "New, old & more, x", added: "" },
  "letter case": { known: ["A@example.org"], removed: "a@example.org", added: "" },
};

/** What an update of a bug overwrote. */
function overwrittenIn(changes: Changes, before: JsonObject, body: JsonObject = {}): string[] {
  return overwrittenLines([{ id: 1, changes }], [{ id: 1, ...before }], () => body);
}

test.each(Object.entries(SIDES))("only a value that differs from the one read is reported: %s", (_, sides) => {
  const { known, stood, ...change } = sides;
  const lines = overwrittenIn({ field: change }, { field: known });
  expect(lines).toEqual(stood === undefined ? [] : [expect.stringContaining(`field was "${stood}" before the update`)]);
});

test.each([
  ["a value that the tracker replaced itself", "task", 0],
  ["a value of someone else", "enhancement", 1],
])("%s is compared with what was sent", (_, type, count) => {
  const changes = { type: { removed: "task", added: "defect" } };
  expect(overwrittenIn(changes, { type: "defect" }, { type })).toHaveLength(count);
});

test.each([
  ["review?, needinfo?(mei@example.org)", 0],
  ["review+", 1],
])("a flag is compared by status, without its requestee: %s", (removed, count) => {
  const flags = [
    { name: "review", status: "?", requestee: "ada@example.org" },
    { name: "needinfo", status: "?" },
  ];
  expect(overwrittenIn({ "flagtypes.name": { removed, added: "review?" } }, { flags })).toHaveLength(count);
});
