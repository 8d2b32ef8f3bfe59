import { describe, expect, test } from "vitest";
import { overwrittenLines } from "../../src/api/write/read-back.ts";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";
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
  test("a list that is replaced, and one that is edited", async () => {
    const other = { cc: { add: ["mei@example.org"] }, keywords: { add: ["regression"] } };
    const run = await meanwhile("bug update 100 --set-keywords crash --add-cc ada@example.org", [[100, other]]);
    expect({ code: run.code, err: run.err }).toEqual({
      ...{
        code: 0,
        err: 'note: overwrote a newer change: bug 100: keywords: the update removed "regression" and added "crash", instead of removed "" and added "crash"\n',
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

test.each<[what: string, known: Json, removed: string | null, added: string, isOther: boolean]>([
  ["hours", 2.5, "2.50", "3", false],
  ["no hours", 0, "0.00", "3", false],
  ["other hours", 0, "1.00", "3", true],
  ["yes", true, "1", "0", false],
  ["no value", null, "", "2031-01-02", false],
  ["a null", "", null, "x", false],
  ["a day", "2031-01-02", "2031-01-02 00:00:00", "", false],
  ["a time in the zone of the server", "2031-01-02T03:04:05Z", "2031-01-02 12:04:05", "", false],
  ["another bug", 24, "25", "", true],
])("only a value that differs from the one read is reported: %s", (_, known, removed, added, isOther) => {
  const lines = overwrittenLines({ field: known }, {}, { field: { removed, added } });
  expect(lines).toEqual(isOther ? [expect.stringContaining(`field was "${removed}" before the update`)] : []);
});

test.each<[what: string, removed: string, added: string, isOther: boolean]>([
  ["as read", "New, old & more, x", "y", false],
  ["in another order", "x, New, old & more", "y", false],
  ["one more removed", "New, old & more, x, z", "y", true],
  ["an item that was there again", "New, old & more, x", "y, w", true],
])("a list that is sent whole is compared joined: %s", (_, removed, added, isOther) => {
  const read = { cf_list: ["New, old & more", "x", "w"] };
  expect(overwrittenLines(read, { cf_list: ["w", "y"] }, { cf_list: { removed, added } })).toHaveLength(
    isOther ? 1 : 0,
  );
});

test.each([
  ["a value that the tracker replaced itself", "task", 0],
  ["a value of someone else", "enhancement", 1],
])("%s is compared with what was sent", (_, type, count) => {
  const changes = { type: { removed: "task", added: "defect" } };
  expect(overwrittenLines({ type: "defect" }, { type }, changes)).toHaveLength(count);
});
