import type { CommandFlag } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";

export const WAIT_FLAGS = [
  {
    name: "until",
    value: "<term>",
    many: true,
    about: "condition, such as is:closed or status:RESOLVED; the same as a term",
    completes: "terms",
    group: "Result",
  },
  {
    name: "within",
    value: "<duration>",
    about: "fail after this time: 90s, 30m, 1h, 2d (default never)",
    group: "Result",
  },
] as const satisfies readonly CommandFlag[];

const EVENT_FLAGS = [
  { name: "every", value: "<duration>", about: "polling interval: 30s, 5m (default 2m)", group: "Result" },
  { name: "exec", value: "<command>", about: "shell command to run for each event", group: "Result" },
  { name: "once", about: "check once, for cron; the next run continues", group: "Result" },
  { name: "json", about: "print JSON even on a terminal", group: "Result" },
] as const satisfies readonly CommandFlag[];

export function watchFlags() {
  return [...unlimitedCriteriaFlags(), ...EVENT_FLAGS];
}

/** Input of `bt bug wait`. */
export type WaitInput = InputOf<typeof WAIT_FLAGS>;

/** Input of `bt bug watch`. */
export type WatchInput = InputOf<ReturnType<typeof watchFlags>>;
