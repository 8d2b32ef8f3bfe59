/** Key of `bt bug triage`, a character or an empty text for Enter; what it is for, and its name below a bug. */
type TriageKey = { key: string; group: string; name: string };

/** Keys of `bt bug triage`, those first that are shown below each bug, as many as fit into a line. */
export const TRIAGE_KEYS = {
  send: { key: "", group: "bug", name: "send" },
  skip: { key: "s", group: "bug", name: "skip" },
  undo: { key: "u", group: "bug", name: "undo" },
  leave: { key: "q", group: "bug", name: "leave" },
  comment: { key: "m", group: "comment", name: "comment" },
  close: { key: "c", group: "status", name: "close" },
  assignee: { key: "a", group: "fields", name: "assignee" },
  all: { key: "v", group: "bug", name: "view all" },
  browser: { key: "w", group: "bug", name: "web" },
  redraw: { key: "l", group: "bug", name: "redraw" },
  needinfo: { key: "n", group: "comment", name: "needinfo" },
  reply: { key: "r", group: "comment", name: "saved reply" },
  duplicate: { key: "d", group: "status", name: "duplicate" },
  confirm: { key: "o", group: "status", name: "confirm" },
  status: { key: "S", group: "status", name: "status" },
  priority: { key: "p", group: "fields", name: "priority" },
  severity: { key: "e", group: "fields", name: "severity" },
  component: { key: "t", group: "fields", name: "component" },
  product: { key: "P", group: "fields", name: "product" },
  keywords: { key: "k", group: "words", name: "keywords" },
  whiteboard: { key: "b", group: "words", name: "whiteboard" },
  summary: { key: "y", group: "words", name: "summary" },
} as const satisfies Readonly<Record<string, TriageKey>>;

/** Name of a key. */
export type KeyName = keyof typeof TRIAGE_KEYS;

/** Rows of the keys for help, those that are for the same in one. */
export function triageKeyRows(): [group: string, keys: string][] {
  const rows = new Map<string, string[]>();
  for (const { key, group, name } of Object.values<TriageKey>(TRIAGE_KEYS))
    rows.set(group, [...(rows.get(group) ?? []), `${key || "Enter"} ${name}`]);
  return [...rows].map(([group, keys]) => [group, keys.join(", ")]);
}
