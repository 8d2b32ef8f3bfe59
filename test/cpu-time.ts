import process from "node:process";

/**
 * How many times as much CPU time a task takes at ten times the size: about 10 if it is linear, 100 if it is quadratic.
 * The shortest of several runs counts; CPU time, since on a busy machine the longer task is interrupted in each of its runs.
 * A collection of garbage or a compilation can still fall on one side: a ratio that is not linear is measured again.
 */
export function growth(task: (size: number) => unknown, size: number): number {
  task(size); // compiles it
  let ratio = Infinity;
  for (let trial = 0; trial < TRIALS && ratio >= LINEAR; trial += 1) {
    const small = shortestTime(() => task(size));
    ratio = Math.min(ratio, shortestTime(() => task(size * 10)) / small);
  }
  return ratio;
}

/** More than any linear task grows, and less than a quadratic one. */
export const LINEAR = 40;

const RUNS = 4;
const TRIALS = 4;

/** CPU time (µs) of the shortest of several runs. */
function shortestTime(run: () => unknown): number {
  return Math.min(...Array.from({ length: RUNS }, () => spent(run)));
}

function spent(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
