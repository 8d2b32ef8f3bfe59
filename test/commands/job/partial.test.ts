import { describe, expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { bugsNamed, faultyTracker } from "../../faults/faulty-tracker.ts";
import { jobIn } from "../../faults/ran.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { crowd } from "../../servers/demo-server.ts";
import { answer } from "../../servers/fault-server.ts";

const FORBIDDEN = answer('{"error":true,"code":115,"message":"You may not"}', { status: "401 Unauthorized" });
const IDS = [...Array(30).keys()].map((at) => 101 + at);

/** An update of 30 bugs: the tracker refuses two, bt one, and four have the value already. */
async function partlyRefused() {
  const tracker = await faultyTracker({
    write: ({ request, socket, pass }) =>
      bugsNamed(request).some((id) => id === 107 || id === 120) ? socket.write(FORBIDDEN) : pass(),
  });
  crowd(tracker, 130);
  tracker.store.exec("UPDATE bugs SET priority = 'Highest' WHERE id IN (102, 103, 104, 105)");
  tracker.store.exec("DELETE FROM bugs WHERE id = 110");
  const env = { ...tracker.env, HOME: freshFolder() };
  const bt = (line: string, stdin = "") => btConnected(line, { env, stdin });
  const run = await bt("bug update - --priority Highest --yes", IDS.join(" "));
  return { run, bt, job: jobIn(run.err), terminal: (line: string) => btConnected(line, { env, terminal: true }) };
}

const COUNTS = "23 of 30 done, 4 unchanged, 3 failed";
const DONE = IDS.filter((id) => ![102, 103, 104, 105, 107, 110, 120].includes(id));

describe("an update of which some bugs were refused is partial", () => {
  test("with the same word and numbers everywhere, and the reason for each bug", async () => {
    const { run, bt, job, terminal } = await partlyRefused();
    expect(run.err).toContain("bt: 23 of 30 bugs done, 4 unchanged: 3 failed\n");
    expect(run.err).toContain(
      `bt job drop ${job} gives up what failed; once they can be changed, bt job send ${job} retries them\n`,
    );
    const listed = JSON.parse((await bt("job list --json")).out);
    expect(listed).toEqual([expect.objectContaining({ job, status: "partial", state: COUNTS })]);
    const last = JSON.parse((await bt("job list --last --json")).out);
    expect(last).toEqual([expect.objectContaining({ job, status: "partial", state: COUNTS })]);
    expect(JSON.parse((await bt(`job show ${job} --json`)).out)).toEqual([
      expect.objectContaining({
        ...{ status: "partial", state: COUNTS, done: DONE, unchanged: [102, 103, 104, 105], open: [107, 110, 120] },
        failed: [
          { id: 107, message: "You may not" },
          { id: 110, message: "Bug #110 does not exist." },
          { id: 120, message: "You may not" },
        ],
      }),
    ]);
    const card = (await terminal(`job show ${job}`)).out;
    expect(card).toMatch(/^Status +partial \(23 of 30 done, 4 unchanged, 3 failed\)$/m);
    expect(card).toMatch(/^Failed +bugs 107, 120: You may not\n +bug 110: does not exist\.\n(?!Left)/m);
    expect(card).toMatch(new RegExp(`^Next +bt job drop ${job} gives`, "m"));
    const drop = await bt(`job drop ${job}`);
    expect(drop.err).toContain(`the update of 30 bugs (${COUNTS}) would not be retried\n`);
  });

  test("is sent again, and stays partial while it is refused and once it is dropped", async () => {
    const { bt, job } = await partlyRefused();
    expect((await bt(`job send ${job}`)).err).toContain("bt: 23 of 30 bugs done, 4 unchanged: 3 failed\n");
    expect((await bt(`job drop ${job} --yes`)).code).toBe(0);
    expect((await bt("job list")).out).toBe("");
    expect(JSON.parse((await bt(`job show ${job} --json`)).out)).toMatchObject([{ status: "partial", state: COUNTS }]);
    expect(await bt(`job send ${job}`)).toMatchObject({
      code: 2,
      err: `bt: job ${job} is partial and was dropped: ${COUNTS}\nhint: bt job show ${job} lists the bugs that are left\n`,
    });
  });

  test.each([
    [
      "-s VERIFIED",
      "2 4 44",
      "once they can be changed, bt job send JOB retries them",
      "valid values: IN_PROGRESS, RESOLVED",
    ],
    ["--priority Highest", "2 4711", undefined, undefined],
  ])("says what helps by the reason: %s", async (flag, bugs, mended, values) => {
    const env = { HOME: freshFolder(), BT_BASE_URL: "demo:" };
    const run = await btConnected(`bug update ${bugs} ${flag} --yes`, { env });
    const [, job = "none"] = /^hint: bt job drop (\w{26}) /m.exec(run.err) ?? [];
    const hint = [`bt job drop ${job} gives up what failed`, mended?.replace("JOB", job)].filter(Boolean).join("; ");
    expect(run.err).toMatch(RegExp(`^hint: ${hint}$`, "m"));
    const [shown] = JSON.parse((await btConnected(`job show ${job} --json`, { env })).out);
    expect(shown.failed[0].hint).toBe(values);
    const card = (await btConnected(`job show ${job}`, { env, terminal: true, columns: 200 })).out;
    expect(card).toMatch(RegExp(`^Next +${hint}$`, "m"));
    if (values) expect(card).toContain(`cannot change from CONFIRMED to VERIFIED; ${values}`);
  });

  test("on a tracker without a server, too", async () => {
    const env = { HOME: freshFolder(), BT_BASE_URL: "demo:" };
    const bt = (line: string) => btConnected(line, { env });
    const ids = [...Array(16).keys()].map((at) => at + 1);
    const run = await bt(`bug update ${ids.join(" ")} -s VERIFIED --yes`);
    const [, counts = ""] = /bt: (.*)\n/.exec(run.err) ?? [];
    const state = counts.replace(" bugs", "").replace(":", ",");
    expect(state).toMatch(/^\d+ of 16 done, \d+ unchanged, \d+ failed$/);
    const job = jobIn(run.err);
    expect(JSON.parse((await bt("job list --json")).out)).toMatchObject([{ job, status: "partial", state }]);
    const again = await bt(`job send ${job}`);
    expect(again.err).toContain(`bt: ${counts}\n`);
  });
});
