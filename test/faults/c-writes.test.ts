import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { stoppedClock } from "../clock.ts";
import { FATES, type Fate, inOrder, nth, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf, ran } from "./ran.ts";

const CREATE =
  "bug create -p Lantern -c Library --bug-version 3.1 -t Crash-on-import --op-sys Linux --platform PC -d 'Steps: open'";
const BUGS = "SELECT count(*) FROM bugs WHERE summary = 'Crash-on-import'";
describe("a new bug without a response is found again and filed once", () => {
  test.each<readonly [string, Fate, timeout: string]>([
    ["C1 reset instead of the response", FATES.resetAfter, ""],
    ["C2 closed without a response", FATES.closedAfter, ""],
    ["C3 502 after it was applied", FATES.badGatewayAfter, ""],
    ["C4 the response never comes", FATES.silentAfter, "2"],
    ["C16 a response without an id", FATES.emptyAfter, ""],
    ["C17 a login page instead of the response", FATES.loginPageAfter, ""],
  ])("%s", async (_, fate, timeout) => {
    const { code, out, err, tracker, home } = await ran(CREATE, {
      write: once(fate),
      clientEnv: { BT_TIMEOUT: timeout },
    });
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining("verified as applied after a lost response"),
    });
    expect(tracker.count("SELECT id FROM bugs WHERE summary = 'Crash-on-import'")).toBe(Number(out));
    expect(tracker.count(BUGS)).toBe(1);
    expect(tracker.writes()).toHaveLength(1);
    expect(jobsOf(home, "finished")).toHaveLength(1);
    expect(jobsOf(home, "open")).toEqual([]);
  });

  test("C20 an alias is conclusive, whatever other bugs look alike", async () => {
    const { code, out, tracker } = await ran(`${CREATE} --alias import-crash`, { write: once(FATES.resetAfter) });
    expect({ code, bugs: tracker.count(BUGS) }).toEqual({ code: 0, bugs: 1 });
    expect(tracker.count("SELECT bug_id FROM bug_aliases WHERE alias = 'import-crash'")).toBe(Number(out));
    const byAlias = tracker.requests.filter(({ path }) => path === "/rest/bug/import-crash");
    expect(byAlias.map(({ method }) => method)).toEqual(["GET", "GET"]); // before it is sent, and after
  });

  test("other commands of the same second do not match", async () => {
    const { code, out, tracker } = await ran(CREATE, { write: once(FATES.resetAfter) }, (before) =>
      before.as("mei@example.org", { method: "POST", path: "/rest/bug", body: LIKE_IT }),
    );
    expect({ code, bugs: tracker.count(BUGS) }).toEqual({ code: 0, bugs: 2 });
    expect(tracker.count("SELECT max(id) FROM bugs")).toBe(Number(out));
  });

  test("another comment that got the expected number does not match", async () => {
    const { again, out, tracker } = await ran("comment add 43 -m Hello", { write: nth(2, FATES.resetAfter) });
    tracker.store.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'bugs'", [Number(out) - 1]);
    expect(await again(CREATE)).toMatchObject({ code: 0, out });
    expect(tracker.count(BUGS)).toBe(1);
  });
});

const LIKE_IT: JsonObject = {
  product: "Lantern",
  component: "Library",
  version: "3.1",
  summary: "Crash-on-import",
  op_sys: "Linux",
  platform: "PC",
  description: "Steps: open",
};

describe("a bug that is not found is not filed again unless the user says so", () => {
  test.each<readonly [string, Fate, looked: string]>([
    ["C5 502 before the tracker", FATES.badGatewayBefore, "5 times"],
    ["C16 a response without an id, not applied", FATES.emptyBefore, "once"],
    ["C17 a login page, not applied", FATES.loginPageBefore, "once"],
  ])("%s", async (_, fate, looked) => {
    const { code, out, err, tracker, again } = await ran(CREATE, { write: once(fate) });
    expect({ code, out, bugs: tracker.count(BUGS), writes: tracker.writes().length }).toEqual({
      code: 9,
      out: "",
      bugs: 0,
      writes: 1,
    });
    expect(err).toContain(`it was not found on the tracker (checked ${looked})`);
    const checked = await again(`job send ${jobIn(err)}`);
    expect(checked).toMatchObject({
      code: 9,
      out: "",
      err: expect.stringContaining("it was not found on the tracker"),
    });
    expect(checked.err).toContain(`bt job send ${jobIn(err)} --resend resends it`);
    expect(tracker.writes()).toHaveLength(1);
    const resent = await again(`job send ${jobIn(err)} --resend`);
    expect(resent).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\n$/) });
    expect(tracker.count(BUGS)).toBe(1);
  });

  test("C6 with --resend it is sent once more, and checked", async () => {
    const { err, tracker, again } = await ran(CREATE, { write: inOrder(FATES.badGatewayBefore, FATES.resetAfter) });
    expect(await again(`job send ${jobIn(err)} --resend`)).toMatchObject({ code: 0 });
    expect({ bugs: tracker.count(BUGS), writes: tracker.writes().length }).toEqual({ bugs: 1, writes: 2 });
  });

  test("C6 but not if it is found", async () => {
    const outage = { isOver: true };
    const { err, tracker, again } = await ran(CREATE, {
      write: once((incident) => {
        outage.isOver = false;
        return FATES.resetAfter(incident);
      }),
      read: (incident) =>
        failsNow(incident.request.path, outage) ? FATES.badGatewayBefore(incident) : incident.pass(),
    });
    expect(await again(`job send ${jobIn(err)} --resend`), "the tracker is down").toMatchObject({ code: 9 });
    outage.isOver = true;
    expect(await again(`job send ${jobIn(err)} --resend`)).toMatchObject({ code: 0 });
    expect({ bugs: tracker.count(BUGS), writes: tracker.writes().length }).toEqual({ bugs: 1, writes: 1 });
  });

  test.each([
    ["y", 0, 2],
    ["n", 9, 1],
  ])("C6 on a terminal the user sees what is known, and answers %s", async (answer, code, writes) => {
    const { err, tracker, home } = await ran(CREATE, { write: once(FATES.badGatewayBefore) });
    const env = { ...tracker.env, HOME: home };
    const run = await btConnected(`job send ${jobIn(err)}`, { env, terminal: true, answers: [answer] });
    expect({ code: run.code, writes: tracker.writes().length }).toEqual({ code, writes });
    expect(run.err).toMatch(/unknown outcome of the bug creation\n {4}it was not found.*\nresend it\? \[y\/N\]/s);
  });

  test("C7 an unverifiable write is unknown; C8 and verified later", async () => {
    const outage = { isOver: true };
    const { code, out, err, tracker, again } = await ran(CREATE, {
      write: once((incident) => {
        outage.isOver = false;
        return FATES.resetAfter(incident);
      }),
      read: async (incident) =>
        failsNow(incident.request.path, outage) ? FATES.badGatewayBefore(incident) : incident.pass(),
    });
    expect({ code, out }).toEqual({ code: 9, out: "" });
    expect(err).toMatch(/unknown outcome of the bug creation: .* closed the connection without a response/);
    const job = jobIn(err);
    expect((await again("job list --format tsv")).out).toMatch(`${job}\t`);
    outage.isOver = true;
    const resumed = await again(`job send ${job}`);
    expect({ ...resumed, bugs: tracker.count(BUGS) }).toMatchObject({ code: 0, bugs: 1 });
    expect(tracker.count("SELECT id FROM bugs WHERE summary = 'Crash-on-import'")).toBe(Number(resumed.out));
    expect((await again("job list")).out).toBe("");
    expect(await again(`job send ${job}`)).toMatchObject({ code: 0, out: resumed.out });
  });

  test("without a server clock a bug is found all the same", async () => {
    const { code, tracker } = await ran(CREATE, {
      write: once(FATES.resetAfter),
      isTimeless: true,
      clock: stoppedClock("2026-11-20T11:00:00Z"),
      clientClock: stoppedClock("2026-11-20T12:00:00Z"),
    });
    expect({ code, bugs: tracker.count(BUGS), writes: tracker.writes().length }).toEqual({
      code: 0,
      bugs: 1,
      writes: 1,
    });
  });

  test("C9 two candidates are ambiguous, and neither matches", async () => {
    const { code, err, tracker } = await ran(CREATE, {
      write: once(async ({ apply, socket }) => {
        await apply();
        await apply(); // by hand, in another window
        socket.resetAndDestroy();
      }),
    });
    expect({ code, bugs: tracker.count(BUGS) }).toEqual({ code: 9, bugs: 2 });
    expect(err.match(/bug \d+ "Crash-on-import", filed \S+, is identical/g)).toHaveLength(2);
  });
});

/** Reads fail once the bug has been sent, until the outage is over. */
function failsNow(path: string, outage: { readonly isOver: boolean }): boolean {
  return !outage.isOver && path !== "/rest/field/bug";
}
