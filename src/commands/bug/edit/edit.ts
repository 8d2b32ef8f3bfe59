import { type Catalog, findField } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader, type WithProduct } from "../../../api/catalog/enterable-products.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import { firstNames, grouped } from "../../../api/lists.ts";
import { suggestNames } from "../../../api/nearest.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import type { BugsToChange } from "../../../api/write/change.ts";
import { customBody, readItem } from "../../../api/write/custom-fields.ts";
import {
  type EditableField,
  editableFields,
  fieldText,
  listItems,
  typedItems,
} from "../../../api/write/editable-fields.ts";
import { readFlagChange } from "../../../api/write/flags.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { readListItem, readParameterValue, type ValueContext } from "../../../api/write/parameter-values.ts";
import { flagChangeText } from "../../../api/write/preview.ts";
import { findWrongReferences } from "../../../api/write/references.ts";
import { partsByBody, type UpdatePart } from "../../../api/write/update-part.ts";
import { BtError, type ErrorKind, isKind, usageError } from "../../../errors.ts";
import { findByCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Flag } from "../../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { applyChange } from "../../shared/changes/apply-change.ts";
import { checkedBody, commentBody, readValueContext } from "../../shared/changes/write-body.ts";
import { USUALLY_CHANGED } from "../../shared/changes/write-flags.ts";
import { confirmationPrompt } from "../../shared/prompts.ts";
import { shellWord, trackerWords } from "../../shared/shell-word.ts";
import { readBugsToChange, readTargetBugs, readTargets, reportNoTargets } from "../../shared/targets.ts";
import { checkEditorTerminal, editDocument, type RejectedDocument } from "../../shared/text/editor.ts";
import type { Context } from "../../verb.ts";
import type { EditInput } from "./flags.ts";
import {
  type Cell,
  type Conflict,
  conflictText,
  markedSheet,
  type Problem,
  type ReadSheet,
  readSheet,
  type Sheet,
  sheetText,
  withoutProblems,
} from "./sheet.ts";

/** `bt bug edit`: opens bugs in the editor, and sends what was changed. */
export async function editBugs(input: EditInput, context: Context): Promise<void> {
  const names = input.only.flatMap((text) => text.split(",").filter(Boolean));
  const refs = input.args.map(shellWord).join(" ") || "BUG";
  const hint = `bt bug update takes the fields as flags: bt bug update ${refs} --priority VALUE`;
  checkEditorTerminal(context, input.args.includes("-") ? "control" : "stdin", hint);
  const { bugs, unreadable } = await readBugsToChange(await readTargets(input.args, context), context);
  if (bugs.length + unreadable.length === 0) return reportNoTargets(context);
  const fields = fieldsToEdit(await readCommonFields(bugs, context), names, bugs.length > 1);
  const withProduct = enterableProductLoader(context.session.send);
  const edit: Edit = { sheet: { bugs, fields, notes: sheetNotes(bugs) }, unreadable, withProduct, input, context };
  const name = bugs.length === 1 ? `bug-${bugs[0]?.id}.txt` : "bugs.tsv";
  const only = names.length > 0 ? ` --only ${shellWord(names.join(","))}` : "";
  const again = `bt bug edit ${bugs.map(({ id }) => id).join(" ")}${only}${trackerWords(input)}`;
  const document = { file: name, start: sheetText(edit.sheet), again };
  const confirm = confirmationPrompt(input, context.io, context.session.settings);
  await editDocument({ ...document, confirm, use: (text) => applySheet(text, edit) }, context);
}

/** An edit of bugs: the document with the bugs that it is compared with, and those that could not be read. */
type Edit = {
  sheet: Sheet;
  unreadable: BugsToChange["unreadable"];
  withProduct: WithProduct;
  input: EditInput;
  context: Context;
};

/** The fields that can be changed on each of the bugs. */
async function readCommonFields(bugs: readonly Bug[], { session }: Context): Promise<EditableField[]> {
  const metadata = { catalog: await session.metadata.catalog(), fields: await session.metadata.fields() };
  const [first = [], ...others] = bugs.map((bug) => editableFields(bug, metadata));
  return first.filter(({ name }) => others.every((fields) => fields.some((field) => field.name === name)));
}

/** The named fields; else all of one bug, or the usual columns of a table. */
function fieldsToEdit(fields: readonly EditableField[], names: string[], isTable: boolean): readonly EditableField[] {
  const find = (name: string) => fields.find((field) => field.name === name.trim().replaceAll("-", "_"));
  if (names.length === 0) return isTable ? USUALLY_CHANGED.flatMap((name) => find(name) ?? []) : fields;
  return [...new Set(names)].map((name) => {
    const field = find(name);
    if (field) return field;
    const all = fields.map((one) => one.name);
    throw usageError(
      `--only: ${name} cannot be changed on these bugs`,
      suggestNames(name, all) ?? `valid values: ${all}`,
    );
  });
}

function sheetNotes(bugs: readonly Bug[]): string[] {
  const [bug] = bugs;
  return bugs.length === 1 ? [`Bug ${bug?.id}: ${bug?.summary ?? ""}`] : [`${bugs.length} bugs`];
}

/** Sends the changes of an edited document; returns it if it has to be edited again. */
async function applySheet(written: string, edit: Edit): Promise<RejectedDocument | undefined> {
  const text = withoutProblems(written);
  const read = readSheet(text, edit.sheet);
  const problems = read.problems.length > 0 ? read.problems : await findInvalidCells(read, edit);
  if (problems.length > 0) return rejectionFor(text, problems);
  if (read.cells.length === 0 && (read.comment === undefined || edit.sheet.bugs.length > 1)) throw unchangedError(read);
  const now = await readChangedBugs(read, edit);
  const conflicts = findConflicts(read.cells, edit.sheet, now);
  if (conflicts.length > 0) return rejectionForConflicts(text, conflicts, edit, now);
  try {
    await sendChanges(read, now, edit);
    return undefined;
  } catch (error) {
    return rejectionBy(error, text, read.cells);
  }
}

function unchangedError({ comment }: ReadSheet): BtError {
  if (comment === undefined) return new BtError("no", "the document is unchanged; nothing sent");
  return usageError("no row was changed, so no bug gets the comment", "bt comment add 12 -m TEXT adds one");
}

function rejectionFor(text: string, problems: readonly Problem[]): RejectedDocument {
  const equal = [...grouped(problems, ({ message }) => message)];
  const lines = equal.map(([message, some]) => {
    const numbers = firstNames(some.map(({ line }) => line));
    return [`line${some.length > 1 ? "s" : ""} ${numbers}`, message] as const;
  });
  const [first = ["", ""], ...others] = lines;
  const details = others.map((words) => words.join(": "));
  const error = usageError(first.join(" of the document: "));
  return { ...markedSheet(text, problems), error: new BtError("usage", error.message, { ...error.facts, details }) };
}

/** Cells with values that no bug can have, or with people, groups or bugs that do not exist. */
async function findInvalidCells(read: ReadSheet, edit: Edit): Promise<Problem[]> {
  const { session } = edit.context;
  return findByCatalog(session, async (catalog) => {
    const problems: Problem[] = [];
    const valid: { cell: Cell; body: JsonObject }[] = [];
    for (const cell of read.cells) {
      try {
        valid.push({ cell, body: await bodyOfCell(cell, read, catalog, edit) });
      } catch (error) {
        if (!isKind(error, "usage")) throw error;
        problems.push({ line: cell.line, message: errorInFieldWords(error, cell.field) });
      }
    }
    const bodies = valid.map(({ body }) => body);
    const wrong = await findWrongReferences(bodies, catalog, session.send);
    for (const [at, { cell }] of valid.entries())
      if (wrong[at]) problems.push({ line: cell.line, message: errorInFieldWords(wrong[at], cell.field) });
    return problems;
  });
}

/** Body of the change of one cell, with what others of its bug say about its values. */
async function bodyOfCell(cell: Cell, read: ReadSheet, catalog: Catalog, edit: Edit): Promise<JsonObject> {
  const { name } = cell.field;
  const bug = bugOfSheet(edit.sheet, cell.bug);
  const guides = read.cells.filter((one) => one !== cell && one.bug === cell.bug && GUIDES.has(one.field.name));
  const { [name]: value } = await bodyOfCells([cell, ...guides], { read: bug, now: bug }, catalog, edit);
  return value === undefined ? {} : { [name]: value };
}

/** Fields that decide which values others may have. */
const GUIDES: ReadonlySet<string> = new Set(["product", "status"]);

/** Body of the changes to one bug. */
async function bodyOfCells(
  cells: Cell[],
  sides: BugSides,
  catalog: Catalog,
  { context, withProduct }: Edit,
): Promise<JsonObject> {
  const typed = cells.find(({ field }) => field.name === "product")?.text.trim();
  const known = await withProduct(catalog, typed);
  const custom = cells.filter(({ field }) => field.custom).map(({ field, text }) => `${field.name}=${text.trim()}`);
  const words = { field: custom, typed: cells.map(({ text }) => text) };
  const reading = await readValueContext(words, context, known);
  return bodyOfChanges(cells, sides, { ...reading, product: typed || (sides.now.product ?? undefined) });
}

/** The changed bugs as they are now. */
async function readChangedBugs(
  { cells }: ReadSheet,
  { sheet, input, context }: Edit,
): Promise<ReadonlyMap<number, Bug>> {
  const ids = sheet.bugs.length > 1 ? [...new Set(cells.map(({ bug }) => bug))] : sheet.bugs.map(({ id }) => id);
  const { bugs, unreadable } = await readTargetBugs(ids.map(String), context);
  if (unreadable[0]) throw unreadable[0].error;
  const isModified = ({ id, last_change_time }: Bug) => bugOfSheet(sheet, id).last_change_time !== last_change_time;
  const modified = input.ifUnchanged ? bugs.find(isModified) : undefined;
  if (modified)
    throw new BtError("collision", `bug ${modified.id} was modified in the meantime`, { changed: "nothing" });
  return new Map(bugs.map((bug) => [bug.id, bug]));
}

function bugOfSheet({ bugs }: Sheet, id: number): Bug {
  return bugs.find((bug) => bug.id === id) ?? { id };
}

function findConflicts(cells: readonly Cell[], sheet: Sheet, now: ReadonlyMap<number, Bug>): Conflict[] {
  return cells.flatMap((cell) => {
    const sides = { read: bugOfSheet(sheet, cell.bug), now: now.get(cell.bug) ?? { id: cell.bug } };
    if (!isConflict(cell, sides)) return [];
    return [{ cell, was: fieldText(cell.field, sides.read), now: fieldText(cell.field, sides.now) }];
  });
}

/** The document with both values of each conflict; those fields are compared with the new values from then on. */
function rejectionForConflicts(
  text: string,
  conflicts: Conflict[],
  edit: Edit,
  now: ReadonlyMap<number, Bug>,
): RejectedDocument {
  const bugs = edit.sheet.bugs.map((bug) => {
    const current = now.get(bug.id) as JsonObject | undefined;
    const values: Record<string, Json> = {};
    for (const { cell } of conflicts)
      if (cell.bug === bug.id) values[cell.field.name] = current?.[cell.field.name] ?? null;
    return { ...bug, ...values } as Bug;
  });
  edit.sheet = { ...edit.sheet, bugs };
  const error = new BtError("collision", "a field that the document changes was changed in the meantime", {
    details: conflicts.map((conflict) => `${conflictText(conflict)}; yours is ${JSON.stringify(conflict.cell.text)}`),
    changed: "nothing",
  });
  return { ...markedSheet(text, [], conflicts), error };
}

/** Sends the changes, equal ones of several bugs in one request. */
async function sendChanges({ cells, comment }: ReadSheet, now: ReadonlyMap<number, Bug>, edit: Edit): Promise<void> {
  const { sheet, unreadable, input, context } = edit;
  const catalog = await context.session.metadata.catalog();
  const updates: { bug: Bug; body: JsonObject }[] = [];
  for (const [id, bug] of now) {
    const sides = { read: bugOfSheet(sheet, id), now: bug };
    const own = cells.filter((cell) => cell.bug === id);
    updates.push({ bug, body: { ...(await bodyOfCells(own, sides, catalog, edit)), ...commentBody(comment) } });
  }
  const parts: UpdatePart[] = [];
  for (const { bugs, body } of partsByBody(updates))
    parts.push({ bugs, body: await checkedBody(body, bugs, catalog, context) });
  await applyChange({ bugs: [...now.values()], unreadable, parts, isWhole: true }, input, context);
}

/** The document with an error about the whole change, at the bug and the field that it names. @throws errors after a change */
function rejectionBy(error: unknown, text: string, cells: readonly Cell[]): RejectedDocument {
  const isMended = isKind(error, ...MENDED) && error.facts.changed === "nothing";
  if (!isMended) throw error;
  const { hint, details = [] } = error.facts;
  const words = [error.message, ...details].join("; ");
  const named = Number(error.facts.bug);
  const ofBug = cells.filter(({ bug }) => bug === named);
  const likely = ofBug.length > 0 ? ofBug : cells;
  const cell = likely.find(({ field }) => field.name === error.facts.field) ?? likely[0];
  const message = hint === undefined ? words : `${words} (${hint})`;
  return { ...markedSheet(text, [{ line: cell?.line ?? 1, message }]), error };
}

/** Kinds of errors that another value may avoid. */
const MENDED: readonly ErrorKind[] = ["usage", "refused", "missing", "auth"];

/** A text typed for a field of a bug; what is not typed is no change. */
type TypedChange = { readonly field: EditableField; readonly text: string };

/** A bug as it was read for the document, and as it is before the update. */
type BugSides = { readonly read: Bug; readonly now: Bug };

/**
 * True if the field was changed to something else since: a single value, or one of the flags that are
 * changed here, too. Lists are edited item by item.
 */
export function isConflict({ field, text }: TypedChange, { read, now }: BugSides): boolean {
  if (field.shape === "list") return false;
  if (field.shape === "flags")
    return flagChanges(text, read).some(({ id }) => isFlagChanged(Number(id), { read, now }));
  const current = fieldText(field, now);
  return current !== fieldText(field, read) && current.trim() !== text.trim();
}

function isFlagChanged(id: number, { read, now }: BugSides): boolean {
  const text = ({ flags }: Bug) => (flags ?? []).filter((flag) => flag.id === id).map(typedFlag);
  return text(read).join() !== text(now).join();
}

/**
 * Body of an update that makes the typed changes, without those that are there already.
 * @throws BtError of kind usage for a value that is invalid
 */
export function bodyOfChanges(changes: readonly TypedChange[], sides: BugSides, reading: ValueContext): JsonObject {
  const status = changes.find(({ field }) => field.name === "status")?.text.trim();
  const isMoved = status !== undefined && status !== (sides.now.status ?? "");
  const typed = changes.filter(
    ({ field, text }) => !(isMoved && text.trim() === "" && CLEARED_BY_STATUS.has(field.name)),
  );
  const body: Record<string, Json> = {};
  for (const change of typed) {
    const value = updateValue(change, sides, reading);
    if (value !== undefined) body[change.field.name] = value;
  }
  return body;
}

/** Fields that a tracker clears when a bug is reopened. */
const CLEARED_BY_STATUS: ReadonlySet<string> = new Set(["resolution", "dupe_of"]);

/** Value of a field in the body of an update; undefined if the bug has it already. */
function updateValue(change: TypedChange, sides: BugSides, reading: ValueContext): Json | undefined {
  const { field, text } = change;
  if (field.shape === "list") return listEdit(change, sides, reading);
  if (field.shape === "flags") return unlessEmpty(flagChanges(text, sides.read));
  const typed = text.trim();
  if (field.shape === "line" && typed.includes("\n")) throw usageError(`${field.name} takes one line`);
  if (typed === fieldText(field, sides.now).trim()) return undefined;
  return readSingleValue(field, typed, reading);
}

function unlessEmpty(items: Json[]): Json | undefined {
  return items.length > 0 ? [...items] : undefined;
}

function readSingleValue({ name, parameter, custom }: EditableField, text: string, reading: ValueContext): Json {
  if (custom) return customBody([`${name}=${checkedText(name, text)}`], reading)[name] ?? "";
  if (parameter.kind === "hours" && text === "") return 0;
  if (text === "" && !CLEARS.has(parameter.kind) && !parameter.clears) return unsetValue(name, reading);
  if (parameter.kind === "tokens") return checkedText(name, text);
  return readParameterValue(parameter, [text], reading);
}

/** Kinds of parameters that an empty value clears. */
const CLEARS: ReadonlySet<string> = new Set(["text", "tokens", "date"]);

/** The empty value of a field. @throws BtError of kind usage for a field without one */
function unsetValue(name: string, { catalog, product }: ValueContext): string {
  const field = findField(catalog, name);
  if (field && legalNames(field, product)?.includes(UNSET)) return UNSET;
  const hint = CLEARED_BY_STATUS.has(name) ? "a new status reopens the bug" : "delete the line to leave it unchanged";
  throw usageError(`${name} cannot be empty`, hint);
}

const UNSET = "---";

/** The items to add and remove, as read before and typed, that are not added or removed yet. */
function listEdit({ field, text }: TypedChange, { read, now }: BugSides, reading: ValueContext): Json | undefined {
  const { name, parameter, custom } = field;
  const typed = itemsByKey(typedItems(text), field);
  const before = itemsByKey(fieldItems(name, read), field);
  const current = itemsByKey(fieldItems(name, now), field);
  const added = [...typed].filter(([key]) => !before.has(key) && !current.has(key));
  const removed = [...before].filter(([key]) => !typed.has(key) && current.has(key));
  if (added.length + removed.length === 0) return undefined;
  const legal = (item: string) => (custom ? readItem(custom, item, reading) : readListItem(item, parameter, reading));
  const edit = { add: added.map(([, item]) => legal(String(item))), remove: removed.map(([, item]) => item) };
  return custom ? edit : withoutEmptyLists(edit); // a custom field is sent as a whole value, made of both lists
}

/** Items by identity: letter case only counts in addresses. */
function itemsByKey(items: Json[], { parameter }: EditableField): ReadonlyMap<string, Json> {
  const isExact = parameter?.of === "pages";
  const texts = listItems(items);
  const byKey = new Map<string, Json>();
  for (const [at, item] of items.entries()) {
    const text = texts[at] ?? "";
    byKey.set(isExact ? text : text.toLowerCase(), item);
  }
  return byKey;
}

function fieldItems(name: string, bug: Bug): Json[] {
  return [(bug as JsonObject)[name] ?? []].flat();
}

function withoutEmptyLists(edit: Readonly<Record<string, Json[]>>): JsonObject {
  return Object.fromEntries(Object.entries(edit).filter(([, items]) => items.length > 0));
}

/** Flag changes that turn the flags of a bug into the typed ones. */
function flagChanges(text: string, { flags }: Bug): JsonObject[] {
  const left = [...typedItems(text)];
  const missing = (flags ?? []).filter((flag) => {
    const at = left.indexOf(typedFlag(flag));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const flagEdits = left.map(readFlagChange);
  const changed = missing.map(({ id, name }): JsonObject => {
    const at = flagEdits.findIndex((edit) => edit["name"] === name && !edit["new"]);
    const [flagEdit] = at < 0 ? [] : flagEdits.splice(at, 1);
    if (!flagEdit) return { id, status: "X" };
    const { name: _, ...rest } = flagEdit;
    return { id, ...rest };
  });
  return [
    ...changed,
    ...flagEdits.map((flagEdit) => (hasFlagNamed(flagEdit, flags) ? { ...flagEdit, new: true } : flagEdit)),
  ];
}

function hasFlagNamed({ name }: JsonObject, flags: Bug["flags"]): boolean {
  return (flags ?? []).some((flag) => flag.name === name);
}

function typedFlag(flag: Flag): string {
  return flagChangeText(flag.name, flag as unknown as JsonObject);
}

/** Error of a document in the words of its fields, without those of flags. */
function errorInFieldWords(error: BtError, { name }: EditableField): string {
  const { hint } = error.facts;
  const words = `${error.message}${hint === undefined ? "" : ` (${hint})`}`;
  return words.replaceAll(new RegExp(`--(?:add-|remove-|set-)?${commandFlagName(name)}\\b`, "g"), name);
}
