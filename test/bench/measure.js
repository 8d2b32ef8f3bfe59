import { spawnSync } from "node:child_process";
import process from "node:process";

/**
 * One command to measure. `expect` is what it has to print; `goal` is in times of the first one measured, `memoryGoal` in MiB.
 * @typedef {{
 *   name: string, argv: readonly string[], env: NodeJS.ProcessEnv, expect: RegExp,
 *   goal?: number | undefined, memoryGoal?: number | undefined,
 * }} Candidate
 */

/** A command that fails or stays silent is no measurement: it ends the whole. */
export function rehearse(/** @type {Candidate} */ { name, argv: [command = "", ...rest], env, expect }, times = 2) {
  for (let time = 0; time < times; time += 1) {
    const { status, stdout, stderr } = spawnSync(command, rest, { env, encoding: "utf8", maxBuffer: 1 << 30 });
    if (status !== 0 || !expect.test(stdout)) throw new Error(`${name}: exit ${status}\n${stdout}${stderr}`);
  }
}

/**
 * Every candidate once a round, so that what else the machine does hits all of them alike; medians in ms, of their CPU time
 * unless another is taken.
 */
export function measure(
  /** @type {readonly Pick<Candidate, "argv" | "env">[]} */ runs,
  /** @type {number} */ rounds,
  timeOf = cpuTimeOf,
) {
  /** @type {number[][]} */
  const times = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { argv, env }] of runs.entries()) times[at]?.push(timeOf(argv, env));
  }
  return times.map(median);
}

/** CPU time of a command that succeeds, with all its threads, in ms. Node measures only its own, bash that of its children. */
export function cpuTimeOf(/** @type {readonly string[]} */ argv, /** @type {NodeJS.ProcessEnv} */ env) {
  const timed = 'LC_ALL=C TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1';
  const { status, stderr } = spawnSync("bash", ["-c", timed, "bash", ...argv], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${argv.slice(0, 4).join(" ")}: exit ${status}`);
  const [user, system] = stderr.split(" ").map(Number);
  return 1000 * (Number(user) + Number(system));
}

/** Time of day that a command takes that succeeds, in ms. */
export function wallTimeOf(
  /** @type {readonly string[]} */ [command = "", ...rest],
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  const start = process.hrtime.bigint();
  const { status } = spawnSync(command, rest, { env, stdio: "ignore" });
  if (status !== 0) throw new Error(`${command} ${rest.slice(0, 3).join(" ")}: exit ${status}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

export function median(/** @type {readonly number[]} */ numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints the medians, the ratio of each to the first, and its goal. */
export function report(/** @type {readonly Candidate[]} */ runs, /** @type {readonly number[]} */ times) {
  const [floor = Number.NaN] = times;
  for (const [at, run] of runs.entries()) {
    const time = times[at] ?? Number.NaN;
    const cells = [
      run.name.padEnd(42),
      `${time.toFixed(1)} ms`.padStart(9),
      `${(time / floor).toFixed(2)}x`.padStart(6),
    ];
    console.log([...cells, ...goals(run, time / floor)].join("  "));
  }
}

function goals(/** @type {Candidate} */ run, /** @type {number} */ ratio) {
  const peak = peakOf(run);
  const judged = (/** @type {number} */ value, /** @type {number | undefined} */ goal, /** @type {string} */ unit) =>
    goal === undefined ? "" : `${verdict(value, goal)}${unit}`;
  const memory = peak === undefined ? "" : `${peak.toFixed(0)} MiB`;
  return [memory.padStart(8), judged(ratio, run.goal, "x"), judged(peak ?? 0, run.memoryGoal, " MiB")];
}

/** A value beside the most that it may be. */
export function verdict(/** @type {number} */ value, /** @type {number} */ goal) {
  return `${value <= goal ? "within" : "OVER"} ${goal}`;
}

/** The most memory that one run of it held, in MiB, where GNU time is there to ask. */
export function peakOf(/** @type {Candidate} */ { argv, env }) {
  const { status, stderr } = spawnSync("/usr/bin/time", ["--quiet", "-f", "%M", ...argv], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  return status === 0 ? Number(stderr.trim().split("\n").at(-1)) / 1024 : undefined;
}
