import { Fault } from "../fault.ts";
import { type Condition, rowsOf } from "./condition.ts";
import type { Sql } from "./sql.ts";

const MOST_ROWS = 500;
const MOST_DEPTH = 60; // the engine's parser has a stack of 100
const MOST_VALUES = 3_000_000;

/** Refuses a search of so many conditions that it would keep the tracker busy for itself. */
export function checkSize(condition: Condition): void {
  const { length } = rowsOf(condition);
  if (length > MOST_ROWS) throw tooMuch(`it has ${length} conditions, ${MOST_ROWS} are possible`);
}

/** Refuses what is nested deeper than the engine can read. */
export function checkDepth({ depth }: Sql): void {
  if (depth > MOST_DEPTH) throw tooMuch("its groups are nested too deeply");
}

/** Counts the values that one search has read to compare them outside of the engine, and refuses one that goes on and on. */
export function valueBudget(): (values: number) => void {
  let left = MOST_VALUES;
  return (values) => {
    left -= values;
    if (left < 0) throw tooMuch("it has too many patterns, or too many words, for so many bugs");
  };
}

function tooMuch(reason: string): Fault {
  return new Fault(400, 32000, `This search is too large: ${reason}.`);
}
