import type { Bug } from "../wire/bug-fields.ts";
import { columnOfBug, shownLogin } from "./bug-columns.ts";
import { type Column, columnsNamed } from "./column.ts";
import { listing, listText } from "./listing.ts";
import { palette } from "./palette.ts";
import { shortRelativeTime } from "./times.ts";
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

const OWN: readonly Column<TodoItem>[] = [
  { name: "section", heading: "Section", value: ({ section }) => section },
  { ...columnOfBug("id"), shrink: "never" },
  { name: "flag", heading: "Flag", value: ({ flag }) => flag, shrink: "never" },
  { name: "attachment", heading: "Attachment", value: ({ attachment }) => attachment, align: "right" },
  {
    name: "user",
    heading: "User",
    value: ({ user }) => user,
    cell: ({ user }, view) => (user === undefined ? "" : shownLogin(user, view)),
  },
  {
    name: "time",
    heading: "Time",
    value: ({ time }) => time,
    cell: ({ time }, view) => (time === undefined ? "" : shortRelativeTime(time, view)),
  },
  { name: "changes", heading: "Changes", value: ({ changes }) => changes, align: "right" },
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
  return columnsNamed(TODO_COLUMNS, ...shown.map(([column]) => column))
    .filter((column) => !isOptional(column) || rows.some((row) => column.value(row) !== undefined))
    .map((column) => ({ ...column, heading: headings?.[column.name] ?? column.heading }));
}

function isOptional({ name }: Column<TodoItem>): boolean {
  return name === "attachment" || name === "deadline";
}
