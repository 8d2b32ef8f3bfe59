import { barText } from "./bar.ts";
import type { Column } from "./column.ts";
import { hoursText } from "./times.ts";
import { signsOf, type View } from "./view.ts";

/** Groups that hours are added up by. */
export const HOURS_BY = ["person", "bug", "week"] as const;

/** Name of a thing that hours are added up by. */
export type HoursBy = (typeof HOURS_BY)[number];

/** Hours worked by a person, on a bug, in a week; null for hours that are in no history. */
export type HoursRow = {
  readonly person?: string | null;
  readonly week?: string | null; // 2026-W47
  readonly id?: number;
  readonly summary?: string;
  readonly hours: number;
};

/** All columns. */
export const HOURS_COLUMNS: readonly Column<HoursRow>[] = [
  {
    name: "week",
    heading: "Week",
    value: ({ week }) => week,
    cell: ({ week }) => (week === null ? UNKNOWN : (week ?? "")),
    gives: "never",
  },
  {
    name: "person",
    heading: "Person",
    value: ({ person }) => person,
    cell: ({ person }) => (person === null ? UNKNOWN : (person ?? "")),
    gives: "first",
  },
  {
    name: "id",
    heading: "Bug",
    value: ({ id }) => id,
    cell: ({ id }) => (id === undefined ? "" : `#${id}`),
    gives: "never",
  },
  {
    name: "hours",
    heading: "Hours",
    value: ({ hours }) => hours,
    cell: ({ hours }) => hoursText(hours),
    align: "right",
    gives: "never",
  },
  { name: "summary", heading: "Summary", value: ({ summary }) => summary, gives: "first", leaves: 1 },
];

const UNKNOWN = "not in the history";

/** The columns of hours that are added up by these. */
export function hoursColumns(by: readonly HoursBy[]): readonly Column<HoursRow>[] {
  const names = [...by.map((one) => (one === "bug" ? "id" : one)), "hours", ...(by.includes("bug") ? ["summary"] : [])];
  return HOURS_COLUMNS.filter(({ name }) => names.includes(name));
}

/** The columns with a bar for a terminal. */
export function hoursTable(
  columns: readonly Column<HoursRow>[],
  rows: readonly HoursRow[],
  view: View,
): readonly Column<HoursRow>[] {
  if (view.width < MIN_WIDTH_WITH_BAR) return columns;
  const most = Math.max(...rows.map(({ hours }) => hours));
  const cell = ({ hours }: HoursRow) => barText(hours / most, BAR_LENGTH, signsOf(view).block);
  const bar: Column<HoursRow> = { name: "bar", heading: "", value: cell, cell, gives: "never" };
  return columns.flatMap((column) => (column.name === "hours" ? [column, bar] : [column]));
}

const BAR_LENGTH = 16;
const MIN_WIDTH_WITH_BAR = 60;
