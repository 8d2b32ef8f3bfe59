import type { Running } from "./child.ts";
import type { Fate } from "./faulty-tracker.ts";

/** Moments at which a process is killed: before its request is handled, before the answer to it, or with that. */
export const KILL_MOMENTS = ["before it is handled", "before its answer", "with its answer"] as const;

/** A process that a fate kills, from when it runs. */
export type Killed = { bt?: Running };

/** Fate of writes, or reads: at a moment of the nth one, its process is killed and the connection is lost; others pass. */
export function killedAt(nth: number, moment: (typeof KILL_MOMENTS)[number], killed: Killed): Fate {
  return async ({ count, apply, pass, socket }) => {
    if (count !== nth) return pass();
    if (moment === "with its answer") await pass();
    if (moment === "before its answer") await apply();
    killed.bt?.kill("SIGKILL");
    socket.destroy();
  };
}
