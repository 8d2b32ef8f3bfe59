import { DEFAULT_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { BugHistory, Changes, Field, FieldChange, HistoryEntry } from "../wire/resources.ts";
import { cardTitle, gridText } from "./card.ts";
import { fieldFacts, holdsItems } from "./field-facts.ts";
import { valueText } from "./looks.ts";
import { palette } from "./palette.ts";
import { changesInOrder } from "./stable.ts";
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

/** Changes of an update, actual or expected: a diff of one object, a line for each of several. */
export function changesText(card: ChangesCard, view: View): string {
  const [only, ...others] = card.changed;
  if (only === undefined || others.length > 0)
    return changeTexts(card, view)
      .map((text) => `${text}\n`)
      .join("");
  const { name, title, changes, extras, missed } = only;
  const rows = fieldDifferences(fieldChangesOf(changes), card.fields ?? [], view);
  const made = extras !== undefined && card.isPreview ? `would change, with ${extras}` : extras;
  const word = missed ?? made ?? changedWord(rows.length > 0, card);
  const words = title ? { text: plain(word ? `${title} (${word})` : title) } : { text: word, role: "quiet" as const };
  return cardTitle({ text: plain(name) }, words, view) + differenceRows(rows, labelWidth(rows, view), view);
}

/**
 * Changes of objects, each as a text: the name in a column of `names` columns, what was changed,
 * and as much of the title as there is room for beside it.
 */
export function changeTexts(
  card: ChangesCard,
  view: View,
  names = namesWidth(card.changed.map(({ name }) => name)),
): string[] {
  const paints = palette(view);
  const room = (view.terminal ? view.width : Infinity) - names - GAP.length;
  return card.changed.map((thing) => {
    const pieces = shortPieces(thing, card, view);
    const used = pieces.reduce((sum, { text }) => sum + width(text) + 1, GAP.length - 1);
    const title = cut(plain(thing.title ?? ""), room - used, viewSigns(view).ellipsis);
    const isShown = title !== "" && room - used >= MIN_TITLE;
    const lines = wrapPieces(pieces, room, paints, { text: " " }).join(`\n${" ".repeat(names + GAP.length)}`);
    const name = plain(thing.name);
    const blanks = " ".repeat(Math.max(0, names - width(name)) + GAP.length);
    return `${paints.title(name)}${blanks}${lines}${isShown ? GAP + paints.quiet(title) : ""}`;
  });
}

export function namesWidth(names: readonly string[]): number {
  return names.reduce((wide, name) => Math.max(wide, width(plain(name))), 0);
}

/** Each changed field in a few words, then a word about the whole change. */
function shortPieces({ changes, extras, missed }: ChangedThing, card: ChangesCard, view: View): Piece[] {
  const { ellipsis } = viewSigns(view);
  const differences = fieldDifferences(fieldChangesOf(changes), card.fields ?? [], view);
  const short = (text: string) => cut(plain(text.replace(/\s+/g, " ")), LONGEST_VALUE, ellipsis);
  const pieces = differences.flatMap((difference, at): Piece[] => {
    const { label, removed, added } = difference;
    const values = differencePieces({ ...difference, removed: removed.map(short), added: added.map(short) }, view);
    const last = values.pop() ?? { text: "" };
    const end = at < differences.length - 1 ? ";" : "";
    return [{ text: plain(label), role: "quiet" }, ...values, { ...last, text: last.text + end }];
  });
  const made = extras !== undefined && card.isPreview ? `with ${extras}` : extras;
  const word = missed ?? made ?? (pieces.length > 0 ? "" : changedWord(false, card));
  if (word === "") return pieces;
  return [...pieces, { text: pieces.length > 0 ? `(${word})` : word }];
}

const GAP = "  ";
const MIN_TITLE = 20;
const LONGEST_VALUE = 40;

function changedWord(isChanged: boolean, { isPreview }: ChangesCard): string {
  if (isPreview) return isChanged ? "would change" : "would not change";
  return isChanged ? "" : "unchanged";
}

function fieldChangesOf(changes: Changes = {}): FieldChange[] {
  return changesInOrder(changes).map(([field_name, { removed, added }]) => ({
    field_name,
    removed: removed ?? "",
    added: added ?? "",
  }));
}

export type HistoryCard = {
  readonly history: BugHistory;
  readonly title?: string | undefined;
  readonly fields?: readonly Field[];
};

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
  const wide = labelWidth(
    entries.flatMap(({ rows }) => rows),
    view,
  );
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
type Difference = {
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly isList: boolean;
};

/**
 * Changes of one moment in the common order of fields; trackers return them in any order. Lists are
 * joined by commas and split only for fields that hold lists.
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
  const { quiet } = palette(view);
  const room = view.terminal ? view.width - INDENT.length - labels - GAP.length : Infinity;
  const rows = differences.map((difference) => {
    const label = INDENT + cut(plain(difference.label), labels, viewSigns(view).ellipsis);
    return [quiet(pad(label, INDENT.length + labels)), differenceLines(difference, room, view).join("\n")];
  });
  return gridText(rows);
}

/** Width of the labels, at most a third of the line. */
function labelWidth(differences: Difference[], view: View): number {
  const longest = Math.max(0, ...differences.map(({ label }) => width(plain(label))));
  return Math.min(longest, LONGEST_LABEL, Math.floor(view.width / 3));
}

const INDENT = "  ";
const LONGEST_LABEL = 24;

/** Removed values after a minus, added ones after a plus; a single value as `old → new`. */
function differencePieces({ removed, added, isList }: Difference, view: View): Piece[] {
  const [from, to] = [removed[0], added[0]];
  const clean = (text: string) => plain(text, { lines: true });
  if (!isList && from !== undefined && to !== undefined)
    return [
      { text: clean(from), role: "removed" },
      { text: viewSigns(view).arrow, role: "quiet" },
      { text: clean(to), role: "added" },
    ];
  return [
    ...removed.map((text): Piece => ({ text: `- ${clean(text)}`, role: "removed" })),
    ...added.map((text): Piece => ({ text: `+ ${clean(text)}`, role: "added" })),
  ];
}

/** A difference beside its label; values that are long or have several lines are below each other. */
function differenceLines(difference: Difference, room: number, view: View): string[] {
  const paints = palette(view);
  const pieces = differencePieces(difference, view);
  const isReplaced = pieces.some(({ role }) => role === "quiet");
  const gap = isReplaced ? " " : GAP;
  const lines = wrapPieces(pieces, room, paints, { text: gap });
  const isShort = pieces.every(({ text }) => !text.includes("\n") && width(text) <= room);
  if (isShort && (!isReplaced || lines.length === 1)) return lines;
  return differencePieces({ ...difference, isList: true }, view).flatMap(({ text, role = "removed" }) =>
    wrap(text.slice(2), room - 2).map((line, at) => paints[role]((at === 0 ? text.slice(0, 2) : GAP) + line)),
  );
}
