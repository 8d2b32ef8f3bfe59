import { type Column, cellIn, type Listing } from "./column.ts";
import { type Palette, palette } from "./palette.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";
import { pad, width } from "./width.ts";
import { wrap } from "./wrap.ts";

/** Prints rows as records for eyes, a line a field, where a table of so many columns would show a letter or two of each. */
export function records<Row>(columns: readonly Column<Row>[], view: View): Listing<Row> {
  const wide = Math.max(...columns.map(({ heading }) => width(plain(heading))));
  const paints = palette(view);
  const rule = `\n${paints.quiet("─".repeat(Math.min(view.width, LONGEST_RULE)))}\n\n`;
  let isFirst = true;
  return {
    head: () => "",
    page: (rows) => {
      const texts = rows.map((row) => recordText(tellingColumns(columns, row, view), { row, view, wide, paints }));
      const joint = isFirst ? "" : rule;
      isFirst = false;
      return joint + texts.join(rule);
    },
    tail: () => "",
  };
}

/** Whether a terminal is too narrow for a table of so many columns. */
export function isTooNarrow(columns: readonly unknown[], view: View): boolean {
  return view.terminal && columns.length > MOST_SQUEEZED && columns.length * LEAST > view.width;
}

const MOST_SQUEEZED = 12;
const LEAST = 8; // a column that was squeezed, and the gap beside it
const LONGEST_RULE = 80;
const LEAST_ROOM = 20;

/** What says nothing is left out; what is told twice, first short and then whole, such as people, is told whole. */
function tellingColumns<Row>(columns: readonly Column<Row>[], row: Row, view: View): readonly Column<Row>[] {
  const telling = columns.filter((column) => cellIn(column, row, view) !== "");
  return [...new Map(telling.map((column) => [column.heading, column])).values()];
}

type Manner<Row> = { readonly row: Row; readonly view: View; readonly wide: number; readonly paints: Palette };

function recordText<Row>(columns: readonly Column<Row>[], { row, view, wide, paints }: Manner<Row>): string {
  const gap = "  ";
  const indent = " ".repeat(wide + gap.length);
  const room = Math.max(LEAST_ROOM, view.width - indent.length);
  return columns
    .map((column) => {
      const role = column.paint?.(row, view);
      const lines = wrap(plain(cellIn(column, row, view), { lines: true }), room);
      const painted = lines.map((line) => (role ? paints[role](line) : line));
      return `${paints.quiet(pad(plain(column.heading), wide))}${gap}${painted.join(`\n${indent}`)}\n`;
    })
    .join("");
}
