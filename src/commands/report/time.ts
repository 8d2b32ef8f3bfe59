import { type BatchOutcome, requestEach } from "../../api/batch.ts";
import { historyPlan } from "../../api/bug-numbers.ts";
import { isoWeekIn } from "../../api/iso-week.ts";
import { receivedMs } from "../../api/response/response-objects.ts";
import { BtError, usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import {
  HOURS_BY,
  HOURS_COLUMNS,
  type HoursBy,
  type HoursRow,
  hoursColumns,
  hoursTable,
} from "../../view/hours-report.ts";
import { countText } from "../../view/text.ts";
import { hoursText } from "../../view/times.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { BugHistory } from "../../wire/resources.ts";
import { momentOf } from "../input-text.ts";
import { chosenColumns, isForCards, showListOrNone } from "../output.ts";
import { reportOutcomes } from "../targets.ts";
import type { Context, Input } from "../verb.ts";
import { reportedBugs } from "./reported-bugs.ts";

/** `bt report time`: hours worked, added up by person, bug and week. */
export async function reportTime(input: Input, context: Context): Promise<void> {
  const by = dimensionsOf(input);
  const period = periodOf(input, context);
  const columns = context.output.fields ? chosenColumns(HOURS_COLUMNS, context) : hoursColumns(by);
  const worked = await workedBugs(input, { by, period, context });
  const tally = hoursTally(by, context.output.view.timeZone);
  const outcomes: BatchOutcome<true>[] = [];
  for await (const one of historiesOf([...worked.keys()], context)) {
    outcomes.push("thing" in one ? { ref: one.ref, thing: true } : one);
    if ("thing" in one) tally.add(worked.get(one.thing.id) ?? { id: one.thing.id }, one.thing, period);
  }
  const rows = tally.rows(period.isAll);
  const shown = isForCards(context) ? hoursTable(columns, rows, context.output.view) : columns;
  await showListOrNone(context, { columns: shown, pages: [rows] }, "no hours");
  await context.io.err(
    noticesOn(tally.missing(), rows, context)
      .map((one) => `${one}\n`)
      .join(""),
  );
  reportOutcomes(outcomes);
}

async function* historiesOf(ids: readonly number[], { session }: Context): AsyncGenerator<BatchOutcome<BugHistory>> {
  for await (const batch of requestEach(ids.map(String), historyPlan(undefined), session.ask)) yield* batch;
}

type Period = { readonly from: number; readonly until: number; readonly isAll: boolean }; // ms since the epoch

function periodOf({ flags }: Input, context: Context): Period {
  const moment = (flag: string) => {
    const text = flagValue(flags[flag]);
    return text === undefined ? undefined : Date.parse(momentOf(text, context));
  };
  const [from, until] = [moment("since"), moment("until")];
  if (from !== undefined && until !== undefined && from >= until) throw usage("--since is not before --until");
  return { from: from ?? -Infinity, until: until ?? Infinity, isAll: from === undefined && until === undefined };
}

function dimensionsOf({ flags }: Input): readonly HoursBy[] {
  const names = (flagValue(flags["by"]) ?? "person").split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(HOURS_BY as readonly string[]).includes(name));
  if (unknown !== undefined) throw usage(`unknown "${unknown}" in --by`, `valid values: ${HOURS_BY.join(", ")}`);
  return HOURS_BY.filter((name) => names.includes(name));
}

type Wish = { readonly by: readonly HoursBy[]; readonly period: Period; readonly context: Context };

/**
 * The bugs with hours that may be in the period, by id.
 * @throws BtError of kind auth if the tracker shows no hours
 */
async function workedBugs(input: Input, { by, period, context }: Wish): Promise<ReadonlyMap<number, Bug>> {
  const include = ["actual_time", "last_change_time", ...(by.includes("bug") ? ["summary"] : [])];
  const worked = new Map<number, Bug>();
  for await (const page of reportedBugs(input, include, context)) {
    for (const bug of page.filter((one) => mayHaveHours(one, period))) worked.set(bug.id ?? 0, bug);
  }
  return worked;
}

function mayHaveHours({ actual_time, last_change_time }: Bug, { from }: Period): boolean {
  if (actual_time === undefined) throw NO_HOURS; // null: of a bug without comments
  return Boolean(actual_time) && !(Date.parse(last_change_time ?? "") < from);
}

const NO_HOURS = new BtError("auth", "the tracker does not show you hours worked", {
  hint: "it shows them to members of its time-tracking group only",
  changed: "nothing",
});

/** Sums of hours; `missing` has those that are in no history, with the number of bugs. */
function hoursTally(by: readonly HoursBy[], zone: string) {
  const sums = new Map<string, HoursRow>();
  const missing = { hours: 0, bugs: 0 };
  const count = (row: HoursRow) => {
    const key = JSON.stringify([row.week, row.person, row.id]);
    sums.set(key, { ...row, hours: (sums.get(key)?.hours ?? 0) + row.hours });
  };
  const rowOf = (bug: Bug, person: string | null, week: () => string | null): Omit<HoursRow, "hours"> => ({
    ...(by.includes("week") && { week: week() }),
    ...(by.includes("person") && { person }),
    ...(by.includes("bug") && { id: bug.id ?? 0, summary: bug.summary ?? "" }),
  });
  const lost: HoursRow[] = [];
  return {
    add: (bug: Bug, history: BugHistory, { from, until }: Period) => {
      let told = 0;
      for (const { who, when, hours } of workIn(history)) {
        told += hours;
        const moment = receivedMs(when);
        if (moment < from || moment >= until) continue;
        count({ ...rowOf(bug, who, () => isoWeekIn(zone, moment).week), hours });
      }
      const rest = rounded((bug.actual_time ?? 0) - told);
      if (rest === 0) return;
      missing.hours += rest;
      missing.bugs += 1;
      lost.push({ ...rowOf(bug, null, () => null), hours: rest });
    },
    missing: () => missing,
    rows: (withMissing: boolean): readonly HoursRow[] => {
      if (withMissing) lost.forEach(count);
      return [...sums.values()].map((row) => ({ ...row, hours: rounded(row.hours) })).sort(inOrder);
    },
  };
}

/** The entries of a history that log hours. */
function workIn({ history }: BugHistory) {
  return history.flatMap(({ who, when, changes }) =>
    changes
      .filter(({ field_name }) => field_name === "work_time")
      .map(({ added, removed }) => ({ who, when, hours: (Number(added) || 0) - (Number(removed) || 0) })),
  );
}

/** Hours as trackers keep them, to five decimals. */
function rounded(hours: number): number {
  return Number(hours.toFixed(5));
}

function inOrder(one: HoursRow, other: HoursRow): number {
  return (one.week ?? "").localeCompare(other.week ?? "") || other.hours - one.hours;
}

function noticesOn(
  { hours, bugs }: { readonly hours: number; readonly bugs: number },
  rows: readonly HoursRow[],
  { io, output }: Context,
): readonly string[] {
  const total = rows.reduce((sum, row) => sum + row.hours, 0);
  return [
    ...(io.terminal.stdout && output.view.terminal && rows.length > 1 ? [`total: ${hoursText(total)}`] : []),
    ...(bugs > 0
      ? [`bt: ${hoursText(hours)} of ${countText(bugs, "bug")} are not in the history: it is unknown who worked when`]
      : []),
  ];
}
