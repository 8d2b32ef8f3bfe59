import type { CommandFlag } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { SORT, unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";
import { DRY_RUN } from "../../shared/write-flags.ts";

export const TRIAGE_FLAGS = [
  ...unlimitedCriteriaFlags(),
  { ...SORT, about: "sort order: priority or -updated,id (default -id)" },
  { name: "limit", short: "L", value: "<number>", least: 1, about: "maximum number of bugs to show", group: "Result" },
  { name: "restart", about: "start over instead of continuing", group: "Result" },
  DRY_RUN,
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug triage`. */
export type TriageInput = InputOf<typeof TRIAGE_FLAGS>;

/** Keys of `bt bug triage` by their names, "" for Enter; as many as fit are shown below a bug. */
export const TRIAGE_KEYS = {
  send: "",
  skip: "s",
  undo: "u",
  quit: "q",
  comment: "m",
  close: "c",
  assignee: "a",
  "view all": "v",
  web: "w",
  needinfo: "n",
  "saved reply": "r",
  duplicate: "d",
  confirm: "o",
  status: "S",
  priority: "p",
  severity: "e",
  component: "t",
  product: "P",
  keywords: "k",
} as const;

export type KeyName = keyof typeof TRIAGE_KEYS;
