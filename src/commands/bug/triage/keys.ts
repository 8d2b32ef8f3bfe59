/** Key of `bt bug triage`, a character or an empty text for Enter; what it is for, and its name below a bug. */
type TriageKey = { key: string; group: string; name: string };

/** Keys of `bt bug triage`, in the order in which they are listed. */
export const TRIAGE_KEYS = {
  assignee: { key: "a", group: "fields", name: "assignee" },
  priority: { key: "p", group: "fields", name: "priority" },
  severity: { key: "e", group: "fields", name: "severity" },
  component: { key: "t", group: "fields", name: "component" },
  product: { key: "P", group: "fields", name: "product" },
  keywords: { key: "k", group: "words", name: "keywords" },
  whiteboard: { key: "b", group: "words", name: "whiteboard" },
  summary: { key: "y", group: "words", name: "summary" },
  status: { key: "S", group: "status", name: "status" },
  confirm: { key: "o", group: "status", name: "confirm" },
  duplicate: { key: "d", group: "status", name: "duplicate" },
  close: { key: "c", group: "status", name: "close" },
  needinfo: { key: "n", group: "text", name: "needinfo" },
  comment: { key: "m", group: "text", name: "comment" },
  reply: { key: "r", group: "text", name: "saved reply" },
  all: { key: "v", group: "walk", name: "view all" },
  browser: { key: "w", group: "walk", name: "web" },
  send: { key: "", group: "walk", name: "send, next bug" },
  skip: { key: "s", group: "walk", name: "skip" },
  undo: { key: "u", group: "walk", name: "undo" },
  leave: { key: "q", group: "walk", name: "leave" },
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
