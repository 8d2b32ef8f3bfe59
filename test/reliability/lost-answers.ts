import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { FATES, type Fate, type FaultyTracker, faultyTracker } from "../faults/faulty-tracker.ts";
import { jobIn } from "../faults/ran.ts";
import { freshFolder } from "../fresh-folder.ts";
import { chance } from "./random.ts";

/** Outcome of many writes of which every third answer or so was lost. */
export type LostAnswers = {
  readonly writes: number;
  readonly lost: number; // answers, some of writes that were done and some of writes that were not
  readonly unknown: number; // commands that ended with 9
  readonly decided: number; // of these, by bt job send
  readonly duplicates: number;
  readonly missing: number;
};

const LOSSES: readonly Fate[] = [
  FATES.resetAfter,
  FATES.closedAfter,
  FATES.badGatewayAfter,
  FATES.emptyAfter,
  FATES.loginPageAfter,
  FATES.resetBefore,
  FATES.badGatewayBefore,
  FATES.emptyBefore,
];

/** One of several kinds of write, and how often its trace stands in the tracker. */
const KINDS = [
  {
    line: (n: number) => `comment add 43 -m Comment-${n} --work-time 0.25`,
    trace: (n: number) => `SELECT count(*) FROM comments WHERE text = 'Comment-${n}' AND work_time = 0.25`,
  },
  {
    line: (n: number) => `bug update 41 -m Change-${n} --work-time 0.5 --whiteboard note-${n}`,
    trace: (n: number) => `SELECT count(*) FROM comments WHERE text = 'Change-${n}' AND work_time = 0.5`,
  },
  {
    line: (n: number) =>
      `bug create -p Lantern -c Library --bug-version 3.1 -t Title-${n} --op-sys Linux --platform PC -d Text-${n}`,
    trace: (n: number) => `SELECT count(*) FROM bugs WHERE summary = 'Title-${n}'`,
  },
  {
    line: (n: number) => `bug update 42 --whiteboard plain-${n}`,
    trace: (n: number) => `SELECT count(*) FROM activity WHERE field = 'status_whiteboard' AND added = 'plain-${n}'`,
  },
] as const;

/** Sends writes of several kinds to a tracker that loses 30 of 100 answers, and lets bt job send settle what stayed open. */
export async function lostAnswers(writes: number, seed: number): Promise<LostAnswers> {
  const dice = chance(seed);
  const count = { lost: 0, unknown: 0, decided: 0 };
  const tracker = await faultyTracker({
    clock: runningClock(),
    write: (incident) => {
      if (dice.number() >= 0.3) return incident.pass();
      count.lost += 1;
      return dice.one(LOSSES)(incident);
    },
  });
  const env = { ...tracker.env, HOME: freshFolder() };
  for (let n = 0; n < writes; n += 1) {
    const run = await btConnected(KINDS[n % KINDS.length]?.line(n) ?? "", { env });
    if (run.code === 0) continue;
    if (run.code !== 9) throw new Error(`exit ${run.code} of write ${n}: ${run.err}`);
    count.unknown += 1;
    if (await resumed(jobIn(run.err), env)) count.decided += 1;
  }
  return { writes, ...count, ...traces(tracker, writes) };
}

async function resumed(job: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await btConnected(`job send ${job} --yes`, { env })).code === 0) return true;
  }
  return false;
}

function traces(tracker: FaultyTracker, writes: number): Pick<LostAnswers, "duplicates" | "missing"> {
  const counts = Array.from({ length: writes }, (_, n) => tracker.count(KINDS[n % KINDS.length]?.trace(n) ?? ""));
  return {
    duplicates: counts.filter((count) => count > 1).length,
    missing: counts.filter((count) => count < 1).length,
  };
}
