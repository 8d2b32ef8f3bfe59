import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { chance } from "../reliability/random.ts";
import { addApiKey } from "../servers/api-key.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import {
  bugsNamed,
  FATES,
  type Faults,
  type FaultyTracker,
  faultyTracker,
  from,
  type Incident,
} from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";

const FIRST = 101;
const HIGHEST = "SELECT count(*) FROM bugs WHERE priority = 'Highest' AND id > 100";

/** A crowded tracker, with so many open bugs that are alike from number 101 on, and a person who changes them. */
async function crowded(count: number, faults: Faults = {}) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  crowd(tracker, FIRST + count - 1);
  const home = freshFolder();
  const bt = (line: string, stdin = "") => btConnected(line, { env: { ...tracker.env, HOME: home }, stdin });
  return { tracker, home, bt, ids: [...Array(count).keys()].map((at) => FIRST + at) };
}

/** The numbers of bugs that writes have named, in order. */
function written(tracker: FaultyTracker): readonly number[] {
  return tracker.writes().flatMap(bugsNamed);
}

function lines(out: string): readonly (readonly string[])[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

test("H1 H2 of 100 bugs 94 are updated and six named with the reason, in their order", async () => {
  const { tracker, bt, ids } = await crowded(100);
  tracker.store.exec(`
    DELETE FROM bugs WHERE id IN (110, 120, 130);
    UPDATE bugs SET status = 'VERIFIED', resolution = 'FIXED' WHERE id = 160;
    INSERT INTO bug_groups (bug_id, group_id)
      SELECT bugs.id, groups.id FROM bugs, groups WHERE bugs.id IN (140, 150) AND name = 'release-drivers'`);
  const run = await bt("bug update - --status IN_PROGRESS --yes", ids.join("\n"));
  expect([run.code, lines(run.out).map(([id]) => Number(id))]).toEqual([10, ids]);
  for (const said of [
    "94 applied, 6 refused",
    "    bugs 140, 150: not visible to you",
    "    bugs 110, 120, 130: not found",
    "    bug 160: cannot change",
  ])
    expect(run.err).toContain(said);
  expect(tracker.count("SELECT count(*) FROM bugs WHERE status = 'IN_PROGRESS' AND id > 100")).toBe(94);
});

describe("H3 a tracker that dies after 40 bugs: 40 applied, three requests unknown, the rest not tried", () => {
  const deaths: Readonly<Record<string, (incident: Incident) => unknown>> = {
    "every answer is a 503": FATES.unavailable,
    "every connection is reset": FATES.resetBefore,
    "every connection is closed": ({ socket }) => socket.end(),
    "a gateway stays in its place": FATES.badGatewayBefore,
  };
  test.each(Object.entries(deaths))("%s", async (_, dead) => {
    const state = { isDead: false };
    const { tracker, bt, ids, home } = await crowded(120, {
      write: from(3, (incident) => {
        state.isDead = true;
        return dead(incident);
      }),
      read: (incident) => (state.isDead ? dead(incident) : incident.pass()),
    });
    const run = await bt("bug update - -m 'Seen again' --yes", ids.join(" "));
    expect({ code: run.code, err: run.err }).toEqual({
      code: 9,
      err: expect.stringContaining("40 applied, 60 unknown, 20 not tried"),
    });
    const results = lines(run.out).map(([, result]) => result);
    expect(results.filter((result) => result === "applied")).toHaveLength(40);
    expect(results.filter((result) => result === "not tried")).toHaveLength(20);
    expect(written(tracker)).toEqual(ids.slice(0, 100));
    const again = await bt(`job send ${jobIn(run.err)} --yes`);
    expect(again.code).toBe(9);
    expect(written(tracker)).toEqual(ids.slice(0, 100));
    expect(jobsOf(home, "open")).toHaveLength(1);
  });
});

test("H4 a refused request is split until the causes are isolated, the other bugs updated once", async () => {
  const { tracker, bt, ids } = await crowded(60, {
    write: ({ request, socket, pass }) => {
      const isGuilty = (id: number) => id === 107 || id === 131;
      return bugsNamed(request).some(isGuilty) ? socket.write(FORBIDDEN) : pass();
    },
  });
  const run = await bt("bug update - --priority Highest --yes", ids.join(","));
  expect({ code: run.code, err: run.err }).toEqual({
    code: 10,
    err: expect.stringMatching(/58 applied, 2 refused\n {4}bugs 107, 131: You may not/),
  });
  expect(tracker.count(HIGHEST)).toBe(58);
  expect(tracker.count("SELECT count(*) FROM activity WHERE bug_id > 100")).toBe(58);
});

const FORBIDDEN = answer('{"error":true,"code":115,"message":"You may not"}', { status: "401 Unauthorized" });

test("a change that is stopped ends after the request under way, and says what was not tried", async () => {
  const { tracker, home, ids } = await crowded(30);
  const stop = new AbortController();
  const out = async () => stop.abort("SIGINT");
  const line = `bug update ${ids.join(" ")} --priority Highest --yes`;
  const run = await btConnected(line, { env: { ...tracker.env, HOME: home }, signal: stop.signal, out });
  expect([run.code, tracker.count(HIGHEST)]).toEqual([130, 20]);
  expect(run.err).toMatch(/20 applied, 10 not tried\n(.*\n)*hint: bt job send \w{26} continues/);
  const again = await btConnected(`job send ${jobIn(run.err)} --yes`, { env: { ...tracker.env, HOME: home } });
  expect([again.code, tracker.count(HIGHEST), tracker.writes().length]).toEqual([0, 30, 2]);
});

test("H8 of two concurrent resumes the second is rejected", async () => {
  const gate = { open: () => undefined as unknown };
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  const { tracker, bt, home } = await crowded(1, {
    write: async (incident) => {
      if (incident.count === 1) return FATES.badGatewayBefore(incident);
      await opened;
      return incident.pass();
    },
  });
  const job = jobIn((await bt("comment add 101 -m Hello")).err);
  const first = bt(`job send ${job} --yes`);
  const lock = join(home, ".local/state/bt/jobs", `${job}.jsonl.lock`);
  while (!existsSync(lock)) await new Promise((resolve) => setImmediate(resolve));
  const second = await bt(`job send ${job}`);
  expect(second).toMatchObject({
    code: 12,
    out: "",
    err: expect.stringMatching(/is locked by another bt \(process \d+\)/),
  });
  gate.open();
  expect((await first).code).toBe(0);
  expect(tracker.count("SELECT count(*) FROM comments WHERE bug_id = 101 AND text = 'Hello'")).toBe(1);
});

test("H9 a job is not resumed on another tracker or by another user", async () => {
  const { tracker, bt, home } = await crowded(1, { write: FATES.badGatewayBefore });
  const job = jobIn((await bt("comment add 101 -m Hello")).err);
  const other = await faultyTracker();
  const elsewhere = await btConnected(`job send ${job}`, { env: { ...other.env, HOME: home } });
  expect({ code: elsewhere.code, err: elsewhere.err }).toEqual({
    code: 2,
    err: expect.stringContaining(`is of ${tracker.url}`),
  });
  const undo = await btConnected(`bug undo --job ${job}`, { env: { ...other.env, HOME: home } });
  expect(undo.err).toContain(`\nhint: --base-url ${tracker.url}\n`);
  expect(other.writes()).toEqual([]);
});

test("H9 a job of one user is not resumed by another", async () => {
  const { tracker, home } = await crowded(1, { write: FATES.badGatewayBefore });
  const login = async (key: string) => {
    const file = join(home, "key");
    writeFileSync(file, key, { mode: 0o600 });
    const env = { HOME: home, BT_BASE_URL: tracker.url };
    expect((await btConnected(`auth login --api-key-file ${file}`, { env })).code).toBe(0);
    return env;
  };
  const job = jobIn((await btConnected("comment add 101 -m Hello", { env: await login(tracker.key) })).err);
  const key = addApiKey(tracker.store, "mei@example.org");
  const before = tracker.writes().length;
  const run = await btConnected(`job send ${job}`, { env: await login(key) });
  const said = `is by ${tracker.login}, not by you`;
  expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining(said) });
  expect(tracker.writes()).toHaveLength(before);
  expect(jobsOf(home, "open")).toHaveLength(1);
});

test("H10 a bug named twice is updated once; a leading zero is rejected", async () => {
  const { tracker, bt } = await crowded(1);
  expect((await bt("bug update 101 '#101' 101 --work-time 1 -m Once")).code).toBe(0);
  expect(tracker.count("SELECT sum(work_time) FROM comments WHERE bug_id = 101")).toBe(1);
  const writes = tracker.writes().length;
  for (const name of ["0101", "101 0101", "'101,0101'"]) {
    expect(await bt(`bug update ${name} --work-time 1`)).toMatchObject({ code: 2, out: "" });
  }
  expect(tracker.writes()).toHaveLength(writes);
});

test("H11 100 comments with hours, two of five responses lost: each is added exactly once, the hours are exact", async () => {
  const dice = chance(11);
  const ways = [FATES.resetAfter, FATES.closedAfter, FATES.badGatewayAfter, FATES.emptyAfter, FATES.loginPageAfter];
  const draws = [...Array(5).keys()].map((at) => ({ count: at + 1, number: dice.number() }));
  const lost = draws.sort((one, other) => one.number - other.number).slice(0, 2);
  const isLost = ({ count }: Incident) => lost.some((draw) => draw.count === count);
  const { tracker, bt, ids, home } = await crowded(100, {
    write: (incident) => (isLost(incident) ? dice.one(ways)(incident) : incident.pass()),
  });
  const run = await bt("bug update - -m 'Seen again' --work-time 0.3 --yes", ids.join("\n"));
  expect({ code: run.code, done: lines(run.out).filter(([, result]) => result === "applied").length }).toEqual({
    ...{ code: 0, done: 100 },
  });
  expect(run.err.match(/verified as applied after a lost response/g)).toHaveLength(2);
  expect(written(tracker)).toEqual(ids);
  const said = `FROM comments WHERE text = 'Seen again' AND work_time = 0.3 AND bug_id BETWEEN 101 AND 200`;
  expect(tracker.text(`SELECT count(*) || ' on ' || count(DISTINCT bug_id) ${said}`)).toBe("100 on 100");
  expect(tracker.text("SELECT printf('%.4f', sum(work_time)) FROM comments WHERE bug_id > 100")).toBe("30.0000");
  const hours = await bt(`bug get ${ids.join(" ")} --fields actual_time --format tsv`);
  expect(new Set(lines(hours.out).flat())).toEqual(new Set(["0.3"]));
  expect(jobsOf(home, "open")).toEqual([]);
});
