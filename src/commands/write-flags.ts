import { MAX_ATOMIC_BUGS } from "../api/operations/write-bugs.ts";
import type { CommandFlag } from "./verb.ts";

/** Flags for sending writes: resending, and no journal. */
export const SENDING_FLAGS: readonly CommandFlag[] = [
  {
    name: "resend-if-absent",
    about: "resend if the response is lost and the write is verified as not applied",
    group: "Safety",
  },
  {
    name: "no-journal",
    about: "do not record the write in the journal; it cannot be resumed",
    group: "Safety",
  },
];

/** Flags for bulk and conditional updates. */
export const UPDATE_FLAGS: readonly CommandFlag[] = [
  {
    name: "yes",
    short: "y",
    about: `skip the prompt before updating more than ${MAX_ATOMIC_BUGS} bugs`,
    group: "Safety",
  },
  { name: "if-unchanged", about: "fail if a bug was modified since bt read it", group: "Safety" },
  {
    name: "unchanged-since",
    value: "<time>",
    about: "fail if a bug was modified after this time",
    group: "Safety",
  },
];

/** `SENDING_FLAGS` and `--dry-run`, for verbs that can preview a write. */
export const SAFETY_FLAGS: readonly CommandFlag[] = [
  {
    name: "dry-run",
    short: "n",
    about: "print the request and its effect without sending it",
    group: "Safety",
  },
  ...SENDING_FLAGS,
];
