import type { CommandFlag } from "../../command-flag.ts";
import type { VerbRow } from "../verb.ts";

const TODO_FLAGS = [
  {
    name: "days",
    value: "<number>",
    least: 1,
    about: "list changes of this many days (default 30)",
    group: "Criteria",
  },
] as const satisfies readonly CommandFlag[];

export const TODO: VerbRow<typeof TODO_FLAGS> = {
  name: "todo",
  about: "List what waits for you: requests, assigned bugs, unanswered questions, changes, overdue bugs.",
  details: `A bug counts as read once you open it with bt bug get on a terminal of this machine. bt bug
answer clears a request for information, bt bug update --flags review+ grants a review.

In a pipe, the first column is the section; --json prints an object with one list per section.`,
  table: {
    heading: "Sections",
    rows: [
      ["asked_of_me", "flag requests to you on bugs and attachments"],
      ["assigned", "open bugs assigned to you"],
      ["asked_by_me", "your unanswered requests"],
      ["changed", "bugs changed by others since you read them, if you are their assignee, reporter or on CC"],
      ["overdue", "open bugs assigned to you that were due before today"],
    ],
  },
  flags: () => TODO_FLAGS,
  output: "todo",
  examples: [
    { line: "bt todo", about: "all sections" },
    { line: "bt todo --json --jq '.asked_of_me[].id'", about: "bugs with requests to you" },
  ],
  run: async () => (await import("./todo.ts")).showTodo,
};
