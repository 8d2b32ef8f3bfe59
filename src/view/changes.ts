import { type Bug, DEFAULT_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { JsonObject } from "../wire/exchange.ts";
import type { BugHistory, Changes, Field, FieldChange } from "../wire/resources.ts";
import { cardTitle, gridText, headingText } from "./card.ts";
import type { Column } from "./column.ts";
import { columnMaker, fieldFacts, holdsItems, valueText } from "./field-kinds.ts";
import { palette, type Role } from "./palette.ts";
import { plain } from "./text.ts";
import { absoluteTime, relativeTime, timeText } from "./times.ts";
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
    return changesOfEach(card, view)
      .map((text) => `${text}\n`)
      .join("");
  const { name, title, changes, extras, missed } = only;
  const rows = fieldDifferences(fieldChangesOf(changes), card.fields ?? [], view);
  const made = extras !== undefined && card.isPreview ? `would change, with ${extras}` : extras;
  const word = missed ?? made ?? changedWord(rows.length > 0, card);
  const heading = title
    ? cardTitle(name, word ? `${title} (${word})` : title, view)
    : cardTitle(name, word, view, "quiet");
  return heading + differencesText(rows, labelWidth(rows, view), view);
}

/**
 * Changes of objects, each as a text: the name in a column of this width, what was changed,
 * and as much of the title as there is room for beside it.
 */
export function changesOfEach(
  card: ChangesCard,
  view: View,
  nameWidth = namesWidth(card.changed.map(({ name }) => name)),
): string[] {
  const paints = palette(view);
  const room = view.width - nameWidth - GAP.length;
  return card.changed.map((thing) => {
    const pieces = shortPieces(thing, card, view);
    // Pieces with a blank between them, and a gap behind.
    const used = pieces.reduce((sum, { text }) => sum + width(text) + 1, GAP.length - 1);
    const title = cut(plain(thing.title ?? ""), room - used, view);
    const isShown = title !== "" && room - used >= MIN_TITLE;
    const lines = wrapPieces(pieces, room, paints, { text: " " }).join(`\n${" ".repeat(nameWidth + GAP.length)}`);
    const name = plain(thing.name);
    const blanks = " ".repeat(Math.max(0, nameWidth - width(name)) + GAP.length);
    return `${paints.title(name)}${blanks}${lines}${isShown ? GAP + paints.quiet(title) : ""}`;
  });
}

export function namesWidth(names: readonly string[]): number {
  return names.reduce((wide, name) => Math.max(wide, width(plain(name))), 0);
}

/** Each changed field in a few words, then a word about the whole change. */
function shortPieces({ changes, extras, missed }: ChangedThing, card: ChangesCard, view: View): Piece[] {
  const differences = fieldDifferences(fieldChangesOf(changes), card.fields ?? [], view);
  const short = (text: string) => cut(text.replace(/\s+/g, " "), LONGEST_VALUE, view);
  const pieces = differences.flatMap((difference, at): Piece[] => {
    const { label, removed, added } = difference;
    const values = differencePieces({ ...difference, removed: removed.map(short), added: added.map(short) }, view);
    const last = values.pop() ?? { text: "" };
    const end = at < differences.length - 1 ? ";" : "";
    return [{ text: label, role: "quiet" }, ...values, { ...last, text: last.text + end }];
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
  return Object.entries(changes).map(([field_name, { removed, added }]) => ({
    field_name,
    removed: removed ?? "",
    added: added ?? "",
  }));
}

export function historyText(
  history: BugHistory,
  title: string | undefined,
  fields: readonly Field[],
  view: View,
): string {
  const heading = cardTitle(`#${history.id}`, title ?? history.alias.join(", "), view);
  const moments = historyEntries(history, fields, view).map(({ text }) => `\n${text}`);
  return `${heading}${moments.join("") || `\n${palette(view).quiet("no changes")}\n`}`;
}

/** Changes of a history, a text for each moment. */
export function historyEntries(
  { history }: BugHistory,
  fields: readonly Field[],
  view: View,
): readonly { readonly when: string; readonly text: string }[] {
  const entries = history.map((entry) => ({ entry, rows: fieldDifferences(entry.changes, fields, view) }));
  const labels = labelWidth(
    entries.flatMap(({ rows }) => rows),
    view,
  );
  return entries.map(({ entry: { who, when }, rows }) => {
    const heading = headingText([{ text: who }, { text: timeText(when, view), role: "quiet" }], view);
    return { when, text: `${heading}\n${differencesText(rows, labels, view)}` };
  });
}

/** A change of one field, its texts escaped; item by item for lists. */
type Difference = {
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly isList: boolean;
};

/** Differences of one moment. Lists are joined by commas and split only for fields that hold lists. */
function fieldDifferences(changes: readonly FieldChange[], fields: readonly Field[], view: View): Difference[] {
  return inOrder(changes).map((change) => fieldDifference(change, fields, view));
}

/** Changes in the common order of fields; trackers return them in any order. */
function inOrder(changes: readonly FieldChange[]): FieldChange[] {
  const place = ({ field_name }: FieldChange) =>
    DEFAULT_BUG_FIELDS.includes(field_name) ? DEFAULT_BUG_FIELDS.indexOf(field_name) : DEFAULT_BUG_FIELDS.length;
  return changes.toSorted((a, b) => place(a) - place(b) || (a.field_name < b.field_name ? -1 : 1));
}

const ITEMS = ", ";

function fieldDifference(change: FieldChange, fields: readonly Field[], view: View): Difference {
  const { field_name, removed, added, attachment_id } = change;
  const { label, kind } = fieldFacts(field_name, fields);
  const isList = holdsItems(kind);
  const values = fields.find(({ name }) => name === field_name)?.values ?? [];
  const legal = values.map(({ name }) => name ?? "");
  const items = (text: string) => (isList ? splitJoinedItems(text, legal) : [text]).filter(Boolean);
  const worded = (text: string) => items(text).map((item) => plain(valueText(item, kind, view, absoluteTime), "lines"));
  return {
    label: plain(attachmentLabel(label, attachment_id)),
    removed: worded(removed),
    added: worded(added),
    isList,
  };
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

/** Changes of one moment, a row per field, with labels padded to so many columns. */
function differencesText(differences: Difference[], labelColumns: number, view: View): string {
  const { quiet } = palette(view);
  const room = view.width - INDENT.length - labelColumns - GAP.length;
  const rows = differences.map((difference) => {
    const label = INDENT + cut(difference.label, labelColumns, view);
    return [
      quiet(pad(label, INDENT.length + labelColumns)),
      differenceLines(difference, room, view).join("\n"),
    ] as const;
  });
  return gridText(rows);
}

/** Width of the labels, at most a third of the line. */
function labelWidth(differences: Difference[], view: View): number {
  const longest = Math.max(0, ...differences.map(({ label }) => width(label)));
  return Math.min(longest, LONGEST_LABEL, Math.floor(view.width / 3));
}

const INDENT = "  ";
const LONGEST_LABEL = 24;

/** A single value as `old → new`, else removed values after a minus, added ones after a plus. */
function differencePieces(difference: Difference, view: View): Piece[] {
  const { removed, added } = difference;
  if (isReplacement(difference))
    return [
      { text: removed.join(), role: "removed" },
      { text: viewSigns(view).arrow, role: "quiet" },
      { text: added.join(), role: "added" },
    ];
  return [
    ...removed.map((text): Piece => ({ text: `- ${text}`, role: "removed" })),
    ...added.map((text): Piece => ({ text: `+ ${text}`, role: "added" })),
  ];
}

/** True for one value in place of another; lists have items instead. */
function isReplacement({ removed, added, isList }: Difference): boolean {
  return !isList && removed.length > 0 && added.length > 0;
}

/** A difference beside its label; values that are long or have several lines are below each other. */
function differenceLines(difference: Difference, room: number, view: View): string[] {
  const paints = palette(view);
  const pieces = differencePieces(difference, view);
  const isShort = pieces.every(({ text }) => !text.includes("\n") && width(text) <= room);
  const lines = wrapPieces(pieces, room, paints, { text: isReplacement(difference) ? " " : GAP });
  if (isShort && (lines.length === 1 || !isReplacement(difference))) return lines;
  return [
    ...difference.removed.flatMap((text) => signedLines("- ", text, room).map(paints.removed)),
    ...difference.added.flatMap((text) => signedLines("+ ", text, room).map(paints.added)),
  ];
}

/** A value wrapped after a sign, further lines indented. */
function signedLines(sign: string, text: string, room: number): string[] {
  return wrap(text, room - sign.length).map((line, at) => (at === 0 ? sign : GAP) + line);
}

export type HistoryRow = FieldChange & { readonly id: number; readonly when: string; readonly who: string };

/** A row per change of these histories, oldest first. */
export function historyRows(histories: readonly BugHistory[]): HistoryRow[] {
  return histories.flatMap(({ id, history }) =>
    history.flatMap(({ when, who, changes }) => changes.map((change) => ({ ...change, id, when, who }))),
  );
}

const historyColumn = columnMaker<HistoryRow>();

export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  historyColumn("id", "ID", "bug"),
  historyColumn("when", "When", "text", { cell: ({ when }, view) => relativeTime(when, view) }),
  historyColumn("who", "Who"),
  historyColumn("field_name", "Field"),
  historyColumn("removed", "Removed", "lines", { paint: () => "removed" }),
  historyColumn("added", "Added", "lines", { paint: () => "added" }),
  historyColumn("attachment_id", "Attachment"),
];

/** Result of a change of one object, made or expected, as a row. */
export type ResultRow = {
  readonly id: string;
  readonly old_id?: number | undefined; // in the file that a bug was filed from
  readonly result: string; // applied, unchanged, refused ...
  alias?: Bug["alias"];
  readonly changes?: Changes | undefined;
  readonly last_change_time?: string | undefined;
  readonly error?: JsonObject | undefined; // kind, message and code of a failure
  recorded?: string[] | undefined; // parameters that had an effect, and are no changes of fields
  readonly not_applied?: readonly string[] | undefined; // parameters that were not sent, or that the tracker ignored
  job?: string | undefined; // by which the change can be undone, or sent if it failed
};

const resultColumn = columnMaker<ResultRow>();

/** Columns of results; JSON has the tracker's changes, lines and tables describe them. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  resultColumn("old_id", "Old ID", "bug"),
  resultColumn("id", "ID", "bug", { value: ({ id }) => (/^\d+$/.test(id) ? Number(id) : id) }),
  resultColumn("alias", "Alias"),
  resultColumn("last_change_time", "Changed"),
  resultColumn("changes", "Changes", "text", {
    text: (row) => changesOfRow(row),
    cell: (row, view) => changesOfRow(row, viewSigns(view).arrow),
  }),
  resultColumn("result", "Result", "text", {
    paint: ({ result }) => ROLE_BY_RESULT[result.split(",")[0] ?? ""],
    shrink: "never",
  }),
  resultColumn("error", "Why", "text", { text: ({ error }) => String(error?.["message"] ?? "") }),
  resultColumn("recorded", "Recorded"),
  resultColumn("not_applied", "Not applied"),
  resultColumn("job", "Job"),
];

const ROLE_BY_RESULT: Readonly<Record<string, Role>> = {
  applied: "added",
  refused: "failed",
  unchanged: "quiet",
  unknown: "failed",
};

/**
 * Changes as a short text, `old -> new` or items after a minus and a plus, and what was recorded in
 * addition, such as a comment.
 */
function changesOfRow({ changes, recorded = [] }: ResultRow, arrow = "->"): string {
  const texts = inOrder(fieldChangesOf(changes)).map(({ field_name: field, removed, added }) => {
    if (removed && added && !holdsItems(fieldFacts(field).kind)) return `${field}: ${removed} ${arrow} ${added}`;
    return [`${field}:`, removed && `- ${removed}`, added && `+ ${added}`].filter(Boolean).join(" ");
  });
  return [...texts, ...recorded].join("; ");
}

/** An event of a watch. `who` and `when` are null for a bug that entered or left without a change. */
export type WatchEvent = {
  readonly event: "entered" | "left" | "changed" | "commented";
  readonly id: number;
  readonly summary: string | null;
  readonly when: string | null;
  readonly who: string | null;
  readonly field?: string;
  readonly old?: string;
  readonly new?: string;
  readonly attachment_id?: number | undefined;
  readonly comment?: number; // its id
  readonly count?: number; // its number on the bug
  readonly is_private?: boolean;
  readonly text?: string;
};

export function eventText(event: WatchEvent, view: View): string {
  const { id, when, who, summary } = event;
  const paint = palette(view);
  const { dot } = viewSigns(view);
  const line = plain([`#${id} ${eventDescription(event, view)}`, who, summary].filter(Boolean).join(` ${dot} `));
  const time = when === null ? "" : `${absoluteTime(when, view)} `;
  return `${paint.quiet(time)}${paint[ROLE_BY_EVENT[event.event]](cut(line, view.width - width(time), view))}\n`;
}

function eventDescription(event: WatchEvent, view: View): string {
  if (event.event === "changed")
    return `${event.field}: ${event.old || "-"} ${viewSigns(view).arrow} ${event.new || "-"}`;
  if (event.event === "commented")
    return `comment ${event.count}${event.is_private ? " (private)" : ""}: ${event.text}`;
  return event.event;
}

const ROLE_BY_EVENT = {
  entered: "added",
  left: "removed",
  changed: "title",
  commented: "moving",
} as const satisfies Readonly<Record<WatchEvent["event"], Role>>;
