import type { CommandFlag } from "../../command-flag.ts";
import { YES } from "../shared/flags.ts";
import { type Argument, type Noun, row } from "../verb.ts";

const JOB_LIST_FLAGS = [
  { name: "last", about: "list the last 50 commands that wrote, with ids and results" },
] as const satisfies readonly CommandFlag[];

const SEND_FLAGS = [
  { ...YES, about: "send what is left, also what was not found, without a prompt" },
] as const satisfies readonly CommandFlag[];

const ARGS: readonly Argument[] = [{ name: "job", completes: "jobs" }];
const EXAMPLE = "01KB3XQ8Z5T4M7W2N9P6R1S0VA";

export const JOB: Noun = {
  name: "job",
  aliases: ["jobs"],
  about: "List, show, send and drop drafts and unfinished writes.",
  verbs: [
    row({
      name: "list",
      aliases: ["ls"],
      about: "List drafts, writes with unknown outcome and unfinished bulk updates.",
      details: `A job is a draft, or a write that bt recorded before it was sent. Writes whose response was lost and that bt did not find
on the tracker, or that a crash interrupted, are listed until bt job send completes them (see bt help delivery).

The status of a job is draft, unfinished (some of it was not sent), unknown or done; the column RESULT counts the
results of its requests.`,
      flags: () => JOB_LIST_FLAGS,
      output: "jobs",
      offline: true,
      examples: [
        { line: "bt job list", about: "unfinished jobs, oldest first" },
        { line: "bt job list --last --json", about: "recent writes, newest first" },
      ],
      run: async () => (await import("./list.ts")).listJobs,
    }),
    row({
      name: "show",
      aliases: ["get", "view"],
      about: "Show the requests and results of jobs.",
      args: [{ name: "job", many: true, completes: "jobs" }],
      flags: () => [],
      output: "jobs",
      offline: true,
      examples: [{ line: `bt job show ${EXAMPLE}`, about: "status, requests and results" }],
      run: async () => (await import("./list.ts")).showJobs,
    }),
    row({
      name: "send",
      aliases: ["resume"],
      about: "Send a draft, or complete a job: look for unknown outcomes, send what is left.",
      details: `bt looks on the tracker for writes with unknown outcome, shows what is left, and asks before it sends that; without a
terminal --yes is required. A write that is not found is sent again once a minute has passed since it was sent. Values
that somebody else has changed since are kept.

A job is only sent to its own tracker; --base-url, --profile, BT_BASE_URL and BT_PROFILE must match it. On a terminal
bt prompts for what the draft of a bug lacks, and shows it for review; elsewhere a draft without required fields or
description is an error.`,
      args: ARGS,
      connects: async () => {
        const { flagsForJob } = await import("../../jobs/job-files.ts");
        return async (input, { io }) => flagsForJob(input.args[0], input, io);
      },
      flags: () => SEND_FLAGS,
      output: "changes",
      examples: [{ line: `bt job send ${EXAMPLE}`, about: "resume a job listed by bt job list" }],
      needs: "tracker",
      run: async () => (await import("./send.ts")).sendJob,
    }),
    row({
      name: "drop",
      aliases: ["delete", "rm"],
      about: "Drop jobs; their remaining requests are not sent.",
      details: `A job that was never sent is deleted. A partly sent one is moved to the finished jobs, which are deleted after
a month. Nothing changes on the tracker.`,
      args: [{ name: "job", many: true, completes: "jobs" }],
      flags: () => [YES],
      offline: true,
      examples: [{ line: `bt job drop ${EXAMPLE}`, about: "shows what would be lost, and prompts" }],
      run: async () => (await import("./list.ts")).dropJobs,
    }),
  ],
};
