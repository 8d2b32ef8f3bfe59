import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { start } from "../faults/child.ts";
import { type FaultyTracker, faultyTracker } from "../faults/faulty-tracker.ts";
import { KILL_MOMENTS, type Killed, killedAt } from "../faults/kill-moments.ts";
import { jobsOf } from "../faults/ran.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { chance } from "./random.ts";

/** Outcome of jobs that were killed and resumed. */
export type KillPoints = { readonly kills: number; readonly finished: number; readonly wrong: readonly string[] };

const BUGS = Array.from({ length: 30 }, (_, at) => 101 + at);

/** Kills a change of 30 bugs with SIGKILL at many points, resumes it, and counts what every bug has got. */
export async function killPoints(kills: number, seed: number): Promise<KillPoints> {
  const dice = chance(seed);
  const wrong: string[] = [];
  for (let n = 0; n < kills; n += 1) {
    const moment = dice.one([...KILL_MOMENTS, "early"] as const);
    const fault = await faultAfterKill(moment, 1 + dice.below(2), dice.below(250));
    if (fault !== undefined) wrong.push(`${moment}: ${fault}`);
  }
  return { kills, finished: kills - wrong.length, wrong };
}

/** Kills it at a moment of its nth write of twenty bugs, or so many ms after its start. */
async function faultAfterKill(moment: (typeof KILL_MOMENTS)[number] | "early", nth: number, delay: number) {
  const running: Killed = {};
  const tracker = await faultyTracker({
    clock: runningClock(),
    ...(moment === "early" ? {} : { write: killedAt(nth, moment, running) }),
  });
  crowd(tracker, 130);
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state`, XDG_CACHE_HOME: `${home}/.cache` };
  const argv = ["bug", "update", ...BUGS.map(String), "-m", "Seen again", "--work-time", "0.5", "--yes"];
  running.bt = start(argv, env);
  if (moment === "early") setTimeout(() => running.bt?.kill("SIGKILL"), delay);
  await running.bt.end;
  const fault = await afterwards(tracker, home, argv);
  await tracker.close();
  return fault;
}

/** Resumes what is open, or begins anew where nothing had been written down, and says what is wrong in the end. */
async function afterwards(tracker: FaultyTracker, home: string, argv: readonly string[]): Promise<string | undefined> {
  const env = { ...tracker.env, HOME: home };
  const [open] = jobsOf(home, "open");
  const isBegun = open !== undefined || jobsOf(home, "finished").length > 0;
  if (!isBegun && tracker.writes().length > 0) return "sent without a journal";
  const line = open ? `job send ${open.replace(".jsonl", "")} --yes` : argv.map((word) => `'${word}'`).join(" ");
  const run = open || !isBegun ? await btConnected(line, { env }) : { code: 0, err: "" };
  if (run.code !== 0) return `exit ${run.code}: ${run.err}`;
  const counts = tracker.text(
    "SELECT count(DISTINCT bug_id) || ' bugs, ' || count(*) || ' comments, ' || sum(work_time) || ' hours' FROM comments WHERE text = 'Seen again'",
  );
  return counts === `30 bugs, 30 comments, 15.0 hours` ? undefined : counts;
}
