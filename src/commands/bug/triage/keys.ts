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
