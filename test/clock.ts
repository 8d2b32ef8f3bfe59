import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { told, uptime } from "./clock/told.cjs";

/** When tests take place, unless they say otherwise. */
export const NOON = "2026-11-20T12:00:00Z";

/** One clock for all who take part in a test: clients and trackers, in this process and in others. */
export type Clock = {
  readonly now: () => Date;
  /** Environment that makes it the clock of a process that is given this, and of all that it starts, or of a `bt` in this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets it forth or back by milliseconds, as an administrator does; those who run see it at once. */
  readonly step: (ms: number) => void;
};

/** A clock that stands still until it is set. */
export function stoppedClock(at = NOON): Clock {
  return keptClock("stands", Date.parse(at));
}

/** A clock that runs from a moment on. */
export function runningClock(at = NOON): Clock {
  return keptClock("ahead", Date.parse(at) - uptime());
}

/** The clock of this machine, which is that of every process that is given no other. */
export const machineClock: Pick<Clock, "now"> = { now: () => new Date() };

/** Tells the time by the clock that an environment names, or stands at a moment where it names none. */
export function clockOf(env: Readonly<Record<string, string>> = {}, at = NOON): () => Date {
  const file = env["TEST_CLOCK"];
  return () => new Date(file === undefined ? at : told(file));
}

function keptClock(kind: "stands" | "ahead", ms: number): Clock {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "clock-")), "time");
  const state = { ms };
  const keep = () => writeFileSync(file, `${kind} ${state.ms}`);
  keep();
  const env = { TEST_CLOCK: file, NODE_OPTIONS: `--require ${path.join(import.meta.dirname, "clock/moved.cjs")}` };
  return {
    now: clockOf(env),
    env,
    step: (by) => {
      state.ms += by;
      keep();
    },
  };
}
