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
