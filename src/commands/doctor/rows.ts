import type { Verb } from "../verb.ts";

/** `bt doctor`. */
export const DOCTOR: Verb = {
  name: "doctor",
  about: "Check bt, the tracker, your login and this machine, with hints.",
  details: `Sends at most ten requests, all of them reads. Exits 1 if a check needs attention, else 0. --json prints one object:
"ok", and under "checks" the state (ok, attention or unknown), a summary and a hint for each check. Without a login,
checks that need one are unknown, which is not an error.`,
  flags: [],
  output: "doctor",
  examples: [{ line: "bt doctor", about: "check everything" }],
  run: async () => (await import("./doctor.ts")).runDoctor,
};
