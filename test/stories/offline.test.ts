import { expect, test } from "vitest";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { type OfflineDesk, offlineDesk } from "../faults/offline-desk.ts";

const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Steps";

type Line = readonly [who: "tomas" | "mei", line: string];

/** Lines that two people type, one after the other; JOB1 is the first job that is named, `tty: ` lines are on a terminal. */
async function played(desks: Readonly<Record<Line[0], OfflineDesk>>, script: readonly Line[]): Promise<string> {
  const jobs: string[] = [];
  const named = (text: string) =>
    text.replace(/\b01[0-9A-Z]{24}\b/g, (job) => {
      if (!jobs.includes(job)) jobs.push(job);
      return `JOB${jobs.indexOf(job) + 1}`;
    });
  const told: string[] = [];
  for (const [who, line] of script) {
    const typed = line.replace("tty: ", "").replace(/JOB(\d+)/, (_, at: string) => jobs[Number(at) - 1] ?? "none");
    const { code, out, err } = await desks[who].bt(typed, line.startsWith("tty: "));
    told.push(`${who}$ bt ${line}\n${named(err + out)}${code === 0 ? "" : `=> ${code}\n`}`);
  }
  return told.join("\n").replaceAll(/ +$/gm, "");
}

test("two people write offline, each from a mirror of their own, and send over HTTP", async () => {
  const tracker = await faultyTracker();
  const desks = { tomas: await offlineDesk(tracker), mei: await offlineDesk(tracker, { login: "mei@example.org" }) };
  const written = await played(desks, [
    ["tomas", "bug update 44 --priority High --offline"],
    ["tomas", `${CREATE} -t 'Albums lose their order' --offline`],
    ["tomas", "comment add new-1 -m 'Seen with 3.2, too.' --offline"],
    ["tomas", "bug update 44 --depends-on +new-1 --offline"],
    ["tomas", "tty: bug get new-1 --offline"],
    ["mei", "bug update 44 --priority Low -m 'Can wait.' --offline"],
    ["mei", "bug update 44 --priority Lowest --offline"],
    ["mei", "bug update 44 --add-keywords perf --offline"],
    ["mei", "comment add 44 -m 'It asks once for each folder.' --offline"],
    ["mei", `${CREATE} -t 'Import asks too often' --offline`],
    ["mei", "bug dup 40 new-1 --offline"],
    ["mei", "tty: job list"],
  ]);
  expect(tracker.writes()).toEqual([]);
  expect(written).toMatchInlineSnapshot(`
    "tomas$ bt bug update 44 --priority High --offline
    kept as job JOB1, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB1

    tomas$ bt bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Steps -t 'Albums lose their order' --offline
    kept as job JOB2 (new-1), checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    new-1

    tomas$ bt comment add new-1 -m 'Seen with 3.2, too.' --offline
    kept as job JOB3, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB3

    tomas$ bt bug update 44 --depends-on +new-1 --offline
    kept as job JOB4, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB4

    tomas$ bt tty: bug get new-1 --offline
    bt: new-1 is not created yet
    hint: bt job show JOB2 shows it
    => 5

    mei$ bt bug update 44 --priority Low -m 'Can wait.' --offline
    kept as job JOB5, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB5

    mei$ bt bug update 44 --priority Lowest --offline
    kept as job JOB6, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB6

    mei$ bt bug update 44 --add-keywords perf --offline
    kept as job JOB7, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB7

    mei$ bt comment add 44 -m 'It asks once for each folder.' --offline
    kept as job JOB8, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB8

    mei$ bt bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Steps -t 'Import asks too often' --offline
    kept as job JOB9 (new-1), checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    new-1

    mei$ bt bug dup 40 new-1 --offline
    kept as job JOB10, checked against the mirror work; bt job send --all sends it
    as of 1 s ago
    JOB10

    mei$ bt tty: job list
    bt job send JOB sends or resumes one of them; bt job send --all sends those made with --offline
    JOB                         STATE     WHAT                                  STARTED
    JOB5  not sent  update of bug 44                      now
    JOB6  not sent  update of bug 44                      now
    JOB7  not sent  update of bug 44                      now
    JOB8  not sent  comment on bug 44                     now
    JOB9  not sent  new bug new-1: Import asks too often  now
    JOB10  not sent  update of bug 40                      now
    "
  `);
  const sent = await played(desks, [
    ["tomas", "tty: job send --all"],
    ["mei", "tty: job send --all"],
    ["mei", "tty: job list"],
    ["mei", "tty: bug get 44 -f id,priority,keywords,depends_on"],
    ["mei", "tty: job send JOB1 --force"],
    ["mei", "job send --all"],
    ["mei", "job send --all"],
    ["tomas", "bug get 44 40 -f id,priority,status,resolution,dupe_of,keywords,depends_on --json"],
    ["tomas", "bug get 51 52 -f id,summary,creator"],
  ]);
  expect(sent).toMatchInlineSnapshot(`
    "tomas$ bt tty: job send --all
    #44  Import: "Ask me each time" asks once for all files
      Priority  Normal → High

    #51  Albums lose their order (created, was new-1)

    #51  comment recorded

    #44  Import: "Ask me each time" asks once for all files
      Depends on  + #51

    mei$ bt tty: job send --all
    bt: 4 of 6 jobs sent
        JOB1: update of bug 44: bug 44: priority was changed from "Normal" to "High"
        JOB2: update of bug 44: waits for job JOB1
        some changes were made
    hint: bt job show JOB1 shows both values; then bt job send JOB1 --force, or bt job drop JOB1
    #44
      collision: bug 44: priority was changed from "Normal" to "High"

    #44
      waiting: waits for job JOB1

    #44  Import: "Ask me each time" asks once for all files
      Keywords  + perf

    #44  comment recorded

    #52  Import asks too often (created, was new-1)

    #40  Album of a shared library shows the wrong owner after a sync
      Status        UNCONFIRMED → RESOLVED
      Resolution    + DUPLICATE
      Duplicate of  + #52
    => 11

    mei$ bt tty: job list
    bt job send JOB sends or resumes one of them; bt job send --all sends those made with --offline
    JOB                         STATE                WHAT              STARTED
    JOB1  collision, not sent  update of bug 44  now
    JOB2  not sent             update of bug 44  now

    mei$ bt tty: bug get 44 -f id,priority,keywords,depends_on
    ID   PRIORITY  KEYWORDS                          DEPENDS ON
    #44  High      good-first-bug, perf, regression  #51

    mei$ bt tty: job send JOB1 --force
    #44  Import: "Ask me each time" asks once for all files (comment recorded)
      Priority  High → Low

    mei$ bt job send --all
    JOB2	done		update of bug 44		#44 priority: Low -> Lowest	

    mei$ bt job send --all

    tomas$ bt bug get 44 40 -f id,priority,status,resolution,dupe_of,keywords,depends_on --json
    [{"id":44,"priority":"Lowest","status":"CONFIRMED","resolution":"","dupe_of":null,"keywords":["good-first-bug","perf","regression"],"depends_on":[51]},{"id":40,"priority":"Normal","status":"RESOLVED","resolution":"DUPLICATE","dupe_of":52,"keywords":[],"depends_on":[]}]

    tomas$ bt bug get 51 52 -f id,summary,creator
    51	Albums lose their order	tomas@example.org
    52	Import asks too often	mei@example.org
    "
  `);
  expect(tracker.count("SELECT count(*) FROM bugs WHERE id > 50")).toBe(2);
  expect(
    tracker.count(
      "SELECT count(*) FROM comments WHERE bug_id = 44 AND text IN ('Can wait.', 'It asks once for each folder.')",
    ),
  ).toBe(2);
});
