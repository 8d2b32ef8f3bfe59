import type { Verb } from "../verb.ts";

/** `bt jobs`: unfinished and recent writes. */
export const JOBS: Verb = {
  name: "jobs",
  about: "List writes with unknown outcome and unfinished bulk updates.",
  details: `Every write is recorded in a journal before it is sent. If the response is lost, bt checks whether the write was applied.
Writes that could not be verified, or were interrupted by a crash, are listed here until bt resume completes them.`,
  flags: [{ name: "last", about: "list the last 50 writes with ids and results" }],
  output: "jobs",
  offline: true,
  examples: [
    { line: "bt jobs", about: "unfinished jobs, oldest first" },
    { line: "bt jobs --last --json", about: "recent writes, newest first" },
  ],
  run: async () => (await import("./list.ts")).listJobs,
};

/** `bt resume`: completes an unfinished job. */
export const RESUME: Verb = {
  name: "resume",
  about: "Resume interrupted writes: verify, resend if needed, continue bulk updates.",
  args: [{ name: "job" }],
  flags: [
    {
      name: "wait",
      value: "<seconds>",
      about: "wait this long after the last request before resending (120)",
      group: "Safety",
    },
    {
      name: "as-me",
      about: "resume another user's job; resend only writes verified as not applied",
      group: "Safety",
    },
  ],
  output: "changes",
  examples: [{ line: "bt resume 01KB3XQ8Z5T4M7W2N9P6R1S0VA", about: "resume a job listed by bt jobs" }],
  run: async () => (await import("./resume.ts")).resumeJob,
};
