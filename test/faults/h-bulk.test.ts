import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { chance } from "../reliability/random.ts";
import { sampled } from "../sampling.ts";
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
  nth,
} from "./faulty-tracker.ts";
import { GATEWAY_PAGES } from "./lost-answers.ts";
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

describe("H1 94 of 100 bugs can be updated", () => {
  async function prepared() {
    const { tracker, bt, ids, home } = await crowded(100);
    tracker.store.exec("DELETE FROM bugs WHERE id IN (110, 120, 130)");
    tracker.store.exec(
      "INSERT INTO bug_groups (bug_id, group_id) SELECT 140, id FROM groups WHERE name = 'release-drivers'",
    );
    tracker.store.exec(
      "INSERT INTO bug_groups (bug_id, group_id) SELECT 150, id FROM groups WHERE name = 'release-drivers'",
    );
    tracker.store.exec("UPDATE bugs SET status = 'VERIFIED', resolution = 'FIXED' WHERE id = 160");
    return { tracker, bt, ids, home };
  }

  test("H2 94 are updated and six named with the reason; resume updates those six after the causes are fixed", async () => {
    const { tracker, bt, ids, home } = await prepared();
    const run = await bt("bug update - --status IN_PROGRESS --yes", ids.join("\n"));
    expect({ code: run.code, err: run.err }).toEqual({
      code: 10,
      err: expect.stringContaining("94 of 100 bugs done: 6 failed"),
    });
    expect(lines(run.out)).toHaveLength(100);
    expect(run.err.match(/^ {4}bugs? \d+.*$/gm)).toMatchInlineSnapshot(`
      [
        "    bugs 140, 150: You are not authorized to access it; bt auth status shows which user you are authenticated as",
        "    bugs 110, 120, 130: do not exist.",
        "    bug 160 cannot change from VERIFIED to IN_PROGRESS; valid values: UNCONFIRMED, CONFIRMED",
      ]
    `);
    expect(tracker.count("SELECT count(*) FROM bugs WHERE status = 'IN_PROGRESS' AND id > 100")).toBe(94);

    tracker.store.exec("DELETE FROM bug_groups WHERE bug_id IN (140, 150)");
    tracker.store.exec("UPDATE bugs SET status = 'CONFIRMED', resolution = '' WHERE id = 160");
    for (const id of [110, 120, 130]) copyOf(tracker, id);
    const before = tracker.writes().length;
    const again = await bt(`job send ${jobIn(run.err)}`);
    expect(again).toMatchObject({ code: 0, err: `note: undo: bt bug undo --job ${jobIn(run.err)}\n` });
    expect(written(tracker).slice(-6)).toEqual([110, 120, 130, 140, 150, 160]);
    expect(tracker.writes().length).toBe(before + 1);
    expect(tracker.count("SELECT count(*) FROM bugs WHERE status = 'IN_PROGRESS' AND id > 100")).toBe(100);
    expect(jobsOf(home, "open")).toEqual([]);
  });
});

function copyOf(tracker: FaultyTracker, id: number): void {
  const names =
    "summary, status, product_id, component_id, version, priority, severity, platform, op_sys, assigned_to_id, creator_id, creation_time, last_change_time";
  tracker.store.exec(`INSERT INTO bugs (id, ${names}) SELECT ${id}, ${names} FROM bugs WHERE id = 199`);
}

describe("H3 a tracker that dies after 40 bugs: 40 applied, one unknown, the remaining ones untried", () => {
  const deaths: Readonly<Record<string, (incident: Incident) => unknown>> = {
    "every answer is a 503": FATES.unavailable,
    "every connection is reset": FATES.resetBefore,
    "every connection is closed": ({ socket }) => socket.end(),
    "a gateway stays in its place": FATES.badGatewayBefore,
  };
  test.each(Object.entries(deaths))("%s", async (_, dead) => {
    const state = { isDead: false };
    const { tracker, bt, ids, home } = await crowded(100, {
      write: from(41, (incident) => {
        state.isDead = true;
        return dead(incident);
      }),
      read: (incident) => (state.isDead ? dead(incident) : incident.pass()),
    });
    const run = await bt("bug update - -m 'Seen again' --yes", ids.join(" "));
    expect({ code: run.code, err: run.err }).toEqual({
      code: 8,
      err: expect.stringContaining("40 of 100 bugs done: 1 unknown, 59 not tried"),
    });
    const results = lines(run.out).map(([, result]) => result);
    expect(results.filter((result) => result === "done")).toHaveLength(40);
    expect(results.filter((result) => result === "not tried")).toHaveLength(59);
    expect(written(tracker)).toEqual(ids.slice(0, 41));
    const again = await bt(`job send ${jobIn(run.err)}`);
    expect(again.code).toBe(8);
    expect(written(tracker)).toEqual(ids.slice(0, 41));
    expect(jobsOf(home, "open")).toHaveLength(1);
  });
});

describe("H1 a gateway that hides the response to one of 25 comments: each bug has one", () => {
  const cases = GATEWAY_PAGES.flatMap(([name, page]) => [false, true].map((isKeyed) => [name, isKeyed, page] as const));
  test.each(sampled(cases, 12, 5))("%s, with keys: %s", async (_, isKeyed, page) => {
    const { tracker, bt, ids } = await crowded(25, {
      isKeyed,
      write: nth(7, async ({ apply, socket }) => {
        await apply();
        socket.write(page);
      }),
    });
    const run = await bt("bug update - -m 'Seen again' --yes", ids.join(" "));
    expect({ code: run.code, err: run.err }).toEqual({
      code: 0,
      err: expect.stringContaining("verified as applied after a lost response"),
    });
    expect(tracker.count(commentsOf("count(*)"))).toBe(25);
    expect(tracker.count(commentsOf("count(DISTINCT bug_id)"))).toBe(25);
  });
});

function commentsOf(what: string): string {
  return `SELECT ${what} FROM comments WHERE text = 'Seen again'`;
}

test("H3 a resumed close does not change bugs closed by another user meanwhile, and the job is finished", async () => {
  const state = { isDead: false };
  const { tracker, home, bt, ids } = await crowded(40, {
    write: nth(11, (incident) => {
      state.isDead = true;
      return FATES.unavailable(incident);
    }),
    read: (incident) => (state.isDead ? FATES.unavailable(incident) : incident.pass()),
  });
  const run = await bt("bug close - -m 'Cleaning up' --yes", ids.join(" "));
  expect({ code: run.code, err: run.err }).toEqual({ code: 8, err: expect.stringContaining("29 not tried") });
  state.isDead = false;
  tracker.store.exec("UPDATE bugs SET status = 'RESOLVED', resolution = 'INVALID' WHERE id > 130");
  const again = await bt(`job send ${jobIn(run.err)} --resend`);
  expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: expect.stringContaining("resending it") });
  expect(again.out.match(/\tunchanged, comment not added\t/g)).toHaveLength(10);
  expect(tracker.count("SELECT count(*) FROM bugs WHERE id > 130 AND resolution = 'INVALID'")).toBe(10);
  expect(tracker.count("SELECT count(*) FROM comments WHERE text = 'Cleaning up'")).toBe(30);
  expect(jobsOf(home, "open")).toEqual([]);
});

test("H3 resumed while the tracker is still down, a job lists the state of all its bugs", async () => {
  const state = { isDead: false };
  const { tracker, bt, ids } = await crowded(60, {
    write: nth(2, (incident) => {
      state.isDead = true;
      return FATES.resetAfter(incident);
    }),
    read: (incident) => (state.isDead ? FATES.unavailable(incident) : incident.pass()),
  });
  const run = await bt("bug update - --priority Highest --yes", ids.join(" "));
  const again = await bt(`job send ${jobIn(run.err)}`);
  for (const { code, err } of [run, again]) {
    expect({ code, err }).toEqual({
      code: 8,
      err: expect.stringContaining("25 of 60 bugs done: 25 unknown, 10 not tried"),
    });
  }
  expect(lines(again.out)).toHaveLength(35);
  state.isDead = false;
  expect((await bt(`job send ${jobIn(again.err)}`)).code).toBe(0);
  expect(tracker.count("SELECT count(*) FROM activity WHERE bug_id > 100")).toBe(60);
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
    err: expect.stringMatching(/58 of 60 bugs done: 2 failed\n {4}bugs 107, 131: You may not; bt auth status .*\n/),
  });
  expect(tracker.count(HIGHEST)).toBe(58);
  expect(tracker.count("SELECT count(*) FROM activity WHERE bug_id > 100")).toBe(58);
});

const FORBIDDEN = answer('{"error":true,"code":115,"message":"You may not"}', { status: "401 Unauthorized" });

test("a request that was not found stays unknown if the rest of its update is not confirmed", async () => {
  const { tracker, home, bt, ids } = await crowded(30, { write: nth(2, FATES.badGatewayBefore) });
  const run = await bt("bug update - --priority Highest --yes", ids.join(" "));
  const env = { ...tracker.env, HOME: home };
  const no = await btConnected(`job send ${jobIn(run.err)}`, { env, terminal: true, answers: ["y", "n"] });
  expect(no).toMatchObject({ code: 13, err: expect.stringMatching(/resend it\?.*this would update 5 bugs:\n/s) });
  expect(no.err).not.toContain("refused before");
  expect(await bt(`job send ${jobIn(run.err)}`)).toMatchObject({ code: 9 });
  expect(tracker.count(HIGHEST)).toBe(25);
  expect((await bt(`job send ${jobIn(run.err)} --resend`)).code).toBe(0);
  expect(tracker.count(HIGHEST)).toBe(30);
});

describe("what a tracker refused of a bulk update is sent again later", () => {
  /** A job over 60 bugs, of which these were refused until the cause is mended. */
  async function refusedFor(refused: readonly number[]) {
    const state = { isMended: false };
    const scene = await crowded(60, {
      write: ({ request, socket, pass }) => {
        const isRefused = !state.isMended && bugsNamed(request).some((id) => refused.includes(id));
        return isRefused ? socket.write(FORBIDDEN) : pass();
      },
    });
    const run = await scene.bt("bug update - --priority Highest --yes", scene.ids.join(","));
    state.isMended = true;
    const line = `job send ${jobIn(run.err)}`;
    const onTerminal = (answers: string[]) =>
      btConnected(line, { env: { ...scene.tracker.env, HOME: scene.home }, terminal: true, rows: 40, answers });
    return { ...scene, line, onTerminal };
  }

  test("on a terminal after a prompt, which shows the change and why each bug was refused", async () => {
    const { tracker, line, bt, onTerminal } = await refusedFor([107, 131]);
    const before = tracker.writes().length;
    const no = await onTerminal(["n"]);
    expect([no.code, tracker.writes().length]).toEqual([13, before]);
    expect(no.err).toMatchInlineSnapshot(`
      "this would update 2 bugs:
          #107  Priority High → Highest  Photo 107 is shown upside down
          #131  Priority High → Highest  Photo 131 is shown upside down
          refused before: bugs 107, 131: You may not
      update 2 bugs? [y/N] bt: no changes made
      "
    `);
    expect((await onTerminal(["y"])).code).toBe(0);
    expect(tracker.count(HIGHEST)).toBe(60);
    expect(await bt(line)).toMatchObject({ code: 0, err: expect.stringContaining("is already complete") });
  });

  test("in a pipe as they are, but more than 20 with --resend alone", async () => {
    const few = await refusedFor([107, 131]);
    expect((await few.bt(few.line)).code).toBe(0);
    const { tracker, line, bt, ids } = await refusedFor(Array.from({ length: 60 }, (_, at) => FIRST + at));
    const guarded = await bt(line);
    expect([guarded.code, guarded.out, tracker.count(HIGHEST)]).toEqual([13, "", 0]);
    expect(guarded.err).toContain("this would update 60 bugs\n");
    expect(guarded.err).toMatch(/refused before: bugs 101, .*: You may not\nhint: --resend sends them\n/);
    expect((await bt(`${line} --resend`)).code).toBe(0);
    expect(tracker.count(HIGHEST)).toBe(ids.length);
  });

  test("but not over a value that somebody else has changed since, which is named", async () => {
    const { tracker, line, bt } = await refusedFor([107, 120, 131]);
    tracker.clock.step(60_000);
    const change = (id: number) => ({ method: "PUT", path: `/rest/bug/${id}`, body: { ids: [id], priority: "Low" } });
    await tracker.as("mei@example.org", change(107));
    await tracker.as(tracker.login, change(120));
    await tracker.as("mei@example.org", { ...change(131), body: { ids: [131], op_sys: "Windows" } });
    const run = await bt(line);
    expect(run).toMatchObject({ code: 11, err: expect.stringContaining("59 of 60 bugs done: 1 failed") });
    expect(run.err).toMatch(
      /bug 107: priority changed in the meantime from "High" to "Low", by mei@example.org at 2026-\S+Z\n/,
    );
    expect(run.err).toMatch(
      /hint: the same command for 107 alone sets the values anyway; bt job drop \w{26} gives up what failed\n/,
    );
    expect(tracker.text("SELECT priority FROM bugs WHERE id = 107")).toBe("Low");
    expect(tracker.count(HIGHEST)).toBe(59);
    await bt("bug update 107 --priority Highest");
    expect((await bt(line)).code).toBe(0);
  });
});

test("H5 a request with many bugs and no response is verified by two of its bugs", async () => {
  const { tracker, bt, ids } = await crowded(60, { write: nth(2, FATES.resetAfter) });
  const run = await bt("bug update - --priority Highest --yes", ids.join(" "));
  expect({ code: run.code, done: lines(run.out).filter(([, result]) => result === "done").length }).toEqual({
    code: 0,
    done: 60,
  });
  expect(written(tracker)).toEqual(ids);
  expect(tracker.count(HIGHEST)).toBe(60);
});

describe("H7 more than 20 bugs require a confirmation", () => {
  test("without a terminal and --yes: rejected, with the count and a sample", async () => {
    const { tracker, bt, ids } = await crowded(21);
    const run = await bt("bug update - --priority Highest", ids.join(" "));
    expect({ code: run.code, out: run.out }).toEqual({ code: 13, out: "" });
    expect(run.err).toContain("this would update 21 bugs");
    expect(run.err).toMatch(/#101 {2}Priority \S+ -> Highest {2}Photo 101 is shown upside down/);
    expect(tracker.writes()).toEqual([]);
    tracker.store.exec("UPDATE bugs SET priority = 'Highest' WHERE id IN (102, 103)");
    const again = await bt("bug update - --priority Highest", ids.join(" "));
    expect(again.err).toContain("bt: this would update 19 bugs, 2 unchanged\n    #101  Priority");
    expect(again.err).not.toContain("#102");
  });

  test("of a list what is added and removed, since the rest of it stays", async () => {
    const { bt, ids } = await crowded(21);
    expect((await bt("bug update - --add-keywords crash", ids.join(" "))).err).toContain(
      "#101  Keywords + crash  Photo",
    );
  });

  test("bugs that cannot be updated are named with the reason before the others are", async () => {
    const { tracker, bt, ids } = await crowded(21);
    const run = await bt("bug update - --priority Highest", `${ids.join(" ")} 99999`);
    expect(run.err).toContain("and 16 more\n    not updated: bug 99999: does not exist.\n");
    expect([run.code, tracker.writes()]).toEqual([13, []]);
  });
});

describe("on a terminal", () => {
  test("the change is previewed and confirmed", async () => {
    const { tracker, home, ids } = await crowded(21);
    const env = { ...tracker.env, HOME: home };
    const line = `bug update ${ids.join(" ")} --priority Highest`;
    const no = await btConnected(line, { env, terminal: true, answers: ["n"] });
    expect({ code: no.code, writes: tracker.writes() }).toEqual({ code: 13, writes: [] });
    const lines = ids.map((id) => `    #${id}  Priority High → Highest  Photo ${id} is shown upside down`);
    const yes = await btConnected(line, { env, terminal: true, answers: ["y"] });
    expect({ code: yes.code, changed: tracker.count(HIGHEST) }).toEqual({ code: 0, changed: 21 });
    const [, job = "none"] = /undo --job (\w{26})\n/.exec(yes.err) ?? [];
    expect(
      yes.err
        .replace(job, "JOB")
        .replaceAll(lines.slice(3, -1).join("\n"), "    ...")
        .replaceAll("\r", "<")
        .replaceAll("\u001b", "^"),
    ).toMatchInlineSnapshot(`
      "this would update 21 bugs:
          #101  Priority High → Highest  Photo 101 is shown upside down
          #102  Priority High → Highest  Photo 102 is shown upside down
          #103  Priority High → Highest  Photo 103 is shown upside down
          ...
          #121  Priority High → Highest  Photo 121 is shown upside down
      update 21 bugs? [y/N] <^[K<[##############################] 21 of 21<^[K21 bugs updated
      note: undo: bt bug undo --job JOB
      "
    `);
    expect(yes.out.split("\n").slice(0, 5)).toMatchInlineSnapshot(`
      [
        "#101  Priority High → Highest  Photo 101 is shown upside down",
        "#102  Priority High → Highest  Photo 102 is shown upside down",
        "#103  Priority High → Highest  Photo 103 is shown upside down",
        "#104  Priority High → Highest  Photo 104 is shown upside down",
        "#105  Priority High → Highest  Photo 105 is shown upside down",
      ]
    `);
    expect((await btConnected(`bug undo --job ${job}`, { env, terminal: true, answers: ["y"] })).code).toBe(0);
    expect(tracker.count(HIGHEST)).toBe(0);
  });

  test.each([
    ["comments, which are kept", "-m Seen"],
    ["nothing", "--priority High"],
  ])("no undo is named after a change of %s", async (_, flags) => {
    const { tracker, home, ids } = await crowded(21);
    const line = `bug update ${ids.join(" ")} ${flags} --yes`;
    const run = await btConnected(line, { terminal: true, env: { ...tracker.env, HOME: home } });
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining("undo")]);
  });

  test("a failure is named once, with the bugs of the same reason; a status that cannot be undone before and after it is set", async () => {
    const { tracker, home, ids } = await crowded(21);
    tracker.store.exec("UPDATE bugs SET status = 'RESOLVED', resolution = 'FIXED' WHERE id > 103");
    const line = `bug update ${[...ids].reverse().join(" ")} --status VERIFIED`;
    const run = await btConnected(line, {
      ...{ env: { ...tracker.env, HOME: home }, terminal: true, columns: 200, answers: ["y"] },
    });
    expect(run.code).toBe(10);
    const [before = "", after = ""] = run.err.split("update 18 of 21 bugs? [y/N]");
    const lasting =
      /bugs 104, 105,.* and 8 more: the status cannot be undone: VERIFIED does not lead back to RESOLVED\n/;
    expect(before).toContain("    not updated: bugs 101, 102, 103: cannot change from CONFIRMED to VERIFIED\n");
    expect([before, after]).toEqual([expect.stringMatching(lasting), expect.stringMatching(lasting)]);
    expect(after).toContain(
      "    bugs 101, 102, 103: cannot change from CONFIRMED to VERIFIED; valid values: IN_PROGRESS, RESOLVED\n",
    );
    expect(run.err).not.toContain("undo: ");
    expect(run.out).not.toMatch(/fail|cannot/);
    expect(run.out.match(/^#\d+/gm)).toHaveLength(18);
  });

  test("a dry run prints a line for each bug, as the change does, and how many there are", async () => {
    const { tracker, home, ids } = await crowded(30);
    const line = `bug update ${ids.join(" ")} 1 --add-whiteboard [x] --dry-run`;
    const run = await btConnected(line, { env: { ...tracker.env, HOME: home }, terminal: true, columns: 100 });
    expect(run).toMatchObject({ code: 0, err: "31 bugs would be updated\n" });
    expect(run.out.split("\n").slice(0, 2)).toEqual([
      "#1    Whiteboard + [x]  Lantern crashes when an album is renamed while it is being synced",
      "#101  Whiteboard + [x]  Photo 101 is shown upside down",
    ]);
    expect(run.out.match(/^#\d/gm)).toHaveLength(31);
    const piped = await btConnected(line, { env: { ...tracker.env, HOME: home } });
    expect(piped.err).toContain("would send PUT /rest/bug/1\n");
    expect(tracker.writes()).toEqual([]);
  });

  test("the results of all bugs are laid out alike, however they come", async () => {
    const { tracker, home, ids } = await crowded(30);
    tracker.store.exec("UPDATE bugs SET priority = 'Normal' WHERE id = 130");
    const line = `bug update ${ids.join(" ")} --priority Highest -m Seen --yes`;
    const around = { env: { ...tracker.env, HOME: home }, terminal: true };
    const run = await btConnected(line, { ...around, columns: 67 });
    expect(run.out).toMatch(/^(?:#\d+ {2}Photo .*\n {6}Priority (?:High|Normal) → Highest \(comment added\)\n){30}$/);
  });

  test("a change that is stopped prints a line for each bug that was tried, and one for all others", async () => {
    const { tracker, home, ids } = await crowded(30);
    const stop = new AbortController();
    const printed: string[] = [];
    const out = async (text: string) => {
      printed.push(text);
      stop.abort("SIGINT");
    };
    const line = `bug update ${ids.join(" ")} -m Seen --yes`;
    const around = { env: { ...tracker.env, HOME: home }, terminal: true, columns: 200, signal: stop.signal, out };
    const run = await btConnected(line, around);
    expect([run.code, printed.join("")]).toEqual([130, "#101  comment added  Photo 101 is shown upside down\n"]);
    expect(run.err).toContain(`bt: 1 of 30 bugs done: 29 not tried
    stopped before bugs 102, 103, 104, 105, 106, 107, 108, 109, 110, 111 and 19 more: interrupted before it was sent
`);
  });
});

test("a text that is added to is previewed as it was and as it would be", async () => {
  const { tracker, bt, ids } = await crowded(21);
  tracker.store.exec("UPDATE bugs SET whiteboard = 'row' WHERE id = 101");
  const { code, err } = await bt(`bug update ${ids.join(" ")} --add-whiteboard [x] --add-keywords crash`);
  expect([code, err]).toEqual([13, expect.stringContaining("#101  Keywords + crash; Whiteboard row -> row [x]  ")]);
});

test("a change that is stopped before its first request says that its job waits", async () => {
  const stop = new AbortController();
  let home = "";
  const read: Faults["read"] = ({ pass }) => {
    if (home !== "" && jobsOf(home, "open").length > 0) stop.abort("SIGINT");
    return pass();
  };
  const { tracker, home: own, ids } = await crowded(30, { read });
  home = own;
  const line = `bug update ${ids.join(" ")} --add-whiteboard [x] --yes`;
  const run = await btConnected(line, { env: { ...tracker.env, HOME: home }, terminal: true, signal: stop.signal });
  expect([run.code, run.out, tracker.writes()]).toEqual([130, "", []]);
  expect(run.err).toContain("bt: 0 of 30 bugs done: 30 not tried\n");
  expect(run.err).toMatch(/\nhint: bt job send \w+ continues with the others/);
});

describe("on a terminal, a change that is longer than the screen", () => {
  const around = { terminal: true, rows: 12, columns: 40 };

  test("shows a screenful, each bug on a line, and lists all on request before it is confirmed", async () => {
    const { tracker, home, ids } = await crowded(30);
    const env = { ...tracker.env, HOME: home };
    const line = `bug update ${ids.join(" ")} --priority Highest -m Triage`;
    const no = await btConnected(line, { ...around, env, answers: ["maybe", ""] });
    expect({ code: no.code, writes: tracker.writes() }).toEqual({ code: 13, writes: [] });
    const shown = no.err.split("\n").filter((line) => line.startsWith("    "));
    expect(shown).toEqual([
      "    #101  Photo 101 is shown upside down",
      "          Priority High → Highest",
      "          (with comment)",
      "    #102  Photo 102 is shown upside down",
      "          Priority High → Highest",
      "          (with comment)",
      "    and 28 more",
    ]);
    expect(no.err).toContain("update 30 bugs? [y/N, l lists all] type y, n, or l to list all\n");
    const yes = await btConnected(line, { ...around, env, answers: ["l", "y"] });
    expect(yes.err.match(/#\d+ {2}Photo/g)).toHaveLength(2 + 30);
    expect({ code: yes.code, changed: tracker.count(HIGHEST) }).toEqual({ code: 0, changed: 30 });
  });

  test("lists with all of them again which bugs are left out", async () => {
    const { tracker, home, ids } = await crowded(30);
    const line = `bug update ${ids.join(" ")} 9001 --priority Highest`;
    const env = { ...tracker.env, HOME: home };
    const { err, code } = await btConnected(line, { ...around, env, answers: ["l", "n"] });
    const [shown = "", listed = ""] = err.split("[y/N, l lists all]");
    expect([code, ...[shown, listed].map((part) => part.match(/not updated: .*9001/g)?.length)]).toEqual([13, 1, 1]);
    expect(listed.match(/#\d+ {2}Photo/g)).toHaveLength(30);
  });
});

describe("the result of a bulk update as JSON", () => {
  test("has the changes reported by the tracker, or the error", async () => {
    const { tracker, bt, ids } = await crowded(22);
    tracker.store.exec("DELETE FROM bugs WHERE id = 103");
    const run = await bt("bug update - --priority Highest --yes --json", ids.join(" "));
    const rows = JSON.parse(run.out);
    expect(rows).toHaveLength(22);
    expect(rows[0]).toEqual({
      id: 103,
      result: "failed",
      error: expect.objectContaining({ kind: "missing", code: 101 }),
      job: jobIn(run.err),
    });
    expect(rows[1]).toEqual({
      ...{ id: 101, alias: [], result: "done", last_change_time: expect.any(String) },
      changes: { priority: { removed: expect.any(String), added: "Highest" } },
      job: jobIn(run.err),
    });
    expect(JSON.parse(run.err).error).toMatchObject({ kind: "partial", exit_code: 10, changed: "some" });
  });
});

test("comments and hours are sent per bug, plain changes for 25 bugs at a time", async () => {
  const { tracker, bt, ids } = await crowded(30);
  await bt("bug update - -m Hello --yes", ids.join(" "));
  await bt("bug update - --priority Highest --yes", ids.join(" "));
  const sizes = tracker.writes().map((write) => bugsNamed(write).length);
  expect(sizes).toEqual([...Array(30).fill(1), 25, 5]);
});

test("an update refused for every bug with the same message stops early", async () => {
  const { tracker, bt, ids } = await crowded(100, { write: ({ socket }) => void socket.write(FORBIDDEN) });
  const run = await bt("bug update - --priority Highest --yes", ids.join(" "));
  expect({ code: run.code, err: run.err }).toEqual({
    code: 4,
    err: expect.stringContaining("0 of 100 bugs done: 25 failed, 75 not tried"),
  });
  expect(tracker.writes().length).toBeLessThan(55);
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
  const first = bt(`job send ${job} --resend`);
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
    err: expect.stringContaining(`is for ${tracker.url}`),
  });
  const undo = await btConnected(`bug undo --job ${job}`, { env: { ...other.env, HOME: home } });
  expect(undo.err).toContain(`\nhint: bt bug undo --job ${job} --base-url ${tracker.url}\n`);
  expect(other.writes()).toEqual([]);
  const before = tracker.requests.filter(({ method }) => method !== "GET").length;
  for (const [name, line] of Object.entries({
    "another argument": `job send ${job} more`,
    "another change": `job send ${job} --priority Highest`,
    "a job that is none": "job send 01KB3XQ8Z5T4M7W2N9P6R1S0VA",
  })) {
    const run = await bt(line);
    expect({ name, code: run.code, out: run.out }).toEqual({ name, code: 2, out: "" });
  }
  expect(tracker.writes()).toHaveLength(before);
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
  const said = `was started by ${tracker.login}, not by mei@example.org`;
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

test("H11 100 comments with hours, 30 of the responses lost: each is added exactly once, the hours are exact", async () => {
  const dice = chance(11);
  const ways = [FATES.resetAfter, FATES.closedAfter, FATES.badGatewayAfter, FATES.emptyAfter, FATES.loginPageAfter];
  const draws = [...Array(100).keys()].map((at) => ({ count: at + 1, number: dice.number() }));
  const lost = draws.sort((one, other) => one.number - other.number).slice(0, 30);
  const isLost = ({ count }: Incident) => lost.some((draw) => draw.count === count);
  const { tracker, bt, ids, home } = await crowded(100, {
    write: (incident) => (isLost(incident) ? dice.one(ways)(incident) : incident.pass()),
  });
  const run = await bt("bug update - -m 'Seen again' --work-time 0.3 --yes", ids.join("\n"));
  expect({ code: run.code, done: lines(run.out).filter(([, result]) => result === "done").length }).toEqual({
    ...{ code: 0, done: 100 },
  });
  expect(run.err.match(/was verified as applied after a lost response/g)).toHaveLength(30);
  expect(written(tracker)).toEqual(ids);
  const said = `FROM comments WHERE text = 'Seen again' AND work_time = 0.3 AND bug_id BETWEEN 101 AND 200`;
  expect(tracker.text(`SELECT count(*) || ' on ' || count(DISTINCT bug_id) ${said}`)).toBe("100 on 100");
  expect(tracker.text("SELECT printf('%.4f', sum(work_time)) FROM comments WHERE bug_id > 100")).toBe("30.0000");
  const hours = await bt(`bug get ${ids.join(" ")} --fields actual_time --format tsv`);
  expect(new Set(lines(hours.out).flat())).toEqual(new Set(["0.3"]));
  expect(jobsOf(home, "open")).toEqual([]);
});
