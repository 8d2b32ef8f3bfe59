import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/tracker/store/store.ts";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { sampled } from "../much.ts";
import { answer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { type Faults, faultyTracker, nth } from "./faulty-tracker.ts";
import { type Killed, killedAt } from "./kill-moments.ts";

/** Bugs of the demo: an original, its duplicate, and one with an attachment. */
const IDS = [3, 4, 16];

/** A tracker that bugs of the demo are moved to. */
async function moving(faults: Faults = {}) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  const results = join(home, "moved.jsonl");
  const line = `migrate run --from demo: --to ${tracker.url} id:${IDS.join(",")} -y --results ${results}`;
  return { tracker, env, home, results, line, bt: () => btConnected(line, { env }) };
}

type Moving = Awaited<ReturnType<typeof moving>>;

/** The texts of what was moved, each as often as it is there, and the attachments and statuses. */
function movedIn({ tracker }: Moving): string {
  const texts = tracker.text("SELECT json_group_array(text ORDER BY text) FROM comments WHERE text LIKE '[demo no. %'");
  const files = tracker.text("SELECT json_group_array(summary) FROM attachments WHERE bug_id > 50");
  const bugs = tracker.text(
    "SELECT json_group_array(summary || status || resolution ORDER BY summary) FROM bugs WHERE id > 50",
  );
  return [texts, files, bugs].join("\n").replaceAll(/\d{4}-\d\d-\d\d[ \d:]+UTC/g, "");
}

test("H13 a move is complete, and run again it changes nothing", async () => {
  const scene = await moving();
  await scene.bt();
  const moved = movedIn(scene);
  expect(moved).toContain("duplicate of bug 51 (was 3)");
  const { length } = scene.tracker.writes();
  const again = await scene.bt();
  expect([again.code, again.out]).toEqual([0, "3\t51\tunchanged\t\n4\t52\tunchanged\t\n16\t53\tunchanged\t\n"]);
  expect([movedIn(scene), scene.tracker.writes().length]).toEqual([moved, length]);
});

test("H13 a bug that the target refuses does not stop the others", async () => {
  const refusal = '{"error":true,"code":108,"message":"You are not authorized to file a bug."}';
  const scene = await moving({
    write: nth(2, ({ socket }) => void socket.write(answer(refusal, { status: "400 Bad Request" }))),
  });
  const ran = await scene.bt();
  expect([ran.code, ran.out]).toEqual([
    10,
    "3\t51\tmoved\t\n4\t\tfailed\tYou are not authorized to file a bug.\n16\t52\tmoved\t\n",
  ]);
  expect((await scene.bt()).out).toBe("3\t51\tunchanged\t\n4\t53\tmoved\t\n16\t52\tunchanged\t\n");
});

/** Bugs of a faulty tracker that are moved into a local one. */
async function movingHome(faults: Faults = {}) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  const home = freshFolder();
  const file = join(home, "moved.db");
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  const line = `migrate run --from ${tracker.url} --to local:${file} -y`;
  const all = async () => {
    const store = openStore(file);
    const tables = [
      "bugs",
      "comments",
      "attachments",
      "activity",
      "flags",
      "bug_cc",
      "bug_dependencies",
      "bug_duplicates",
    ];
    const counts = tables.map((table) => store.get(`SELECT '${table}' AS name, count(*) AS n FROM ${table}`));
    store.close();
    return JSON.stringify(counts);
  };
  return { tracker, env, line, all, bt: () => btConnected(line, { env }) };
}

test("H13 after kill -9 at any read the same command moves everything into a local tracker once", {
  timeout: 120_000,
}, async () => {
  const undisturbed = await movingHome();
  expect((await undisturbed.bt()).code).toBe(0);
  const [all, reads] = [await undisturbed.all(), undisturbed.tracker.requests.length];
  expect(reads).toBeGreaterThan(8);
  for (const point of sampled(
    Array.from({ length: reads - 1 }, (_, at) => at + 2),
    5,
  )) {
    const killed: Killed = {};
    const scene = await movingHome({ read: killedAt(point, "before it is handled", killed) });
    killed.bt = start(scene.line.split(" "), scene.env);
    await killed.bt.end;
    expect({ point, ...(await scene.bt()) }).toMatchObject({ code: 0 });
    expect({ point, all: await scene.all() }).toEqual({ point, all });
  }
});
