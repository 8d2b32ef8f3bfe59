import type { FactStore } from "../../api/fact-store.ts";
import { compareTexts } from "../../view/text.ts";
import type { JsonObject } from "../../wire/exchange.ts";

/** Name of the marks in the cache of an account. */
export const READ_MARKS = "read-marks";

/** `last_change_time` of each bug when the account last read it with `bt bug get`. */
export type ReadMarks = ReadonlyMap<number, string>;

const MAX_MARKS = 50_000;

/** The marks of an account; empty if there are none. */
export async function readMarks(memory: FactStore): Promise<ReadMarks> {
  const { bugs = {} } = ((await memory.read(READ_MARKS)) ?? {}) as { bugs?: JsonObject };
  const marks = new Map<number, string>();
  for (const [id, time] of Object.entries(bugs)) if (typeof time === "string") marks.set(Number(id), time);
  return marks;
}

/** Adds marks; newer ones are kept. Above the maximum, the marks of bugs that changed longest ago are dropped. */
export async function addReadMarks(marks: ReadMarks, memory: FactStore): Promise<void> {
  const before = await readMarks(memory);
  const newer = [...marks].filter(([id, time]) => time > (before.get(id) ?? ""));
  if (newer.length === 0) return;
  const all = [...new Map([...before, ...newer])];
  const latest =
    all.length > MAX_MARKS ? all.sort(([, one], [, other]) => compareTexts(one, other)).slice(-MAX_MARKS) : all;
  await memory.write(READ_MARKS, { bugs: Object.fromEntries(latest) });
}
