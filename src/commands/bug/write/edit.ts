import { type Catalog, isSettable } from "../../../api/catalog/catalog.ts";
import { suggestNames } from "../../../api/nearest.ts";
import { BtError, type ErrorKind, isKind, usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { exactText } from "../../../view/column.ts";
import { bugFileItems, quotedCellItem } from "../../../view/listing.ts";
import { plain } from "../../../view/text.ts";
import { type Bug, DEFAULT_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { shellWord, trackerWords } from "../../shared/flags.ts";
import { confirmationPrompt } from "../../shared/prompts.ts";
import { readBugsToChange, readOneTarget } from "../../shared/targets.ts";
import { checkEditorTerminal, editDocument } from "../../shared/text.ts";
import { commentBody } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { EditInput } from "../flags.ts";
import { type ColumnCell, findColumns, type ImportColumn, readCellContext, readChanges } from "../import/columns.ts";

/** `bt bug edit`: opens a bug in the editor, and sends what was changed. */
export async function editBug(input: EditInput, context: Context): Promise<void> {
  const [word = ""] = input.args;
  const update = `bt bug update takes the fields as flags: bt bug update ${shellWord(word)} --priority VALUE`;
  checkEditorTerminal(context, word === "-" ? "control" : "stdin", update);
  const ref = await readOneTarget(word, context, "bt bug export and bt bug import change several");
  const { session } = context;
  const [bug] = (await readBugsToChange([ref], context)).bugs;
  if (!bug) return;
  const columns = editableColumns(bug, await session.catalog());
  const document = {
    name: `bug-${bug.id}.txt`,
    start: sheetText(bug, columns),
    again: `bt bug edit ${bug.id}${trackerWords(input)}`,
    confirm: confirmationPrompt(input, context.io, session.settings),
    use: (text: string) => save(text, bug, columns, input, context),
  };
  await editDocument(document, context);
}

/** Fields that an update can change, without texts that an editor cannot keep. */
function editableColumns(bug: Bug, catalog: Catalog): ImportColumn[] {
  const names = [...DEFAULT_BUG_FIELDS, ...catalog.fields.filter(isSettable).map(({ api }) => api)];
  return findColumns(names, catalog).filter((column) => {
    const isUpdatable = column.role === "set" && (column.update ?? column.custom) !== undefined;
    return isUpdatable && (bug as JsonObject)[column.name] !== undefined && !CONTROL.test(columnText(column, bug));
  });
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Cs}]/u;

/** The document of a bug: a field as `name: value`; a text of several lines is indented below `name: |`. */
export function sheetText(bug: Bug, columns: readonly ImportColumn[]): string {
  const rows = columns.flatMap((column) => {
    const { name } = column;
    const text = columnText(column, bug);
    const isBlock = text.includes("\n") || text.trim() === "|" || (isLong(column) && text !== "");
    if (isBlock) return [`${name}: |`, ...text.split("\n").map((line) => `  ${line}`)];
    return [text === "" ? `${name}:` : `${name}: ${text}`];
  });
  const title = `# Bug ${bug.id}: ${plain(bug.summary ?? "")}`;
  return [title, ...NOTES, "", ...rows, "", COMMENT_MARK, ""].join("\n");
}

const NOTES = [
  "# An empty value clears its field, a deleted line leaves it unchanged. A text",
  '# of several lines is "name: |" with each line below it indented by two spaces.',
];

/** Line below which everything is a comment. */
export const COMMENT_MARK = "# ---------- text below this line is added as a comment ----------";

function isLong({ custom }: ImportColumn): boolean {
  return custom?.type === FIELD_TYPE.longText;
}

/** Value of a field as a text to edit; the items of a list are separated by commas. */
export function columnText({ name, custom }: ImportColumn, bug: Bug): string {
  const value = (bug as JsonObject)[name];
  if (Array.isArray(value)) return bugFileItems(name, value).map(quotedCellItem).join(", ");
  const text = exactText(value).replace(/\r\n?/g, "\n");
  return custom?.type === FIELD_TYPE.date ? text.replace(/T00:00:00Z$/, "") : text;
}

/** Sends what an edited document changes; returns why it has to be edited again. */
async function save(
  text: string,
  bug: Bug,
  columns: readonly ImportColumn[],
  input: EditInput,
  context: Context,
): Promise<BtError | undefined> {
  try {
    const { cells, comment } = readSheet(text, bug, columns);
    if (cells.length === 0 && comment === undefined) throw new BtError("no", "the document is unchanged; nothing sent");
    const body = { ...(await readBody(cells, bug, context)), ...commentBody(comment) };
    const isNothing = Object.keys(body).length === 0;
    await changeBugs([isNothing ? { bug, why: "it has these values" } : { bug, body }], input, context);
    return undefined;
  } catch (error) {
    if (!isKind(error, "usage") && !(isKind(error, ...MENDED) && error.facts.changed === "nothing")) throw error;
    return error;
  }
}

/** Kinds of errors that another value may avoid. */
const MENDED: readonly ErrorKind[] = ["refused", "missing", "auth"];

/**
 * Reads an edited document: the fields whose text is another one, whatever blanks an editor left out, and the comment.
 * @throws BtError of kind usage for a line that is no field
 */
export function readSheet(written: string, bug: Bug, columns: readonly ImportColumn[]) {
  const lines = written.replace(/^\ufeff/, "").split(/\r?\n/);
  const mark = lines.findIndex((line) => line.trimEnd() === COMMENT_MARK);
  const end = mark < 0 ? lines.length : mark;
  const below = lines.slice(end + 1).join("\n");
  const comment = below.replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const cells = new Map<ImportColumn, string>();
  for (const { name, text } of statementsIn(lines.slice(0, end))) {
    const column = columns.find((one) => one.name === name);
    if (!column) throw unknownNameError(name, columns);
    if (cells.has(column)) throw usageError(`${name} is given twice`);
    if (!isLong(column) && text.trim().includes("\n")) throw usageError(`${name} takes one line`);
    cells.set(column, text);
  }
  const changed = [...cells].filter(([column, text]) => withoutEnds(text) !== withoutEnds(columnText(column, bug)));
  const typed = changed.map(([column, text]): ColumnCell => ({ column, cell: isLong(column) ? text : text.trim() }));
  return { cells: typed, comment: comment === "" ? undefined : comment };
}

/** Lines with a name and its text; what is no such line has its text as name. */
function* statementsIn(lines: string[]): Generator<{ name: string; text: string }> {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name = line, value = ""] = /^(\w+):(?: ?(.*))?$/s.exec(line) ?? [];
    const block = value.trim() === "|" ? indentedLines(lines.slice(at + 1)) : undefined;
    yield { name, text: block?.map((one) => one.slice(2)).join("\n") ?? value };
    at += block?.length ?? 0;
  }
}

/** The indented lines at the start, with the empty ones between them. */
function indentedLines(lines: string[]): string[] {
  const end = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("  "));
  const block = end < 0 ? lines : lines.slice(0, end);
  return block.slice(0, block.findLastIndex((line) => line.trim() !== "") + 1);
}

function unknownNameError(name: string, columns: readonly ImportColumn[]): BtError {
  if (!/^\w+$/.test(name)) return usageError(`expected "name: value", got ${JSON.stringify(name)}`);
  const names = columns.map((column) => column.name);
  return usageError(`no field ${JSON.stringify(name)} can be changed here`, suggestNames(name, names));
}

/** The lines without the blanks at their ends, which editors remove. */
function withoutEnds(text: string): string {
  return text.replace(/[^\S\n]+$/gm, "").trimEnd();
}

/** What the cells change; an empty one clears its field. @throws BtError of kind usage for a value that a field cannot have */
function readBody(cells: readonly ColumnCell[], bug: Bug, context: Context): Promise<JsonObject> {
  const isMoved = cells.some(({ column }) => column.name === "status");
  const isLeftOut = ({ column, cell }: ColumnCell) => isMoved && cell === "" && CLEARED_BY_STATUS.includes(column.name);
  const given = cells.filter((cell) => !isLeftOut(cell));
  const texts = given.map(({ cell }) => String(cell));
  return withCatalog(context.session, async (catalog) => {
    const { body, cleared, kept } = await readChanges(given, bug, await readCellContext(texts, catalog, context));
    if (kept.length > 0) throw usageError(`${kept[0]} cannot be empty`);
    return { ...body, ...cleared };
  });
}

/** Fields that a tracker clears when a bug is reopened. */
const CLEARED_BY_STATUS = ["resolution", "dupe_of"];
