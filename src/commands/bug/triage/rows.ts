import type { VerbRow } from "../../verb.ts";
import { TRIAGE_FLAGS, TRIAGE_KEYS } from "./keys.ts";

const KEYS = Object.entries(TRIAGE_KEYS).map(([name, key]) => `${key || "Enter"} ${name}`);

export const TRIAGE: VerbRow<typeof TRIAGE_FLAGS> = {
  name: "triage",
  about: "Walk through bugs on a terminal and change each with a few keys.",
  details: `Shows one bug after another. Keys add to a change, which is shown as a command line; Enter sends it in one request and
shows the next bug, s asks before it drops it. u takes the last key back, or goes back to the bug before and
undoes the change that was sent of it. A bug that was modified in the meantime is shown again. Esc or Ctrl-C leaves a
list. An empty comment opens the editor. Saved replies are settings: reply.thanks 'Thank you!'.

With the same criteria, bt bug triage continues where it ended, without the bugs that were updated or skipped, unless
somebody changed them since.`,
  table: { heading: "Keys", rows: [["all", KEYS.join(", ")]], isMain: true },
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  flags: TRIAGE_FLAGS,
  mainFlags: ["status", "product", "component", "priority", "where", "sort", "limit", "restart", "dry-run"],
  mainTopic: "query",
  examples: [
    { line: "bt bug triage -s UNCONFIRMED -p Lantern", about: "the unconfirmed bugs of a product" },
    { line: "bt bug triage is:open is:unassigned --sort priority -L 10", about: "ten of those by priority" },
  ],
  run: async () => (await import("./triage.ts")).triageBugs,
};
