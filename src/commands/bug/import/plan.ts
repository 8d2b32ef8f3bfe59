import { requestAll } from "../../../api/batch.ts";
import { isBugId } from "../../../api/bug-ref.ts";
import { bugPlan } from "../../../api/bugs.ts";
import { type Catalog, enterableProductLoader } from "../../../api/catalog/catalog.ts";
import { bugCheckError, findWrongReferences } from "../../../api/write/checks.ts";
import { BtError, isKind, usageError, withFacts } from "../../../errors.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { type Edit, guard } from "../../shared/change/plan.ts";
import { readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import { type ColumnCell, type ImportColumn, importColumns, isGiven, readChanges } from "./columns.ts";
import { type BugFile, type FileRow, lineError } from "./file.ts";
import {
  COPIED_COLUMNS,
  type LaterChanges,
  type NewBugContext,
  newBugFromCells,
  OMITTED_COLUMNS,
  planCopy,
} from "./new-bugs.ts";

/** A row of a file and the change of its bug, if there is one, or the new bug. */
export type PlannedRow = { readonly row: FileRow } & (
  | { readonly edit: Edit | undefined }
  | { readonly create: JsonObject; readonly copy?: LaterChanges }
);

/** Rows, ignored columns, fields that empty cells clear, and a count of the other empty cells. */
export type ImportPlan = {
  readonly rows: readonly PlannedRow[];
  readonly ignored: readonly string[];
  readonly cleared: readonly { readonly bug: Bug; readonly name: string }[];
  readonly idle: number;
  readonly hasTimes: boolean; // a column last_change_time
};

/** Whether all rows are new bugs, and bugs that an earlier run commented on. */
export type ImportOptions = { readonly isNew: boolean; readonly commented: ReadonlySet<number> };

type Sheet = ImportOptions & {
  readonly columns: readonly ImportColumn[];
  readonly catalog: Catalog;
  readonly context: Context;
  readonly newBug: NewBugContext;
  readonly cleared: { readonly bug: Bug; readonly name: string }[];
  idle: number;
};

/**
 * Checks every row against the tracker's metadata and the bugs, and plans what is to be sent.
 * @throws BtError of kind usage with the line of every row that is wrong
 */
export async function planImport(
  { names, rows }: BugFile,
  options: ImportOptions,
  { catalog, context }: { catalog: Catalog; context: Context },
): Promise<ImportPlan> {
  const columns = importColumns(names, catalog);
  const sheet = await readSheet(rows, { ...options, columns, catalog, context });
  const { found, errors } = await readRowBugs(rows, sheet);
  const planned: PlannedRow[] = [];
  for (const row of rows.filter((one) => !errors.has(one))) {
    try {
      planned.push(await planRow(row, found.get(row), sheet));
    } catch (error) {
      if (!isKind(error, "usage", "missing")) throw error;
      errors.set(row, error);
    }
  }
  const wrong = await findWrongReferences(planned.map(bodyOf), catalog, context.session.send);
  for (const [at, { row }] of planned.entries()) if (wrong[at]) errors.set(row, wrong[at]);
  if (errors.size > 0) throw invalidRowsError(errors, rows.length);
  const [used, omitted] = options.isNew ? [COPIED_COLUMNS, OMITTED_COLUMNS] : [];
  const isIgnored = ({ name, role }: ImportColumn) =>
    omitted?.has(name) || (["read-only", "ignored"].includes(role) && !used?.has(name));
  const ignored = columns.filter(isIgnored).map(({ label }) => label);
  const hasTimes = columns.some(({ role }) => role === "guard");
  return { rows: planned, ignored, cleared: sheet.cleared, idle: sheet.idle, hasTimes };
}

/** What a row sends; empty if nothing. */
export function bodyOf(row: PlannedRow): JsonObject {
  if ("create" in row) return row.create;
  return row.edit && "body" in row.edit ? row.edit.body : {};
}

/** Metadata that rows are read with; the login is only looked up if a cell needs it. */
async function readSheet(rows: readonly FileRow[], parts: Omit<Sheet, "newBug" | "cleared" | "idle">): Promise<Sheet> {
  const { catalog, context } = parts;
  const { send } = context.session;
  const isMine = rows.some(({ cells }) => [...cells.values()].flat().some((text) => text.includes("@me")));
  const reading = await readValueContext({ "assigned-to": isMine ? ["@me"] : [] }, context, catalog);
  const newBug = {
    values: { reading, send },
    withProduct: enterableProductLoader(send),
  };
  return { ...parts, newBug, cleared: [], idle: 0 };
}

type RowErrors = Map<FileRow, BtError>;

/** The errors of rows, by line; of one kind if all have it. */
function invalidRowsError(found: RowErrors, total: number): BtError {
  const inOrder = [...found].toSorted(([one], [other]) => one.line - other.line);
  const errors = inOrder.map(([{ line }, error]) => lineError(line, error));
  const [kind = "usage", ...otherKinds] = new Set(errors.map((error) => error.kind));
  const shown = errors
    .slice(0, MAX_SHOWN)
    .flatMap(({ message, facts: { hint, details = [] } }) => [hint ? `${message} (${hint})` : message, ...details]);
  if (errors.length > MAX_SHOWN) shown.push(`and ${countText(errors.length - MAX_SHOWN, "more error")}`);
  const sentence = `${found.size} of ${total} rows ${found.size === 1 ? "is" : "are"} invalid`;
  return new BtError(otherKinds.length > 0 ? "usage" : kind, sentence, { details: shown });
}

const MAX_SHOWN = 20;

/** The bugs that rows name, in few requests, and what is wrong with the others. */
async function readRowBugs(rows: readonly FileRow[], { columns, isNew, context }: Sheet) {
  const column = columns.find(({ role }) => role === "id");
  const named = new Map<string, FileRow>();
  const errors: RowErrors = new Map();
  for (const row of rows) {
    const id = cellText(row, column).replace(/^#/, "");
    const error = idError(id, named);
    if (error) errors.set(row, error);
    else if (id !== "") named.set(id, row);
  }
  const found = new Map<FileRow, Bug>();
  if (isNew) return { found, errors };
  for (const outcome of await requestAll([...named.keys()], bugPlan(["_default"]), context.session.send)) {
    const row = named.get(outcome.ref);
    if (row && "thing" in outcome) found.set(row, outcome.thing);
    else if (row && "error" in outcome) errors.set(row, outcome.error);
  }
  return { found, errors };
}

function idError(id: string, named: ReadonlyMap<string, FileRow>): BtError | undefined {
  if (id === "") return undefined;
  const twin = named.get(id);
  if (twin) return usageError(`bug ${id} is also in line ${twin.line}`);
  return isBugId(id) ? undefined : usageError(`${JSON.stringify(id)} is not a bug number`, "empty it for a new bug");
}

/** Text of the cell of a row in a column, "" if it has none. */
function cellText({ cells }: FileRow, column: ImportColumn | undefined): string {
  return String((column && cells.get(column.label)) ?? "").trim();
}

/** @throws BtError of kind usage or missing for a row that is wrong */
async function planRow(row: FileRow, bug: Bug | undefined, sheet: Sheet): Promise<PlannedRow> {
  const cells = sheet.columns.flatMap((column): ColumnCell[] => {
    const cell = row.cells.get(column.label); // which a JSON line may lack
    const isBlank = typeof cell === "string" && (column.isList ? /^[\s,]*$/ : /^\s*$/).test(cell);
    return cell === undefined ? [] : [{ column, cell: isBlank ? "" : cell }];
  });
  if (bug) return { row, edit: await planUpdate({ row, bug, cells }, sheet) };
  if (sheet.isNew) return { row, ...(await planCopy(cells, sheet.newBug)) };
  return { row, create: await newBugFromCells(cells, sheet.newBug) };
}

type BugRow = { readonly row: FileRow; readonly bug: Bug; readonly cells: readonly ColumnCell[] };

async function planUpdate({ row, bug, cells }: BugRow, sheet: Sheet): Promise<Edit | undefined> {
  const time = sheet.columns.find(({ role }) => role === "guard");
  const since = readChangeTime(cellText(row, time));
  const stale = since === undefined ? undefined : guard(bug, since);
  if (stale && cells.some((one) => isGiven(one, bug)))
    return { ref: String(bug.id), bug, error: withFacts(stale, { hint: EXPORT_AGAIN }) };
  if (stale) return undefined;
  const isSent = ({ role, update }: ImportColumn) => role === "text" && update && sheet.commented.has(bug.id); // by an earlier run
  const given = cells.filter(({ column }) => !isSent(column));
  const { body, cleared } = await readChanges(given, bug, { catalog: sheet.catalog, ...sheet.newBug });
  if (since === undefined) sheet.idle += Object.keys(cleared).length;
  else sheet.cleared.push(...Object.keys(cleared).map((name) => ({ bug, name })));
  const changes = since === undefined ? body : { ...body, ...cleared };
  if (Object.keys(changes).length === 0) return undefined;
  const error = bugCheckError(bug, changes, sheet.catalog);
  if (error) throw error;
  return { bug, body: changes, since };
}

/** Hint for rows whose bugs were modified after the file was exported. */
const EXPORT_AGAIN = "export these bugs again, or empty their last_change_time to overwrite the changes";

function readChangeTime(text: string): string | undefined {
  if (text === "") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return text;
  const message = `last_change_time ${JSON.stringify(text)} is not a time as exported`;
  throw usageError(message, "for example: 2026-10-03T14:00:00Z");
}
