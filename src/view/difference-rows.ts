import type { Difference } from "./difference.ts";
import { type Palette, palette } from "./palette.ts";
import { grid } from "./table.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";
import { cut, pad, width } from "./width.ts";
import { flow, type Piece, wrap } from "./wrap.ts";

/** Lays out the changes of one moment, one field a row, labels as wide as `labels` so that several moments line up. */
export function differenceRows(differences: readonly Difference[], labels: number, view: View): string {
  const paints = palette(view);
  const room = view.terminal ? Math.max(LEAST_ROOM, view.width - INDENT.length - labels - 2) : Infinity;
  const label = (text: string) => paints.quiet(INDENT + pad(cut(plain(text), labels), labels));
  return grid(differences.map((one) => [label(one.label), differenceText(one, { room, paints })]));
}

/** How wide the labels of these differences are, within reason. */
export function labelWidth(differences: readonly Difference[]): number {
  return Math.min(LONGEST_LABEL, Math.max(0, ...differences.map(({ label }) => width(plain(label)))));
}

const INDENT = "  ";
const LEAST_ROOM = 20;
const LONGEST_LABEL = 24;

type Space = { readonly room: number; readonly paints: Palette };

// What left in red after a minus and what came in green after a plus; one short value for another as `old → new`. Colour
// says nothing that the signs do not.
function differenceText({ removed, added, isList }: Difference, space: Space): string {
  const gone = removed.map((item): Piece => ({ text: `- ${plain(item, { lines: true })}`, role: "removed" }));
  const come = added.map((item): Piece => ({ text: `+ ${plain(item, { lines: true })}`, role: "added" }));
  const [from, to] = [gone[0], come[0]];
  if (!isList && from && to) return replaced(from, to, space);
  const pieces = [...gone, ...come];
  const areShort = pieces.every(({ text }) => !text.includes("\n") && width(text) <= space.room);
  return areShort
    ? flow(pieces, space.room, space.paints).join("\n")
    : pieces.map((one) => stacked(one, space)).join("\n");
}

function replaced(from: Piece, to: Piece, { room, paints }: Space): string {
  const isShort = width(from.text) + width(to.text) - 1 <= room && !/\n/.test(from.text + to.text);
  if (isShort) return `${paints.removed(from.text.slice(2))} ${paints.quiet("→")} ${paints.added(to.text.slice(2))}`;
  return [from, to].map((piece) => stacked(piece, { room, paints })).join("\n");
}

function stacked({ text, role = "removed" }: Piece, { room, paints }: Space): string {
  const lines = wrap(text.slice(2), room - 2);
  return lines.map((line, at) => paints[role]((at === 0 ? text.slice(0, 2) : "  ") + line)).join("\n");
}
