import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { type FaultyTracker, faultyTracker, type Incident } from "./faulty-tracker.ts";

const LINE = "bug update 43 --priority Highest --if-unchanged";
const PRIORITY = "SELECT count(*) FROM bugs WHERE id = 43 AND priority = 'Highest'";

/** Somebody else changes the bug right before this request is handled. */
function raced(tracker: () => FaultyTracker) {
  return async (incident: Incident) => {
    const body = { ids: [43], priority: "Lowest" };
    await tracker().as("mei@example.org", { method: "PUT", path: "/rest/bug/43", body });
    await incident.pass();
  };
}

function isLastLook({ request }: Incident) {
  return request.query.some(([name, value]) => name === "include_fields" && /^last_change_time/.test(value));
}

/** Answers with these bugs in place of those of the tracker's response. */
async function withBugs(
  { apply, socket }: Incident,
  change: (bug: JsonObject) => JsonObject | undefined,
): Promise<void> {
  const { status, headers, body } = await apply();
  const response = JSON.parse(body);
  if (Array.isArray(response.bugs)) response.bugs = response.bugs.map(change).filter(Boolean);
  socket.write(answer(JSON.stringify(response), { status: `${status} OK`, headers }));
}

function withoutChangeTime({ last_change_time: _, ...bug }: JsonObject): JsonObject {
  return bug;
}

function bt(line: string, tracker: FaultyTracker) {
  return btConnected(line, { env: { ...tracker.env, HOME: freshFolder() } });
}

describe("--if-unchanged", () => {
  test("changes a bug that is unmodified since it was read", async () => {
    const tracker = await faultyTracker();
    expect((await bt(LINE, tracker)).code).toBe(0);
    expect(tracker.count(PRIORITY)).toBe(1);
  });

  test("fails if the bug was modified since it was read", async () => {
    const tracker: FaultyTracker = await faultyTracker({
      read: (incident) => (isLastLook(incident) ? raced(() => tracker)(incident) : incident.pass()),
    });
    const run = await bt(LINE, tracker);
    expect(run).toMatchObject({
      code: 11,
      out: "",
      err: expect.stringContaining("bug 43 was modified in the meantime"),
    });
    expect(tracker.writes()).toEqual([]);
  });

  test.each(["43", "43 44"])("refuses bugs %s of a tracker that does not return when they changed", async (ids) => {
    const tracker = await faultyTracker({ read: (incident) => withBugs(incident, withoutChangeTime) });
    const run = await bt(`bug update ${ids} --priority Highest --if-unchanged`, tracker);
    expect(run).toMatchObject({ code: 13, out: "" });
    expect(run.err).toContain("bug 43 was modified: the tracker does not return when the bug changed");
    expect(tracker.writes()).toEqual([]);
  });

  test.each([
    ["43", /^bt: bug 43 was not found/],
    ["43 44", /^bt: some of the bugs could not be read\n +bug 43 was not found.*\n +bug 44 was not found/],
  ])("does not call bugs that cannot be read modified: %s", async (ids, message) => {
    const tracker = await faultyTracker({
      read: (incident) => (isLastLook(incident) ? withBugs(incident, () => undefined) : incident.pass()),
    });
    const run = await bt(`bug update ${ids} --priority Highest --if-unchanged`, tracker);
    expect(run).toMatchObject({ code: 5, out: "", err: expect.stringMatching(message) });
    expect(run.err).not.toContain("--unchanged-since");
    expect(tracker.writes()).toEqual([]);
  });

  test("reports a value that was overwritten at the moment of writing", async () => {
    const tracker: FaultyTracker = await faultyTracker({ write: (incident) => raced(() => tracker)(incident) });
    const run = await bt(LINE, tracker);
    expect(run.code).toBe(11);
    expect(run.err).toMatch(/overwrote a concurrent change$/m);
    expect(run.err).toMatch(/bug 43: priority was "Lowest" before the update, not "\w+"; it is now "Highest"/);
  });

  test("is atomic on a tracker with update tokens", async () => {
    const tracker: FaultyTracker = await faultyTracker({
      isKeyed: true,
      write: (incident) => raced(() => tracker)(incident),
    });
    const run = await bt(LINE, tracker);
    expect(run).toMatchObject({
      code: 11,
      err: expect.stringContaining("Modified since it was read: bug 43"),
    });
    expect(tracker.count(PRIORITY)).toBe(0);
  });

  test("updates the unmodified bugs of a bulk update and skips the others", async () => {
    const tracker: FaultyTracker = await faultyTracker({
      read: (incident) => (isLastLook(incident) ? raced(() => tracker)(incident) : incident.pass()),
    });
    crowd(tracker, 130);
    const ids = [...Array(30).keys()].map((at) => 101 + at);
    const env = { ...tracker.env, HOME: freshFolder() };
    const run = await btConnected(`bug update 43 ${ids.join(" ")} --priority Highest --if-unchanged --yes`, { env });
    expect(run).toMatchObject({ code: 11, err: expect.stringContaining("30 of 31 bugs done: 1 failed") });
    expect(run.out).toMatch(/^43\tfailed\t/m);
    expect(tracker.count(PRIORITY)).toBe(0);
    const [, job] = /bt job drop (\w{26}) gives up/.exec(run.err) ?? [];
    const shown = async () => JSON.parse((await btConnected(`job show ${job} --json`, { env })).out);
    const partial = (message: RegExp) => [
      { status: "partial", done: ids, failed: [{ id: 43, message: expect.stringMatching(message) }], open: [43] },
    ];
    expect(await shown()).toMatchObject(
      partial(/^bug 43 was modified in the meantime .*to "Lowest", by mei@example.org/),
    );
    expect(await btConnected(`job send ${job}`, { env })).toMatchObject({ code: 11 });
    expect(await shown()).toMatchObject(partial(/^bug 43: priority changed in the meantime .* by mei@example.org/));
  });
});

describe("--unchanged-since", () => {
  test("fails if the bug was modified since that time", async () => {
    const tracker = await faultyTracker();
    const old = await bt("bug update 43 --priority Highest --unchanged-since 2001-01-01", tracker);
    expect(old).toMatchObject({ code: 11, out: "" });
    expect(tracker.writes()).toEqual([]);
    expect((await bt("bug update 43 --priority Highest --unchanged-since 2040-01-01", tracker)).code).toBe(0);
  });
});
