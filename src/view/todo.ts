import type { Bug } from "../wire/bug-fields.ts";
import { columnOfBug } from "./bug-columns.ts";
import { type Column, columnsNamed } from "./column.ts";
import { listing, listText } from "./listing.ts";
import { columnMaker } from "./looks.ts";
import { palette } from "./palette.ts";
import type { View } from "./view.ts";

/** Sections of the work of a user, in the order in which they are shown. */
export const TODO_SECTIONS = ["asked_of_me", "assigned", "asked_by_me", "changed", "overdue"] as const;

export type TodoSection = (typeof TODO_SECTIONS)[number];

/**
 * A bug in a section. A flag has its setter or requestee as `user` and the time of its request; a changed bug has the
 * last other user who changed it, and the number of changes.
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

/** Bug fields that can be columns. */
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
export const TODO_USUAL_COLUMNS = columnsNamed(
  TODO_COLUMNS,
  "section",
  "id",
  "flag",
  "attachment",
  "user",
  "time",
  "changes",
  "status",
  "priority",
  "deadline",
  "summary",
);

/** A section on a terminal: its title, its columns with the width from which they are shown, and their headings. */
type Section = {
  title: string;
  columns: [name: string, from: number][];
  headings?: Readonly<Record<string, string>>;
};

const WIDE = 72;
const MEDIUM = 56;

const REQUEST_COLUMNS: Section["columns"] = [
  ["id", 0],
  ["flag", 0],
  ["attachment", WIDE],
  ["user", MEDIUM],
  ["time", 0],
  ["summary", 0],
];

const SECTIONS: Readonly<Record<TodoSection, Section>> = {
  asked_of_me: {
    title: "Requested of you",
    columns: REQUEST_COLUMNS,
    headings: { user: "By" },
  },
  assigned: {
    title: "Assigned to you",
    columns: [
      ["id", 0],
      ["status", 0],
      ["priority", MEDIUM],
      ["deadline", WIDE],
      ["last_change_time", MEDIUM],
      ["summary", 0],
    ],
  },
  asked_by_me: {
    title: "Requested by you, unanswered",
    columns: REQUEST_COLUMNS,
    headings: { user: "Of" },
  },
  changed: {
    title: "Changed since you read them",
    columns: [
      ["id", 0],
      ["changes", MEDIUM],
      ["user", MEDIUM],
      ["time", 0],
      ["summary", 0],
    ],
    headings: { user: "Last by" },
  },
  overdue: {
    title: "Overdue",
    columns: [
      ["id", 0],
      ["deadline", 0],
      ["status", MEDIUM],
      ["priority", WIDE],
      ["summary", 0],
    ],
  },
};

/** The sections that are not empty, each with its number of items and a table. */
export function todoText(items: readonly TodoItem[], view: View): string {
  const paints = palette(view);
  const sections = TODO_SECTIONS.flatMap((name) => {
    const rows = items.filter(({ section }) => section === name);
    if (rows.length === 0) return [];
    const { title } = SECTIONS[name];
    return [
      `${paints.title(title)} (${rows.length})\n${listText(rows, listing("table", sectionColumns(name, rows, view), view))}`,
    ];
  });
  return sections.join("\n");
}

function sectionColumns(name: TodoSection, rows: TodoItem[], view: View): Column<TodoItem>[] {
  const { columns, headings } = SECTIONS[name];
  const shown = columns.filter(([, from]) => view.width >= from);
  return columnsNamed(TODO_COLUMNS, ...shown.map(([wanted]) => wanted))
    .filter((one) => !isOptional(one) || rows.some((row) => one.value(row) !== undefined))
    .map((one) => ({ ...one, heading: headings?.[one.name] ?? one.heading }));
}

function isOptional({ name }: Column<TodoItem>): boolean {
  return name === "attachment" || name === "deadline";
}
