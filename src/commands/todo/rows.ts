import type { Verb } from "../verb.ts";

/** `bt todo`. */
export const TODO: Verb = {
  name: "todo",
  about: "List what waits for you: requests, assigned bugs, unanswered questions, changes, overdue bugs.",
  details: `Sections: asked_of_me, flag requests to you on bugs and attachments; assigned, open bugs assigned to you; asked_by_me, your
requests that nobody answered; changed, bugs that you are assigned to, have reported or are on the CC list of, and that
others changed since you read them; overdue, open bugs assigned to you that were due before today.

A bug counts as read when you last saw it with bt bug get on this machine, or visited it on the web, if the tracker reports
visits. What happened before the days of --days is not listed as changed.

In a pipe, the first column is the section; --json prints an object with a list for each section.`,
  flags: [{ name: "days", value: "<number>", about: "list changes of the last days (30)", group: "Criteria" }],
  output: "todo",
  examples: [
    { line: "bt todo", about: "all sections" },
    { line: "bt todo --json --jq '.asked_of_me[].id'", about: "bugs with requests to you" },
  ],
  run: async () => (await import("./todo.ts")).showTodo,
};
