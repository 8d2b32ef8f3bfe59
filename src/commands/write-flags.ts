import { MAX_ATOMIC_BUGS } from "../api/operations/write-bugs.ts";
import type { CommandFlag } from "./verb.ts";

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

/** Flag of verbs that can preview a write. */
export const DRY_RUN: CommandFlag = {
  name: "dry-run",
  short: "n",
  about: "print the request and its effect without sending it",
  group: "Safety",
};
