import type { CommandFlag } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { SORT, unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";
import { DRY_RUN } from "../../shared/write-flags.ts";

const WALK_FLAGS = [
  { ...SORT, about: "sort order: priority or -updated,id (default -id)" },
  { name: "limit", short: "L", value: "<number>", least: 1, about: "maximum number of bugs to show", group: "Result" },
  { name: "restart", about: "start over instead of continuing", group: "Result" },
  DRY_RUN,
] as const satisfies readonly CommandFlag[];

export function triageFlags() {
  return [...unlimitedCriteriaFlags(), ...WALK_FLAGS];
}

/** Input of `bt bug triage`. */
export type TriageInput = InputOf<ReturnType<typeof triageFlags>>;

/** Key of `bt bug triage`, a character or an empty text for Enter; what it is for, and its name below a bug. */
type TriageKey = { key: string; group: string; name: string };

/** Keys of `bt bug triage`, those first that are shown below each bug, as many as fit into a line. */
export const TRIAGE_KEYS = {
  send: { key: "", group: "bug", name: "send" },
  skip: { key: "s", group: "bug", name: "skip" },
  undo: { key: "u", group: "bug", name: "undo" },
  quit: { key: "q", group: "bug", name: "quit" },
  comment: { key: "m", group: "comment", name: "comment" },
  close: { key: "c", group: "status", name: "close" },
  assignee: { key: "a", group: "fields", name: "assignee" },
  all: { key: "v", group: "bug", name: "view all" },
  browser: { key: "w", group: "bug", name: "web" },
  needinfo: { key: "n", group: "comment", name: "needinfo" },
  reply: { key: "r", group: "comment", name: "saved reply" },
  duplicate: { key: "d", group: "status", name: "duplicate" },
  confirm: { key: "o", group: "status", name: "confirm" },
  status: { key: "S", group: "status", name: "status" },
  priority: { key: "p", group: "fields", name: "priority" },
  severity: { key: "e", group: "fields", name: "severity" },
  component: { key: "t", group: "fields", name: "component" },
  product: { key: "P", group: "fields", name: "product" },
  keywords: { key: "k", group: "fields", name: "keywords" },
} as const satisfies Readonly<Record<string, TriageKey>>;

export type KeyName = keyof typeof TRIAGE_KEYS;

/** Rows of the keys for help, those that are for the same in one. */
export function triageKeyRows(): [group: string, keys: string][] {
  const rows = new Map<string, string[]>();
  for (const { key, group, name } of Object.values<TriageKey>(TRIAGE_KEYS))
    rows.set(group, [...(rows.get(group) ?? []), `${key || "Enter"} ${name}`]);
  return [...rows].map(([group, keys]) => [group, keys.join(", ")]);
}
