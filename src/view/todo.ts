import type { Bug } from "../wire/bug-fields.ts";
import { columnOfBug } from "./bug-columns.ts";
import { type Column, columnsNamed } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";
import { tableText } from "./listing.ts";
import { palette } from "./palette.ts";
import type { View } from "./view.ts";

export const TODO_SECTIONS = ["asked_of_me", "assigned", "asked_by_me", "changed", "overdue"] as const;

export type TodoSection = (typeof TODO_SECTIONS)[number];

/**
 * A bug in a section. A flag has its setter or requestee as `user` and the time of its request; a
 * changed bug has the last other user who changed it, and the number of changes.
 */
export type TodoItem = {
  readonly section: TodoSection;
  readonly bug: Bug;
  readonly flag?: string; // "needinfo?"
  readonly attachment?: number; // id of the attachment that the flag is set on
  readonly user?: string | undefined;
  readonly time?: string;
  readonly changes?: number;
};

export const TODO_BUG_COLUMNS = [
  "status",
  "resolution",
  "priority",
  "severity",
  "product",
  "component",
  "assigned_to",
  "creator",
  "deadline",
  "last_change_time",
  "summary",
];

const column = columnMaker<TodoItem>();

const OWN: readonly Column<TodoItem>[] = [
  column("section", "Section"),
  { ...columnOfBug("id"), shrink: "never" },
  column("flag", "Flag", "text", { shrink: "never" }),
  column("attachment", "Attachment", "number"),
  column("user", "User", "person"),
  column("time", "Time", "time"),
  column("changes", "Changes", "number"),
];

export const TODO_COLUMNS: readonly Column<TodoItem>[] = [...OWN, ...TODO_BUG_COLUMNS.map(columnOfBug)];

/** Columns that are printed if none are chosen, except in JSON, which has all. */
export const TODO_USUAL_COLUMNS = [...OWN, ...columnsNamed(TODO_COLUMNS, "status", "priority", "deadline", "summary")];

type Section = { title: string; columns: string[]; headings?: Readonly<Record<string, string>> };

const REQUEST_COLUMNS = ["id", "flag", "attachment", "user", "time", "summary"];

const SECTIONS: Readonly<Record<TodoSection, Section>> = {
  asked_of_me: { title: "Requested of you", columns: REQUEST_COLUMNS, headings: { user: "By" } },
  assigned: {
    title: "Assigned to you",
    columns: ["id", "status", "priority", "deadline", "last_change_time", "summary"],
  },
  asked_by_me: { title: "Requested by you, unanswered", columns: REQUEST_COLUMNS, headings: { user: "Of" } },
  changed: {
    title: "Changed since you read them",
    columns: ["id", "changes", "user", "time", "summary"],
    headings: { user: "Last by" },
  },
  overdue: { title: "Overdue", columns: ["id", "deadline", "status", "priority", "summary"] },
};

/** Columns that leave a narrow terminal, in that order. */
const OPTIONAL = ["attachment", "priority", "user", "changes", "last_change_time"];

/** The sections that are not empty, each with its number of items and a table. */
export function todoText(items: readonly TodoItem[], view: View): string {
  const sections = TODO_SECTIONS.flatMap((name) => {
    const rows = items.filter(({ section }) => section === name);
    if (rows.length === 0) return [];
    const table = tableText(rows, sectionColumns(name), view);
    return `${palette(view).title(SECTIONS[name].title)} (${rows.length})\n${table}`;
  });
  return sections.join("\n");
}

function sectionColumns(section: TodoSection): Column<TodoItem>[] {
  const { columns, headings } = SECTIONS[section];
  return columnsNamed(TODO_COLUMNS, ...columns).map(({ name, heading, ...look }) => ({
    ...look,
    name,
    heading: headings?.[name] ?? heading,
    ...(OPTIONAL.includes(name) && { optional: OPTIONAL.indexOf(name) }),
    ...(["attachment", "deadline"].includes(name) && { isRare: true }),
  }));
}
