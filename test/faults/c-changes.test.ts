import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, type FaultyTracker, faultyTracker, type Incident, inOrder, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf, ran } from "./ran.ts";

const COMMENTS = "SELECT count(*) FROM comments WHERE text = 'Seen again'";
const HOURS = "SELECT sum(work_time) FROM comments WHERE bug_id = 43";
const PRIORITY = "SELECT count(*) FROM bugs WHERE id IN (43, 41) AND priority = 'Highest'";

type Row = {
  readonly line: string;
  readonly write: Fate;
  readonly timeout?: string; // in seconds
  readonly code: number;
  readonly err?: RegExp;
  readonly out?: RegExp;
  readonly waits?: readonly number[]; // in whole seconds
  readonly counts: readonly (readonly [string, number])[];
  readonly writes?: number;
};

const { resetAfter, badGatewayBefore, silentAfter } = FATES;
const FOUND = /verified as applied after a lost response/;
const COMMENT = "comment add 43 -m 'Seen again'";
const UPDATE = "bug update 43 -m 'Seen again' --work-time 1.5 --priority Highest";
const PLAIN = "bug update 43 41 --priority Highest";

const ROWS: Readonly<Record<string, Row>> = {
  "C10 a comment is found by who wrote it, its text and its privacy": {
    ...{ line: COMMENT, write: once(resetAfter), code: 0, err: FOUND },
    counts: [[COMMENTS, 1]],
  },
  "C10 a comment that needs a second": {
    ...{ line: COMMENT, timeout: "2", write: once(silentAfter), code: 0, err: FOUND },
    counts: [[COMMENTS, 1]],
  },
  "C10 a comment that is not there is not sent again": {
    ...{ line: COMMENT, write: once(badGatewayBefore), code: 9, err: /it was not found on the tracker/, writes: 1 },
    counts: [[COMMENTS, 0]],
  },
  "C11 a change with a comment and hours is found, its hours added once": {
    ...{ line: UPDATE, write: once(resetAfter), code: 0, err: FOUND, writes: 1 },
    counts: [
      [COMMENTS, 1],
      [HOURS, 1.5],
    ],
  },
  "C11 hours alone are found in the history": {
    ...{ line: "bug update 43 --work-time 1.5", write: once(resetAfter), code: 0, err: FOUND, writes: 1 },
    counts: [[HOURS, 1.5]],
  },
  "C11 hours that are not there are not sent again": {
    ...{ line: "bug update 43 --work-time 1.5", write: once(badGatewayBefore), code: 9, writes: 1 },
    counts: [[HOURS, 0]],
  },
  "C12 plain fields that are as they should be are done": {
    ...{ line: PLAIN, write: once(resetAfter), code: 0, err: FOUND, writes: 1 },
    counts: [[PRIORITY, 2]],
  },
  "C12 plain fields that are as before are not sent again": {
    ...{ line: PLAIN, write: once(badGatewayBefore), code: 9, writes: 1 },
    counts: [[PRIORITY, 0]],
  },
  "C12 a status is found": {
    ...{ line: "bug close 43 41", write: once(resetAfter), code: 0, err: FOUND, writes: 1 },
    counts: [["SELECT count(*) FROM bugs WHERE id IN (43, 41) AND status = 'RESOLVED'", 2]],
  },
  "C12 a duplicate is found": {
    ...{ line: "bug dup 43 41", write: once(resetAfter), code: 0, err: FOUND, writes: 1 },
    counts: [["SELECT dupe_of FROM bug_duplicates WHERE bug_id = 43", 41]],
  },
  "C12 lists are found": {
    ...{ line: "bug update 43 --add-cc mei@example.org --remove-keywords crash", write: once(resetAfter), code: 0 },
    err: FOUND,
    counts: [
      [
        "SELECT count(*) FROM bug_cc JOIN users ON users.id = user_id WHERE bug_id = 43 AND login = 'mei@example.org'",
        1,
      ],
    ],
  },
  "C15 a write that was refused for now goes out again when the tracker says so": {
    ...{ line: COMMENT, write: once(FATES.busy), code: 0, err: /^$/, out: /^\d+\n$/, writes: 2, waits: [1] },
    counts: [[COMMENTS, 1]],
  },
  "C15 a write that was refused for now, and then lost": {
    ...{ line: COMMENT, write: inOrder(FATES.busy, resetAfter), code: 0, err: FOUND, writes: 2, waits: [1, 1] },
    counts: [[COMMENTS, 1]],
  },
  "C15 a write that was refused for now, and then lost on the way": {
    ...{ line: COMMENT, write: inOrder(FATES.busy, badGatewayBefore), code: 9, writes: 2 },
    ...{ err: /it was not found on the tracker/, counts: [[COMMENTS, 0]] },
  },
  "C15 a write that is refused for longer than there is time": {
    ...{ line: COMMENT, timeout: "1", write: once(FATES.busy), code: 8, out: /^$/, writes: 1, waits: [] },
    ...{ err: /retry after 1 s.*no changes made/s, counts: [[COMMENTS, 0]] },
  },
  "C18 a group is found by its name": {
    ...{ line: "group create --name triage --description 'Bug triage'", write: once(resetAfter), code: 0, err: FOUND },
    counts: [["SELECT count(*) FROM groups WHERE name = 'triage'", 1]],
    writes: 1,
  },
  "C19 tags are found": {
    ...{ line: "tag update 5 --add obsolete", write: once(resetAfter), code: 0, err: FOUND, out: /^obsolete$/m },
    counts: [["SELECT count(*) FROM comment_tags WHERE tag = 'obsolete' AND comment_id = 5", 1]],
  },
  "C19 tags that are not there are not sent again": {
    ...{ line: "tag update 5 --add obsolete", write: once(badGatewayBefore), code: 9, writes: 1 },
    ...{
      err: /it was not found on the tracker/,
      counts: [["SELECT count(*) FROM comment_tags WHERE tag = 'obsolete'", 0]],
    },
  },
  "a raw write is delivered in the same way": {
    ...{ line: "api POST /rest/bug/43/comment -f comment='Seen again'", write: once(resetAfter), code: 0, err: FOUND },
    counts: [[COMMENTS, 1]],
  },
  "a raw write of a kind that leaves no known trace is unknown": {
    ...{ line: "api PUT /rest/bug_user_last_visit/43 -f x=y", write: once(resetAfter), code: 9, writes: 1 },
    err: /unknown outcome of PUT \/rest\/bug_user_last_visit\/43.*hint: check the tracker/s,
    counts: [],
  },
};

test.each(Object.entries(ROWS))("%s", async (_, row) => {
  const { line, write, timeout = "", code, err = /^/, out = /^/, counts, writes, waits } = row;
  const run = await ran(line, { write, clientEnv: { BT_TIMEOUT: timeout } });
  expect([run.code, run.err, run.out]).toEqual([code, expect.stringMatching(err), expect.stringMatching(out)]);
  if (code !== 0) expect(run.out).toMatch(/^(4[31]\tunknown\n)*$/);
  if (waits) expect(run.waits.map((ms) => Math.floor(ms / 1000))).toEqual(waits);
  for (const [sql, count] of counts) expect(run.tracker.count(sql)).toBe(count);
  if (writes !== undefined) expect(run.tracker.writes()).toHaveLength(writes);
  expect(jobsOf(run.home, code === 9 ? "open" : "finished")).toHaveLength(1);
});

test("C13 a change that another user has overwritten is found in the history, and not resent", async () => {
  const tracker = await faultyTracker({
    write: once(async ({ apply, socket }) => {
      await apply();
      await tracker.as("mei@example.org", {
        method: "PUT",
        path: "/rest/bug/43",
        body: { ids: [43], priority: "Lowest" },
      });
      socket.resetAndDestroy();
    }),
  });
  const run = await btConnected("bug update 43 --priority Highest", { env: { ...tracker.env, HOME: freshFolder() } });
  expect({ code: run.code, writes: tracker.writes().length }).toEqual({ code: 0, writes: 1 });
  expect(run.err).toMatch(FOUND);
  expect(tracker.text("SELECT priority FROM bugs WHERE id = 43")).toBe("Lowest");
});

test("C13 a change by another program with the same login does not match and is not overwritten", async () => {
  const tracker: FaultyTracker = await faultyTracker({
    write: once(async (incident) => {
      await tracker.as(tracker.login, { ...incident.request, body: { ids: [43], priority: "Lowest" } });
      badGatewayBefore(incident);
    }),
  });
  const run = await btConnected("bug update 43 --priority Highest", { env: { ...tracker.env, HOME: freshFolder() } });
  expect(run.err).toContain('bug 43: priority is now "Lowest"');
  expect({ code: run.code, priority: tracker.text("SELECT priority FROM bugs WHERE id = 43") }).toEqual({
    code: 9,
    priority: "Lowest",
  });
});

test("C14 a write that cannot connect is retried, since nothing was sent, then fails", async () => {
  const run = await ran(
    "comment add 43 -m Hello",
    {
      read: async ({ pass }) => {
        await pass();
        listening.stop?.();
      },
    },
    (tracker) => {
      listening.stop = tracker.stopListening;
    },
  );
  expect(run).toMatchObject({ code: 6, out: "", err: expect.stringMatching(/cannot connect .*\(tried 3 times\)/) });
  expect(run.tracker.writes()).toEqual([]);
  expect(jobsOf(run.home, "open")).toEqual([]);
});

const listening: { stop?: () => void } = {};

/** Writes that were lost on the way, and what the tracker answers to those who look for them: nothing of what they look for. */
const ELSEWHERE: readonly (readonly [line: string, asked: RegExp, answer: string])[] = [
  ["group update staff --description Words", /^\/rest\/group$/, '{"groups":[]}'],
  ["group update staff --description Words", /group/, '{"groups":[{"id":99,"name":"other","description":"Words"}]}'],
  ["group update staff --icon-url http://x.test/i.png", /group/, '{"groups":[{"id":10,"name":"staff"}]}'],
  ["group create --name triage --description Words", /group/, '{"groups":[{"id":9,"name":"a","description":"Words"}]}'],
  ["bug update 43 --whiteboard ''", /^\/rest\/bug\/43$/, '{"bugs":[]}'],
  ["bug update 43 --whiteboard ''", /^\/rest\/bug\/43$/, '{"bugs":[{"id":44,"whiteboard":""}]}'],
  ["bug update 43 --whiteboard ''", /^\/rest\/bug\/43$/, '{"bugs":[{"id":43}]}'],
  ["bug update 43 --remove-depends-on 32", /^\/rest\/bug\/43$/, '{"bugs":[{"id":43}]}'],
  ["tag update 5 --remove form", /^\/rest\/bug\/comment\/5$/, '{"comments":{"5":{"id":5}}}'],
  [
    "comment add 43 -m 'Seen again'",
    /comment$/,
    '{"bugs":{"44":{"comments":[{"id":1,"text":"Seen again","creator":"tomas@example.org","is_private":false}]}}}',
  ],
];

test.each(ELSEWHERE)("C7 a check with another result confirms nothing: %s %s %s", async (line, asked, shown) => {
  const state = { isSent: false };
  const run = await ran(
    line,
    {
      write: (incident) => {
        state.isSent = true;
        badGatewayBefore(incident);
      },
      read: ({ request, socket, pass }) =>
        state.isSent && asked.test(request.path) ? socket.write(answer(shown)) : pass(),
    },
    ({ store }) => store.exec("UPDATE bugs SET whiteboard = 'note' WHERE id = 43"),
  );
  expect({ code: run.code, out: run.out }).toEqual({ code: 9, out: expect.stringMatching(/^(43\tunknown\n)?$/) });
  expect(jobsOf(run.home, "open")).toHaveLength(1);
});

/** Fates of the repetition of a write by its key; none of it tells whether the first one was done. */
const DEAF: Readonly<Record<string, Fate>> = {
  "too busy": FATES.busy,
  "not at home": FATES.unavailable,
  "no longer logged in": ({ socket }) =>
    void socket.write(answer('{"error":true,"code":410,"message":"Log in."}', { status: "401 No" })),
  "a page": FATES.loginPageBefore,
};

test.each(Object.entries(DEAF))("C7 a resend by key to a tracker that is %s is inconclusive", async (_, fate) => {
  const run = await ran(COMMENT, {
    write: (incident) => (incident.count === 1 ? resetAfter(incident) : fate(incident)),
    isKeyed: true,
  });
  expect({ code: run.code, out: run.out, comments: run.tracker.count(COMMENTS) }).toEqual({
    code: 9,
    out: "",
    comments: 1,
  });
  expect(jobsOf(run.home, "open")).toEqual([`${jobIn(run.err)}.jsonl`]);
});

test("C7 a resend by key to a tracker that does not listen is inconclusive", async () => {
  const tracker: FaultyTracker = await faultyTracker({
    isKeyed: true,
    write: async (incident) => {
      await resetAfter(incident);
      tracker.stopListening();
    },
  });
  const run = await btConnected(COMMENT, { env: { ...tracker.env, HOME: freshFolder() } });
  expect({ code: run.code, comments: tracker.count(COMMENTS) }).toEqual({ code: 9, comments: 1 });
});

test("C8 a verified change is shown even if the tracker does not return the names of its fields", async () => {
  const state = { isSent: false, isResumed: false };
  const tracker = await faultyTracker({
    write: (incident) => {
      state.isSent = true;
      return resetAfter(incident);
    },
    read: (incident) => {
      const isDown = state.isResumed ? incident.request.path === "/rest/field/bug" : state.isSent;
      return isDown ? badGatewayBefore(incident) : incident.pass();
    },
  });
  const env = { ...tracker.env, HOME: freshFolder() };
  const lost = await btConnected("bug update 43 --priority Highest", { env });
  state.isResumed = true;
  const line = `job send ${jobIn(lost.err)}`;
  const found = await btConnected(line, { env: { ...env, XDG_CACHE_HOME: freshFolder() }, terminal: true });
  expect([lost.code, found.code]).toEqual([9, 0]);
  expect(found.out).toMatch(/#43.*Highest/s);
});

test("C8 a finished write whose journal could not be archived is not resent", async () => {
  const run = await ran(COMMENT, {});
  const folder = join(run.home, ".local/state/bt/jobs");
  const [name = ""] = jobsOf(run.home, "finished");
  renameSync(join(folder, "finished", name), join(folder, name));
  expect((await run.again("job list")).out).toBe("");
  const resumed = await run.again(`job send ${name.replace(".jsonl", "")}`);
  expect(resumed).toEqual({ code: 0, out: run.out, err: "" });
  expect({ writes: run.tracker.writes().length, open: jobsOf(run.home, "open") }).toEqual({ writes: 1, open: [] });
});

test("C8 a refused write whose journal could not be archived is not resent", async () => {
  const run = await ran(COMMENT, {
    write: once(({ socket }) => void socket.write(answer("", { status: "413 Large" }))),
  });
  const folder = join(run.home, ".local/state/bt/jobs");
  const [name = ""] = jobsOf(run.home, "finished");
  renameSync(join(folder, "finished", name), join(folder, name));
  const resumed = await run.again(`job send ${name.replace(".jsonl", "")}`);
  expect(resumed).toMatchObject({ code: 3, out: "", err: expect.stringContaining("too large for the tracker (413)") });
  expect(run.tracker.writes()).toHaveLength(1);
});

test("a tracker with idempotency keys gets the write again and applies it once", async () => {
  const run = await ran(COMMENT, { write: once(resetAfter), isKeyed: true });
  expect({ code: run.code, comments: run.tracker.count(COMMENTS) }).toEqual({ code: 0, comments: 1 });
  const keys = run.tracker.writes().map(({ headers }) => headers?.["idempotency-key"]);
  expect(keys).toEqual([expect.stringMatching(/^\w{26}-0$/), keys[0]]);
});

test("C24 without a journal nothing is sent", async () => {
  const tracker = await faultyTracker();
  const home = freshFolder();
  mkdirSync(join(home, ".local/state/bt"), { recursive: true });
  writeFileSync(join(home, ".local/state/bt/jobs"), "in the way");
  const refused = await btConnected(COMMENT, { env: { ...tracker.env, HOME: home } });
  expect(refused).toMatchObject({
    code: 12,
    out: "",
    err: expect.stringMatching(/cannot write .*jobs.*nothing was sent/s),
  });
  expect(tracker.writes()).toEqual([]);
});

test.each([
  "comment add 43 -m '   '",
  "comment add 43 -m ''",
  "bug update 43 -m ' '",
  "bug update 43 --summary ''",
  "bug update 43 --summary '  '",
  "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t ' ' -d Text",
  "bug close 43 -m ' '",
])("C25 blank text is rejected before any request: %s", async (line) => {
  const run = await ran(line, {});
  expect(run).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/is empty/) });
  expect(run.tracker.writes()).toEqual([]);
});

test.each(["resetAfter", "badGatewayAfter", "emptyAfter", "loginPageAfter"] as const)(
  "C10 a raw write prints the verified response, not the one received instead: %s",
  async (fate) => {
    const run = await ran("api POST /rest/bug/43/comment -f comment='Seen again'", { write: once(FATES[fate]) });
    const id = run.tracker.count("SELECT max(id) FROM comments");
    expect({ code: run.code, out: run.out }).toEqual({ code: 0, out: `{"id":${id}}\n` });
  },
);

test("at a terminal verification is announced once", async () => {
  const tracker = await faultyTracker({ write: badGatewayBefore });
  const env = { ...tracker.env, HOME: freshFolder() };
  const waits: number[] = [];
  const run = await btConnected(COMMENT, { env, terminal: true, waits });
  expect([run.code, waits.length > 1]).toEqual([9, true]);
  expect(run.err.match(/no response; checking whether the write was applied/g)).toHaveLength(1);
  expect((await btConnected(COMMENT, { env })).err).not.toContain("looking on the tracker");
});

describe("C26 text from the editor is kept if the write", () => {
  const tooLarge: Fate = ({ socket }) => void socket.write(answer("", { status: "413 Too Large" }));
  test.each<readonly [string, number, Fate]>([
    ["is refused", 3, tooLarge],
    ["cannot be sent", 6, tooLarge],
    ["gets no response", 9, badGatewayBefore],
  ])("%s", async (_, code, write) => {
    const folder = freshFolder();
    const editor = join(folder, "editor");
    writeFileSync(editor, "#!/bin/sh\necho 'A long story' > \"$1\"\n");
    chmodSync(editor, 0o700);
    const tracker: FaultyTracker = await faultyTracker({
      write,
      read: async ({ pass }) => {
        await pass();
        if (code === 6) tracker.stopListening();
      },
    });
    const env = { ...tracker.env, HOME: folder, EDITOR: editor, PATH: "/usr/bin:/bin" };
    const run = await btConnected("comment add 43 --editor", { env, terminal: true });
    expect(run.code).toBe(code);
    const [, kept = ""] = /your text is saved in\s+(\S+)/.exec(run.err) ?? [];
    expect(readFileSync(kept, "utf8")).toContain("A long story");
    rmSync(dirname(kept), { recursive: true });
  });
});

test("C27 every write has its own connection, and so is not lost with a dying reused one", async () => {
  const used = new Set<number>();
  const tracker: FaultyTracker = await faultyTracker({
    read: (incident) => onUnused(incident),
    write: (incident) => onUnused(incident),
  });
  const onUnused = ({ pass, socket }: Incident) => {
    const connection = tracker.heard.at(-1)?.connection ?? 0;
    const isUsed = used.has(connection);
    used.add(connection);
    return isUsed ? socket.resetAndDestroy() : pass();
  };
  const run = await btConnected("bug update 43 --priority Highest", { env: { ...tracker.env, HOME: freshFolder() } });
  expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: "" });
  const connections = tracker.heard.map(({ head, connection }) => [head.split(" ", 1)[0], connection]);
  const reads = connections.filter(([method]) => method === "GET").map(([, connection]) => connection);
  const writes = connections.filter(([method]) => method === "PUT").map(([, connection]) => connection);
  expect(reads.length).toBeGreaterThan(1);
  expect(writes).toEqual([expect.any(Number)]);
  expect(reads).not.toContain(writes[0]);
});

test("a journal has the complete change, is private to its owner and has no key", async () => {
  const run = await ran(COMMENT, { write: once(badGatewayBefore) });
  const [name = ""] = jobsOf(run.home, "open");
  const text = readFileSync(join(run.home, ".local/state/bt/jobs", name), "utf8");
  expect(text.split("\n").map((line) => (line === "" ? line : (JSON.parse(line).st ?? "head")))).toEqual([
    "head",
    "SENT",
    "UNKNOWN",
    "",
  ]);
  expect(text).toContain("Seen again");
  expect(text).not.toContain(run.tracker.key);
  expect(jobIn(run.err)).toBe(name.replace(".jsonl", ""));
});

test.each(['["other"]', "[null]", "[[]]"])(
  "C19 tags that differ from the added ones confirm nothing: %s",
  async (tags) => {
    const { code, err, tracker } = await ran("tag update 5 --add obsolete", {
      write: ({ socket }) => socket.write(answer(tags)),
    });
    expect({ code, writes: tracker.writes().length }).toEqual({ code: tags === "[null]" ? 5 : 9, writes: 1 });
    expect(err).toMatch(tags === "[null]" ? /were not updated/ : /it was not found on the tracker/);
  },
);

test("C19 a tag that is both added and removed is removed", async () => {
  const { code, out, tracker } = await ran("tag update 5 --add obsolete --remove obsolete", {});
  expect({ code, out, writes: tracker.writes().length }).toEqual({ code: 0, out: "", writes: 1 });
});

test("C19 tags missing from the response to a resumed write were not applied", async () => {
  const isGone = ({ count }: Incident) => count < 2;
  const { code, err, again, tracker } = await ran("tag update 5 --add obsolete", {
    write: (incident) => (isGone(incident) ? badGatewayBefore(incident) : incident.socket.write(answer("[]"))),
  });
  expect(code).toBe(9);
  const resumed = await again(`job send ${jobIn(err)} --resend`);
  expect(resumed).toMatchObject({
    code: 5,
    out: "",
    err: expect.stringContaining("the tags of comment 5 were not updated"),
  });
  expect(tracker.writes()).toHaveLength(2);
});

test("C19 tags whose list is null in the response to a resumed write were not applied", async () => {
  const { err, again } = await ran("tag update 5 --add obsolete", {
    write: (incident) => (incident.count < 2 ? badGatewayBefore(incident) : incident.socket.write(answer("[null]"))),
  });
  expect(await again(`job send ${jobIn(err)} --resend`)).toMatchObject({ code: 5, out: "" });
});
