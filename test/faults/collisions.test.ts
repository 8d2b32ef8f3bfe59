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
  return request.query.some(([name, value]) => name === "include_fields" && /^id,last_change_time/.test(value));
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
      err: expect.stringContaining("bug 43 was modified since"),
    });
    expect(tracker.writes()).toEqual([]);
  });

  test.each(["43", "43 44"])("refuses bugs %s of a tracker that does not return when they changed", async (ids) => {
    const tracker = await faultyTracker({ read: (incident) => withBugs(incident, withoutChangeTime) });
    const run = await bt(`bug update ${ids} --priority Highest --if-unchanged`, tracker);
    expect(run.code).toBe(13);
    expect(run.err).toContain("the tracker does not return when it changed");
    expect(tracker.writes()).toEqual([]);
  });

  test.each([
    ["43", /^bt: bug 43 was not found/],
    ["43 44", /bugs 43, 44: .*not found/],
  ])("does not call bugs that cannot be read modified: %s", async (ids, message) => {
    const tracker = await faultyTracker({
      read: (incident) => (isLastLook(incident) ? withBugs(incident, () => undefined) : incident.pass()),
    });
    const run = await bt(`bug update ${ids} --priority Highest --if-unchanged`, tracker);
    expect(run).toMatchObject({ code: 5, err: expect.stringMatching(message) });
    expect(run.err).not.toContain("--unchanged-since");
    expect(tracker.writes()).toEqual([]);
  });

  test("fails within the second of its last change, by its values", async () => {
    const tracker: FaultyTracker = await faultyTracker({
      read: async (incident) => {
        if (isLastLook(incident)) tracker.store.exec("UPDATE bugs SET priority = 'Lowest' WHERE id = 43");
        await incident.pass();
      },
    });
    expect(await bt(LINE, tracker)).toMatchObject({ code: 11, err: expect.stringContaining("priority") });
    expect(tracker.writes()).toEqual([]);
  });

  test("updates the unmodified bugs of a bulk update and skips the others", async () => {
    const tracker: FaultyTracker = await faultyTracker({
      read: (incident) => (isLastLook(incident) ? raced(() => tracker)(incident) : incident.pass()),
    });
    crowd(tracker, 130);
    const ids = [...Array(30).keys()].map((at) => 101 + at);
    const env = { ...tracker.env, HOME: freshFolder() };
    const run = await btConnected(`bug update 43 ${ids.join(" ")} --priority Highest --if-unchanged --yes`, { env });
    expect(run).toMatchObject({ code: 11, err: expect.stringContaining("30 applied, 1 refused") });
    expect(run.out).toMatch(/^43\trefused$/m);
    expect(tracker.count(PRIORITY)).toBe(0);
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
