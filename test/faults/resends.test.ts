import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, type FaultyTracker, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf, type Ran, ran } from "./ran.ts";
import { FIRST_FREE, MOST_FREE, WRITES, type Written } from "./writes.ts";

const MESSAGE =
  'DBD::MariaDB::db do failed: Deadlock found when trying to get lock; try restarting transaction [for Statement "UPDATE `bugs` SET x = ?"] at Bugzilla/DB.pm line 64.\\n\\tBugzilla::DB';
const DEADLOCK = `{"error":true,"code":100500,"message":${JSON.stringify(MESSAGE)}}`;
const deadlock: Fate = ({ socket }) => void socket.write(answer(DEADLOCK));

const COMMENT = WRITES["comment add"] as Written;
const LOOKED_FOR = ["comment add", "bug create", "bug update of a field", "tag update", "group update"];

/** Runs a write of the table on the bug of that number. */
function wrote(
  write: Written,
  {
    n = FIRST_FREE,
    fate,
    more = "",
    clientEnv = {},
  }: { n?: number; fate: Fate; more?: string; clientEnv?: Readonly<Record<string, string>> },
) {
  return ran(`${write.line(n)}${more}`, { write: fate, clientEnv }, (tracker) => {
    crowd(tracker, MOST_FREE);
    if (write.before) tracker.store.exec(write.before(n));
  });
}

/** The first of the writes have this fate. */
function first(count: number, fate: Fate): Fate {
  return (incident) => (incident.count <= count ? fate(incident) : incident.pass());
}

function sent({ tracker }: Ran): number {
  return tracker.writes().length;
}

/** Requests that read after the last write. */
function readAfter(tracker: FaultyTracker): readonly string[] {
  const at = tracker.requests.findLastIndex(({ method }) => method !== "GET");
  return tracker.requests.slice(at + 1).map(({ path }) => path);
}

function linesOf(run: Ran, kind: "open" | "finished"): readonly string[] {
  const folder = join(run.home, ".local/state/bt/jobs", kind === "open" ? "" : kind);
  const text = readFileSync(join(folder, jobsOf(run.home, kind)[0] ?? ""), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line).st ?? "head")));
}

describe("a write rolled back by a deadlock is resent", () => {
  test.each([...LOOKED_FOR, "bug update of many", "bug close"])("three times at most: %s", async (name) => {
    const write = WRITES[name] as Written;
    const run = await wrote(write, { fate: first(3, deadlock) });
    expect({ code: run.code, sent: sent(run), done: run.tracker.count(write.trace(FIRST_FREE)) }).toEqual({
      ...{ code: 0, sent: 4, done: 1 },
    });
    expect(run.waits).toEqual([100, 500, 2000]);
    expect(run.err.match(/^bt: a conflict on the tracker rolled back .*; resending it$/gm)).toHaveLength(3);
  });

  test("not a fourth time, without any change", async () => {
    const run = await wrote(COMMENT, { fate: deadlock });
    expect({ code: run.code, out: run.out, sent: sent(run) }).toEqual({ code: 8, out: "", sent: 4 });
    expect(run.err).toMatch(/Deadlock found when trying to get lock.*no changes made/s);
    expect({ open: jobsOf(run.home, "open"), lines: linesOf(run, "finished") }).toEqual({
      open: [],
      lines: ["head", "SENT", "SENT", "SENT", "SENT", "FAILED"],
    });
  });

  test("without retries, which are for connections, too", async () => {
    const run = await wrote(COMMENT, { fate: first(1, deadlock), clientEnv: { BT_RETRY: "0" } });
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 0, sent: 2 });
  });

  test("and verified if its response is lost", async () => {
    const fate: Fate = (incident) => (incident.count === 1 ? deadlock(incident) : FATES.resetAfter(incident));
    const run = await wrote(COMMENT, { fate });
    expect({ code: run.code, sent: sent(run), done: run.tracker.count(COMMENT.trace(FIRST_FREE)) }).toEqual({
      ...{ code: 0, sent: 2, done: 1 },
    });
    expect(run.err).toContain("verified as applied after a lost response");
  });

  test.each([
    ["fields", "--priority Highest", 2],
    ["comments", "-m Sorry", 40],
  ])("in a bulk update of %s too, each request three times at most", async (_, flags, requests) => {
    const ids = [...Array(40).keys()].map((at) => FIRST_FREE + at).join(" ");
    const fate: Fate = (incident) => (incident.count % 4 === 0 ? incident.pass() : deadlock(incident));
    const run = await ran(`bug update ${ids} ${flags} -y`, { write: fate }, (tracker) => crowd(tracker, MOST_FREE));
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 0, sent: requests * 4 });
    const sql = "SELECT count(*) FROM (SELECT 1 FROM activity WHERE added = 'Highest' AND bug_id >= 100";
    const done = run.tracker.count(`${sql} UNION ALL SELECT 1 FROM comments WHERE text = 'Sorry')`);
    expect(done).toBe(40);
  });

  test("bugs with persistent deadlocks fail, the others of a bulk update are updated", async () => {
    const ids = [...Array(40).keys()].map((at) => FIRST_FREE + at).join(" ");
    const line = `bug update ${ids} -m Sorry -y`;
    const run = await ran(line, { write: first(4, deadlock) }, (tracker) => crowd(tracker, MOST_FREE));
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 10, sent: 4 + 39 });
    expect(run.err).toMatch(/39 of 40 bugs done: 1 failed\n {4}bug 100: .*Deadlock/);
  });
});

describe("a deadlock reported in a truncated response has an unknown outcome", () => {
  test.each<readonly [string, Fate, waits: readonly number[]]>([
    [
      "truncated",
      async ({ apply, socket }) => {
        await apply();
        socket.end(answer(DEADLOCK).slice(0, -10));
      },
      [1000],
    ],
    [
      "after the commit",
      async ({ apply, socket }) => {
        await apply();
        socket.write(answer(DEADLOCK.replace("`bugs` SET x", "bugs SET lastdiffed")));
      },
      [1000],
    ],
    [
      "in an error page of a gateway",
      async ({ apply, socket }) => {
        await apply();
        socket.write(answer(`<html>${MESSAGE}</html>`, { status: "502 Bad Gateway" }));
      },
      [1000],
    ],
  ])("%s", async (_, fate, waits) => {
    const run = await wrote(COMMENT, { fate: once(fate) });
    expect({ code: run.code, sent: sent(run), waits: run.waits }).toEqual({ code: 0, sent: 1, waits });
    expect(run.err).toContain("verified as applied after a lost response");
  });
});

/** Complete responses with a good status that say nothing of the write. */
const NOT_UNDERSTOOD: Readonly<Record<string, string>> = {
  "a fault inside": answer('{"error":true,"code":100500,"message":"Not a HASH reference at X line 1."}'),
  "an empty answer": answer(""),
  "no content": "HTTP/1.1 204 No Content\r\n\r\n",
  "a web page": answer("<html><title>Log in</title></html>", { headers: { "content-type": "text/html" } }),
  "an answer of another kind": answer('{"result":"ok"}'),
  "an error of nobody": answer('{"error":true,"message":null}'),
};

/** Each response in place of the answer to a write of another kind. */
const SPOILT = Object.entries(NOT_UNDERSTOOD).map(([what, text], at) => {
  const name = LOOKED_FOR[at % LOOKED_FOR.length] ?? "";
  return { what, name, text, write: WRITES[name] as Written };
});

describe.each(SPOILT)("a complete but invalid response, $what to $name", ({ write, text }) => {
  test("the write is verified once, as applied", async () => {
    const run = await wrote(write, {
      fate: once(async ({ apply, socket }) => {
        await apply();
        socket.write(text);
      }),
    });
    expect({ code: run.code, sent: sent(run), waits: run.waits }).toEqual({ code: 0, sent: 1, waits: [1000] });
  });

  test("the write is checked once, and not resent", async () => {
    const run = await wrote(write, { fate: ({ socket }) => void socket.write(text) });
    expect({ code: run.code, sent: sent(run), waits: run.waits }).toEqual({ code: 9, sent: 1, waits: [1000] });
    expect(readAfter(run.tracker).length).toBeLessThanOrEqual(5);
    expect(run.err).toContain("it was not found on the tracker (checked once)");
    expect(jobsOf(run.home, "open")).toEqual([`${jobIn(run.err)}.jsonl`]);
  });
});

describe("a response with nulls is a response: nothing is verified or resent", () => {
  const nulling: Fate = async ({ apply, socket }) => {
    const { body } = await apply();
    socket.write(answer(body.replaceAll('"removed":""', '"removed":null').replaceAll('"added":""', '"added":null')));
  };

  test.each([
    ["group update staff --icon-url https://example.org/i.png", /icon_url: {"removed":null|"icon_url":{"removed":null/],
    ["bug update 43 --whiteboard note", /"removed":null,"added":"note"|"added":"note","removed":null/],
  ])("%s", async (line, printed) => {
    for (const [more, out] of [
      ["--json", printed],
      ["--format tsv", /\tdone\t\w+: \+ (https:\/\/example.org\/i.png|note)\t/],
    ] as const) {
      const run = await ran(`${line} ${more}`, { write: nulling });
      expect({ code: run.code, sent: sent(run), waits: run.waits, err: run.err }).toEqual({
        ...{ code: 0, sent: 1, waits: [], err: "" },
      });
      expect(run.out).toMatch(out);
      expect(readAfter(run.tracker)).toEqual([]);
    }
  });

  test("in a bulk update too", async () => {
    const ids = [...Array(22).keys()].map((at) => FIRST_FREE + at).join(" ");
    const line = `bug update ${ids} -y --whiteboard note`;
    const run = await ran(line, { write: nulling }, (tracker) => crowd(tracker, MOST_FREE));
    expect({ code: run.code, sent: sent(run), waits: run.waits }).toEqual({ code: 0, sent: 1, waits: [] });
    expect(run.out.match(/\twhiteboard: \+ note\t/g)).toHaveLength(22);
  });
});

describe("an update of a group without a response", () => {
  test("is shown with its changes", async () => {
    const run = await ran("group update staff --description Words --json", { write: once(FATES.resetAfter) });
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 0, sent: 1 });
    expect(JSON.parse(run.out)).toMatchObject([{ changes: { description: { added: "Words" } } }]);
  });

  test("is not reported as unchanged if the tracker does not show the changed field", async () => {
    const run = await ran("group update staff --icon-url https://example.org/i.png", {
      write: once(FATES.resetBefore),
    });
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 9, sent: 1 });
    expect(run.err).toContain("unknown outcome of the update of group");
  });
});

test.each(LOOKED_FOR)("an incomplete response is verified and not resent: %s", async (name) => {
  const run = await wrote(WRITES[name] as Written, { fate: FATES.resetBefore });
  expect({ code: run.code, sent: sent(run), waits: run.waits }).toEqual({
    ...{ code: 9, sent: 1, waits: [1000, 2000, 4000, 8000, 15_000] },
  });
});
