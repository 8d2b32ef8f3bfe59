import type { Bug } from "../wire/bug-fields.ts";
import type { HistoryEntry } from "../wire/resources.ts";
import { barText } from "./bar.ts";
import type { Column } from "./column.ts";
import { durationText } from "./times.ts";
import { signsOf, type View } from "./view.ts";

/** Time that a bug has spent in a status, in all its stays. */
export type StatusDuration = {
  readonly id: number;
  readonly status: string;
  readonly seconds: number;
  readonly entered: number; // number of stays
  readonly isCurrent: boolean; // the last stay, which has not ended
};

/** Columns of durations. */
export const DURATION_COLUMNS: readonly Column<StatusDuration>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, gives: "never" },
  { name: "status", heading: "Status", value: ({ status }) => status },
  {
    name: "duration_seconds",
    heading: "Time",
    value: ({ seconds }) => seconds,
    cell: ({ seconds }) => durationText(seconds),
    align: "right",
    gives: "never",
  },
  { name: "times_entered", heading: "Entered", value: ({ entered }) => entered, align: "right", leaves: 1 },
  {
    name: "is_current",
    heading: "Now",
    value: ({ isCurrent }) => isCurrent,
    cell: ({ isCurrent }) => (isCurrent ? "now" : ""),
    gives: "never",
  },
];

/** The columns with a bar for a terminal, which shows the share of the time of the bug. */
export function durationTable(rows: readonly StatusDuration[], view: View): readonly Column<StatusDuration>[] {
  const totals = new Map<number, number>();
  for (const { id, seconds } of rows) totals.set(id, (totals.get(id) ?? 0) + seconds);
  const { block } = signsOf(view);
  const cell = ({ id, seconds }: StatusDuration) => barText(seconds / (totals.get(id) ?? 0), BAR_LENGTH, block);
  const bar = { name: "share", heading: "Share", value: cell, cell, gives: "never", leaves: 0 } as const;
  return view.width < MIN_WIDTH_WITH_BAR ? DURATION_COLUMNS : [...DURATION_COLUMNS, bar];
}

const BAR_LENGTH = 20;
const MIN_WIDTH_WITH_BAR = 60;

/**
 * Time in each status, in the order of the first stay, from the creation of a bug until now. A stay has the status that
 * the change at its end removed; the last one has the current status.
 */
export function statusDurations(bug: Bug, history: readonly HistoryEntry[], now: Date): readonly StatusDuration[] {
  const moves = history.flatMap(({ when, changes }) =>
    changes
      .filter(({ field_name }) => field_name === "status" || field_name === "bug_status")
      .map(({ removed }) => ({ status: removed, until: Date.parse(when) })),
  );
  const stays = [...moves, { status: bug.status ?? "", until: now.getTime() }];
  const found = new Map<string, StatusDuration>();
  let from = Date.parse(bug.creation_time ?? "");
  for (const [at, { status, until }] of stays.entries()) {
    const before = found.get(status);
    const seconds = (before?.seconds ?? 0) + Math.max(0, Math.round((until - from) / 1000));
    const isCurrent = at === stays.length - 1;
    found.set(status, { id: bug.id ?? 0, status, seconds, entered: (before?.entered ?? 0) + 1, isCurrent });
    from = until;
  }
  return [...found.values()];
}
