import { BUG_FIELDS } from "../wire/bug.ts";
import type { Field } from "../wire/field.ts";
import type { Change } from "../wire/history.ts";
import { type FieldKind, fieldFacts } from "./field-facts.ts";
import { type Palette, palette } from "./palette.ts";
import { grid } from "./table.ts";
import { plain } from "./text.ts";
import { hours } from "./times.ts";
import type { View } from "./view.ts";
import { cut, pad, width } from "./width.ts";
import { flow, wrap } from "./wrap.ts";

/** One field's change made ready to be shown: what left and what came, item by item where the field is a list. */
export type Difference = {
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly isList: boolean;
};

/**
 * Reads the changes of one moment, in the order in which fields are shown everywhere; a tracker gives them in any. Lists come
 * joined by commas; only fields that hold lists are taken apart again.
 */
export function differences(changes: readonly Change[], fields: readonly Field[] = []): readonly Difference[] {
  const place = ({ field_name }: Change) => (ORDER.includes(field_name) ? ORDER.indexOf(field_name) : ORDER.length);
  const sorted = changes.toSorted((a, b) => place(a) - place(b) || (a.field_name < b.field_name ? -1 : 1));
  return sorted.map((change) => difference(change, fields));
}

const ORDER: readonly string[] = Object.keys(BUG_FIELDS);

function difference(change: Change, fields: readonly Field[]): Difference {
  const { label, kind } = fieldFacts(change.field_name, fields);
  const about = change.attachment_id === undefined ? label : ofAttachment(label, change.attachment_id);
  const isList = LISTS.has(kind);
  const legal = fields.find(({ name }) => name === change.field_name)?.values?.map(({ name }) => name ?? "") ?? [];
  const read = (text: string) =>
    (isList ? items(text, legal) : [text].filter(Boolean)).map((item) => worded(item, kind));
  return { label: about, removed: read(change.removed), added: read(change.added), isList };
}

/** Lays out the changes of one moment, one field a row, labels as wide as `labelWidth` so that several moments line up. */
export function differenceRows(differences: readonly Difference[], labelWidth: number, view: View): string {
  const { quiet } = palette(view);
  const room = view.terminal ? Math.max(LEAST_ROOM, view.width - INDENT.length - labelWidth - 2) : Infinity;
  return grid(
    differences.map((one) => [
      quiet(INDENT + pad(cut(plain(one.label), labelWidth), labelWidth)),
      differenceText(one, room, view),
    ]),
  );
}

/** How wide the labels of these differences are, within reason. */
export function labelWidth(differences: readonly Difference[]): number {
  return Math.min(LONGEST_LABEL, Math.max(0, ...differences.map(({ label }) => width(plain(label)))));
}

/**
 * What left in red after a minus and what came in green after a plus; one short value for another as `old → new`; long
 * ones wrapped under one another. Colour says nothing that the signs do not.
 */
function differenceText({ removed, added, isList }: Difference, room: number, view: View): string {
  const paints = palette(view);
  const [from, to] = [removed, added].map((values) => values.map((value) => plain(value, { lines: true })));
  if (!isList && from?.[0] !== undefined && to?.[0] !== undefined) return replaced(from[0], to[0], { room, paints });
  const pieces = [...(from ?? []).map((item) => `- ${item}`), ...(to ?? []).map((item) => `+ ${item}`)];
  if (pieces.every((piece) => !piece.includes("\n") && width(piece) <= room)) {
    return flow(pieces, room)
      .map((line) => line.map((piece) => signed(piece, paints)).join("  "))
      .join("\n");
  }
  return pieces.map((piece) => stacked(piece, { room, paints })).join("\n");
}

const INDENT = "  ";
const LEAST_ROOM = 20;
const LONGEST_LABEL = 24;
function ofAttachment(label: string, id: number): string {
  return /^Attachment/.test(label) ? label.replace("Attachment", `Attachment ${id}`) : `${label} (attachment ${id})`;
}

const LISTS: ReadonlySet<FieldKind> = new Set(["list", "people", "bugs", "flags", "users"]);
const ITEMS = ", ";

/** Takes a joined list apart; a legal value that holds a comma itself is kept whole. */
function items(text: string, legal: readonly string[]): readonly string[] {
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

function worded(value: string, kind: FieldKind): string {
  if (kind === "yes-no") return value === "1" || value === "true" ? "yes" : "no";
  if (kind === "bug" || kind === "bugs") return /^\d+$/.test(value) ? `#${value}` : value;
  return kind === "hours" && value !== "" && Number.isFinite(Number(value)) ? hours(Number(value)) : value;
}

type Space = { readonly room: number; readonly paints: Palette };

function replaced(from: string, to: string, { room, paints }: Space): string {
  const isShort = width(from) + width(to) + 3 <= room && !`${from}${to}`.includes("\n");
  if (isShort) return `${paints.removed(from)} ${paints.quiet("→")} ${paints.added(to)}`;
  return [`- ${from}`, `+ ${to}`].map((piece) => stacked(piece, { room, paints })).join("\n");
}

function stacked(piece: string, { room, paints }: Space): string {
  const sign = piece.slice(0, 2);
  const lines = wrap(piece.slice(2), room - 2);
  return lines.map((line, at) => signed(`${at === 0 ? sign : "  "}${line}`, paints, sign)).join("\n");
}

function signed(text: string, paints: Palette, sign = text): string {
  return (sign.startsWith("+") ? paints.added : paints.removed)(text);
}
