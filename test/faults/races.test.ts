import { expect, test } from "vitest";
import { overwrittenLines } from "../../src/api/write/changes.ts";
import { applySetup } from "../../src/tracker/setup/setup.ts";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type FaultyTracker, faultyTracker, type Incident, nth, once } from "./faulty-tracker.ts";
import { jobIn, type Ran, ran } from "./ran.ts";

const MANY = [...Array(30).keys()].map((at) => 101 + at);

/** A look right before a write, for the time of the last change. */
function isLastLook({ request }: Incident) {
  return request.query.some(([name, value]) => name === "include_fields" && /^id,last_change_time/.test(value));
}

/** Answers without the bugs, or without a member of them. */
async function without(member: string, { apply, socket }: Incident): Promise<void> {
  const { status, headers, body } = await apply();
  const response = JSON.parse(body, (key, value) => {
    if (key === "bugs" && member === "bugs") return [];
    return key === member ? undefined : value;
  });
  socket.write(answer(JSON.stringify(response), { status: `${status} OK`, headers }));
}

test.each<[what: string, look: { sql?: string; drop?: string }, code: number, err: RegExp]>([
  [
    ...(["a change since the bug was read"] as const),
    ...([{ sql: "last_change_time = '2026-11-20T12:00:01Z'" }, 11, /bug 43.*modified since/s] as const),
  ],
  ["a change within the second of the last one", { sql: "priority = 'Lowest'" }, 11, /priority/],
  ["an unknown time of change", { drop: "last_change_time" }, 13, /does not return when it changed/],
  ["a bug that cannot be read", { drop: "bugs" }, 5, /^(?![\s\S]*unchanged-since)[\s\S]*not found/],
])("with --if-unchanged nothing is sent after %s", async (_, { sql, drop }, code, err) => {
  for (const ids of ["43", "43 44"]) {
    const tracker: FaultyTracker = await faultyTracker({
      read: (incident) => {
        const isLast = isLastLook(incident);
        if (isLast && sql) tracker.store.exec(`UPDATE bugs SET ${sql} WHERE id IN (43, 44)`);
        return drop && (isLast || drop !== "bugs") ? without(drop, incident) : incident.pass();
      },
    });
    const line = `bug update ${ids} --priority Highest --if-unchanged`;
    const run = await btConnected(line, { env: { ...tracker.env, HOME: freshFolder() } });
    expect(run).toMatchObject({ code, err: expect.stringMatching(err) });
    expect(tracker.writes()).toEqual([]);
  }
});

/** Runs a command while another user makes these changes between its reading and its write. */
function meanwhile(line: string, changes: readonly (readonly [path: string, body: JsonObject])[]): Promise<Ran> {
  let server: FaultyTracker | undefined;
  const write = once(async ({ pass }) => {
    for (const [path, body] of changes) await server?.as(server.login, { method: "PUT", path: `/rest/${path}`, body });
    await pass();
  });
  return ran(line, { write }, (tracker) => {
    server = tracker;
    crowd(tracker, 130);
  });
}

test.each<[line: string, changes: readonly (readonly [string, JsonObject])[], code: number, lines: readonly string[]]>([
  [
    "bug update 101 --set-keywords crash --add-cc ada@example.org",
    [["bug/101", { cc: { add: ["mei@example.org"] }, keywords: { add: ["regression"] } }]],
    ...([0, ['101: keywords: the update removed "regression" and added "crash", instead of']] as const),
  ],
  [
    "bug close 101 102 103",
    [["bug/102", { status: "IN_PROGRESS" }]],
    ...([0, ['102: status was "IN_PROGRESS" before the update, not "CONFIRMED"']] as const),
  ],
  [
    `bug update ${MANY.join(" ")} -y --whiteboard mine`,
    [
      ["bug/103", { whiteboard: "theirs" }],
      ["bug/104", { priority: "Low" }],
    ],
    ...([0, ['103: whiteboard was "theirs" before the update, not ""']] as const),
  ],
  [
    "group update staff --description Mine",
    [["group/staff", { description: "Theirs" }]],
    ...([0, ['description was "Theirs" before the update']] as const),
  ],
  [
    "bug update 101 --whiteboard mine --if-unchanged",
    [["bug/101", { whiteboard: "theirs" }]],
    ...([11, ['101: whiteboard was "theirs" before the update, not ""']] as const),
  ],
  [
    `bug update 101 --priority Highest --whiteboard x --add-keywords crash --add-cc ada@example.org --status IN_PROGRESS
      --flag 'needinfo?(mei@example.org)' --estimated-time 3 --deadline 2031-01-02 --add-depends-on 41 -a mei@example.org`,
    ...([[], 0, []] as const),
  ],
])("what a write overwrites is reported, and nothing else: bt %s", async (line, changes, code, lines) => {
  const run = await meanwhile(line.replaceAll("\n", " "), changes);
  expect([run.code, run.err.match(/^.*before the update|^.*the update removed/gm)?.length ?? 0]).toEqual([
    code,
    lines.length,
  ]);
  for (const told of lines) expect(run.err).toContain(told);
});

test.each<[what: string, read: JsonObject, sent: JsonObject, removed: string | null, added: string, count: number]>([
  ["hours", { field: 2.5 }, {}, "2.50", "3", 0],
  ["no hours", { field: 0 }, {}, "0.00", "3", 0],
  ["other hours", { field: 0 }, {}, "1.00", "3", 1],
  ["yes", { field: true }, {}, "1", "0", 0],
  ["no value", { field: null }, {}, "", "2031-01-02", 0],
  ["a null", { field: "" }, {}, null, "x", 0],
  ["a day", { field: "2031-01-02" }, {}, "2031-01-02 00:00:00", "", 0],
  ["a time in the zone of the server", { field: "2031-01-02T03:04:05Z" }, {}, "2031-01-02 12:04:05", "", 0],
  ["another bug", { field: 24 }, {}, "25", "", 1],
  ["a value that the tracker replaced itself", { field: "defect" }, { field: "task" }, "task", "defect", 0],
  ["a value of someone else", { field: "defect" }, { field: "enhancement" }, "task", "defect", 1],
  ["a list as read", { field: ["a, b & c", "x"] }, { field: ["y"] }, "x, a, b & c", "y", 0],
  ["a list with one more removed", { field: ["a, b & c", "x"] }, { field: ["y"] }, "a, b & c, x, z", "y", 1],
  ["an item that was there again", { field: ["x", "w"] }, { field: ["w", "y"] }, "x", "y, w", 1],
])("only what differs from the value read is called overwritten: %s", (...[, read, sent, removed, added, count]) => {
  expect(overwrittenLines(read, sent, { field: { removed, added } })).toHaveLength(count);
});

test("of five edits side by side, each is there or called overwritten", async () => {
  const tracker = await faultyTracker();
  const run = (n: number) =>
    btConnected(`bug update 44 --add-whiteboard [w${n}]`, { env: { ...tracker.env, HOME: freshFolder() } });
  const runs = await Promise.all([1, 2, 3, 4, 5].map(run));
  const said = runs.map(({ err }) => err).join("");
  const whiteboard = tracker.text("SELECT whiteboard FROM bugs WHERE id = 44");
  for (const n of [1, 2, 3, 4, 5]) expect(whiteboard + said).toContain(`[w${n}]`);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
});

/** An update of thirty bugs whose second request fails, and the command that continues it. */
async function stopped(line: string, prepare: (tracker: FaultyTracker) => unknown) {
  const run = await ran(line, { write: nth(2, FATES.badGatewayBefore) }, (tracker) => {
    crowd(tracker, 130);
    return prepare(tracker);
  });
  expect(run.code).not.toBe(0);
  return { ...run, resume: () => run.again(`job send ${jobIn(run.err)} --yes`) };
}

test("a resumed update with --if-unchanged leaves a bug that was modified meanwhile", async () => {
  const line = `bug update ${MANY.join(" ")} --whiteboard [x] --if-unchanged --yes`;
  const { tracker, resume } = await stopped(line, () => undefined);
  await tracker.as("mei@example.org", {
    method: "PUT",
    path: "/rest/bug/130",
    body: { ids: [130], op_sys: "Windows" },
  });
  expect(await resume()).toMatchObject({ code: 11, err: expect.stringContaining("bug 130: modified since") });
  expect(tracker.text("SELECT group_concat(id) FROM bugs WHERE id > 100 AND whiteboard <> '[x]'")).toBe("130");
  expect(tracker.writes().at(-1)?.body).not.toMatch(/\b130\b/);
});

test("an update is resumed on a tracker that does not return when a bug changed", async () => {
  const read = (incident: Incident) => without("last_change_time", incident);
  const run = await ran("bug update 43 44 --whiteboard [x]", { write: nth(1, FATES.badGatewayBefore), read });
  expect(run.code).not.toBe(0);
  expect(await run.again(`job send ${jobIn(run.err)} --yes`)).toMatchObject({ code: 0 });
  expect(run.tracker.count("SELECT count(*) FROM bugs WHERE id IN (43, 44) AND whiteboard = '[x]'")).toBe(2);
});

test("a token added to many bugs is resumed from the current value of each bug", async () => {
  const { tracker, resume } = await stopped(`bug update ${MANY.join(" ")} --add-whiteboard [z] --yes`, ({ store }) =>
    store.exec("UPDATE bugs SET whiteboard = '[' || (id % 3) || ']' WHERE id > 100"),
  );
  tracker.store.exec("UPDATE bugs SET whiteboard = '[new]' WHERE id = 130 AND whiteboard NOT LIKE '%[z]%'");
  await resume();
  const kept = "SELECT count(*) FROM bugs WHERE id BETWEEN 101 AND 129 AND whiteboard = '[' || (id % 3) || '] [z]'";
  expect(tracker.count(kept)).toBe(29);
  expect(tracker.text("SELECT whiteboard FROM bugs WHERE id = 130")).toMatch(/^\[(1|new)\] \[z\]$/);
});

const MOVE = `bug update ${MANY.join(" ")} -p Harbor -c API --bug-version 1.5 --milestone --- --yes`;

test.each([
  {
    what: "makes those public that --allow-no-groups was given for",
    flag: "--allow-no-groups",
    before: ">= 125",
    left: "",
  },
  { what: "leaves those that became private meanwhile", flag: "", before: "< 0", left: "130" },
])("a resumed move $what", async ({ flag, before, left }) => {
  const hide = ({ store }: FaultyTracker, ids: string) =>
    store.exec(`INSERT INTO bug_groups (bug_id, group_id) SELECT bugs.id, groups.id FROM bugs, groups
      WHERE groups.name = 'release-drivers' AND bugs.id > 100 AND bugs.id ${ids}`);
  const { tracker, resume } = await stopped(`${MOVE} ${flag}`, (made) => {
    applySetup(made.store, {
      groups: [{ name: "release-drivers", user_regexp: ".*" }],
      products: [{ name: "Lantern", groups: [{ group: "release-drivers", members: "shown", others: "shown" }] }],
    });
    made.store.exec(`UPDATE bugs SET (product_id, component_id, version) =
      (SELECT product_id, component_id, version FROM bugs WHERE id = 44) WHERE id > 100`);
    hide(made, before);
  });
  if (left !== "") hide(tracker, `= ${left}`);
  const err = expect.stringContaining(left === "" ? "bug 130 is now public" : "bug 130: may become public");
  expect(await resume()).toMatchObject({ code: left === "" ? 0 : 10, err });
  const unmoved = `SELECT coalesce(group_concat(bugs.id), '') FROM bugs JOIN products ON products.id = product_id
    WHERE bugs.id > 100 AND products.name <> 'Harbor'`;
  expect(tracker.text(unmoved)).toBe(left);
  expect(tracker.count("SELECT count(*) FROM bug_groups WHERE bug_id = 130")).toBe(left === "" ? 0 : 1);
});
