import { type Column, type Listing, shownCell } from "./column.ts";
import { palette, type Role } from "./palette.ts";
import { plain } from "./text.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, width } from "./wrap.ts";

/**
 * Rows as aligned columns for the terminal. The first rows are measured and decide the widths; all
 * rows are cut to them, with an ellipsis, so that a list of any length streams. Nothing is cut in a
 * pipe.
 */
export function tableListing<Row>(columns: readonly Column<Row>[], view: View): Listing<Row> {
  const headings = columns.map(({ heading }) => measuredCell(plain(heading.toUpperCase())));
  const cellsOf = (row: Row) => columns.map((column) => measuredCell(plain(shownCell(column, row, view))));
  let first: { rows: readonly Row[]; lines: Cell[][] } = { rows: [], lines: [] };
  let places: Place<Row>[] = [];
  return {
    head: (rows) => {
      first = { rows, lines: rows.map(cellsOf) };
      places = fittingPlaces(columns, [headings, ...first.lines], view);
      return rows.length > 0 ? tableLine(headings, places, () => "quiet", view) : "";
    },
    page: (rows) => {
      const lines = rows === first.rows ? first.lines : rows.map(cellsOf);
      const texts = rows.map((row, at) => tableLine(lines[at] ?? [], places, ({ paint }) => paint?.(row, view), view));
      return texts.join("");
    },
    tail: () => "",
  };
}

type Cell = { text: string; width: number };

/** A shown column, its number among all, and the width to which cells are cut unless `isWhole`. */
type Place<Row> = { column: Column<Row>; at: number; wide: number; isWhole: boolean };

function measuredCell(text: string): Cell {
  return { text, width: width(text) };
}

function tableLine<Row>(
  cells: readonly Cell[],
  places: readonly Place<Row>[],
  roleOf: (column: Column<Row>) => Role | undefined,
  view: View,
): string {
  const paints = palette(view);
  const texts = places.map(({ column, at, wide, isWhole }) => {
    const whole = cells[at] ?? measuredCell("");
    const isFitting = isWhole || whole.width <= wide;
    const cell = isFitting ? whole : measuredCell(cut(whole.text, wide, viewSigns(view).ellipsis));
    const role = roleOf(column);
    const text = role ? paints[role](cell.text) : cell.text;
    const blanks = " ".repeat(Math.max(0, wide - cell.width));
    return column.align === "right" ? blanks + text : text + blanks;
  });
  return `${texts.join(GAP).trimEnd()}\n`;
}

const GAP = "  ";
const READABLE = { first: 12, last: 24, never: Infinity }; // to which columns shrink before optional ones leave
const LAST = 40; // to which the last column, such as a summary, shrinks before the others do
const LEAST = 12; // to which each column shrinks before any shrinks more

/** The columns for which there is room, the heading and the cells of a line in each of `lines`. */
function fittingPlaces<Row>(columns: readonly Column<Row>[], lines: readonly Cell[][], view: View): Place<Row>[] {
  const room = view.terminal ? view.width : Infinity;
  const isUncut = room === Infinity;
  const all = columns.map((column, at) => ({
    column,
    at,
    wide: naturalWidth(column, at, lines, room),
    isWhole: isUncut || isRigid(column),
  }));
  const places = withoutOptional(all, room);
  if (!isUncut) fitWidths(places, room);
  return places;
}

/** Width of the longest cell; headings of flexible columns count up to a sixth of the line. */
function naturalWidth<Row>(column: Column<Row>, at: number, lines: readonly Cell[][], room: number): number {
  const [heading = 0, ...cells] = lines.map((line) => line[at]?.width ?? 0);
  const start = isRigid(column) ? heading : Math.min(heading, Math.max(LEAST, Math.floor(room / 6)));
  return cells.reduce((wide, cell) => Math.min(room, Math.max(wide, cell)), start);
}

/** Columns for this width, without optional ones that would make the others unreadable. */
function withoutOptional<Row>(all: Place<Row>[], room: number): Place<Row>[] {
  const leaving = all.filter(({ column }) => column.optional !== undefined);
  leaving.sort((a, b) => (a.column.optional ?? 0) - (b.column.optional ?? 0));
  let shown = all;
  for (const place of leaving) {
    const least = shown.map(({ column, wide }) => Math.min(wide, READABLE[column.shrink ?? "last"]));
    if (lineWidth(least) <= room) break;
    shown = shown.filter((other) => other !== place);
  }
  return shown;
}

/** Shrinks columns until a line fits, the widest first; the last column gets all that is left. */
function fitWidths<Row>(places: readonly Place<Row>[], room: number): void {
  const excess = () => lineWidth(places.map(({ wide }) => wide)) - room;
  const flexible = places.filter(({ isWhole }) => !isWhole);
  const last = flexible.filter((place) => place === places.at(-1));
  const others = flexible.filter((place) => place !== places.at(-1));
  const firsts = others.filter(({ column }) => column.shrink === "first");
  for (const [some, least] of [
    [last, LAST],
    [firsts, LEAST],
    [others, LEAST],
    [last, LEAST],
    [flexible, LEAST / 2],
    [flexible, LEAST / 4],
  ] as const) {
    for (let over = excess(); over > 0; over -= 1) {
      const widest = some.toSorted((a, b) => b.wide - a.wide)[0];
      if (widest === undefined || widest.wide <= least) break;
      widest.wide -= 1;
    }
  }
  for (const place of last) place.wide -= Math.min(0, excess());
}

/** True for columns whose cells are never cut: half a number is another number. */
function isRigid<Row>({ shrink, align }: Column<Row>): boolean {
  return shrink === "never" || align === "right";
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, GAP.length * Math.max(0, widths.length - 1));
}
