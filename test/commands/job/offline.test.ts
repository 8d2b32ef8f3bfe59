import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { FATES, type Fate, type Faults, faultyTracker, nth, once } from "../../faults/faulty-tracker.ts";
import { type OfflineDesk, offlineDesk } from "../../faults/offline-desk.ts";
import { answer } from "../../servers/fault-server.ts";

const CREATE =
  "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Text -t Title --offline";
const MEI = "mei@example.org";

async function atDesk(faults: Faults = {}) {
  const tracker = await faultyTracker(faults);
  const desk = await offlineDesk(tracker);
  const by = (login: string, bug: number, body: Readonly<Record<string, string>>) =>
    tracker.as(login, { method: "PUT", path: `/rest/bug/${bug}`, body });
  return {
    tracker,
    desk,
    ...desk,
    by,
    field: (bug: number, name: string) => tracker.text(`SELECT ${name} FROM bugs WHERE id = ${bug}`),
  };
}

/** Runs lines that have to succeed. */
async function run({ bt }: Pick<OfflineDesk, "bt">, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { code, err } = await bt(line);
    expect([line, code], err).toEqual([line, 0]);
  }
}

async function statuses({ jobs }: Pick<OfflineDesk, "jobs">): Promise<readonly string[]> {
  return (await jobs()).map(({ status, what }) => `${status}: ${what}`);
}

describe("with --offline nothing is sent", () => {
  test("a job is kept, and stderr says what it was checked against", async () => {
    const { tracker, bt, jobs } = await atDesk();
    const { code, out, err } = await bt("bug update 44 --priority High --offline");
    const [job] = await jobs();
    expect({ code, out }).toEqual({ code: 0, out: `${job?.job}\n` });
    expect(err).toBe(
      `kept as job ${job?.job}, checked against the mirror work; bt job send --all sends it\nas of 1 s ago\n`,
    );
    expect(job).toMatchObject({ status: "waiting", state: "not sent", what: "update of bug 44" });
    expect(tracker.requests).toEqual([]);
  });

  test("a key of the environment without its tracker is refused in one line", async () => {
    const { tracker, bt, env, jobs } = await atDesk();
    await bt("bug update 44 --priority High --offline");
    const [job] = await jobs();
    for (const line of [`job send ${job?.job}`, "job send --all"]) {
      const { err } = await btConnected(line, { env: { ...env, BT_BASE_URL: "" } });
      expect(err.match(/refusing to send BT_API_KEY/g)).toEqual(["refusing to send BT_API_KEY"]);
      expect(err).toContain(`set BT_BASE_URL=${tracker.url} if the key is for this tracker`);
    }
    const piped = await btConnected(`mirror create more -p Lantern --base-url ${tracker.url} --api-key-file -`, {
      env: { ...env, BT_BASE_URL: "" },
      stdin: `${env["BT_API_KEY"]}\n`,
    });
    expect([piped.code, piped.err]).toEqual([0, expect.stringMatching(/^more: /)]);
  });

  test("jobs are listed in the order in which they were made", async () => {
    const desk = await atDesk();
    const lines = [
      CREATE,
      "comment add new-1 -m Hello --offline",
      "bug update 44 --depends-on +new-1 --offline",
      "bug close 49 --offline",
      "bug reopen 49 --offline",
      "bug take 44 --offline",
      "bug dup 40 new-1 --offline",
      `${CREATE} --blocks new-1`,
    ];
    await run(desk, ...lines);
    expect(await statuses(desk)).toEqual([
      "waiting: new bug new-1: Title",
      "waiting: comment on bug new-1",
      "waiting: update of bug 44",
      "waiting: update of bug 49",
      "waiting: update of bug 49",
      "waiting: update of bug 44",
      "waiting: update of bug 40",
      "waiting: new bug new-2: Title",
    ]);
    expect(desk.tracker.requests).toEqual([]);
  });

  test("a new bug is printed by its temporary name, in JSON with its job", async () => {
    const { bt } = await atDesk();
    expect(await bt(CREATE)).toMatchObject({ code: 0, out: "new-1\n" });
    const { out } = await bt(`${CREATE} --json`);
    expect(JSON.parse(out)).toEqual({
      job: expect.stringMatching(/^\w{26}$/),
      status: "waiting",
      name: "new-2",
      what: "the bug creation",
    });
    const update = JSON.parse((await bt("bug update new-2 --priority High --offline --json")).out);
    expect(update).toEqual([expect.objectContaining({ status: "waiting", what: "the update of bug new-2" })]);
    expect((await bt("comment add new-2 -m Hello --offline -n")).err).toContain(
      "would send POST /rest/bug/new-2/comment",
    );
  });

  test.each([
    ["bug update new-1 --priority High -n", "new-1\tpriority\t\tHigh\n"],
    ["bug update 44 --depends-on +new-1 -n", "44\tdepends_on\t\tnew-1\n"],
    ["bug dup 44 new-1 -n", "44\tdupe_of\t\tnew-1\n44\tstatus\tCONFIRMED\tRESOLVED\n44\tresolution\t\tDUPLICATE\n"],
  ])("%s shows the temporary name", async (line, shown) => {
    const { bt } = await atDesk();
    await run({ bt }, CREATE);
    const [text, json, card] = [
      await bt(`${line} --offline`),
      await bt(`${line} --offline --json`),
      await bt(`${line} --offline`, true),
    ];
    expect(text).toMatchObject({ code: 0, out: shown });
    expect(json.out + json.err + card.out + card.err).not.toContain("9000000");
    expect(card.out).toMatch(/^(new-1|#44) {2}/);
  });

  test.each([
    ["bug reopen new-1", "new-1 is UNCONFIRMED, not closed"],
    ["bug dup new-1 new-1", "new-1 cannot be a duplicate of itself"],
  ])("%s is refused by the temporary name", async (line, reason) => {
    const { bt } = await atDesk();
    await run({ bt }, CREATE);
    const { code, err } = await bt(`${line} --offline`);
    expect(code).not.toBe(0);
    expect(err).toContain(reason);
    expect(err).not.toContain("9000000");
  });

  test("bugs are checked as the jobs before will leave them", async () => {
    const { bt } = await atDesk();
    expect((await bt("bug reopen 46 --offline")).err).toContain("bug 46 is UNCONFIRMED, not closed");
    await run({ bt }, "bug close 46 --offline", "bug reopen 46 --offline");
  });

  test.each([
    ["bug edit 40 --offline", "the mirror work is read-only"],
    ["bug needinfo 40 --from mei@example.org -m x --offline", "the mirror work is read-only"],
    ["tag update 5 --add abc --offline", "the mirror work is read-only"],
    ["bug update 44 --priority Nosuch --offline", "Nosuch"],
    ["comment add new-7 -m x --offline", "new-7"],
    ["job send --all --offline", "needs the tracker"],
  ])("%s is refused", async (line, reason) => {
    const { bt, jobs, tracker } = await atDesk();
    const { code, out, err } = await bt(line);
    expect([2, 5]).toContain(code);
    expect({ out, reason: err }).toEqual({ out: "", reason: expect.stringContaining(reason) });
    expect(await jobs()).toEqual([]);
    expect(tracker.writes()).toEqual([]);
  });

  test("an API key in a text is not stored", async () => {
    const { bt, jobs, env } = await atDesk();
    const { code } = await bt(`comment add 44 -m 'it is ${env["BT_API_KEY"]}' --offline`);
    expect(code).toBe(13);
    expect(await jobs()).toEqual([]);
  });

  test("the card of a bug shows what is not sent, other formats have a notice", async () => {
    const { bt } = await atDesk();
    await run({ bt }, "bug update 44 --priority High --offline", "comment add 44 -m Hello --offline", CREATE);
    const card = (await bt("bug get 44 --offline", true)).out;
    expect(card).toMatch(/^Not sent +priority Normal -> High \(job \w{26}\)\n +comment \(job \w{26}\)$/m);
    const json = await bt("bug get 44 --offline --json");
    expect(json.err).toContain("bug 44: 2 jobs are not sent (bt job list)\n");
    expect(JSON.parse(json.out)).toMatchObject([{ id: 44, priority: "Normal" }]);
    expect((await bt("bug get 49 --offline", true)).out).not.toContain("Not sent");
    expect(await bt("bug get new-1 --offline")).toMatchObject({
      code: 5,
      err: expect.stringContaining("new-1 is not created yet"),
    });
  });
});

describe("job send --all", () => {
  test("sends all in order, each once; a temporary name becomes the number everywhere", async () => {
    const desk = await atDesk();
    await run(
      desk,
      CREATE,
      "comment add new-1 -m Hello --offline",
      "bug update new-1 --priority High --offline",
      "bug update new-1 --priority Highest --offline",
      "bug update 44 --depends-on +new-1 --offline",
      "bug dup 40 new-1 --offline",
    );
    const { code, out, err } = await desk.bt("job send --all --json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out).map(({ status, id }: Record<string, unknown>) => [status, id])).toEqual([
      ["done", 51],
      ["done", expect.any(Number)],
      ...Array(4).fill(["done", null]),
    ]);
    const { tracker } = desk;
    expect(tracker.count("SELECT count(*) FROM bugs WHERE summary = 'Title'")).toBe(1);
    expect(tracker.count("SELECT count(*) FROM comments WHERE bug_id = 51 AND text = 'Hello'")).toBe(1);
    expect(desk.field(51, "priority")).toBe("Highest");
    expect(desk.field(40, "resolution")).toBe("DUPLICATE");
    expect(await desk.jobs()).toEqual([]);
    expect(await desk.bt("job send --all")).toMatchObject({ code: 0, out: "" });
    expect(tracker.writes()).toHaveLength(6);
  });

  test("a comment or hours without other changes are named in a pipe, too", async () => {
    const desk = await atDesk();
    await run(desk, "bug update 44 -m Why --offline", "bug update 44 --add-keywords crash -m Why --offline");
    const rows = (await desk.bt("job send --all")).out.trim().split("\n");
    expect(rows.map((row) => row.split("\t")[5])).toEqual(["#44 comment recorded", "#44 keywords: - -> crash"]);
  });

  test("a text that mentions a new bug gets its number, and waits for it", async () => {
    const desk = await atDesk();
    await run(desk, CREATE, "comment add 44 -m 'See bug new-1.' --offline");
    const [, comment] = await desk.jobs();
    expect(await desk.bt(`job send ${comment?.job}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("depends on job"),
    });
    expect(await desk.bt("job send --all")).toMatchObject({ code: 0 });
    expect(desk.tracker.text("SELECT text FROM comments WHERE bug_id = 44 ORDER BY id DESC LIMIT 1")).toBe(
      "See bug 51.",
    );
  });

  test.each([
    [`${CREATE.replace("-d Text", "-d 'See bug new-1.'")}`, "the number of a new bug is not known"],
    ["comment add 44 -m 'See bug new-1.' --offline", "bt job list lists the new bugs"],
  ])("a text is not kept that mentions a new bug which no earlier job creates: %s", async (line, hint) => {
    const desk = await atDesk();
    const { code, err } = await desk.bt(line);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("the text mentions bug new-1, which no earlier job creates"),
    ]);
    expect(err).toContain(hint);
    expect(await desk.jobs()).toEqual([]);
  });

  test("a comment on a new bug may mention it", async () => {
    const desk = await atDesk();
    await run(desk, CREATE, "comment add new-1 -m 'Bug new-1 is this one.' --offline", "job send --all");
    expect(desk.tracker.text("SELECT text FROM comments ORDER BY id DESC LIMIT 1")).toBe("Bug 51 is this one.");
  });

  test("a text that mentions a dropped new bug is not sent, until it is edited", async () => {
    const desk = await atDesk();
    await run(desk, CREATE, "comment add 44 -m 'See bug new-1.' --offline");
    const [created, comment] = await desk.jobs();
    await run(desk, `job drop ${created?.job} --yes`);
    const { code, err } = await desk.bt("job send --all");
    expect([code, err]).toEqual([2, expect.stringContaining("new-1, which the text mentions, was not created")]);
    const { err: hint } = await desk.bt(`job send ${comment?.job}`);
    expect(hint).toContain(`bt job edit ${comment?.job} changes the text`);
    expect(desk.tracker.writes()).toEqual([]);
  });

  test("a field that was changed since collides; what depends on it waits, all else is sent", async () => {
    const desk = await atDesk();
    await run(
      desk,
      "bug update 44 --priority High --offline",
      "comment add 44 -m Hello --offline",
      "bug update 44 --priority Highest --offline",
      "bug update 44 --add-keywords crash --offline",
      "bug update 49 --priority Low --offline",
    );
    await desk.by(MEI, 44, { priority: "Lowest" });
    const { code, err } = await desk.bt("job send --all");
    expect(code).toBe(11);
    expect(err).toMatch(/^bt: 3 of 5 jobs sent\n.*priority was changed from "Normal" to "Lowest"\n.*waits for job/);
    expect([desk.field(44, "priority"), desk.field(49, "priority")]).toEqual(["Lowest", "Low"]);
    expect(await statuses(desk)).toEqual(["collision: update of bug 44", "waiting: update of bug 44"]);
    const [collided] = await desk.jobs();
    const card = (await desk.bt(`job show ${collided?.job}`, true)).out;
    expect(card).toMatch(/^Status +collision, not sent$/m);
    expect(card).toMatch(/^Collision +#44 priority: was "Normal", is now "Lowest", the job sets "High"$/m);
    const [shown] = JSON.parse((await desk.bt(`job show ${collided?.job} --json`)).out);
    expect(shown.offline.conflicts).toEqual([
      { bug: 44, field: "priority", based: "Normal", now: "Lowest", wanted: "High" },
    ]);
    expect((await desk.bt(`job send ${(await desk.jobs())[1]?.job}`)).err).toContain(`depends on job ${collided?.job}`);
    await run(desk, `job send ${collided?.job} --force`, "job send --all");
    expect(desk.field(44, "priority")).toBe("Highest");
  });

  test("the value that a job sets is no collision, nor is one that comes back", async () => {
    const desk = await atDesk();
    await run(desk, "bug update 44 --priority High --offline", "bug update 49 --priority Low --offline");
    const before = desk.field(49, "priority");
    await desk.by(MEI, 44, { priority: "High" });
    await desk.by(MEI, 49, { priority: "Lowest" });
    expect((await desk.bt("job send --all")).code).toBe(11);
    await desk.by(MEI, 49, { priority: before });
    await run(desk, "job send --all");
    expect(desk.field(49, "priority")).toBe("Low");
  });

  test("a refused job stays with the reason, and is sent when it is legal", async () => {
    const desk = await atDesk();
    await run(desk, CREATE, "comment add new-1 -m Hello --offline", "comment add 44 -m Else --offline");
    desk.tracker.store.exec("UPDATE products SET is_active = 0 WHERE name = 'Lantern'");
    const { code, err } = await desk.bt("job send --all");
    expect(code, err).toBe(10);
    expect(await statuses(desk)).toEqual(["failed: new bug new-1: Title", "waiting: comment on bug new-1"]);
    const [failed] = await desk.jobs();
    expect((await desk.bt(`job show ${failed?.job}`, true)).out).toMatch(/^Problem +.*Lantern/m);
    desk.tracker.store.exec("UPDATE products SET is_active = 1 WHERE name = 'Lantern'");
    await run(desk, "job send --all");
    expect(desk.tracker.count("SELECT count(*) FROM comments WHERE bug_id = 51 AND text = 'Hello'")).toBe(1);
  });

  test("legality is checked when a job is sent", async () => {
    const desk = await atDesk();
    await run(desk, "bug close 49 --offline", "bug update 44 --status IN_PROGRESS --offline");
    desk.tracker.store.exec("UPDATE bugs SET status = 'RESOLVED', resolution = 'WONTFIX' WHERE id = 44");
    expect((await desk.bt("job send --all")).err).toContain('status was changed from "CONFIRMED" to "RESOLVED"');
    expect(desk.field(49, "status")).toBe("RESOLVED");
  });

  test("jobs on a dropped new bug are not sent to the next new bug", async () => {
    const desk = await atDesk();
    await run(desk, CREATE, "comment add new-1 -m Hello --offline");
    const [created] = await desk.jobs();
    expect((await desk.bt(`job drop ${created?.job}`)).err).toContain("nor would jobs on new-1");
    await run(desk, `job drop ${created?.job} --yes`);
    expect((await desk.bt(CREATE)).out).toBe("new-2\n");
    const { err } = await desk.bt("job send --all");
    expect(err).toContain("new-1 was not created");
    expect(desk.tracker.count("SELECT count(*) FROM comments WHERE text = 'Hello'")).toBe(0);
  });

  test("a tracker that cannot be reached leaves all jobs unchanged", async () => {
    const desk = await atDesk();
    await run(desk, "comment add 44 -m One --offline", "comment add 49 -m Two --offline");
    const before = await statuses(desk);
    await desk.tracker.close();
    expect((await desk.bt("job send --all")).code).toBe(6);
    expect(await statuses(desk)).toEqual(before);
  });

  test("a lost response is verified, and the rest is sent", async () => {
    const desk = await atDesk({ write: once(FATES.resetAfter) });
    await run(desk, CREATE, "comment add new-1 -m Hello --offline", "job send --all");
    expect(desk.tracker.count("SELECT count(*) FROM bugs WHERE summary = 'Title'")).toBe(1);
    expect(desk.tracker.count("SELECT count(*) FROM comments WHERE bug_id = 51 AND text = 'Hello'")).toBe(1);
  });

  test("a job that another bt sends at the same time is reported as sent", async () => {
    const other = async ({ pass }: Parameters<Fate>[0]) => {
      const [first, second] = await desk.jobs();
      const [file, aside] = [join(desk.home, "state/bt/jobs", `${first?.job}.jsonl`), join(desk.home, "aside")];
      renameSync(file, aside); // the other one sent the first job before
      await desk.bt(`job send ${second?.job}`);
      renameSync(aside, file);
      await pass();
    };
    const desk = await atDesk({ write: once(other) });
    await run(desk, "comment add 44 -m One --offline", "comment add 49 -m Two --offline");
    const { code, out, err } = await desk.bt("job send --all --json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out).map(({ status, note }: Record<string, unknown>) => [status, note])).toEqual([
      ["done", ""],
      ["done", "already sent by another bt"],
    ]);
    expect(await desk.jobs()).toEqual([]);
    expect(desk.tracker.writes()).toHaveLength(2);
  });

  test("a job and --all are exclusive; --force is for jobs made offline", async () => {
    const desk = await atDesk();
    expect((await desk.bt("job send")).err).toContain("name a job, or use --all");
    expect((await desk.bt("job send 01KB3XQ8Z5T4M7W2N9P6R1S0VA --all")).err).toContain("--all and a job cannot");
    expect((await desk.bt("job send --all --force")).err).toContain("--all and --force cannot be used together");
    expect((await desk.bt("job send 01KB3XQ8Z5T4M7W2N9P6R1S0VA --force")).err).toContain("no open job");
  });

  test("an edited comment is sent with the others, at its place", async () => {
    const desk = await atDesk();
    await run(desk, "comment add 44 -m One --offline", "comment add 44 -m Two --offline");
    const [first, second] = await desk.jobs();
    const env = { ...desk.env, EDITOR: `sh -c 'echo edited >> "$1"' editor`, PATH: "/usr/bin:/bin" };
    expect(await btConnected(`job edit ${first?.job}`, { env, terminal: true })).toMatchObject({ code: 0 });
    expect((await desk.jobs()).map(({ job, status }) => [job, status])).toEqual([
      [first?.job, "waiting"],
      [second?.job, "waiting"],
    ]);
    await run(desk, "job send --all");
    const texts =
      "SELECT group_concat(text, '; ') FROM comments WHERE bug_id = 44 AND text LIKE 'One%' OR text = 'Two'";
    expect(desk.tracker.text(texts)).toBe("One\nedited; Two");
  });
});

/** An update of bug 44 is answered, and not applied. */
const IGNORED: Fate = ({ socket }) =>
  void socket.write(answer('{"bugs":[{"id":44,"alias":[],"changes":{},"last_change_time":"2026-11-20T12:00:00Z"}]}'));

const NO_HOURS = "INSERT OR REPLACE INTO parameters VALUES ('timetrackinggroup', 'admin')";

describe("the effect of a job is shown and verified as if the command had sent it at once", () => {
  const LINES = [CREATE, "comment add new-1 -m Hello --offline", "bug update 44 49 --priority High -m Why --offline"];

  test("a terminal shows diffs", async () => {
    const desk = await atDesk();
    await run(desk, ...LINES);
    const { code, out } = await desk.bt("job send --all", true);
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "#51  Title (created, was new-1)

      #51  comment recorded

      #44  Import: "Ask me each time" asks once for all files (comment recorded)
        Priority  Normal → High

      #49  Memory grows by the size of every photo while importing (comment recorded)
        Priority  Highest → High
      ",
      }
    `);
  });

  test("other formats have the changes, JSON those of each bug", async () => {
    const desk = await atDesk();
    await run(desk, ...LINES);
    const sent = JSON.parse((await desk.bt("job send --all --json")).out);
    expect(sent[2].changes).toEqual([
      { id: 44, last_change_time: expect.any(String), changes: { priority: { removed: "Normal", added: "High" } } },
      expect.objectContaining({ id: 49 }),
    ]);
    await run(desk, "bug update 44 --priority Low --offline");
    expect((await desk.bt("job send --all -f changes")).out).toBe("#44 priority: High -> Low\n");
    await run(desk, "bug update 44 --priority High --offline");
    const [job] = await desk.jobs();
    expect((await desk.bt(`job send ${job?.job}`)).out).toBe("44\tpriority\tLow\tHigh\n");
  });

  test("values that the tracker ignores are named, with exit code 10", async () => {
    const desk = await atDesk({ write: nth(2, IGNORED) });
    await run(
      desk,
      `${CREATE} --deadline 2030-01-01`,
      "bug update 44 --priority High --offline",
      "bug update 49 --priority High --offline",
    );
    desk.tracker.store.exec(NO_HOURS);
    const { code, out, err } = await desk.bt("job send --all --json");
    expect(code).toBe(10);
    expect(JSON.parse(out)).toMatchObject([
      { status: "done", id: 51, not_applied: ["deadline"] },
      { status: "done", note: "bug 44: not applied: priority", changes: [{ id: 44, not_applied: ["priority"] }] },
      { status: "done", note: "" },
    ]);
    expect(err).toContain("3 of 3 jobs sent, 2 not fully applied");
    expect(desk.field(49, "priority")).toBe("High");
    expect(await desk.jobs()).toEqual([]);
  });

  test("one job is verified, too", async () => {
    const desk = await atDesk({ write: nth(2, IGNORED) });
    await run(desk, `${CREATE} --deadline 2030-01-01`, "bug update 44 --priority High --offline");
    desk.tracker.store.exec(NO_HOURS);
    const [create, update] = await desk.jobs();
    expect(await desk.bt(`job send ${create?.job}`)).toMatchObject({
      ...{ code: 10, out: "51\n", err: expect.stringContaining("not applied: deadline") },
    });
    expect(await desk.bt(`job send ${update?.job} --json`)).toMatchObject({
      ...{ code: 10, out: expect.stringContaining('"not_applied":["priority"]') },
    });
  });
});

describe("conditional updates are checked against the mirror when they are sent", () => {
  test("an unmodified bug is updated, also after own updates", async () => {
    const desk = await atDesk();
    await run(
      desk,
      "bug update 44 --priority High --if-unchanged --offline",
      "bug update 44 --severity minor --if-unchanged --offline",
      "job send --all",
    );
    expect([desk.field(44, "priority"), desk.field(44, "severity")]).toEqual(["High", "minor"]);
  });

  test.each(["--if-unchanged", "--unchanged-since 2026-11-20T11:00:00Z"])(
    "%s: a bug that others modified in any field stays unchanged without --force",
    async (flag) => {
      const desk = await atDesk();
      await run(desk, `bug update 44 --priority High ${flag} --offline`, "bug update 49 --priority High --offline");
      desk.tracker.clock.step(60_000);
      await desk.by(MEI, 44, { whiteboard: "mine" });
      const { code, err } = await desk.bt("job send --all");
      expect(code).toBe(11);
      expect(err).toMatch(/bug 44 was modified since 2\S+Z \(2026-11-20T12:01:00Z\)/);
      expect([desk.field(44, "priority"), desk.field(49, "priority")]).toEqual(["Normal", "High"]);
      const [left] = await desk.jobs();
      const card = (await desk.bt(`job show ${left?.job}`, true)).out;
      expect(card).toMatch(/^Collision +#44 last_change_time: was "[^"]+", is now "[^"]+"$/m);
      await run(desk, `job send ${left?.job} --force`);
      expect(desk.field(44, "priority")).toBe("High");
    },
  );

  test("a change of others between two own updates is noticed", async () => {
    const desk = await atDesk();
    await run(
      desk,
      "bug update 44 --priority High --offline",
      "bug update 44 --severity minor --if-unchanged --offline",
    );
    desk.tracker.clock.step(60_000);
    await desk.by(MEI, 44, { whiteboard: "mine" });
    expect((await desk.bt("job send --all")).err).toContain("1 of 2 jobs sent");
    expect(desk.field(44, "priority")).toBe("High");
  });

  test("behind an own queued comment they are refused", async () => {
    const desk = await atDesk();
    await run(desk, "comment add 44 -m Hello --offline");
    const { code, err } = await desk.bt("bug update 44 --priority High --if-unchanged --offline");
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("a comment on bug 44 is queued") });
  });
});

test("jobs that were not made offline are not read", async () => {
  const desk = await atDesk();
  await run(desk, "comment add 44 -m Hello --offline", CREATE);
  const list = join(desk.home, "state/bt/jobs/offline.list");
  expect(readFileSync(list, "utf8").trim().split("\n")).toEqual((await desk.jobs()).map(({ job }) => job));
  await run(desk, "comment add 49 -m Online", "job send --all");
  expect((await desk.bt(CREATE)).out).toBe("new-2\n");
  expect(readFileSync(list, "utf8").trim().split("\n")).toHaveLength(3);
});

test("a date-time is set offline where the tracker's time zone is known", async () => {
  const desk = await atDesk();
  const line = "bug update 44 --field cf_last_seen=2026-11-19T10:00:00Z --offline";
  expect((await desk.bt(line)).err).toContain("bt config set server_zone");
  await run(desk, "config set server_zone UTC", line, "job send --all");
  const { out } = await desk.bt("bug get 44 --json=cf_last_seen");
  expect(JSON.parse(out)).toEqual([{ cf_last_seen: "2026-11-19T10:00:00Z" }]);
});

describe("only the login that made a job sends it", () => {
  test("others are told so, also with --as-me", async () => {
    const desk = await atDesk();
    await run(desk, "comment add 44 -m Hello --offline");
    const mei = await offlineDesk(desk.tracker, { login: MEI });
    const { BT_API_KEY = "" } = mei.env;
    const [kept] = await desk.jobs();
    const as = (line: string) => desk.btAs(line, BT_API_KEY);
    expect(await as("job send --all")).toMatchObject({
      code: 0,
      err: expect.stringContaining(`not sent: 1 job of ${desk.tracker.login}`),
    });
    expect((await as(`job send ${kept?.job} --as-me`)).err).toContain(`log in as ${desk.tracker.login}`);
    expect(desk.tracker.writes()).toEqual([]);
    await run(desk, "job send --all");
  });

  test("two people send from two mirrors: the second to set a field collides, comments do not", async () => {
    const tomas = await atDesk();
    const mei = await offlineDesk(tomas.tracker, { login: MEI });
    await run(tomas, "bug update 44 --priority High --offline", "comment add 44 -m One --offline", CREATE);
    await run(mei, "bug update 44 --priority Low -m Mine --offline", "comment add 44 -m Two --offline", CREATE);
    await run(mei, "bug update 44 --add-keywords crash --offline");
    await run(tomas, "job send --all");
    expect((await mei.bt("job send --all")).code).toBe(11);
    expect(tomas.field(44, "priority")).toBe("High");
    const texts = "SELECT group_concat(text) FROM comments WHERE bug_id = 44 AND text IN ('One', 'Two', 'Mine')";
    expect(tomas.tracker.text(texts)).toBe("One,Two");
    expect(tomas.tracker.count("SELECT count(*) FROM bugs WHERE summary = 'Title'")).toBe(2);
    await mei.sync();
    const [left] = await mei.jobs();
    await run(mei, `job send ${left?.job} --force`);
    expect(tomas.field(44, "priority")).toBe("Low");
  });
});

test("own jobs that were sent are no changes of others, whether the mirror has them or not", async () => {
  const desk = await atDesk();
  await run(desk, "bug update 44 --priority High --offline", "job send --all");
  desk.tracker.clock.step(60_000);
  await run(desk, "bug update 44 --priority Highest --offline", "job send --all");
  await desk.sync();
  await run(desk, "bug update 44 --priority Low --offline", "job send --all");
  expect(desk.field(44, "priority")).toBe("Low");
  await run(desk, "bug update 44 --priority High --offline");
  await desk.by(MEI, 44, { priority: "Highest" });
  expect((await desk.bt("job send --all")).code).toBe(11);
});
