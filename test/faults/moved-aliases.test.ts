import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FATES, type FaultyTracker, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf, type Ran, ran } from "./ran.ts";

const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 -t Crash --op-sys Linux --platform PC -d Text";
const NEW = "(SELECT max(id) FROM bugs)";

/** A write that names bug 41 by an alias, and the SQL that tells whether bug 41 was meant, or 42. */
const WRITES: Readonly<Record<string, readonly [line: string, meant: (id: number) => string]>> = {
  "comment add": ["comment add wanted -m Seen", (id) => `FROM comments WHERE text = 'Seen' AND bug_id = ${id}`],
  "bug update": ["bug update wanted --whiteboard x", (id) => `FROM bugs WHERE whiteboard = 'x' AND id = ${id}`],
  "bug update --depends-on": [
    "bug update 43 --add-depends-on wanted",
    (id) => `FROM bug_dependencies WHERE bug_id = 43 AND depends_on_id = ${id}`,
  ],
  "bug update --set-blocks": [
    "bug update 43 --set-blocks wanted",
    (id) => `FROM bug_dependencies WHERE bug_id = ${id} AND depends_on_id = 43`,
  ],
  "bug update --dupe-of": [
    "bug update 43 --dupe-of wanted",
    (id) => `FROM bug_duplicates WHERE bug_id = 43 AND dupe_of = ${id}`,
  ],
  "bug dup": ["bug dup 43 wanted", (id) => `FROM bug_duplicates WHERE bug_id = 43 AND dupe_of = ${id}`],
  "bug close": ["bug close wanted", (id) => `FROM bugs WHERE status = 'RESOLVED' AND id = ${id}`],
  "bug create --depends-on": [
    `${CREATE} --depends-on wanted`,
    (id) => `FROM bug_dependencies WHERE bug_id = ${NEW} AND depends_on_id = ${id}`,
  ],
};

function alias(tracker: FaultyTracker, id: number): void {
  tracker.store.exec("DELETE FROM bug_aliases WHERE alias = 'wanted'");
  tracker.store.exec(`INSERT INTO bug_aliases (alias, bug_id) VALUES ('wanted', ${id})`);
}

function prepared(tracker: FaultyTracker): void {
  tracker.store.exec("DELETE FROM bug_dependencies WHERE 43 IN (bug_id, depends_on_id)");
  tracker.store.exec("UPDATE bugs SET status = 'CONFIRMED', resolution = '' WHERE id IN (41, 42, 43)");
  alias(tracker, 41);
}

function journal({ home }: Ran): string {
  return readFileSync(join(home, ".local/state/bt/jobs", jobsOf(home, "open")[0] ?? ""), "utf8");
}

describe("an alias that moves to another bug during a lost write causes no write to that bug", () => {
  test.each(Object.entries(WRITES))("%s", async (_, [line, meant]) => {
    const run = await ran(line, { write: once(FATES.badGatewayBefore) }, prepared);
    expect(run.code).toBe(9);
    expect(journal(run)).not.toContain("wanted");
    alias(run.tracker, 42);
    const counted = (id: number) => run.tracker.count(`SELECT count(*) ${meant(id)}`);
    const before = counted(42);
    expect((await run.again(`job send ${jobIn(run.err)} --resend`)).code).toBe(0);
    expect([counted(41), counted(42)]).toEqual([1, before]);
  });
});

test.each(["bug update 43 --dupe-of nowhere", "bug update 43 --add-blocks nowhere", `${CREATE} --depends-on nowhere`])(
  "an unknown alias is exit code 5 before any write: %s",
  async (line) => {
    const run = await ran(line, {});
    expect(run).toMatchObject({ code: 5, out: "", err: expect.stringContaining("nowhere") });
    expect(run.tracker.writes()).toEqual([]);
  },
);
