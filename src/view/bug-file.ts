import type { Bug } from "../wire/bug-fields.ts";
import type { Json } from "../wire/exchange.ts";
import { type Column, exactCellText, exactText, type Listing } from "./column.ts";
import { listing } from "./listing.ts";
import { bugFlagText } from "./looks.ts";
import { stableMember } from "./stable.ts";
import type { BugFileFormat, View } from "./view.ts";

/** Form of a file of bugs: its format, and whether CSV cells are written as they are. */
export type BugFileForm = { readonly format: BugFileFormat; readonly isRaw: boolean };

/** Bugs as a file: exact texts, except on a terminal, which control characters must not reach. */
export function bugFileListing<Row extends Bug>(
  { format, isRaw }: BugFileForm,
  columns: readonly Column<Row>[],
  view: View,
): Listing<Row> {
  const exact = { ...view, isRaw };
  if (format === "ndjson") return listing("ndjson", columns, exact);
  const cells = columns.map((column) => ({
    ...column,
    unset: "",
    text: (row: Row) => bugFileCell(column, row),
  }));
  const lines = listing(format, cells, exact);
  const head = format === "tsv" ? () => `${columns.map(({ name }) => name).join("\t")}\n` : lines.head;
  return { ...lines, head };
}

/** Text of a cell: one value, or the items of a list. */
function bugFileCell<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row);
  if (!Array.isArray(value)) return exactCellText(column, row);
  return bugFileItems(column.name, value).map(quotedCellItem).join(",");
}

/** Items of a list as texts, sorted where trackers return them in any order. */
export function bugFileItems(name: string, value: Json): string[] {
  const items = [stableMember(value, name)].flat() as Json[];
  return items.map((item) => cellItemText(name, item));
}

function cellItemText(name: string, item: Json): string {
  if (name === "flags") return bugFlagText(item as Parameters<typeof bugFlagText>[0]);
  const login = Object(item)["name"];
  return typeof login === "string" ? login : exactText(item);
}

/** An item in the list of a cell. */
export function quotedCellItem(item: string): string {
  const isPlain = item !== "" && !item.includes(",") && !/^[\s"]|["\r\n]|\s$/.test(item);
  return isPlain ? item : `"${item.replaceAll('"', '""')}"`;
}
