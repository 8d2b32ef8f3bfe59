import type { Catalog } from "../../../api/catalog.ts";
import { enterableProducts, type WithProduct } from "../../../api/enterable-products.ts";
import { suggestNames } from "../../../api/nearest.ts";
import type { BugsToChange } from "../../../api/write/change.ts";
import { type BugSides, bodyOfChanges, inFieldWords, isConflict } from "../../../api/write/edit-changes.ts";
import type { Cell, Problem, Sheet } from "../../../api/write/edit-document.ts";
import {
  type Conflict,
  conflictText,
  markedSheet,
  type ReadSheet,
  readSheet,
  sheetText,
  withoutProblems,
} from "../../../api/write/edit-document.ts";
import { type EditableField, editableFields, fieldText } from "../../../api/write/editable-fields.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { BtError, usage } from "../../../errors.ts";
import { checkByCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { applyChange } from "../../shared/change.ts";
import { editDocument, hasEditor, type RejectedDocument } from "../../shared/editor.ts";
import { bugsToChange, bugTargets, readTargets, reportNoTargets } from "../../shared/targets.ts";
import { checkedBody, readingOf } from "../../shared/write-body.ts";
import { USUALLY_CHANGED } from "../../shared/write-flags.ts";
import type { Context } from "../../verb.ts";
import { commentBody } from "../write/moves.ts";
import type { EditInput } from "./input.ts";

/** `bt bug edit`: opens bugs in the editor, and sends what was changed. */
export async function editBugs(input: EditInput, context: Context): Promise<void> {
  const names = input.only.flatMap((text) => text.split(",").filter(Boolean));
  if (!hasEditor(context, input.args.includes("-") ? "control" : "stdin")) {
    const hint = "bt bug update changes bugs without one: bt bug update 12 --priority High";
    throw usage("there is no terminal for the editor", hint);
  }
  const { bugs, lost } = await bugsToChange(await bugTargets(input.args, context, true), context);
  if (bugs.length + lost.length === 0) return reportNoTargets(context);
  const fields = chosenFields(await commonFields(bugs, context), names, bugs.length > 1);
  const withProduct = enterableProducts(context.session.send);
  const edit: Edit = { sheet: { bugs, fields, notes: notesOn(bugs) }, lost, withProduct, input, context };
  const name = bugs.length === 1 ? `bug-${bugs[0]?.id}.txt` : "bugs.tsv";
  await editDocument({ file: name, start: sheetText(edit.sheet), use: (text) => useSheet(text, edit) }, context);
}

/** An edit of bugs: the document with the bugs that it is compared with, and those that could not be read. */
type Edit = {
  sheet: Sheet;
  lost: BugsToChange["lost"];
  withProduct: WithProduct;
  input: EditInput;
  context: Context;
};

/** The fields that can be changed on each of the bugs. */
async function commonFields(bugs: readonly Bug[], { session }: Context): Promise<EditableField[]> {
  const metadata = { catalog: await session.metadata.catalog(), fields: await session.metadata.fields() };
  const [first = [], ...others] = bugs.map((bug) => editableFields(bug, metadata));
  return first.filter(({ name }) => others.every((fields) => fields.some((field) => field.name === name)));
}

/** The named fields; else all of one bug, or the usual columns of a table. */
function chosenFields(fields: readonly EditableField[], names: string[], isTable: boolean): readonly EditableField[] {
  const find = (name: string) => fields.find((field) => field.name === name.trim().replaceAll("-", "_"));
  if (names.length === 0) return isTable ? USUALLY_CHANGED.flatMap((name) => find(name) ?? []) : fields;
  return [...new Set(names)].map((name) => {
    const field = find(name);
    if (field) return field;
    const all = fields.map((one) => one.name);
    throw usage(`--only: ${name} cannot be changed on these bugs`, suggestNames(name, all) ?? `valid values: ${all}`);
  });
}

function notesOn(bugs: readonly Bug[]): string[] {
  const [bug] = bugs;
  return bugs.length === 1 ? [`Bug ${bug?.id}: ${bug?.summary ?? ""}`] : [`${bugs.length} bugs`];
}

/** Sends the changes of an edited document; returns it if it has to be edited again. */
async function useSheet(written: string, edit: Edit): Promise<RejectedDocument | undefined> {
  const text = withoutProblems(written);
  const read = readSheet(text, edit.sheet);
  const problems = read.problems.length > 0 ? read.problems : await invalidCells(read, edit);
  if (problems.length > 0) return rejectedFor(text, problems);
  if (read.cells.length === 0 && (read.comment === undefined || edit.sheet.bugs.length > 1)) throw unchanged(read);
  const now = await readAgain(read, edit);
  const conflicts = conflictsOf(read.cells, edit.sheet, now);
  if (conflicts.length > 0) return rejectedForConflicts(text, conflicts, edit, now);
  try {
    await send(read, now, edit);
    return undefined;
  } catch (error) {
    return rejectedBy(error, text, read.cells);
  }
}

function unchanged({ comment }: ReadSheet): BtError {
  if (comment === undefined) return new BtError("no", "the document is unchanged; nothing sent");
  return usage("no row was changed, so no bug gets the comment", "bt comment add 12 -m TEXT adds one");
}

function rejectedFor(text: string, problems: readonly Problem[]): RejectedDocument {
  const [first, ...others] = problems;
  const details = others.map(({ line, message }) => `line ${line}: ${message}`);
  const error = usage(`line ${first?.line} of the document: ${first?.message}`);
  return { ...markedSheet(text, problems), error: new BtError("usage", error.message, { ...error.facts, details }) };
}

/** Cells with values that no bug can have. */
async function invalidCells(read: ReadSheet, edit: Edit): Promise<Problem[]> {
  return checkByCatalog(edit.context.session, async (catalog) => {
    const problems: Problem[] = [];
    for (const cell of read.cells) {
      const bug = bugIn(edit.sheet, cell.bug);
      const cells = [
        cell,
        ...read.cells.filter((one) => one !== cell && one.bug === cell.bug && GUIDES.has(one.field.name)),
      ];
      try {
        await bodyOf(cells, { read: bug, now: bug }, catalog, edit);
      } catch (error) {
        if (!(error instanceof BtError) || error.kind !== "usage") throw error;
        problems.push({ line: cell.line, message: inFieldWords(error, cell.field) });
      }
    }
    return problems;
  });
}

/** Fields that decide which values others may have. */
const GUIDES: ReadonlySet<string> = new Set(["product", "status"]);

/** Body of the changes to one bug. */
async function bodyOf(
  cells: Cell[],
  sides: BugSides,
  catalog: Catalog,
  { context, withProduct }: Edit,
): Promise<JsonObject> {
  const typed = cells.find(({ field }) => field.name === "product")?.text.trim();
  const known = await withProduct(catalog, typed);
  const custom = cells.filter(({ field }) => field.custom).map(({ field, text }) => `${field.name}=${text.trim()}`);
  const words = { field: custom, typed: cells.map(({ text }) => text) };
  const reading = await readingOf(words, context, known);
  return bodyOfChanges(cells, sides, { ...reading, product: typed || (sides.now.product ?? undefined) });
}

/** The changed bugs as they are now. */
async function readAgain({ cells }: ReadSheet, { sheet, input, context }: Edit): Promise<ReadonlyMap<number, Bug>> {
  const ids = sheet.bugs.length > 1 ? [...new Set(cells.map(({ bug }) => bug))] : sheet.bugs.map(({ id }) => id);
  const { bugs, lost } = await readTargets(ids.map(String), context);
  if (lost[0]) throw lost[0].error;
  const isModified = ({ id, last_change_time }: Bug) => bugIn(sheet, id).last_change_time !== last_change_time;
  const modified = input.ifUnchanged ? bugs.find(isModified) : undefined;
  if (modified)
    throw new BtError("collision", `bug ${modified.id} was modified by another user`, { changed: "nothing" });
  return new Map(bugs.map((bug) => [bug.id, bug]));
}

function bugIn({ bugs }: Sheet, id: number): Bug {
  return bugs.find((bug) => bug.id === id) ?? { id };
}

function conflictsOf(cells: readonly Cell[], sheet: Sheet, now: ReadonlyMap<number, Bug>): Conflict[] {
  return cells.flatMap((cell) => {
    const sides = { read: bugIn(sheet, cell.bug), now: now.get(cell.bug) ?? { id: cell.bug } };
    if (!isConflict(cell, sides)) return [];
    return [{ cell, was: fieldText(cell.field, sides.read), now: fieldText(cell.field, sides.now) }];
  });
}

/** The document with both values of each conflict; those fields are compared with the new values from then on. */
function rejectedForConflicts(
  text: string,
  conflicts: Conflict[],
  edit: Edit,
  now: ReadonlyMap<number, Bug>,
): RejectedDocument {
  const bugs = edit.sheet.bugs.map((bug) => {
    const names = conflicts.filter(({ cell }) => cell.bug === bug.id).map(({ cell }) => cell.field.name);
    const current = now.get(bug.id) as JsonObject | undefined;
    return { ...bug, ...Object.fromEntries(names.map((name) => [name, current?.[name] ?? null])) } as Bug;
  });
  edit.sheet = { ...edit.sheet, bugs };
  const error = new BtError("collision", "another user changed a field that the document also changes", {
    details: conflicts.map((conflict) => `${conflictText(conflict)}; yours is ${JSON.stringify(conflict.cell.text)}`),
    changed: "nothing",
  });
  return { ...markedSheet(text, [], conflicts), error };
}

/** Sends the changes, equal ones of several bugs in one request. */
async function send({ cells, comment }: ReadSheet, now: ReadonlyMap<number, Bug>, edit: Edit): Promise<void> {
  const { sheet, lost, input, context } = edit;
  const catalog = await context.session.metadata.catalog();
  const groups = new Map<string, UpdatePart>();
  for (const [id, bug] of now) {
    const sides = { read: bugIn(sheet, id), now: bug };
    const own = cells.filter((cell) => cell.bug === id);
    const body = { ...(await bodyOf(own, sides, catalog, edit)), ...commentBody(comment) };
    const key = JSON.stringify(body);
    groups.set(key, { body, bugs: [...(groups.get(key)?.bugs ?? []), bug] });
  }
  const parts: UpdatePart[] = [];
  for (const { bugs, body } of groups.values())
    parts.push({ bugs, body: await checkedBody(body, bugs, catalog, context) });
  await applyChange({ bugs: [...now.values()], lost, parts }, input, context);
}

/** The document with an error about the whole change, at the field that it names. @throws errors after a change */
function rejectedBy(error: unknown, text: string, cells: readonly Cell[]): RejectedDocument {
  const isMended = error instanceof BtError && MENDED.has(error.kind) && error.facts.changed === "nothing";
  if (!isMended) throw error;
  const { hint, details = [] } = error.facts;
  const words = [error.message, ...details, ...(hint === undefined ? [] : [`(${hint})`])].join("; ");
  const cell = cells.find(({ field }) => error.message.includes(field.name)) ?? cells[0];
  return { ...markedSheet(text, [{ line: cell?.line ?? 1, message: words }]), error };
}

/** Kinds of errors that another value may avoid. */
const MENDED: ReadonlySet<string> = new Set(["usage", "refused", "missing", "auth"]);
