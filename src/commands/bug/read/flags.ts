import { BUG_HISTORY } from "../../../api/operations/bugs.ts";
import type { CommandFlag } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { FROM_TEXT, WEB } from "../../shared/flags.ts";
import { parameterFlags } from "../../shared/parameter-flags.ts";

export const GET_FLAGS = [
  { name: "comments", about: "show all comments", group: "Conversation" },
  { name: "history", about: "show all changes", group: "Conversation" },
  { name: "timeline", about: "show comments and changes in order of time", group: "Conversation" },
  FROM_TEXT,
  WEB,
] as const satisfies readonly CommandFlag[];

const CHANGE_FLAGS = [
  {
    name: "field",
    value: "<names>",
    many: true,
    about: "only changes of these fields",
    group: "Criteria",
    completes: "field names",
  },
  {
    name: "author",
    value: "<logins>",
    many: true,
    about: "only changes by these users",
    group: "Criteria",
    completes: "people",
  },
] as const satisfies readonly CommandFlag[];

export function historyFlags() {
  return [...parameterFlags(BUG_HISTORY.parameters, "Criteria"), ...CHANGE_FLAGS, FROM_TEXT];
}

export const TREE_FLAGS = [
  { name: "depth", value: "<levels>", about: "levels to show (default all)", group: "Criteria" },
  { name: "open", about: "omit closed bugs, and bugs reached only through them", group: "Criteria" },
  FROM_TEXT,
] as const satisfies readonly CommandFlag[];

export const SIMILAR_FLAGS = [
  { name: "summary", short: "t", value: "<text>", about: "find bugs like this summary", group: "Criteria" },
  {
    name: "product",
    short: "p",
    value: "<name>",
    many: true,
    about: "search this product (default that of the bug; with --summary all)",
    completes: "product",
    group: "Criteria",
  },
  {
    name: "limit",
    short: "L",
    value: "<number>",
    least: 1,
    about: "maximum number of bugs (default 10)",
    group: "Result",
  },
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug get`. */
export type BugGetInput = InputOf<typeof GET_FLAGS>;

/** Input of `bt bug history`. */
export type HistoryInput = InputOf<ReturnType<typeof historyFlags>>;

/** Input of `bt bug tree`. */
export type TreeInput = InputOf<typeof TREE_FLAGS>;

/** Input of `bt bug similar`. */
export type SimilarInput = InputOf<typeof SIMILAR_FLAGS>;
