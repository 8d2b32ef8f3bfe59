import { setTimeout as sleep } from "node:timers/promises";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { type Running, start } from "../faults/child.ts";
import { type Fate, type FaultyTracker, faultyTracker } from "../faults/faulty-tracker.ts";
import { jobsOf } from "../faults/ran.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { chance } from "./random.ts";

/** Outcome of jobs that were killed and resumed. */
export type KillPoints = { readonly kills: number; readonly finished: number; readonly wrong: readonly string[] };

const BUGS = Array.from({ length: 30 }, (_, at) => 101 + at);

/** A moment for the kill: before a write is handled, after it but before its answer, or after the answer. */
type Moment = "before" | "between" | "after" | "early";

/** Kills a change of 30 bugs with SIGKILL at many points, resumes it, and counts what every bug has got. */
export async function killPoints(kills: number, seed: number): Promise<KillPoints> {
  const dice = chance(seed);
  const wrong: string[] = [];
  let finished = 0;
  for (let n = 0; n < kills; n += 1) {
    const moment = dice.one<Moment>(["before", "between", "after", "early"]);
    const at = 1 + dice.below(BUGS.length);
    const fault = await killedAt(moment, at, dice.below(250));
    if (fault === undefined) finished += 1;
    else wrong.push(`${moment} write ${at}: ${fault}`);
  }
  return { kills, finished, wrong };
}

async function killedAt(moment: Moment, at: number, delay: number): Promise<string | undefined> {
  const running: { bt?: Running } = {};
  const tracker = await faultyTracker({
    clock: runningClock(),
    write: (incident) => (incident.count === at ? killing(moment, running)(incident) : incident.pass()),
  });
  crowd(tracker, 130);
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state`, XDG_CACHE_HOME: `${home}/.cache` };
  const argv = ["bug", "update", ...BUGS.map(String), "-m", "Seen again", "--work-time", "0.5", "--yes"];
  running.bt = start(argv, env);
  if (moment === "early") {
    await sleep(delay);
    running.bt.kill("SIGKILL");
  }
  await running.bt.end;
  const fault = await afterwards(tracker, home, argv);
  await tracker.close();
  return fault;
}

function killing(moment: Moment, { bt }: { readonly bt?: Running }): Fate {
  return async ({ apply, pass, socket }) => {
    if (moment === "between") await apply();
    if (moment === "after") await pass();
    if (moment === "early") return pass();
    bt?.kill("SIGKILL");
    socket.destroy();
  };
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
