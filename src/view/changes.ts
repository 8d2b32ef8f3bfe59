import { DEFAULT_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { BugHistory, Changes, Field, FieldChange, HistoryEntry } from "../wire/resources.ts";
import { cardTitle } from "./card.ts";
import { fieldFacts, holdsItems } from "./field-facts.ts";
import { valueText } from "./looks.ts";
import { type Palette, palette } from "./palette.ts";
import { changesInOrder } from "./stable.ts";
import { gridText } from "./table.ts";
import { plain } from "./text.ts";
import { absoluteTime, timeText } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, type Piece, pad, width, wrap, wrapPieces } from "./wrap.ts";

/** A changed object; `name` is its name in messages (`#12`, `core-security`). */
export type ChangedThing = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly changes?: Changes | undefined;
  readonly extras?: string | undefined; // made, or to be made, in addition to the fields, such as "comment added"
  readonly missed?: string | undefined; // "unchanged, comment not added"
};

/** Data of a diff; a preview states that nothing has been sent. */
export type ChangesCard = {
  readonly changed: readonly ChangedThing[];
  readonly fields?: readonly Field[];
  readonly isPreview?: boolean;
};

/** Changes of an update, actual or expected: those of one object as a diff, those of several as a line each. */
export function changesText(card: ChangesCard, view: View): string {
  const [only, ...others] = card.changed;
  if (only === undefined || others.length > 0) return changeLines(card, view);
  const { name, title, changes, extras, missed } = only;
  const rows = fieldDifferences(fieldChangesOf(changes), card.fields ?? [], view);
  const word = missed ?? summaryOf(rows.length > 0, extras, card);
  const heading = cardTitle({ text: plain(name) }, titlePiece(title, word), view);
  return heading + differenceRows(rows, labelWidth(rows), view);
}

/** Changes of several objects as a text; in the columns of a longer list, if they are a part of it. */
export function changeLines(card: ChangesCard, view: View, columns?: ChangeColumns): string {
  return changeTexts(card, view, columns)
    .map((text) => `${text}\n`)
    .join("");
}

/**
 * Changes of objects in columns, a line each: the name, what was changed, and as much of the title as there is room
 * for. On a terminal that is too narrow for the longest of them, all stand below the titles.
 */
export function changeTexts(card: ChangesCard, view: View, columns?: ChangeColumns): string[] {
  const room = view.terminal ? view.width : Infinity;
  const { ellipsis } = viewSigns(view);
  const paints = palette(view);
  const lines = card.changed.map((thing) => changedLine(thing, card, view));
  const { names, widest } = columns ?? widestOf(lines);
  const indent = " ".repeat(names + GAP.length);
  const padded = room === Infinity ? 0 : widest;
  const isBelow = room - indent.length - padded - GAP.length < MIN_TITLE;
  return lines.map(({ name, title, facts, wide }) => {
    const changes = packedFacts(facts, room - indent.length).join(`\n${indent}`);
    const head = paints.title(name) + " ".repeat(indent.length - width(name));
    if (isBelow && title) return `${head}${cut(title, room - indent.length, ellipsis)}\n${indent}${changes}`;
    const beside = room - indent.length - Math.max(padded, wide) - GAP.length;
    const about = beside > 0 ? cut(title, beside, ellipsis) : "";
    const blanks = " ".repeat(Math.max(0, padded - wide) + GAP.length);
    return `${head}${changes}${about && blanks + paints.quiet(about)}`;
  });
}

/** Widths of the longest name and of the longest changes in a list. */
export type ChangeColumns = { names: number; widest: number };

/** The columns of a list of changes. */
export function changeColumns(card: ChangesCard, view: View): ChangeColumns {
  return widestOf(card.changed.map((thing) => changedLine(thing, card, view)));
}

function widestOf(lines: ChangedLine[]): ChangeColumns {
  const longest = (widths: number[]) => widths.reduce((most, one) => Math.max(most, one), 0);
  return { names: longest(lines.map(({ name }) => width(name))), widest: longest(lines.map(({ wide }) => wide)) };
}

/** A line about an object; `wide` is the width of its facts beside each other. */
type ChangedLine = { name: string; title: string; facts: ShortFact[]; wide: number };
type ShortFact = { text: string; wide: number };

function changedLine(
  { name, title = "", changes, extras, missed }: ChangedThing,
  card: ChangesCard,
  view: View,
): ChangedLine {
  const differences = fieldDifferences(fieldChangesOf(changes), card.fields ?? [], view);
  const isUnchanged = differences.length === 0 && extras === undefined;
  const made = card.isPreview && extras !== undefined ? `with ${extras}` : extras;
  const word = missed ?? (isUnchanged ? summaryOf(false, undefined, card) : (made ?? ""));
  const unpainted = shortFacts(differences, word, palette({ ...view, color: false }), view);
  const facts = shortFacts(differences, word, palette(view), view).map((text, at) => ({
    text,
    wide: width(unpainted[at] ?? ""),
  }));
  return { name: plain(name), title: plain(title), facts, wide: width(unpainted.join(" ")) };
}

/** Facts beside each other, in as many lines as they need. */
function packedFacts(facts: readonly ShortFact[], room: number): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const { text, wide } of facts) {
    const isNext = lines.length === 0 || used + 1 + wide > room;
    if (isNext) lines.push(text);
    else lines.push(`${lines.pop()} ${text}`);
    used = isNext ? wide : used + 1 + wide;
  }
  return lines;
}

/** Differences in a few words each, and a word about them all. */
function shortFacts(differences: Difference[], word: string, paints: Palette, view: View): string[] {
  const { arrow, ellipsis } = viewSigns(view);
  const short = (values: Difference["removed"]) =>
    values.map((text) => cut(plain(text.replace(/\s+/g, " ")), LONGEST_VALUE, ellipsis));
  const facts = differences.map(({ label, removed, added, isList }, at) => {
    const values = { label, removed: short(removed), added: short(added), isList };
    const end = at < differences.length - 1 ? ";" : "";
    return `${paints.quiet(plain(label))} ${differenceText(values, { room: Infinity, paints, arrow })}${end}`;
  });
  if (word === "") return facts;
  return [...facts, facts.length > 0 ? `(${word})` : word];
}

const GAP = "  ";
const MIN_TITLE = 20;
const LONGEST_VALUE = 40;

function summaryOf(isChanged: boolean, extras: string | undefined, { isPreview }: ChangesCard): string {
  return isPreview ? previewSummary(isChanged, extras) : changeSummary(isChanged, extras);
}

function changeSummary(isChanged: boolean, extras: string | undefined): string {
  return extras ?? (isChanged ? "" : "unchanged");
}

function previewSummary(isChanged: boolean, extras: string | undefined): string {
  if (extras !== undefined) return `would change, with ${extras}`;
  return isChanged ? "would change" : "would not change";
}

function titlePiece(title: string | undefined, word: string): Piece {
  if (!title) return { text: word, role: "quiet" };
  return { text: plain(word ? `${title} (${word})` : title) };
}

function fieldChangesOf(changes: Changes = {}): FieldChange[] {
  return changesInOrder(changes).map(([field_name, { removed, added }]) => ({
    field_name,
    removed: removed ?? "",
    added: added ?? "",
  }));
}

/** Data of a timeline: the history of one bug, its summary if known, and the field metadata. */
export type HistoryCard = {
  readonly history: BugHistory;
  readonly title?: string | undefined;
  readonly fields?: readonly Field[];
};

/** The history of a bug as a timeline. */
export function historyText({ history, title, fields = [] }: HistoryCard, view: View): string {
  const paints = palette(view);
  const heading = cardTitle({ text: `#${history.id}` }, { text: plain(title ?? history.alias.join(", ")) }, view);
  const moments = historyEntries(history, fields, view).map(({ text }) => `\n${text}`);
  return `${heading}${moments.join("") || `\n${paints.quiet("no changes")}\n`}`;
}

/** Changes of a history, a text for each moment. */
export function historyEntries(
  { history }: BugHistory,
  fields: readonly Field[],
  view: View,
): readonly { readonly when: string; readonly text: string }[] {
  const entries = mergeEntries(history).map((entry) => ({
    entry,
    rows: fieldDifferences(entry.changes, fields, view),
  }));
  const wide = labelWidth(entries.flatMap(({ rows }) => rows));
  return entries.map(({ entry, rows }) => ({
    when: entry.when,
    text: `${authorAndTime(entry, view)}\n${differenceRows(rows, wide, view)}`,
  }));
}

/** Entries of the same time and user, which trackers may report separately, as one. */
function mergeEntries(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const joined: HistoryEntry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last?.who === entry.who && last.when === entry.when) {
      joined[joined.length - 1] = { ...last, changes: [...last.changes, ...entry.changes] };
    } else joined.push(entry);
  }
  return joined;
}

function authorAndTime({ who, when }: HistoryEntry, view: View): string {
  const pieces: Piece[] = [{ text: plain(who) }, { text: plain(timeText(when, view)), role: "quiet" }];
  return wrapPieces(pieces, view.terminal ? view.width - INDENT.length : Infinity, palette(view)).join(`\n${INDENT}`);
}

/** A change of one field, formatted; item by item for lists. */
export type Difference = {
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly isList: boolean;
};

/**
 * Changes of one moment in the common order of fields; trackers return them in any order. Lists are joined by commas
 * and split only for fields that hold lists.
 */
function fieldDifferences(changes: readonly FieldChange[], fields: readonly Field[], view: View): Difference[] {
  const place = ({ field_name }: FieldChange) =>
    DEFAULT_BUG_FIELDS.includes(field_name) ? DEFAULT_BUG_FIELDS.indexOf(field_name) : DEFAULT_BUG_FIELDS.length;
  const sorted = changes.toSorted((a, b) => place(a) - place(b) || (a.field_name < b.field_name ? -1 : 1));
  return sorted.map((change) => fieldDifference(change, fields, view));
}

function changedTime(time: string, view: View): string {
  return view.terminal ? absoluteTime(time, view) : time;
}

const ITEMS = ", ";

function fieldDifference(change: FieldChange, fields: readonly Field[], view: View): Difference {
  const { field_name, removed, added, attachment_id } = change;
  const { label, kind } = fieldFacts(field_name, fields);
  const isList = holdsItems(kind);
  const values = fields.find(({ name }) => name === field_name)?.values ?? [];
  const legal = values.map(({ name }) => name ?? "");
  const items = (text: string) => (isList ? splitJoinedItems(text, legal) : [text]).filter(Boolean);
  const worded = (text: string) => items(text).map((item) => valueText(item, kind, view, changedTime));
  return { label: attachmentLabel(label, attachment_id), removed: worded(removed), added: worded(added), isList };
}

function attachmentLabel(label: string, attachment: number | undefined): string {
  if (attachment === undefined) return label;
  const named = `Attachment ${attachment}`;
  return label.startsWith("Attachment") ? label.replace("Attachment", named) : `${named} ${label.toLowerCase()}`;
}

/** Items of a joined list; a legal value that contains a comma is kept whole. */
function splitJoinedItems(text: string, legal: string[]): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest !== "") {
    const whole = legal.filter((value) => value !== "" && (rest === value || rest.startsWith(value + ITEMS)));
    const end = rest.indexOf(ITEMS);
    const item = whole.toSorted((a, b) => b.length - a.length)[0] ?? (end < 0 ? rest : rest.slice(0, end));
    found.push(item);
    rest = rest.slice(item.length + ITEMS.length);
  }
  return found;
}

/** Changes of one moment, a row per field, with labels padded to `labels` columns. */
function differenceRows(differences: Difference[], labels: number, view: View): string {
  return differences.map((difference) => differenceRow(difference, labels, view)).join("");
}

/** A field with its change beside it, or below it where the change has a word for which there is no room beside. */
function differenceRow(difference: Difference, labels: number, view: View): string {
  const paints = palette(view);
  const { arrow, ellipsis } = viewSigns(view);
  const label = INDENT + cut(plain(difference.label), labels, ellipsis);
  const beside = view.width - INDENT.length - labels - GAP.length;
  const below = view.width - BELOW.length;
  const needed = longestWord(difference);
  const isBelow = view.terminal && beside < needed && needed <= below;
  const room = view.terminal ? Math.max(MIN_ROOM, isBelow ? below : beside) : Infinity;
  const text = differenceText(difference, { room, paints, arrow });
  if (isBelow) return `${paints.quiet(label)}\n${text.replace(/^/gm, BELOW)}\n`;
  return gridText([[paints.quiet(pad(label, INDENT.length + labels)), text]]);
}

/** Width of the longest word of a change, with its sign. */
function longestWord({ removed, added }: Difference): number {
  const words = [...removed, ...added].flatMap((item) => plain(item, { lines: true }).split(/\s+/));
  return Math.max(0, ...words.map(width)) + "+ ".length;
}

/** Width of the labels, up to a maximum. */
function labelWidth(differences: Difference[]): number {
  return Math.min(LONGEST_LABEL, Math.max(0, ...differences.map(({ label }) => width(plain(label)))));
}

const INDENT = "  ";
const BELOW = "    ";
const MIN_ROOM = 20;
const LONGEST_LABEL = 24;

type Space = { room: number; paints: Palette; arrow: string };

// Removed values in red after a minus, added ones in green after a plus; short single values as `old → new`. Colour
// repeats what the signs say.
function differenceText({ removed, added, isList }: Difference, space: Space): string {
  const gone = removed.map((item): Piece => ({ text: `- ${plain(item, { lines: true })}`, role: "removed" }));
  const come = added.map((item): Piece => ({ text: `+ ${plain(item, { lines: true })}`, role: "added" }));
  const [from, to] = [gone[0], come[0]];
  if (!isList && from && to) return replacementText(from, to, space);
  const pieces = [...gone, ...come];
  const areShort = pieces.every(({ text }) => !text.includes("\n") && width(text) <= space.room);
  return areShort
    ? wrapPieces(pieces, space.room, space.paints).join("\n")
    : pieces.map((piece) => sideLines(piece, space)).join("\n");
}

function replacementText(from: Piece, to: Piece, { room, paints, arrow }: Space): string {
  const isShort = width(from.text) + width(to.text) - 2 + arrow.length <= room && !/\n/.test(from.text + to.text);
  if (isShort) return `${paints.removed(from.text.slice(2))} ${paints.quiet(arrow)} ${paints.added(to.text.slice(2))}`;
  return [from, to].map((piece) => sideLines(piece, { room, paints, arrow })).join("\n");
}

function sideLines({ text, role = "removed" }: Piece, { room, paints }: Space): string {
  const lines = wrap(text.slice(2), room - 2);
  return lines.map((line, at) => paints[role]((at === 0 ? text.slice(0, 2) : "  ") + line)).join("\n");
}
