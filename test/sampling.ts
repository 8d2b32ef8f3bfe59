import process from "node:process";

/** True if all of the long sweeps is tried, as .ci/run and `npm run reliability` do, and not a sample. */
export const isFull = process.env["FULL"] !== undefined;

/** Number of things that are tried. */
export function much(few: number, full: number): number {
  return isFull ? full : few;
}

/** Rows of a table that are tried: each n-th, and so every value of a column whose length has no divisor in common with n. */
export function sampled<T>(all: readonly T[], n: number, first = 0): readonly T[] {
  return isFull ? all : all.filter((_, at) => at % n === first % n);
}
