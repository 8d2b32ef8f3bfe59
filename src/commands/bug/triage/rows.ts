import type { VerbRow } from "../../verb.ts";
import { triageFlags } from "./input.ts";

/** `bt bug triage`. */
export const TRIAGE: VerbRow<ReturnType<typeof triageFlags>> = {
  name: "triage",
  about: "Walk through bugs on a terminal and change each with a few keys.",
  details: `Shows one bug after another: its description, and two lines of facts; v shows all. Keys assign it, set its priority,
severity or component, request information with a question, confirm it, mark it as a duplicate (similar bugs are listed),
close it, add a comment or a saved reply. Together they are one
change, shown with its command line. Enter sends it as one request and shows the next bug; u undoes the last key, Esc
leaves a prompt. A bug that was modified in the meantime is shown again first.

Saved replies are settings: bt config set reply.thanks 'Thank you, {reporter}!'. {reporter}, {assignee}, {id}, {product}
and {component} are replaced.

The same criteria continue an earlier run, without the bugs that were updated or skipped.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return triageFlags();
  },
  mainFlags: ["status", "product", "component", "priority", "severity", "where", "saved", "sort", "restart", "dry-run"],
  mainTopic: "query",
  examples: [
    { line: "bt bug triage is:unconfirmed -p Lantern", about: "the unconfirmed bugs of a product" },
    { line: "bt bug triage is:open assignee:nobody --sort priority", about: "unassigned open bugs, by priority" },
  ],
  run: async () => (await import("./triage.ts")).triageBugs,
};
