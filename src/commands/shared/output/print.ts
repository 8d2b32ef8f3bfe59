import { inChunks } from "../../../api/lists.ts";
import { BtError, withDetails } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import { type BugColumn, defaultBugColumns, findBugColumn } from "../../../view/bug-columns.ts";
import { type Column, keysInOrder, type Listing } from "../../../view/column.ts";
import { columnMaker } from "../../../view/field-kinds.ts";
import { jsonListing, listing, separateCards } from "../../../view/listing.ts";
import { escapeJson } from "../../../view/text.ts";
import type { View } from "../../../view/view.ts";
import { SHOWN_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { Field } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { unknownColumnError } from "../flags.ts";
import { type FieldSelection, needNoCatalog, selectFields } from "./field-selection.ts";

export type PrintedList<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
};

/** Prints a list in the chosen format, page by page. Returns the number of rows. */
export async function showList<Row>(context: Context, shown: PrintedList<Row>): Promise<number> {
  const { format, view } = context.output;
  return showPages(context, shown.pages, listing(format, shown.columns, view));
}

/** Like `showList`, with a message on the terminal for an empty list. */
export async function showListOrNone<Row>(context: Context, shown: PrintedList<Row>, none: string): Promise<number> {
  const count = await showList(context, shown);
  if (count === 0 && context.output.format === "table" && context.io.terminal.stdout) await note(context.io, none);
  return count;
}

/**
 * Prints pages as they come. If a page fails, the earlier ones are shown, a JSON array without its end, and the error says
 * that the output is incomplete.
 */
export async function showPages<Row>(
  context: Context,
  pages: PrintedList<Row>["pages"],
  list: Listing<Row>,
): Promise<number> {
  const out = context.output.open();
  let count = 0;
  try {
    for await (const page of pages)
      for (const rows of inChunks(page, ROWS_AT_A_TIME)) {
        await out.write((count === 0 ? list.head(page) : "") + list.page(rows));
        count += rows.length;
      }
  } catch (error) {
    if (count === 0 || context.io.signal.aborted) throw error;
    if (context.output.format === "json") await out.write("\n"); // so that the error begins a line
    await out.end();
    throw incompleteError(error, count);
  }
  await out.write((count === 0 ? list.head([]) : "") + list.tail());
  await out.end();
  return count;
}

const ROWS_AT_A_TIME = 100; // their text is written before the next is made

function incompleteError(error: unknown, count: number): unknown {
  return error instanceof BtError ? withDetails(error, [`output is incomplete (stopped after ${count})`]) : error;
}

/** Prints objects: in JSON as received, with the keys of `first` in front, else by the chosen columns. */
export async function showReceived<Row>(
  context: Context,
  pages: PrintedList<Row>["pages"],
  columns: readonly Column<Row>[],
  first: readonly string[],
): Promise<void> {
  const format = wholeJsonFormat(context);
  if (format) await showPages(context, pages, jsonListing<Row>(format, context.output.view, first));
  else await showList(context, { columns: chosenColumns(columns, context), pages });
}

export async function* mapPages<From, To>(
  pages: AsyncIterable<From> | Iterable<From>,
  make: (page: From) => readonly To[],
): AsyncGenerator<readonly To[]> {
  for await (const page of pages) yield make(page);
}

export async function showText(context: Context, text: string): Promise<void> {
  const out = context.output.open();
  await out.write(text);
  await out.end();
}

/** Text of one value as JSON, indented on a terminal. */
export function jsonText(value: object, { io }: Context): string {
  return `${escapeJson(JSON.stringify(value, null, io.terminal.stdout ? 2 : 0))}\n`;
}

/** Prints cards or timelines, with a rule between them on a terminal. */
export async function showCards(context: Context, cards: string[]): Promise<void> {
  await showText(context, separateCards(cards, context.output.view));
}

/** True where cards and timelines are shown: in the format of a terminal, if no fields were chosen. */
export function isForCards({ output }: Context): boolean {
  return output.format === "table" && !output.fields;
}

export function isJson({ output }: Context): boolean {
  return ["json", "ndjson"].includes(output.format);
}

/** The bug fields that names choose; the tracker's metadata is only read for custom fields and the like. */
export async function chooseSelection(
  names: readonly string[],
  context: Context,
): Promise<FieldSelection & { readonly fields: readonly Field[] }> {
  const { session } = context;
  const selection = needNoCatalog(names)
    ? selectFields(names, undefined)
    : await withCatalog(session, (catalog) => selectFields(names, catalog, isJson(context)));
  const isStandard = selection.keys.every((key) => SHOWN_BUG_FIELDS.includes(key));
  return { ...selection, fields: isStandard ? [] : (await session.catalog()).received };
}

/** The format if it is JSON and no keys were chosen: objects are then printed as received. */
export function wholeJsonFormat({ output }: Context): "json" | "ndjson" | undefined {
  const { format, fields } = output;
  return (format === "json" || format === "ndjson") && !fields ? format : undefined;
}

/** Columns that contain the members of an object under their own names, for JSON. */
export function wireColumns<Row extends object>(names: readonly (keyof Row & string)[]): Column<Row>[] {
  return names.map((name) => columnMaker<Row>()(name, name));
}

/** Prints complete objects: as cards on a terminal, else as a list. */
export async function showObjects<Row extends object>(
  context: Context,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  cardOf: (row: Row, view: View) => string,
): Promise<void> {
  if (isForCards(context))
    return showCards(
      context,
      rows.map((row) => cardOf(row, context.output.view)),
    );
  await showList(context, { columns: columnsFor(rows, columns, context), pages: [rows] });
}

/**
 * Columns of complete objects: the chosen ones, which may be any received; else all received ones in JSON, and the
 * default ones in other formats.
 */
export function columnsFor<Row extends object>(
  rows: readonly Row[],
  usual: readonly Column<Row>[],
  context: Context,
): readonly Column<Row>[] {
  const names = usual.map(({ name }) => name);
  const keys = keysInOrder([...new Set(rows.flatMap((row) => Object.keys(row)))], names);
  const received = wireColumns<Row>(keys as (keyof Row & string)[]);
  if (context.output.fields)
    return chosenColumns([...usual, ...received.filter(({ name }) => !names.includes(name))], context);
  return isJson(context) ? received : usual;
}

/**
 * The columns chosen by `--fields`, in that order.
 * @throws BtError of kind usage for an unknown column
 */
export function chosenColumns<Row>(columns: readonly Column<Row>[], context: Context): readonly Column<Row>[] {
  const chosen = context.output.fields;
  if (!chosen) return columns;
  const names = columns.map(({ name }) => name);
  return chosen.map((name) => {
    const column = columns.find((candidate) => candidate.name === name);
    if (!column) throw unknownColumnError(name, names);
    const { optional: _, ...required } = column; // a chosen column stays however narrow the terminal is
    return required;
  });
}

/** Columns of a list of bugs: chosen, or the usual columns of the format. */
export async function chooseBugColumns(
  context: Context,
  chosen = context.output.fields,
): Promise<readonly BugColumn[]> {
  const { format, view } = context.output;
  if (format === "ids") return defaultBugColumns(format, view).filter(({ name }) => name === "id");
  const names = chosen ?? (context.io.terminal.stdout ? context.session.settings.fields : undefined);
  if (!names) return defaultBugColumns(format, view);
  const { keys, fields } = await chooseSelection(names, context);
  return keys.flatMap((key) => findBugColumn(key, fields, view) ?? []);
}
