import type { VerbRow } from "../../verb.ts";
import { undoBugFlags } from "./flags.ts";

/** `bt bug undo`. */
export const UNDO: VerbRow<ReturnType<typeof undoBugFlags>> = {
  name: "undo",
  about: "Undo your last change of bugs, or a bulk update or import by its job.",
  details: `Only changes made by bt on this machine can be undone: previous values come from its journal, which keeps them for a
month. bt job list --last lists the jobs. A field is only restored if it still has the value of the change, lists item
by item, and the status only by valid transitions, at most two. Bugs last changed by different commands are undone only after you
confirm it on a terminal. --job also drops what the job has not sent.

Comments and mail stay. So do later changes, new bugs, hours, product moves, removed groups and flags set by others,
which are listed with exit code 10. Exit code 1 means that there is nothing to undo. An undo is a regular update; to
redo, name its job, or confirm it on a terminal. More than 20 bugs are restored like any bulk update.`,
  args: [{ name: "bug", many: true, optional: true }],
  connects: async () => (await import("../../job/job-tracker.ts")).namedJobFlags,
  get flags() {
    return undoBugFlags();
  },
  output: "undone",
  examples: [
    { line: "bt bug undo 49 --dry-run", about: "preview the restored values" },
    { line: "bt bug undo 11 -m 'Wrong bug.'", about: "undo your last change, with a comment" },
    { line: "bt bug undo --job 01KB3XQ8Z5T4M7W2N9P6R1S0VA", about: "undo a bulk update" },
  ],
  exits: ["no", "collision"],
  run: async () => (await import("./undo.ts")).undoBugs,
};
