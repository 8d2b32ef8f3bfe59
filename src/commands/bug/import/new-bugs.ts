import {
  type Catalog,
  legalValue,
  requireField,
  statusMoves,
  statusNames,
  withEnterableProduct,
} from "../../../api/catalog/catalog.ts";
import { partition } from "../../../api/lists.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { checkInitialStatus, DUPLICATE, statusBetween, textValueIn, UNCONFIRMED } from "../../../api/write/checks.ts";
import { checkedText, MAX_DESCRIPTION } from "../../../api/write/values.ts";
import { BtError, usageError } from "../../../errors.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { Comment } from "../../../wire/resources.ts";
import { type CellContext, type ColumnCell, type ImportColumn, readCellValue } from "./columns.ts";

/**
 * Body of a new bug from the cells of a row, validated against the tracker's metadata.
 * @throws BtError of kind usage for missing fields, and for cells that a new bug cannot have
 */
export async function newBugFromCells(cells: readonly ColumnCell[], context: CellContext): Promise<JsonObject> {
  const filled = cells.filter(({ column, cell }) => cell.length > 0 && DEFAULT_CELLS[column.name] !== cell);
  const [product, others] = partition(filled, ({ column }) => column.name === "product");
  const named = product[0] && String(product[0].cell);
  const catalog = await withEnterableProduct(context.valueContext.catalog, named, context.send);
  const body: Record<string, Json> = {};
  for (const cell of [...product, ...others]) {
    const valueContext = { ...context.valueContext, catalog, product: textValueIn(body, "product") };
    if (isForNewBug(cell.column)) body[cell.column.name] = await readCellValue(cell, { ...context, valueContext });
  }
  const required = CREATE_BUG.parameters.filter((parameter) => "required" in parameter && parameter.required);
  const missing = required.map(({ name }) => name).filter((name) => body[name] === undefined);
  if (missing.length > 0) throw usageError(`a new bug requires ${missing.join(", ")}`);
  checkInitialStatus(body, catalog);
  return body;
}

/** Cells of the values that a new bug has by default. */
const DEFAULT_CELLS: Readonly<Record<string, string>> = {
  is_cc_accessible: "true",
  is_creator_accessible: "true",
  remaining_time: "0",
};

/** False for a column that is ignored. @throws BtError of kind usage if a new bug cannot have it */
function isForNewBug({ name, label, role, create, custom }: ImportColumn): boolean {
  if (name === "flags" || (role === "set" && !create && !custom))
    throw usageError(`${label} cannot be set on a new bug by an import`, "empty the cell");
  if (role === "text" && !create)
    throw usageError("a new bug has no comment", "add a description in a column named description");
  return role === "set" || role === "text";
}

/** Changes of a copied bug after it is filed, which name other bugs by their old numbers. */
export type LaterChanges = {
  readonly oldId: number | undefined;
  readonly links: Readonly<Record<"depends_on" | "blocks", readonly number[]>>;
  readonly moves: readonly JsonObject[]; // from the status that it is filed with to its own; a duplicate names the old original
  readonly omitted: number; // comments that are private or do not fit
};

/** Columns that a copy does not have. */
export const NOT_COPIED = ["flags", "remaining_time", "history", "attachments"];

/** Columns whose cells are not copied as they are. */
const SEPARATE_COLUMNS = ["description", "status", "resolution", "dupe_of", "depends_on", "blocks", ...NOT_COPIED];

/** Cells of a row by the names of their columns. */
type Cells = ReadonlyMap<string, ColumnCell>;

/**
 * Body of the new bug that a row is copied to, whatever its number, and the changes that follow.
 * @throws BtError of kind usage for a value that the tracker does not have
 */
export async function planCopy(
  row: readonly ColumnCell[],
  context: CellContext,
): Promise<{ create: JsonObject; copy: LaterChanges }> {
  const cells: Cells = new Map(row.map((cell) => [cell.column.name, cell]));
  const { catalog } = context.valueContext;
  const [start, ...statuses] = statusPath(textIn(cells, "status"), catalog);
  const { description, isPrivate, omitted } = describeCopy(cells);
  const copied = row.filter(({ column }) => !SEPARATE_COLUMNS.includes(column.name));
  const create = {
    ...(await newBugFromCells(copied, context)),
    description: checkedText("description", description),
    ...(isPrivate && { comment_is_private: true }),
    ...(start && { status: start }),
  };
  const links = { depends_on: idsIn(cells, "depends_on"), blocks: idsIn(cells, "blocks") };
  const moves = statusUpdates(start ?? "", statuses, cells, catalog);
  return { create, copy: { oldId: idsIn(cells, "id")[0], links, moves, omitted } };
}

function textIn(cells: Cells, name: string): string {
  return String(cells.get(name)?.cell ?? "").trim();
}

/** The bug numbers in a cell, such as `4, 12`. */
function idsIn(cells: Cells, name: string): number[] {
  return (textIn(cells, name).match(/\d+/g) ?? []).map(Number);
}

/**
 * The description of a copy: origin, description and comments, as far as they fit. Private comments are only part of a
 * private description.
 */
function describeCopy(cells: Cells) {
  const cell = cells.get("comments")?.cell;
  const texts = typeof cell === "object" ? cell : [];
  const comments = texts.map((text) => JSON.parse(text) as Comment);
  const first = comments.find(({ count }) => count === 0);
  const isPrivate = first?.is_private === true;
  const start = [originOf(cells), textIn(cells, "description") || first?.text].filter(Boolean).join("\n\n");
  const others = comments.filter(({ count, text }) => count > 0 && text !== "");
  const shown = others.filter((comment) => isPrivate || !comment.is_private);
  const shownTexts: string[] = [];
  let length = [...start].length; // code points
  for (const { count, creator, time, text } of shown) {
    const minute = time.slice(0, 16).replace("T", " ");
    const shownText = `Comment ${count} by ${creator} on ${minute} UTC:\n\n${text}`;
    length += [...shownText].length + 2;
    if (length > MAX_DESCRIPTION) break;
    shownTexts.push(shownText);
  }
  const description = [start, ...shownTexts].join("\n\n");
  return { description, isPrivate, omitted: others.length - shownTexts.length };
}

/** The origin of a bug, such as `kettle.db bug 12, reported by ana@example.org on 2026-03-01`. */
function originOf(cells: Cells): string {
  const [id] = idsIn(cells, "id");
  const creator = textIn(cells, "creator");
  const day = textIn(cells, "creation_time").slice(0, 10);
  const bug = id === undefined ? "" : `${textIn(cells, "tracker")} bug ${id}`.trim();
  const reported = [creator && `by ${creator}`, day && `on ${day}`].filter(Boolean).join(" ");
  return [bug, reported && `reported ${reported}`].filter(Boolean).join(", ");
}

/**
 * The statuses by which a new bug gets to a status, at most three. The first is an initial status, UNCONFIRMED only if
 * there is no other; "" for the tracker's default.
 * @throws BtError of kind usage if the workflow has no such path
 */
function statusPath(text: string, catalog: Catalog): readonly string[] {
  if (text === "") return [];
  const status = legalValue(requireField(catalog, "status"), text);
  if (catalog.starts.length === 0) return ["", status];
  const open = statusNames(catalog, "open");
  const initial = catalog.starts.map(({ name }) => name).filter((name) => open.includes(name));
  if (initial.includes(status)) return [status];
  const starts = partition(initial, (name) => name !== UNCONFIRMED).flat(); // UNCONFIRMED last
  const start = starts.find((name) => statusMoves(catalog, name)?.some((move) => move.name === status));
  if (start !== undefined) return [start, status];
  for (const name of starts) {
    const between = statusBetween(name, status, catalog);
    if (between) return [name, between, status];
  }
  throw usageError(`a new bug cannot become ${status}`, "empty the status, or name another one");
}

/** An update for each status after `start`; the update that closes the bug sets the resolution or the original. */
function statusUpdates(start: string, statuses: readonly string[], cells: Cells, catalog: Catalog): JsonObject[] {
  const [dupe_of] = idsIn(cells, "dupe_of");
  const closing = statuses.find((name) => statusNames(catalog, "closed").includes(name));
  return statuses.map((status, at) => {
    const move = statusMoves(catalog, statuses[at - 1] ?? start)?.find(({ name }) => name === status);
    const comment = move?.comment_required ? { comment: { body: originOf(cells) || status } } : {};
    if (status !== closing) return { status, ...comment };
    return dupe_of === undefined ? { status, ...resolutionOf(cells, catalog), ...comment } : { dupe_of, ...comment };
  });
}

function resolutionOf(cells: Cells, catalog: Catalog): JsonObject {
  const text = textIn(cells, "resolution");
  if (text === "") return {};
  const resolution = legalValue(requireField(catalog, "resolution"), text);
  if (resolution === DUPLICATE)
    throw usageError(`resolution ${DUPLICATE} requires the original bug in a column dupe_of`);
  return { resolution };
}

/**
 * Bodies of the updates that complete a copied bug, in order, with new numbers. A link to a bug that is not filed yet is
 * left out: that bug links back when it is filed.
 * @throws BtError of kind missing if the original of a duplicate is not filed
 */
export function laterUpdates({ links, moves }: LaterChanges, newIds: ReadonlyMap<number, number>): JsonObject[] {
  const newLinks: Record<string, Json> = {};
  for (const [name, oldIds] of Object.entries(links)) {
    const add = oldIds.flatMap((id) => newIds.get(id) ?? []);
    if (add.length > 0) newLinks[name] = { add };
  }
  const updates = moves.map((body) => renumberOriginal(body, newIds));
  return Object.keys(newLinks).length > 0 ? [newLinks, ...updates] : updates;
}

/** The body with the new number of the original, if it names an original. */
function renumberOriginal(body: JsonObject, newIds: ReadonlyMap<number, number>): JsonObject {
  if (body["dupe_of"] === undefined) return body;
  const original = newIds.get(Number(body["dupe_of"]));
  if (original !== undefined) return { ...body, dupe_of: original };
  throw new BtError("missing", `the original, bug ${body["dupe_of"]} of the file, is not filed`);
}
