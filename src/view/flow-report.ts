import type { JsonObject } from "../wire/exchange.ts";
import { barText } from "./bar.ts";
import type { Column } from "./column.ts";
import { listing, listText } from "./listing.ts";
import { palette } from "./palette.ts";
import { signsOf, type View } from "./view.ts";

/** Bugs of a week, from Monday: opened, reopened, closed, and open at its end. */
export type FlowWeek = {
  readonly week: string; // 2026-W47
  readonly start: string; // 2026-11-16
  readonly opened: number;
  readonly reopened: number;
  readonly closed: number;
  readonly open: number;
};

/** Number of open bugs of an age in days, from one to below the other; the last group has no end. */
export type FlowAge = { readonly from_days: number; readonly to_days: number | null; readonly open: number };

/** Flow of bugs: weeks, oldest first, and the ages of those that are open now. */
export type Flow = {
  readonly weeks: readonly FlowWeek[];
  readonly ages: readonly FlowAge[];
  readonly open: number;
  readonly median_age_days: number | null; // null: none is open
};

function numbers<Name extends string>(...names: readonly Name[]) {
  return names.map((name): Column<Readonly<Record<Name, number>>> => {
    const heading = (name[0] ?? "").toUpperCase() + name.slice(1);
    return { name, heading, value: (row) => row[name], align: "right", gives: "never" };
  });
}

/** Columns of weeks. */
export const FLOW_COLUMNS: readonly Column<FlowWeek>[] = [
  { name: "week", heading: "Week", value: ({ week }) => week, gives: "never" },
  { name: "start", heading: "From", value: ({ start }) => start, gives: "never", leaves: 1 },
  ...numbers("opened", "reopened", "closed", "open"),
];

/** Columns of ages. */
export const AGE_COLUMNS: readonly Column<FlowAge>[] = [
  { name: "from_days", heading: "From days", value: ({ from_days }) => from_days, align: "right" },
  { name: "to_days", heading: "To days", value: ({ to_days }) => to_days, align: "right" },
  ...numbers("open"),
];

/** The flow as an object with a list of weeks and a list of ages. */
export function flowRecord({ weeks, ages, open, median_age_days }: Flow): JsonObject {
  return { weeks: weeks as readonly JsonObject[], ages: ages as readonly JsonObject[], open, median_age_days };
}

/** Weeks and ages as tables for a terminal, with bars. */
export function flowText({ weeks, ages, open, median_age_days }: Flow, view: View): string {
  const paints = palette(view);
  const table = listText(weeks, listing("table", weekTable(weeks, view), view));
  const median = median_age_days === null ? "" : `, median ${median_age_days} days`;
  const heading = `${paints.title("Age of open bugs")} (${open} open${median})`;
  const text = open === 0 ? "" : listText(ages, listing("table", ageTable(ages, view), view));
  return `${table}\n${heading}\n${text}`;
}

function weekTable(weeks: readonly FlowWeek[], view: View): readonly Column<FlowWeek>[] {
  const shown = FLOW_COLUMNS.filter(({ name }) => name !== "start" && (name !== "reopened" || view.width >= NARROW));
  const length = barLength(view);
  if (length === 0) return shown;
  const { block, shade } = signsOf(view);
  const most = Math.max(...weeks.map(({ opened, reopened, closed }) => opened + reopened + closed));
  const cell = ({ opened, reopened, closed }: FlowWeek) =>
    barText((opened + reopened) / most, length, block) + barText(closed / most, length, shade);
  const heading = `${block} opened ${shade} closed`;
  return [...shown, { name: "bar", heading, value: cell, cell, gives: "never" }];
}

function ageTable(ages: readonly FlowAge[], view: View): readonly Column<FlowAge>[] {
  const [, , open] = AGE_COLUMNS;
  const most = Math.max(...ages.map((age) => age.open));
  const bar = (age: FlowAge) => barText(age.open / most, barLength(view) || MIN_BAR, signsOf(view).block);
  return [
    { name: "age", heading: "Age", value: ageText, gives: "never" },
    ...(open ? [open] : []),
    { name: "bar", heading: "", value: bar, cell: bar, gives: "never" },
  ];
}

/** "under 7 days", "7 to 30 days", "over 365 days". */
function ageText({ from_days, to_days }: FlowAge): string {
  if (to_days === null) return `over ${from_days} days`;
  return from_days === 0 ? `under ${to_days} days` : `${from_days} to ${to_days} days`;
}

const NARROW = 60;
const MIN_BAR = 12;

/** Columns for the bars of weeks; none on a narrow terminal. */
function barLength({ width }: View): number {
  return width < NARROW ? 0 : Math.min(30, width - 50);
}
