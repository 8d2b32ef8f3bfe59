import { describe, expect, test } from "vitest";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, type FaultyTracker, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf, type Ran, ran } from "./ran.ts";
import { FIRST_FREE, MOST_FREE, WRITES, type Written } from "./writes.ts";

const MESSAGE =
  'DBD::MariaDB::db do failed: Deadlock found when trying to get lock; try restarting transaction [for Statement "UPDATE `bugs` SET x = ?"] at Bugzilla/DB.pm line 64.\\n\\tBugzilla::DB';
const DEADLOCK = `{"error":true,"code":100500,"message":${JSON.stringify(MESSAGE)}}`;

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

function sent({ tracker }: Ran): number {
  return tracker.writes().length;
}

/** Requests that read after the last write. */
function readAfter(tracker: FaultyTracker): readonly string[] {
  const at = tracker.requests.findLastIndex(({ method }) => method !== "GET");
  return tracker.requests.slice(at + 1).map(({ path }) => path);
}

/** Bugzilla sends mail after the commit, and reports a dead mail server, or a late deadlock, as the error of a stored write. */
const INTERNAL: readonly (readonly [what: string, text: string])[] = [
  ["a deadlock", answer(DEADLOCK)],
  [
    "a dead mail server",
    answer('{"error":true,"code":68000,"message":"connect: refused"}', { status: "400 Bad Request" }),
  ],
  ["a 500 of the tracker", answer('{"error":true,"code":53,"message":"No."}', { status: "500 Internal Server Error" })],
];

describe.each(INTERNAL)("an internal error of the tracker is no refusal: %s", (_, text) => {
  test.each(LOOKED_FOR)("a stored write is found, and sent once: %s", async (name) => {
    const write = WRITES[name] as Written;
    const stored: Fate = async ({ apply, socket }) => {
      await apply();
      socket.write(text);
    };
    const run = await wrote(write, { fate: stored });
    expect({ code: run.code, sent: sent(run), done: run.tracker.count(write.trace(FIRST_FREE)) }).toEqual({
      ...{ code: 0, sent: 1, done: 1 },
    });
    expect(run.err).toContain("verified as applied after a lost response");
  });

  test("a write that is not found has an unknown outcome, and is not sent again", async () => {
    const run = await wrote(COMMENT, { fate: ({ socket }) => void socket.write(text) });
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 9, sent: 1 });
    expect(run.err).not.toContain("no changes made");
  });
});

test.each([
  ["a 429 without Retry-After", answer("", { status: "429 Busy" })],
  [
    "Mozilla's rate limit",
    answer('{"error":true,"code":32000,"message":"You have exceeded the rate limit."}', { status: "400 Bad Request" }),
  ],
])("nothing is done, and no job is left, after %s", async (_, text) => {
  const run = await wrote(COMMENT, { fate: ({ socket }) => void socket.write(text) });
  expect({ code: run.code, sent: sent(run), open: jobsOf(run.home, "open") }).toEqual({ code: 8, sent: 1, open: [] });
  expect(run.err).toContain("no changes made");
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
    expect({ code: run.code, sent: sent(run) }).toEqual({ code: 9, sent: 1 });
    expect(run.err).toContain("it was not found on the tracker");
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
      ["--format tsv --fields result,changes", /\t\w+: \+ (https:\/\/example.org\/i.png|note)/],
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
    const line = `bug update ${ids} -y --whiteboard note --fields id,changes`;
    const run = await ran(line, { write: nulling }, (tracker) => crowd(tracker, MOST_FREE));
    expect({ code: run.code, sent: sent(run), waits: run.waits }).toEqual({ code: 0, sent: 2, waits: [] });
    expect(run.out.match(/\twhiteboard: \+ note$/gm)).toHaveLength(22);
  });
});

describe("an update of a group without a response", () => {
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
