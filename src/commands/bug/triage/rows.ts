import type { VerbRow } from "../../verb.ts";
import { triageFlags } from "./flags.ts";

/** `bt bug triage`. */
export const TRIAGE: VerbRow<ReturnType<typeof triageFlags>> = {
  name: "triage",
  about: "Walk through bugs on a terminal and change each with a few keys.",
  details: `Shows one bug after another with its description; v shows all fields and comments, w opens the browser.

Keys change it: a assignee, p priority, e severity, t component, n needinfo with a question, S status, o confirm,
d duplicate (similar bugs are listed, and those with the words that you type), c close, m comment (an empty line opens the
editor), r saved reply. u takes the last one back, Esc leaves a prompt, Ctrl-L shows the bug again.

The changes add up and are shown as a command line. Enter sends them in one request and shows the next bug; s skips
the bug, q leaves. A bug that was modified in the meantime is shown again before it is changed.

Saved replies are settings: bt config set reply.thanks 'Thank you, {reporter}!'. {reporter}, {assignee}, {id}, {product}
and {component} are replaced.

With the same criteria, bt bug triage continues where it ended, without the bugs that were updated or skipped.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return triageFlags();
  },
  mainFlags: ["status", "product", "component", "priority", "severity", "where", "saved", "sort", "restart", "dry-run"],
  mainTopic: "query",
  examples: [
    { line: "bt bug triage -s UNCONFIRMED -p Lantern", about: "the unconfirmed bugs of a product" },
    { line: "bt bug triage is:open assignee:nobody --sort priority", about: "unassigned open bugs, by priority" },
  ],
  run: async () => (await import("./triage.ts")).triageBugs,
};
