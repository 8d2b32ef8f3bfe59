import type { CommandFlag } from "../../command-flag.ts";
import { PROFILE_FLAG } from "../../session/flags.ts";
import type { InputOf } from "../input.ts";

export const JOB_LIST_FLAGS = [
  { name: "last", about: "list the last 50 commands that wrote, with ids and results" },
  { ...PROFILE_FLAG, about: "only jobs of the tracker of a profile" },
] as const satisfies readonly CommandFlag[];

export const SEND_FLAGS = [
  { name: "yes", short: "y", about: "send what is left, also what was not found, without a prompt", group: "Safety" },
] as const satisfies readonly CommandFlag[];

export const JOB_DROP_FLAGS = [
  { name: "yes", short: "y", about: "skip the prompt", group: "Safety" },
] as const satisfies readonly CommandFlag[];

/** Input of `bt job list`. */
export type JobListInput = InputOf<typeof JOB_LIST_FLAGS>;

/** Input of `bt job send`. */
export type JobSendInput = InputOf<typeof SEND_FLAGS>;

/** Input of `bt job drop`. */
export type JobDropInput = InputOf<typeof JOB_DROP_FLAGS>;
