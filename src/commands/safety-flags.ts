import { MOST_AT_ONCE } from "../api/delivery/at-once.ts";
import type { Flag } from "./verb.ts";

/** What may be said about how a write is sent: as a plan only, without a journal, again when it got lost. */
export const SENDING_FLAGS: readonly Flag[] = [
  {
    name: "resend-if-absent",
    about: "when the answer got lost and the change is proven not to be there, send it again",
    group: "Safety",
  },
  {
    name: "no-journal",
    about: "do not write the change down before sending it; nothing can be resumed",
    group: "Safety",
  },
];

/** What may be said about changing many bugs, or bugs that others change too. */
export const UPDATE_FLAGS: readonly Flag[] = [
  { name: "yes", short: "y", about: `do not ask before changing more than ${MOST_AT_ONCE} bugs`, group: "Safety" },
  {
    name: "if-unchanged",
    about: "leave alone what somebody else changes between the reading and the writing of this command",
    group: "Safety",
  },
  {
    name: "unchanged-since",
    value: "<time>",
    about: "leave alone what was changed after this time",
    group: "Safety",
  },
];

/** The same with `--dry-run`, for verbs that can show what they would send. */
export const SAFETY_FLAGS: readonly Flag[] = [
  {
    name: "dry-run",
    short: "n",
    about: "show the request and what it would change, and send nothing",
    group: "Safety",
  },
  ...SENDING_FLAGS,
];
