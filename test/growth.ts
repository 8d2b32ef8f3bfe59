/**
 * How many times as long a task takes at ten times the size: about 10 if the time is linear, 100 if it is quadratic. The
 * shortest of several runs counts, so that a pause of the machine does not.
 */
export function growth(task: (size: number) => unknown, size: number): number {
  const shortest = (of: number) => Math.min(...Array.from({ length: RUNS }, () => spent(() => task(of))));
  task(size); // compiles it
  const small = shortest(size);
  return shortest(size * 10) / small;
}

/** More than any linear task grows, and less than a quadratic one. */
export const LINEAR = 40;

const RUNS = 4;

function spent(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
