import type { Verb } from "../verb.ts";

/** What was sent and is not settled. */
export const JOBS: Verb = {
  name: "jobs",
  about: "List the writes whose outcome is not known, and the changes of many bugs that are not finished.",
  details: `Every write is written down before it is sent. When its answer gets lost, bt looks for it on the tracker; what could not
be found out then, or was cut off by a crash, is listed here until bt resume settles it.`,
  flags: [{ name: "last", about: "list the last 50 writes with their ids and results" }],
  output: "jobs",
  offline: true,
  examples: [
    { line: "bt jobs", about: "what is open, oldest first" },
    { line: "bt jobs --last --json", about: "the last writes, newest first" },
  ],
  run: async () => (await import("./list.ts")).listJobs,
};

/** Settles what is open. */
export const RESUME: Verb = {
  name: "resume",
  about: "Find out what became of a write, send it if it is not on the tracker, and go on with a change of many bugs.",
  args: [{ name: "job" }],
  flags: [
    {
      name: "wait",
      value: "<seconds>",
      about: "resend this long after the last request at the earliest (default: 120)",
      group: "Safety",
    },
    {
      name: "as-me",
      about: "resume a job of another user, resending only what is verified as not applied",
      group: "Safety",
    },
  ],
  output: "changes",
  examples: [
    { line: "bt resume 01KB3XQ8Z5T4M7W2N9P6R1S0VA", about: "settle the job that bt jobs lists under this name" },
  ],
  run: async () => (await import("./resume.ts")).resumeJob,
};
