import { type Column, type Listing, shownCell } from "./column.ts";
import { type Palette, palette, type Role } from "./palette.ts";
import { plain } from "./text.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, pad, width, wrap } from "./wrap.ts";

/**
 * Rows as aligned columns for the terminal. Widths are taken from the first rows and fitted, then rows are streamed:
 * long lists cost no more per row. Truncated cells end in an ellipsis; nothing is truncated in a pipe. Another listing takes
 * the place of a table on a terminal that is too narrow for columns that can be read.
 */
export function tableListing<Row>(all: readonly Column<Row>[], view: View, other?: Listing<Row>): Listing<Row> {
  const paints = palette(view);
  const { ellipsis } = viewSigns(view);
  let columns = all;
  let layout: Layout = { columns, paints, ellipsis, fills: [], rooms: [] };
  let first: { readonly rows: readonly Row[]; readonly cells: readonly Cells[] } = { rows: [], cells: [] };
  let instead: Listing<Row> | undefined;
  return {
    head: (rows) => {
      columns = fittingColumns(all, rows, view);
      const headings = headingCells(columns);
      first = { rows, cells: rows.map((row) => measuredCells(columns, row, view)) };
      const room = view.terminal ? view.width : Infinity;
      const widths = naturalWidths({ columns, headings, room }, first.cells);
      instead = isTooNarrow(columns, widths, room) ? other : undefined;
      if (instead) return instead.head(rows);
      layout = { columns, paints, ellipsis, ...fitWidths(columns, widths, room) };
      return rows.length > 0
        ? tableLine(
            headings,
            columns.map(() => "quiet"),
            layout,
          )
        : "";
    },
    page: (rows) => {
      if (instead) return instead.page(rows);
      const cells = rows === first.rows ? first.cells : rows.map((row) => measuredCells(columns, row, view));
      first = { rows: [], cells: [] };
      const roles = (row: Row) => columns.map(({ paint }) => paint?.(row, view));
      return rows.map((row, at) => tableLine(cells[at] ?? [], roles(row), layout)).join("");
    },
    tail: () => instead?.tail() ?? "",
  };
}

type Cell = { text: string; width: number };
type Cells = Cell[];
type Layout = {
  columns: readonly Pick<Column<never>, "align" | "gives">[];
  paints: Palette;
  ellipsis: string;
} & Sizes;
type Sizes = {
  fills: number[]; // padded width of each column
  rooms: number[]; // maximum width of its cells
};

const GAP = "  ";
const MIN_WIDTH_FIRST = 12; // minimum width of a shrinking column before the others shrink
const MIN_WIDTH = 6;
const ROOMY = 100; // from this width on, the last column, such as a summary, keeps
const MIN_LAST = 40;

function measuredCell(text: string): Cell {
  return { text, width: width(text) };
}

function measuredCells<Row>(columns: readonly Column<Row>[], row: Row, view: View): Cells {
  return columns.map((column) => measuredCell(plain(shownCell(column, row, view))));
}

function tableLine(cells: Cells, roles: (Role | undefined)[], layout: Layout): string {
  let line = "";
  for (let at = 0; at < cells.length; at++) {
    const role = roles[at];
    const cell = shortenedCell(cells[at] ?? BLANK, layout, at);
    const text = role ? layout.paints[role](cell.text) : cell.text;
    const blanks = " ".repeat(Math.max(0, (layout.fills[at] ?? 0) - cell.width));
    line += (at > 0 ? GAP : "") + (layout.columns[at]?.align === "right" ? blanks + text : text + blanks);
  }
  return `${line.trimEnd()}\n`;
}

const BLANK: Cell = { text: "", width: 0 };

function shortenedCell(cell: Cell, { columns, rooms, ellipsis }: Layout, at: number): Cell {
  const room = columns[at]?.gives === "never" ? Infinity : (rooms[at] ?? 0);
  return cell.width <= room ? cell : measuredCell(cut(cell.text, room, ellipsis));
}

function headingCells<Row>(columns: readonly Column<Row>[]): Cells {
  return columns.map(({ heading }) => measuredCell(plain(heading.toUpperCase())));
}

/** The columns for which the terminal has room, if each shrinks as far as it is readable. */
function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: View,
): readonly Column<Row>[] {
  const leaving = columns.filter(({ leaves }) => leaves !== undefined);
  if (!view.terminal || leaving.length === 0) return columns;
  const lines = rows.map((row) => measuredCells(columns, row, view));
  const widths = naturalWidths({ columns, headings: headingCells(columns), room: view.width }, lines);
  const least = new Map(
    columns.map((column, at) => [column, Math.min(widths[at] ?? 0, READABLE[column.gives ?? "last"])]),
  );
  let left = columns;
  for (const column of leaving.sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0))) {
    if (lineWidth(left.map((one) => least.get(one) ?? 0)) <= view.width) break;
    left = left.filter((one) => one !== column);
  }
  return left;
}

/** Widths to which columns may shrink before others leave. */
const READABLE = { first: 12, last: 24, never: Infinity } as const;

/** Widths below which a table is not worth having. */
const RECOGNIZABLE = { first: 8, last: 12, never: Infinity } as const;

type Headed = { columns: Layout["columns"]; headings: Cells; room: number };

/** Widths of the cells; a heading alone takes no more than a sixth of the line. */
function naturalWidths({ columns, headings, room }: Headed, lines: readonly Cells[]): number[] {
  const most = Math.max(MIN_WIDTH_FIRST, Math.floor(room / 6));
  const widths = headings.map((cell, at) => (columns[at]?.gives === "never" ? cell.width : Math.min(cell.width, most)));
  for (const line of lines) {
    for (const [at, cell] of line.entries()) {
      if (cell.width > (widths[at] ?? 0)) widths[at] = cell.width;
    }
  }
  return widths;
}

/** Shrinks the widest columns until the line fits; the last one gets the remaining width. */
function fitWidths(columns: Layout["columns"], widths: number[], room: number): Sizes {
  const givers = [...columns.keys()].filter((at) => columns[at]?.gives === "first");
  const all = [...columns.keys()].filter((at) => columns[at]?.gives !== "never");
  const last = widths.length - 1;
  if (room >= ROOMY) {
    const wide = widths[last] ?? 0;
    widths[last] = Math.min(wide, MIN_LAST); // for which others are shortened
    const isOther = (at: number) => at !== last;
    squeezeWidths(widths, givers.filter(isOther), { least: RECOGNIZABLE.first, room });
    squeezeWidths(widths, all.filter(isOther), { least: MIN_WIDTH_FIRST, room });
    widths[last] = wide;
    squeezeWidths(widths, all.slice(-1), { least: MIN_LAST, room });
  }
  squeezeWidths(widths, givers, { least: MIN_WIDTH_FIRST, room });
  squeezeWidths(widths, all, { least: MIN_WIDTH_FIRST, room });
  squeezeWidths(widths, givers, { least: RECOGNIZABLE.first, room });
  squeezeWidths(widths, all, { least: MIN_WIDTH, room });
  if (widths.length === 0 || columns.at(-1)?.align === "right") return { fills: widths, rooms: widths };
  const rest = Math.max(widths.at(-1) ?? 0, room - lineWidth(widths.slice(0, -1)) - GAP.length);
  return { fills: widths.with(-1, 0), rooms: widths.with(-1, rest) };
}

function squeezeWidths(widths: number[], some: number[], { least, room }: { least: number; room: number }): void {
  for (let excess = lineWidth(widths) - room; excess > 0; excess = lineWidth(widths) - room) {
    const sizes = some.map((at) => widths[at] ?? 0);
    const widest = Math.max(least, ...sizes);
    if (widest === least) return;
    const next = Math.max(least, ...sizes.filter((size) => size < widest));
    const tied = some.filter((at) => widths[at] === widest);
    const step = Math.min(widest - next, Math.ceil(excess / tied.length));
    for (const at of tied) widths[at] = widest - step;
  }
}

function lineWidth(widths: number[]): number {
  return widths.reduce((sum, size) => sum + size, GAP.length * Math.max(0, widths.length - 1));
}

/** True if not every column can have its widest cell, or at least the beginning of it. */
function isTooNarrow(columns: Layout["columns"], widths: number[], room: number): boolean {
  const least = widths.map((wide, at) => Math.min(wide, RECOGNIZABLE[columns[at]?.gives ?? "last"]));
  return lineWidth(least) > room;
}

/** Rows as records for the terminal, a line per field. */
export function recordListing<Row>(columns: readonly Column<Row>[], view: View): Listing<Row> {
  const wide = Math.max(...columns.map(({ heading }) => width(plain(heading))));
  const paints = palette(view);
  const rule = `\n${paints.quiet(viewSigns(view).rule.repeat(Math.min(view.width, LONGEST_RULE)))}\n\n`;
  let isFirst = true;
  return {
    head: () => "",
    page: (rows) => {
      const texts = rows.map((row) => recordText(nonEmptyColumns(columns, row, view), { row, view, wide, paints }));
      const joint = isFirst ? "" : rule;
      isFirst = false;
      return joint + texts.join(rule);
    },
    tail: () => "",
  };
}

const LONGEST_RULE = 80;
const MIN_ROOM = 20;

/** Non-empty columns; of users given both by login and in detail, only the detail. */
function nonEmptyColumns<Row>(columns: readonly Column<Row>[], row: Row, view: View): Column<Row>[] {
  const telling = columns.filter((column) => shownCell(column, row, view) !== "");
  return [...new Map(telling.map((column) => [column.heading, column])).values()];
}

type RecordStyle<Row> = { row: Row; view: View; wide: number; paints: Palette };

function recordText<Row>(columns: readonly Column<Row>[], { row, view, wide, paints }: RecordStyle<Row>): string {
  const gap = "  ";
  const indent = " ".repeat(wide + gap.length);
  const room = Math.max(MIN_ROOM, view.width - indent.length);
  return columns
    .map((column) => {
      const role = column.paint?.(row, view);
      const lines = wrap(plain(shownCell(column, row, view), { lines: true }), room);
      const painted = lines.map((line) => (role ? paints[role](line) : line));
      return `${paints.quiet(pad(plain(column.heading), wide))}${gap}${painted.join(`\n${indent}`)}\n`;
    })
    .join("");
}
