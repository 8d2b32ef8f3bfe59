import type { Verb } from "../verb.ts";

/** `bt doctor`. */
export const DOCTOR: Verb = {
  name: "doctor",
  about: "Check bt, the tracker, your login and this machine: ten lines, with what to do.",
  details: `Sends at most ten requests, all of them reads. Exits 0 if all is well, and 1 if something needs attention. --json prints one
object: "ok", and under "checks" the state (ok, attention or unknown), a summary and a hint for each line. Without a login, what needs
one is unknown, which is no error.`,
  flags: [],
  output: "doctor",
  examples: [{ line: "bt doctor", about: "check everything" }],
  run: async () => (await import("./doctor.ts")).runDoctor,
};
