import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { answer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { FATES, type Faults, faultyTracker, from, nth } from "./faulty-tracker.ts";
import { type Killed, killedAt } from "./kill-moments.ts";
import { jobIn, jobsOf, UNDO_LINE } from "./ran.ts";

const HEAD = "id,product,component,version,op_sys,platform,summary,whiteboard";

/** A tracker, and a file that files four bugs and updates two. */
async function importing(faults: Faults = {}) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  const [home, folder] = [freshFolder(), freshFolder()];
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  const file = join(folder, "bugs.csv");
  const rows = [1, 2, 3, 4].map((n) => `,Lantern,Library,3.1,Linux,PC,Title-${n},`);
  writeFileSync(file, `${[HEAD, ...rows, "44,,,,,,,note-44", "48,,,,,,,note-48"].join("\n")}\n`);
  const bt = (line: string) => btConnected(line, { env });
  const filed = () => [1, 2, 3, 4].map((n) => tracker.count(`SELECT count(*) FROM bugs WHERE summary = 'Title-${n}'`));
  const noted = () => tracker.count("SELECT count(*) FROM activity WHERE added LIKE 'note-4%'");
  const results = () => readFileSync(`${file}.results.jsonl`, "utf8");
  return { tracker, env, home, file, bt, filed, noted, results, line: `bug import ${file} -y` };
}

type Importing = Awaited<ReturnType<typeof importing>>;

function expectOnce({ filed, noted, home }: Importing): void {
  expect([filed(), noted(), jobsOf(home, "open")]).toEqual([[1, 1, 1, 1], 2, []]);
}

/** Continues an import; a row that is not found on the tracker is resent by its job first. */
async function continued({ bt, line }: Pick<Importing, "bt" | "line">): Promise<void> {
  const again = await bt(line);
  if (again.code === 0) return;
  expect([again.code, again.err]).toEqual([9, expect.stringContaining("it was not found on the tracker")]);
  expect((await bt(`job send ${jobIn(again.err)} --resend`)).code).toBe(0);
  expect((await bt(line)).code).toBe(0);
}

describe("H12 an import whose response is lost", () => {
  test("verifies the row and continues", async () => {
    const scene = await importing({ write: nth(2, FATES.resetAfter) });
    expect((await scene.bt(scene.line)).code).toBe(0);
    expectOnce(scene);
  });

  test.each(["resetBefore", "resetAfter"] as const)(
    "and cannot be verified stops; the same command checks the row, and sends the rest: %s",
    async (fate) => {
      const state = { isDead: false };
      const scene = await importing({
        write: nth(2, (incident) => {
          state.isDead = true;
          return FATES[fate](incident);
        }),
        read: (incident) => (state.isDead ? FATES.badGatewayBefore(incident) : incident.pass()),
      });
      const ran = await scene.bt(scene.line);
      expect({ code: ran.code, err: ran.err }).toEqual({
        code: 8,
        err: expect.stringContaining("1 of 6 bugs done: 1 unknown, 4 not tried"),
      });
      expect(jobsOf(scene.home, "open")).toEqual([`${jobIn(ran.err)}.jsonl`]);
      state.isDead = false;
      await continued(scene);
      expectOnce(scene);
    },
  );

  test("and whose job is sent by hand is continued without that row", async () => {
    const state = { isDead: false };
    const scene = await importing({
      write: nth(5, (incident) => {
        state.isDead = true;
        return FATES.resetAfter(incident);
      }),
      read: (incident) => (state.isDead ? FATES.badGatewayBefore(incident) : incident.pass()),
    });
    const ran = await scene.bt(scene.line);
    state.isDead = false;
    expect((await scene.bt(`job send ${jobIn(ran.err)}`)).code).toBe(0);
    expect((await scene.bt(scene.line)).code).toBe(0);
    expectOnce(scene);
  });

  test("refuses a modified file while the outcome of its row is unknown", async () => {
    const state = { isDead: false };
    const scene = await importing({
      write: nth(2, (incident) => {
        state.isDead = true;
        return FATES.resetAfter(incident);
      }),
      read: (incident) => (state.isDead ? FATES.badGatewayBefore(incident) : incident.pass()),
    });
    await scene.bt(scene.line);
    state.isDead = false;
    writeFileSync(scene.file, readFileSync(scene.file, "utf8").replace("Title-2", "Title-9"));
    const again = await scene.bt(scene.line);
    expect([again.code, scene.filed()]).toEqual([2, [1, 1, 0, 0]]);
    expect(again.err).toContain("line 3: the row was modified while its outcome is unknown");
  });
});

test.each(["before its answer", "before it is handled"] as const)(
  "H12 after kill -9 the same command files each row once: %s",
  async (moment) => {
    const killed: Killed = {};
    const scene = await importing({ write: killedAt(3, moment, killed) });
    killed.bt = start(["bug", "import", scene.file, "-y"], scene.env);
    await killed.bt.end;
    expect(scene.results()).toMatch(/"result":"sending","job":"\w{26}"}\n$/);
    appendFileSync(`${scene.file}.results.jsonl`, '{"row":4,"li'); // a line that was being written
    await continued(scene);
    expectOnce(scene);
  },
);

test("H12 a tracker that dies leaves the other rows untried; the same command sends them", async () => {
  const state = { isDead: false };
  const scene = await importing({
    write: from(3, (incident) => {
      state.isDead ||= incident.count === 3;
      return state.isDead ? FATES.unavailable(incident) : incident.pass();
    }),
    read: (incident) => (state.isDead ? FATES.unavailable(incident) : incident.pass()),
  });
  const ran = await scene.bt(scene.line);
  expect([ran.code, scene.filed(), scene.noted()]).toEqual([8, [1, 1, 0, 0], 0]);
  state.isDead = false;
  await continued(scene);
  expectOnce(scene);
});

test("H12 a row that the tracker refuses does not stop the others", async () => {
  const refusal = '{"error":true,"code":108,"message":"You are not authorized to file a bug."}';
  const scene = await importing({
    write: nth(2, ({ socket }) => void socket.write(answer(refusal, { status: "400 Bad Request" }))),
  });
  const ran = await scene.bt(scene.line);
  expect([ran.code, scene.filed(), scene.noted()]).toEqual([10, [1, 0, 1, 1], 2]);
  expect(ran.err).toContain("5 of 6 bugs done: 1 failed\n    line 3: You are not authorized to file a bug.\n");
  expect((await scene.bt(scene.line)).code).toBe(0);
  expectOnce(scene);
});

test("H12 a bug that is modified between reading and writing is a collision where the file has its time", async () => {
  const scene = await importing({
    write: nth(1, async ({ pass }) => {
      scene.tracker.store.exec("UPDATE bugs SET last_change_time = '2027-01-01T00:00:00Z' WHERE id = 48");
      await pass();
    }),
  });
  const time = scene.tracker.text("SELECT last_change_time FROM bugs WHERE id = 48");
  writeFileSync(scene.file, `id,whiteboard,last_change_time\n44,note-44,\n48,note-48,${time}\n`);
  const ran = await scene.bt(scene.line);
  expect([ran.code, scene.noted()]).toEqual([11, 1]);
});

test("H12 a list that trackers only take as a whole is changed on its newest value", async () => {
  const put = (devices: string[]) =>
    scene.tracker.as(scene.tracker.login, { method: "PUT", path: "/rest/bug/48", body: { cf_devices: devices } });
  const scene = await importing({
    write: nth(1, async ({ pass }) => {
      await put(["camera", "card reader"]);
      await pass();
    }),
  });
  await put(["camera"]);
  writeFileSync(scene.file, "id,whiteboard,cf_devices,last_change_time\n44,note-44,,\n48,,phone,\n");
  const ran = await scene.bt(scene.line);
  expect([ran.code, ran.err]).toEqual([0, expect.stringMatching(UNDO_LINE)]);
  const { bugs } = await scene.tracker.as(scene.tracker.login, { method: "GET", path: "/rest/bug/48" });
  expect(bugs).toMatchObject([{ cf_devices: ["card reader", "phone"] }]);
});

describe.each([
  ["without idempotency keys", false],
  ["with idempotency keys", true],
])("H14 results restored from a copy that the import went on after, %s", (_, isKeyed) => {
  test.each([
    ["with the HOME", true],
    ["and the HOME has the later jobs", false],
  ])("%s: no row is sent twice, and equal rows stay apart", async (_name, isHomeToo) => {
    const clock = runningClock();
    const scene = await importing({ clock, isKeyed });
    const row = (title: string) => `,Lantern,Library,3.1,Linux,PC,${title},,`;
    const rows = [row("Title-1"), row("Title-2"), row("Title-3"), row("Title-1"), "44,,,,,,,,Seen"];
    writeFileSync(scene.file, `${[`${HEAD},comment`, ...rows].join("\n")}\n`);
    expect((await scene.bt(scene.line)).code).toBe(0);
    const copy = scene.results().replace(/^.*"row":3,[\s\S]*/m, "");
    writeFileSync(`${scene.file}.results.jsonl`, copy);
    const jobs = join(scene.home, ".local/state/bt/jobs/finished");
    if (isHomeToo)
      for (const name of readdirSync(jobs)) if (!copy.includes(name.replace(".jsonl", ""))) rmSync(join(jobs, name));
    appendFileSync(scene.file, `${row("Title-4")}\n`);
    clock.step(120_000);
    const run = await scene.bt(scene.line);
    expect([run.code, run.err]).toEqual([0, expect.stringContaining("though the journal calls it unsent")]);
    expect(scene.filed()).toEqual([2, 1, 1, 1]);
    expect(scene.tracker.count("SELECT count(*) FROM comments WHERE text = 'Seen'")).toBe(1);
  });
});

test("H12 a second import of the same file waits, and gives up", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const scene = await importing({
    write: nth(1, async ({ pass }) => {
      reached();
      await held;
      await pass();
    }),
  });
  const first = scene.bt(scene.line);
  await isReached;
  const second = await scene.bt(scene.line);
  expect([second.code, second.err]).toEqual([12, expect.stringContaining("is locked by another bt")]);
  release();
  expect((await first).code).toBe(0);
  expectOnce(scene);
});

/** A tracker, and a file of bugs of another one: an open bug, a closed one that blocks it, and its duplicate. */
async function filing(faults: Faults = {}) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  const file = join(home, "bugs.jsonl");
  const usual = { product: "Lantern", component: "Library", version: "3.1", op_sys: "Linux", platform: "PC" };
  const rows = [
    { id: 701, summary: "Copy-1", status: "CONFIRMED", depends_on: [702] },
    { id: 702, summary: "Copy-2", status: "RESOLVED", resolution: "FIXED", blocks: [701] },
    { id: 703, summary: "Copy-3", status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 701 },
  ];
  writeFileSync(file, rows.map((row) => `${JSON.stringify({ ...usual, ...row })}\n`).join(""));
  const bt = (line: string) => btConnected(line, { env });
  const filed = () =>
    tracker.text(`SELECT group_concat(summary || ' ' || status || ' ' || resolution, '; ' ORDER BY summary)
      FROM bugs WHERE summary LIKE 'Copy-%'`);
  const linked = () => tracker.count("SELECT count(*) FROM bug_dependencies WHERE bug_id > 50 AND depends_on_id > 50");
  return { tracker, env, home, bt, line: `bug import --new ${file} -y`, filed, linked };
}

const FILED = "Copy-1 CONFIRMED ; Copy-2 RESOLVED FIXED; Copy-3 RESOLVED DUPLICATE";

/** The writes of `filing`: a bug; a bug, its link, its status; a bug, its original. */
const WRITES = [1, 2, 3, 4, 5, 6];

test.each([
  [2, "before its answer"],
  [3, "before its answer"],
  [4, "with its answer"],
  [6, "before its answer"],
] as const)("H13 after kill -9 at write %i, %s, the same command files each bug once", async (place, moment) => {
  const killed: Killed = {};
  const scene = await filing({ write: killedAt(place, moment, killed) });
  killed.bt = start(scene.line.split(" "), scene.env);
  await killed.bt.end;
  const again = await scene.bt(scene.line);
  expect(again.code, again.err).toBe(0);
  expect([scene.filed(), scene.linked(), jobsOf(scene.home, "open")]).toEqual([FILED, 1, []]);
});

test.each(WRITES)("H13 a tracker that dies at write %i is sent the rest by the same command", async (place) => {
  const state = { isDead: false };
  const scene = await filing({
    write: from(place, (incident) => {
      state.isDead ||= incident.count === place;
      return state.isDead ? FATES.unavailable(incident) : incident.pass();
    }),
    read: (incident) => (state.isDead ? FATES.unavailable(incident) : incident.pass()),
  });
  expect((await scene.bt(scene.line)).code).not.toBe(0);
  state.isDead = false;
  await continued(scene);
  expect([scene.filed(), scene.linked(), jobsOf(scene.home, "open")]).toEqual([FILED, 1, []]);
});
