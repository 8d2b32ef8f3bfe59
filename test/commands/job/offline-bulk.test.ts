import { describe, expect, test } from "vitest";
import { runningClock } from "../../clock.ts";
import { start } from "../../faults/child.ts";
import { type Fate, type Faults, faultyTracker, nth } from "../../faults/faulty-tracker.ts";
import { KILL_MOMENTS, type Killed, killedAt } from "../../faults/kill-moments.ts";
import { offlineDesk } from "../../faults/offline-desk.ts";
import { sampled } from "../../much.ts";
import { crowd } from "../../servers/demo-server.ts";
import { answer } from "../../servers/fault-server.ts";

const FIRST = 101;
const MEI = "mei@example.org";

/** A desk before so many bugs that are alike, from number 101 on. */
async function atDesk(count = 30, faults: Faults = {}) {
  const tracker = await faultyTracker(faults);
  crowd(tracker, FIRST + count - 1);
  const desk = await offlineDesk(tracker);
  const ids = [...Array(count).keys()].map((at) => FIRST + at).join(" ");
  const by = (bug: number, body: Readonly<Record<string, string>>) =>
    tracker.as(MEI, { method: "PUT", path: `/rest/bug/${bug}`, body });
  const having = (condition: string) => tracker.count(`SELECT count(*) FROM bugs WHERE id > 100 AND ${condition}`);
  return { tracker, ...desk, ids, by, having };
}

type Desk = Awaited<ReturnType<typeof atDesk>>;

/** Runs lines that have to succeed. */
async function run({ bt }: Desk, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { code, err } = await bt(line);
    expect([line, code], err).toEqual([line, 0]);
  }
}

const statuses = async ({ jobs }: Desk) => (await jobs()).map(({ status, what }) => `${status}: ${what}`);

describe("an update of more than 20 bugs with --offline", () => {
  test("requires a confirmation, and is one job, sent in batches", async () => {
    const desk = await atDesk();
    const line = `bug update ${desk.ids} --priority Highest --offline`;
    expect(await desk.bt(line)).toMatchObject({ code: 13, err: expect.stringContaining("would update 30 bugs") });
    expect(await desk.jobs()).toEqual([]);
    await run(desk, `${line} --yes`);
    expect(desk.tracker.requests).toEqual([]);
    const [job] = await desk.jobs();
    expect(job).toMatchObject({ status: "waiting", state: "not sent" });
    const sent = JSON.parse((await desk.bt("job send --all --json")).out);
    expect(sent).toMatchObject([{ job: job?.job, status: "done", note: "" }]);
    expect(sent[0].changes).toHaveLength(30);
    expect(sent[0].changes[0]).toMatchObject({ id: 101, result: "done", changes: { priority: { added: "Highest" } } });
    expect(desk.tracker.writes().map(({ body }) => JSON.parse(String(body)).ids.length)).toEqual([25, 5]);
    expect(desk.having("priority = 'Highest'")).toBe(30);
    expect(await desk.jobs()).toEqual([]);
  });

  test("keeps the bugs that can be updated, and names the others", async () => {
    const desk = await atDesk();
    desk.tracker.store.exec("UPDATE bugs SET status = 'VERIFIED', resolution = 'FIXED' WHERE id = 110");
    await desk.sync();
    const { code, out, err } = await desk.bt(`bug update ${desk.ids} 999 --status IN_PROGRESS --yes --offline`);
    expect({ code, out }).toEqual({ code: 10, out: `${(await desk.jobs())[0]?.job}\n` });
    expect(err).toMatch(/29 of 31 bugs kept: 2 failed\n(.*\n)*.*bug 110: .* cannot change from VERIFIED/);
    await run(desk, "job send --all");
    expect(desk.having("status = 'IN_PROGRESS'")).toBe(29);
  });

  test("that none of the bugs can get keeps no job", async () => {
    const desk = await atDesk();
    const { code, out } = await desk.bt(`bug update ${desk.ids} --status VERIFIED --offline --yes`);
    expect({ code, rows: out.match(/\tfailed\t/g)?.length }).toEqual({ code: 2, rows: 30 });
    expect(await desk.jobs()).toEqual([]);
  });

  test("keeps a job of its own for each new bug", async () => {
    const desk = await atDesk(21);
    await run(
      desk,
      "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Text -t Title --offline",
      `bug update ${desk.ids} new-1 --priority Highest --offline --yes`,
    );
    expect(await statuses(desk)).toEqual([
      "waiting: new bug new-1: Title",
      "waiting: update of 21 bugs",
      "waiting: update of bug new-1",
    ]);
    await run(desk, "job send --all");
    expect(desk.having("priority = 'Highest'")).toBe(22);
  });
});

describe("a bulk update that is sent by itself while an earlier job is not", () => {
  test("is refused if all of its bugs wait", async () => {
    const desk = await atDesk();
    const both = [`bug update ${desk.ids} --priority Highest`, `bug update ${desk.ids} --priority Normal`];
    await run(desk, ...both.map((line) => `${line} --offline --yes`));
    const [first, second] = await desk.jobs();
    expect(await desk.bt(`job send ${second?.job}`)).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining(`job ${second?.job} depends on job ${first?.job}, which is not sent`),
    });
    expect(desk.tracker.writes()).toEqual([]);
  });

  test("is sent, but for the bugs that wait", async () => {
    const desk = await atDesk();
    await run(
      desk,
      "bug update 103 --priority Low --offline",
      `bug update ${desk.ids} --priority Highest --offline --yes`,
    );
    const [first, second] = await desk.jobs();
    const { code, out, err } = await desk.bt(`job send ${second?.job} --json`);
    expect(code).toBe(10);
    const rows = JSON.parse(out).filter(({ result }: { result: string }) => result !== "done");
    expect(rows).toMatchObject([{ id: 103, result: "waiting" }]);
    expect(err).toContain(`"bug 103: waits for job ${first?.job}"`);
    expect(err).toContain('"hint":"bt job send --all sends');
    expect(desk.having("priority = 'Highest'")).toBe(29);
    expect(await statuses(desk)).toEqual(["waiting: update of bug 103", "interrupted: update of 30 bugs"]);
    await run(desk, "job send --all");
    expect(desk.having("priority = 'Highest'")).toBe(30);
    expect(await desk.jobs()).toEqual([]);
  });
});

describe("bugs of a bulk update of which a field was changed since", () => {
  async function collided() {
    const desk = await atDesk();
    await run(desk, `bug update ${desk.ids} --priority Highest -m Why --offline --yes`);
    await desk.by(105, { priority: "Lowest" });
    await desk.by(106, { severity: "minor" });
    return desk;
  }

  test("are held back, the others are sent; --force sends them", async () => {
    const desk = await collided();
    const { code, err } = await desk.bt("job send --all");
    expect(code).toBe(11);
    expect(err).toContain('29 of 30 bugs done: 1 collision; bug 105: priority was changed from "High" to "Lowest"');
    expect(err).toContain("some changes were made");
    expect(desk.having("priority = 'Highest'")).toBe(29);
    const [job] = await desk.jobs();
    expect(job).toMatchObject({ status: "collision", state: "29 of 30 done, collision" });
    const [shown] = JSON.parse((await desk.bt(`job show ${job?.job} --json`)).out);
    expect(shown).toMatchObject({
      open: [105],
      offline: { conflicts: [{ bug: 105, field: "priority", based: "High", now: "Lowest", wanted: "Highest" }] },
    });
    expect(await desk.bt(`job send ${job?.job}`)).toMatchObject({
      ...{ code: 11, out: expect.stringMatching(/^105\tcollision\t/) },
      err: expect.stringMatching(/^hint: .* --force sets its own$/m),
    });
    await run(desk, `job send ${job?.job} --force`);
    expect(desk.having("priority = 'Highest'")).toBe(30);
    expect(desk.tracker.count("SELECT count(*) FROM comments WHERE text = 'Why'")).toBe(30);
    expect(await desk.jobs()).toEqual([]);
  });

  test("hold back what depends on them, and nothing else", async () => {
    const desk = await collided();
    await run(
      desk,
      "bug update 105 --priority Low --offline",
      "bug update 107 --priority Low --offline",
      "bug update 105 --severity major --offline",
      `bug update ${desk.ids} --priority Normal --offline --yes`,
    );
    const { code, out } = await desk.bt("job send --all --json");
    expect(code).toBe(11);
    const rows = JSON.parse(out);
    expect(rows.map(({ status }: { status: string }) => status)).toEqual([
      ...["collision", "waiting", "done", "done", "waiting"],
    ]);
    expect(rows[4].note).toContain("29 of 30 bugs done: 1 waiting; bug 105: waits for job");
    expect(desk.having("priority = 'Normal'")).toBe(29);
    const [first, second, third] = await desk.jobs();
    expect((await desk.bt(`job send ${third?.job}`)).err).toContain(`depends on job ${first?.job}`);
    await run(desk, `job send ${first?.job} --force`, `job send ${second?.job}`, "job send --all");
    expect(desk.having("priority = 'Normal'")).toBe(30);
    expect(await desk.jobs()).toEqual([]);
  });

  test("are found right before their batch is sent", async () => {
    const state: { desk?: Desk } = {};
    const desk = await atDesk(30, {
      write: async ({ count, pass }) => {
        if (count === 1) await state.desk?.by(130, { priority: "Lowest" });
        await pass();
      },
    });
    state.desk = desk;
    await run(desk, `bug update ${desk.ids} --priority Highest --offline --yes`);
    expect((await desk.bt("job send --all")).err).toContain("29 of 30 bugs done: 1 collision; bug 130:");
  });

  test("in any field with --if-unchanged, but not by own jobs", async () => {
    const desk = await atDesk();
    await run(
      desk,
      "bug update 104 --severity minor --offline",
      `bug update ${desk.ids} --priority Highest --if-unchanged --offline --yes`,
    );
    desk.tracker.clock.step(60_000);
    await desk.by(105, { whiteboard: "mine" });
    const { err } = await desk.bt("job send --all");
    expect(err).toContain("29 of 30 bugs done: 1 collision; bug 105: was modified since");
    expect(desk.having("priority = 'Highest'")).toBe(29);
  });
});

test("bugs of a mirror are as the rest of a bulk update will leave them", async () => {
  const desk = await atDesk();
  await run(desk, `bug update ${desk.ids} --priority Highest --offline --yes`);
  await desk.by(105, { priority: "Lowest" });
  await desk.bt("job send --all");
  await desk.by(101, { priority: "Low" });
  await desk.sync();
  const dry = async (bug: number) => (await desk.bt(`bug update ${bug} --priority Normal -n --offline`)).out;
  expect(await dry(101)).toContain("101\tpriority\tLow\tNormal");
  expect(await dry(105)).toContain("105\tpriority\tHighest\tNormal");
  expect((await desk.bt("bug get 101 --offline --json")).err).not.toContain("not sent");
  expect((await desk.bt("bug get 105 --offline --json")).err).toContain("bug 105: 1 job is not sent");
});

test("edits of a text are applied to what it is when the job is sent", async () => {
  const desk = await atDesk();
  await run(desk, `bug update ${desk.ids} --add-whiteboard [x] --offline --yes`);
  await desk.by(105, { whiteboard: "mine" });
  await run(desk, "job send --all");
  expect(desk.having("whiteboard = '[x]'")).toBe(29);
  expect(desk.having("whiteboard = 'mine [x]'")).toBe(1);
});

test("a bulk close leaves bugs that were closed alike", async () => {
  const desk = await atDesk();
  await run(desk, `bug close ${desk.ids} -m Bye --offline --yes`);
  await desk.by(105, { status: "RESOLVED", resolution: "FIXED" });
  await run(desk, "job send --all");
  expect(desk.having("resolution = 'FIXED'")).toBe(30);
  expect(desk.tracker.count("SELECT count(*) FROM comments WHERE text = 'Bye'")).toBe(29);
});

/** Accepts an update, without applying it. */
const IGNORED: Fate = ({ request, socket }) => {
  const { ids } = JSON.parse(String(request.body)) as { ids: readonly number[] };
  const bugs = ids.map((id) => ({ id, alias: [], changes: {}, last_change_time: "2026-11-20T12:00:00Z" }));
  socket.write(answer(JSON.stringify({ bugs })));
};

test("values that the tracker ignores are named, with exit code 10", async () => {
  const desk = await atDesk(30, { write: nth(2, IGNORED) });
  await run(desk, `bug update ${desk.ids} --priority Highest --offline --yes`);
  const { code, out, err } = await desk.bt("job send --all --json");
  expect(code).toBe(10);
  expect(JSON.parse(out)[0]).toMatchObject({ status: "done", note: /some values were not applied to 5 bugs/ });
  expect(err).toContain("1 of 1 jobs sent, 1 not fully applied");
});

describe("job send --all killed at any write of a bulk update sends every bug once when it is run again", () => {
  const LINES = [
    ["--priority Highest", 2],
    ["-m Once", 24],
  ] as const;
  test.each(
    sampled(
      LINES.flatMap(([flags, last]) =>
        [1, last].flatMap((at) => KILL_MOMENTS.map((moment) => [flags, at, moment] as const)),
      ),
      2,
    ),
  )("%s, write %i, killed %s", async (flags, at, moment) => {
    const killed: Killed = {};
    const write = killedAt(at, moment, killed);
    const desk = await atDesk(flags === "-m Once" ? 24 : 30, { clock: runningClock(), write });
    await run(desk, `bug update ${desk.ids} ${flags} --offline --yes`, "comment add 44 -m Last --offline");
    killed.bt = start(["job", "send", "--all"], desk.env);
    await killed.bt.end;
    const again = await desk.bt("job send --all");
    expect(again, again.err).toMatchObject({ code: 0 });
    const once = (sql: string) => desk.tracker.text(`SELECT count(*) || ' on ' || count(DISTINCT bug_id) ${sql}`);
    if (flags === "-m Once") expect(once("FROM comments WHERE text = 'Once'")).toBe("24 on 24");
    else expect(once("FROM activity WHERE added = 'Highest' AND bug_id > 100")).toBe("30 on 30");
    expect(desk.tracker.count("SELECT count(*) FROM comments WHERE text = 'Last'")).toBe(1);
    expect(await desk.jobs()).toEqual([]);
  });
});
