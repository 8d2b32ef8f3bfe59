import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Faults, faultyTracker, nth, once } from "./faulty-tracker.ts";
import { jobIn, ran } from "./ran.ts";

const { badGatewayBefore, resetAfter } = FATES;
const PINGS = "SELECT count(*) FROM comments WHERE text = 'ping'";

describe("an equal object created a moment earlier by another program with the same login does not match", () => {
  test.each([
    ["a comment", "comment add 43 -m ping"],
    ["a change with a comment", "bug update 43 -m ping --priority Highest"],
    ["a raw write", "api POST /rest/bug/43/comment -f comment=ping"],
  ])("%s", async (_, line) => {
    const { code, err, tracker, again } = await pinged(line, { write: once(badGatewayBefore) });
    expect({ code, pings: tracker.count(PINGS) }).toEqual({ code: 9, pings: 1 });
    expect(err).toContain("it was not found on the tracker");
    expect(await again(`job send ${jobIn(err)} --resend`)).toMatchObject({ code: 0 });
    expect(tracker.count(PINGS)).toBe(2);
  });

  test("and the own write is found next to it", async () => {
    const { code, out, tracker } = await pinged("comment add 43 -m ping", { write: once(resetAfter) });
    expect({ code, pings: tracker.count(PINGS) }).toEqual({ code: 0, pings: 2 });
    expect(tracker.count("SELECT max(id) FROM comments")).toBe(Number(out));
  });

  test("a private comment does not match an equal public one, nor hides it", async () => {
    const line = "comment add 43 -m ping --private";
    const before = await pinged(line, { write: once(badGatewayBefore) });
    expect({ code: before.code, pings: before.tracker.count(PINGS) }).toEqual({ code: 9, pings: 1 });
    const after = await ran(line, { write: once(resetAfter) });
    const own = after.tracker.count("SELECT id FROM comments WHERE text = 'ping' AND is_private");
    expect(after).toMatchObject({ code: 0, out: `${own}\n` });
    expect(after.tracker.writes()).toHaveLength(1);
  });

  test("a bug without recent changes needs no request for its comments first", async () => {
    const { tracker } = await ran("bug update 43 -m ping", {});
    expect(tracker.requests.filter(({ path }) => path.endsWith("/comment"))).toEqual([]);
  });

  test("if that request fails, nothing is sent", async () => {
    const run = await ran("comment add 43 -m ping", { read: FATES.resetBefore, clientEnv: { BT_RETRY: "0" } });
    expect({ code: run.code, writes: run.tracker.writes() }).toEqual({ code: 6, writes: [] });
    expect(run.err).toContain("no changes made");
  });
});

async function pinged(line: string, faults: Faults) {
  return ran(line, faults, (tracker) =>
    tracker.as(tracker.login, { method: "POST", path: "/rest/bug/43/comment", body: { comment: "ping" } }),
  );
}

describe("a write is found whatever date responses have", () => {
  test.each([
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
  ])("%s", async (_, off) => {
    const tracker = await faultyTracker({
      write: once(resetAfter),
      read: async ({ apply, socket }) => {
        const { body, headers, status } = await apply();
        const date = new Date(tracker.clock.now().getTime() + off).toUTCString();
        socket.write(answer(body, { status: `${status} OK`, headers: { ...headers, date } }));
      },
    });
    const line = "bug create -p Lantern -c Library --bug-version 3.1 -t Crash -d Steps";
    const run = await btConnected(line, { env: { ...tracker.env, HOME: freshFolder() } });
    expect(run).toMatchObject({ code: 0, err: expect.stringContaining("verified as applied after a lost response") });
    expect(tracker.count("SELECT id FROM bugs WHERE summary = 'Crash'")).toBe(Number(run.out));
  });
});

describe("a change of another program since is shown, and overwritten only if the user says so", () => {
  test.each([
    ["with a comment", "bug close 43 --as FIXED -m Done"],
    ["alone", "bug close 43 --as FIXED"],
  ])("%s", async (_, line) => {
    const { err, tracker, again } = await ran(line, { write: once(badGatewayBefore) });
    const body = { ids: [43], status: "RESOLVED", resolution: "WONTFIX" };
    await tracker.as(tracker.login, { method: "PUT", path: "/rest/bug/43", body });
    const checked = await again(`job send ${jobIn(err)}`);
    expect(checked).toMatchObject({ code: 9, out: "" });
    expect(tracker.text("SELECT resolution FROM bugs WHERE id = 43")).toBe("WONTFIX");
    if (line.endsWith("FIXED")) expect(checked.err).toContain('bug 43: resolution is now "WONTFIX"');
    expect(await again(`job send ${jobIn(err)} --resend`)).toMatchObject({ code: 0 });
    expect(tracker.text("SELECT resolution FROM bugs WHERE id = 43")).toBe("FIXED");
  });
});

test("an equal bug from another machine does not match", async () => {
  const line = "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t Crash -d Steps";
  const tracker = await faultyTracker({ write: nth(2, FATES.resetBefore) });
  const one = await btConnected(line, { env: { ...tracker.env, HOME: freshFolder() } });
  tracker.clock.step(2000);
  const other = await btConnected(line, { env: { ...tracker.env, HOME: freshFolder() } });
  expect([one.code, other.code, other.out]).toEqual([0, 9, ""]);
});

test("a date shown as midnight by the tracker is up to date, also in the second of another change", async () => {
  const run = await ran("bug update 43 --field 'Ship by=2026-12-01'", { write: once(resetAfter) }, (tracker) =>
    tracker.as(tracker.login, { method: "PUT", path: "/rest/bug/43", body: { ids: [43], whiteboard: "now" } }),
  );
  expect(run).toMatchObject({ code: 0, err: expect.stringContaining("verified as applied after a lost response") });
});

describe("of two equal concurrent writes without a response, one of them applied, one is applied and one is not", () => {
  test.each([
    [
      "bugs",
      "bug create -p Lantern -c Library --bug-version 3.1 -t Crash -d Steps",
      "SELECT count(*) FROM bugs WHERE summary = 'Crash'",
    ],
    ["comments", "comment add 43 -m ping", PINGS],
    ["changes with a comment", "bug update 43 -m ping --priority High", PINGS],
    ["hours", "bug update 43 --work-time 1", "SELECT sum(work_time) FROM comments WHERE bug_id = 43"],
  ])("%s", async (_, line, sql) => {
    const both = gate(2);
    const tracker = await faultyTracker({
      write: async (incident) => {
        if (incident.count > 2) return incident.pass();
        await both();
        return incident.count === 1 ? resetAfter(incident) : FATES.resetBefore(incident);
      },
    });
    const env = { ...tracker.env, HOME: freshFolder() };
    const runs = await Promise.all([btConnected(line, { env }), btConnected(line, { env })]);
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 9]);
    expect(tracker.count(sql)).toBe(1);
    const [left = ""] = runs.filter(({ code }) => code === 9).map(({ err }) => jobIn(err));
    expect(await btConnected(`job send ${left} --resend`, { env })).toMatchObject({ code: 0 });
    expect(tracker.count(sql)).toBe(2);
  });
});

/** Lets nobody through before so many have come. */
function gate(size: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((go) => {
      waiting.push(go);
      if (waiting.length === size) for (const one of waiting) one();
    });
}
