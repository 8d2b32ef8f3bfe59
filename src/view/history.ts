import type { Field } from "../wire/field.ts";
import type { BugHistory, HistoryEntry } from "../wire/history.ts";
import { cardTitle } from "./card.ts";
import { differences } from "./difference.ts";
import { differenceRows, labelWidth } from "./difference-rows.ts";
import { palette } from "./palette.ts";
import { plain } from "./text.ts";
import { moment } from "./times.ts";
import type { View } from "./view.ts";
import { flow, type Piece } from "./wrap.ts";

/** What a timeline is made from: the history of one bug, its summary if known, and what is said of custom fields. */
export type HistoryCard = {
  readonly history: BugHistory;
  readonly title?: string | undefined;
  readonly fields?: readonly Field[];
};

/** The history of a bug as a timeline: who, when, and per field what left and what came. */
export function historyText({ history, title, fields = [] }: HistoryCard, view: View): string {
  const paints = palette(view);
  const heading = cardTitle({ text: `#${history.id}` }, { text: plain(title ?? history.alias.join(", ")) }, view);
  const entries = merged(history.history).map((entry) => ({ entry, rows: differences(entry.changes, fields, view) }));
  const wide = labelWidth(entries.flatMap(({ rows }) => rows));
  const moments = entries.map(({ entry, rows }) => `\n${by(entry, view)}\n${differenceRows(rows, wide, view)}`);
  return `${heading}${moments.join("") || `\n${paints.quiet("no changes")}\n`}`;
}

/** A tracker may tell one moment of one person in several entries; a reader sees one. */
function merged(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const told: HistoryEntry[] = [];
  for (const entry of entries) {
    const last = told.at(-1);
    if (last?.who === entry.who && last.when === entry.when) {
      told[told.length - 1] = { ...last, changes: [...last.changes, ...entry.changes] };
    } else told.push(entry);
  }
  return told;
}

function by({ who, when }: HistoryEntry, view: View): string {
  const pieces: readonly Piece[] = [{ text: plain(who) }, { text: plain(moment(when, view)), role: "quiet" }];
  return flow(pieces, view.terminal ? view.width : Infinity, palette(view)).join("\n");
}
