import { type Catalog, possiblyRequiredFields, requireField } from "../../../api/catalog/catalog.ts";
import type { WithProduct } from "../../../api/catalog/enterable-products.ts";
import { legalValue, statusMoves, statusNames } from "../../../api/catalog/legal-values.ts";
import { partition } from "../../../api/lists.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { checkInitialStatus } from "../../../api/write/checks.ts";
import { checkedText, MAX_DESCRIPTION } from "../../../api/write/limits.ts";
import { DUPLICATE, textValueIn, UNCONFIRMED } from "../../../api/write/moves.ts";
import { BtError, usageError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { Comment, StatusMove } from "../../../wire/resources.ts";
import { type CellContext, type ColumnCell, readCellValue } from "./cells.ts";
import { type ImportColumn, importColumns } from "./columns.ts";

/** Metadata that the cells of new bugs are read with, and the defaults of the configuration. */
export type NewBugContext = {
  readonly values: CellContext;
  readonly withProduct: WithProduct;
  readonly settings: Session["settings"];
};

/**
 * Body of a new bug from the cells of a row, validated against the tracker's metadata. Empty cells get the defaults of the
 * configuration, else of the tracker.
 * @throws BtError of kind usage for missing fields, and for cells that a new bug cannot have
 */
export async function newBugFromCells(
  given: readonly ColumnCell[],
  { values, withProduct, settings }: NewBugContext,
): Promise<JsonObject> {
  const own = given.filter(({ column, cell }) => cell.length > 0 && USUAL[column.name] !== cell);
  const cells = [...defaultCells(own, settings, values.reading.catalog), ...own];
  const name = String(cells.find(isProduct)?.cell ?? "");
  const catalog = await withProduct(values.reading.catalog, name || undefined);
  const body: Record<string, Json> = {};
  for (const { column, cell } of partition(cells, isProduct).flat()) {
    const reading = { ...values.reading, catalog, product: textValueIn(body, "product") };
    if (isForNewBug(column)) body[column.name] = await readCellValue(column, cell, { ...values, reading });
  }
  const required = CREATE_BUG.parameters.filter((one: Parameter) => one.required);
  const missing = required.map((one) => one.name).filter((one) => body[one] === undefined);
  if (missing.length > 0) throw usageError(`a new bug requires ${missing.join(", ")}`);
  checkInitialStatus(body, catalog);
  return body;
}

function isProduct({ column }: ColumnCell): boolean {
  return column.name === "product";
}

/** False for a column that is ignored. @throws BtError of kind usage if a new bug cannot have it */
function isForNewBug({ name, label, role, create, custom }: ImportColumn): boolean {
  if ((create || (custom && role === "set")) && name !== "flags") return true;
  if (role === "text") throw usageError("a new bug has no comment", "add a description in a column named description");
  if (role !== "set" && name !== "flags") return false;
  throw usageError(`${label} cannot be set on a new bug by an import`, "empty the cell");
}

/** Values that a new bug has anyway. */
const USUAL: Readonly<Record<string, string>> = {
  is_cc_accessible: "true",
  is_creator_accessible: "true",
  remaining_time: "0",
};

/** Settings named like parameters or required fields, as cells where the row lacks them. */
function defaultCells(cells: readonly ColumnCell[], settings: Session["settings"], catalog: Catalog): ColumnCell[] {
  const own = new Map<string, unknown>(Object.entries(settings));
  const names = [...CREATE_BUG.parameters, ...possiblyRequiredFields(catalog).map(({ api: name }) => ({ name }))];
  const unset = names.filter(({ name }) => !cells.some(({ column }) => column.name === name));
  const set = unset.map(({ name }) => name).filter((name) => typeof own.get(name) === "string");
  return importColumns(set, catalog).map((column) => ({ column, cell: String(own.get(column.name)) }));
}

/** What a copied bug gets after it is filed; other bugs by their old numbers. */
export type LaterChanges = {
  readonly oldId: number | undefined;
  readonly dependsOn: readonly number[];
  readonly blocks: readonly number[];
  readonly fields: JsonObject; // that a new bug cannot be given
  readonly moves: readonly JsonObject[]; // from the status that it is filed with to its own; a duplicate names the old original
  readonly omitted: { readonly private: number; readonly long: number }; // comments
};

/** Columns that are used, although no field is set to them. */
export const COPIED_COLUMNS: ReadonlySet<string> = new Set(["tracker", "creator", "creation_time", "comments"]);

const LATER_FIELDS = Object.keys(USUAL);

/** Columns whose cells are not values of the new bug. */
const CHANGED_COLUMNS: ReadonlySet<string> = new Set([
  ...["description", "status", "resolution", "dupe_of", "depends_on", "blocks", "flags"],
  ...LATER_FIELDS,
]);

/** Cells of a row by the names of their columns. */
type Cells = ReadonlyMap<string, ColumnCell>;

/**
 * Body of a row that is filed as a new bug whatever its number, and what the bug gets besides.
 * @throws BtError of kind usage for a value that the tracker does not have
 */
export async function planCopy(
  given: readonly ColumnCell[],
  context: NewBugContext,
): Promise<{ body: JsonObject; copy: LaterChanges }> {
  const cells: Cells = new Map(given.map((one) => [one.column.name, one]));
  const { catalog } = context.values.reading;
  const { start, moves } = statusPath(textIn(cells, "status"), catalog);
  const comments = visibleComments(cells);
  const { description, omitted } = descriptionOf(cells, comments);
  const own = given.filter(({ column }) => !CHANGED_COLUMNS.has(column.name));
  const body = {
    ...(await newBugFromCells(own, context)),
    description: checkedText("description", description),
    ...(isPrivate(comments) && { comment_is_private: true }),
    ...(start !== undefined && { status: start }),
  };
  const copy = {
    oldId: oldIds(cells, "id")[0],
    dependsOn: oldIds(cells, "depends_on"),
    blocks: oldIds(cells, "blocks"),
    fields: await readLaterFields(cells, context),
    moves: statusUpdates(moves, cells, catalog),
    omitted: { private: commentsOf(cells).length - comments.length, long: omitted },
  };
  return { body, copy };
}

function textIn(cells: Cells, name: string): string {
  return String(cells.get(name)?.cell ?? "").trim();
}

function oldIds(cells: Cells, name: string): number[] {
  return (textIn(cells, name).match(/\d+/g) ?? []).map(Number);
}

function commentsOf(cells: Cells): Comment[] {
  const texts = cells.get("comments")?.cell ?? [];
  return typeof texts === "string" ? [] : texts.map((text) => JSON.parse(text) as Comment);
}

/** The public comments; all if the description is private, since the new one is, too. */
function visibleComments(cells: Cells): Comment[] {
  const comments = commentsOf(cells);
  return isPrivate(comments) ? comments : comments.filter(({ is_private }) => !is_private);
}

function isPrivate(comments: Comment[]): boolean {
  return comments.some(({ count, is_private }) => count === 0 && is_private);
}

/** Origin, description and first comments, as far as they fit; `omitted` counts the others. */
function descriptionOf(cells: Cells, comments: Comment[]): { description: string; omitted: number } {
  const own = textIn(cells, "description") || comments.find(({ count }) => count === 0)?.text;
  let description = [originOf(cells), own].filter(Boolean).join("\n\n");
  let length = [...description].length;
  const others = comments.filter(({ count, text }) => count > 0 && text !== "");
  for (const [at, { count, creator, time, text }] of others.entries()) {
    const minute = time.slice(0, 16).replace("T", " ");
    const paragraph = `\n\nComment ${count} by ${creator} on ${minute} UTC:\n\n${text}`;
    length += [...paragraph].length;
    if (length > MAX_DESCRIPTION) return { description, omitted: others.length - at };
    description += paragraph;
  }
  return { description, omitted: 0 };
}

/** The origin of a bug, such as `kettle.db bug 12, reported by ana@example.org on 2026-03-01`. */
function originOf(cells: Cells): string {
  const [id] = oldIds(cells, "id");
  const creator = textIn(cells, "creator");
  const day = textIn(cells, "creation_time").slice(0, 10);
  const bug = id === undefined ? "" : `${textIn(cells, "tracker")} bug ${id}`.trim();
  const reported = [creator && `by ${creator}`, day && `on ${day}`].filter(Boolean).join(" ");
  return [bug, reported && `reported ${reported}`].filter(Boolean).join(", ");
}

/** Values, other than those of every new bug, of fields that only existing bugs can be given. */
async function readLaterFields(cells: Cells, { values }: NewBugContext): Promise<JsonObject> {
  const usual: Readonly<Record<string, string>> = { ...USUAL, remaining_time: textIn(cells, "estimated_time") || "0" };
  const fields: Record<string, Json> = {};
  for (const name of LATER_FIELDS) {
    const { column, cell = "" } = cells.get(name) ?? {};
    if (column && cell !== "" && cell !== usual[name]) fields[name] = await readCellValue(column, cell, values);
  }
  return fields;
}

/** Initial status of a new bug, undefined for the tracker's default, and the changes after it. */
type StatusPath = { readonly start: string | undefined; readonly moves: readonly StatusMove[] };

/**
 * A shortest path of a new bug to a status, from UNCONFIRMED if there is no other.
 * @throws BtError of kind usage if the workflow has none
 */
function statusPath(text: string, catalog: Catalog): StatusPath {
  if (text === "") return { start: undefined, moves: [] };
  const status = legalValue(requireField(catalog, "status"), text);
  if (catalog.starts.length === 0) return { start: undefined, moves: [{ name: status, comment_required: false }] };
  const open = statusNames(catalog, "open");
  const starts = catalog.starts.map(({ name }) => name).filter((name) => open.includes(name));
  const paths: StatusPath[] = partition(starts, (name) => name !== UNCONFIRMED)
    .flat()
    .map((start) => ({ start, moves: [] }));
  const seen = new Set<string>();
  for (const { start, moves } of paths) {
    const at = moves.at(-1)?.name ?? start ?? "";
    if (at === status) return { start, moves };
    const next = seen.has(at) ? [] : (statusMoves(catalog, at) ?? []);
    paths.push(...next.map((move) => ({ start, moves: [...moves, move] }))); // longer ones, read later
    seen.add(at);
  }
  throw usageError(`a new bug cannot become ${status}`, "empty the status, or name another one");
}

/** An update for each status of a path; the closing one has the resolution or the original. */
function statusUpdates(moves: readonly StatusMove[], cells: Cells, catalog: Catalog): JsonObject[] {
  const [dupe_of] = oldIds(cells, "dupe_of");
  const closing = moves.find(({ name }) => statusNames(catalog, "closed").includes(name));
  return moves.map((move) => {
    const isClosing = move === closing;
    const body: Record<string, Json> = isClosing && dupe_of !== undefined ? { dupe_of } : { status: move.name };
    if (isClosing && dupe_of === undefined) Object.assign(body, resolutionOf(cells, catalog));
    if (move.comment_required) body["comment"] = { body: originOf(cells) || move.name };
    return body;
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
 * Bodies of the updates by which a new bug gets what it lacks, in order. Links are to bugs that are filed already: of two
 * linked bugs, the later one has both numbers.
 * @throws BtError of kind missing if the original of a duplicate is not filed
 */
export function laterUpdates(copy: LaterChanges, newIds: ReadonlyMap<number, number>): JsonObject[] {
  const numbers = (ids: readonly number[]) => ids.flatMap((id) => newIds.get(id) ?? []);
  const links = Object.entries({ depends_on: numbers(copy.dependsOn), blocks: numbers(copy.blocks) });
  const added = links.filter(([, add]) => add.length > 0).map(([name, add]) => [name, { add }] as const);
  const fields = { ...copy.fields, ...Object.fromEntries(added) };
  const moves = copy.moves.map((body) => withNewOriginal(body, newIds));
  return Object.keys(fields).length > 0 ? [fields, ...moves] : moves;
}

function withNewOriginal(body: JsonObject, newIds: ReadonlyMap<number, number>): JsonObject {
  if (body["dupe_of"] === undefined) return body;
  const original = newIds.get(Number(body["dupe_of"]));
  if (original !== undefined) return { ...body, dupe_of: original };
  throw new BtError("missing", `the original, bug ${body["dupe_of"]} of the file, is not filed`);
}
