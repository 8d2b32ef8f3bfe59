import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { answer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { FATES, type Faults, faultyTracker, nth } from "./faulty-tracker.ts";
import { type Killed, killedAt } from "./kill-moments.ts";
import { jobIn, jobsOf } from "./ran.ts";

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
  return { tracker, env, home, file, bt, filed, noted, line: `bug import ${file} -y` };
}

type Importing = Awaited<ReturnType<typeof importing>>;

function expectOnce({ filed, noted, home }: Importing): void {
  expect([filed(), noted(), jobsOf(home, "open")]).toEqual([[1, 1, 1, 1], 2, []]);
}

test("H12 a row that the tracker refuses does not stop the others", async () => {
  const refusal = '{"error":true,"code":108,"message":"You are not authorized to file a bug."}';
  const scene = await importing({
    write: nth(2, ({ socket }) => void socket.write(answer(refusal, { status: "400 Bad Request" }))),
  });
  const ran = await scene.bt(scene.line);
  expect([ran.code, scene.filed(), scene.noted()]).toEqual([10, [1, 0, 1, 1], 2]);
  expect(ran.err).toContain("3 created, 2 applied, 1 refused\n    line 3: You are not authorized to file a bug.\n");
  expect((await scene.bt(scene.line)).code).toBe(0);
  expectOnce(scene);
});

test("H12 an import with lost new bugs goes on once bt job send knows what became of these", async () => {
  const scene = await importing({
    write: (incident) => (incident.count <= 3 ? FATES.badGatewayBefore(incident) : incident.pass()),
  });
  const first = await scene.bt(scene.line);
  const again = await scene.bt(scene.line);
  const sent = await scene.bt(`job send ${jobIn(first.err)} --yes`);
  const last = await scene.bt(scene.line);
  expect([first, again, sent, last].map(({ code }) => code)).toEqual([9, 9, 10, 0]);
  expectOnce(scene);
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

test.each([2, 3, 4, 6])(
  "H13 after kill -9 before the answer to write %i, the same command files each bug once",
  async (place) => {
    const killed: Killed = {};
    const scene = await filing({ write: killedAt(place, "before its answer", killed) });
    killed.bt = start(scene.line.split(" "), scene.env);
    await killed.bt.end;
    const again = await scene.bt(scene.line);
    expect(again.code, again.err).toBe(0);
    expect([scene.filed(), scene.linked(), jobsOf(scene.home, "open")]).toEqual([FILED, 1, []]);
  },
);

test("H13 an update of a filed bug that the tracker refuses is sent by the same command again", async () => {
  const refusal = '{"error":true,"code":115,"message":"You may not close it."}';
  const scene = await filing({
    write: nth(3, ({ socket }) => void socket.write(answer(refusal, { status: "400 Bad Request" }))),
  });
  const ran = await scene.bt(scene.line);
  expect([ran.code, ran.err]).toEqual([10, expect.stringContaining("but not complete: You may not close it.")]);
  expect(scene.filed()).not.toBe(FILED);
  const again = await scene.bt(scene.line);
  expect([again.code, scene.filed(), scene.linked()]).toEqual([0, FILED, 1]);
  expect((await scene.bt(scene.line)).err).toContain("3 rows imported before");
});
