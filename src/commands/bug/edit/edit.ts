import { type Catalog, enterableProductLoader, isSettable } from "../../../api/catalog/catalog.ts";
import { BtError, type ErrorKind, isKind, usageError, withDetails } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { type Bug, DEFAULT_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { shellWord, trackerWords } from "../../shared/flags.ts";
import { confirmationPrompt } from "../../shared/prompts.ts";
import { readBugsToChange, readOneTarget } from "../../shared/targets.ts";
import { checkEditorTerminal, editDocument } from "../../shared/text.ts";
import { commentBody, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { EditInput } from "../flags.ts";
import { type ColumnCell, type ImportColumn, importColumns, readChanges } from "../import/columns.ts";
import { columnText, readSheet, type Sheet, sheetText } from "./sheet.ts";

/** `bt bug edit`: opens a bug in the editor, and sends what was changed. */
export async function editBug(input: EditInput, context: Context): Promise<void> {
  const [word = ""] = input.args;
  const update = `bt bug update takes the fields as flags: bt bug update ${shellWord(word)} --priority VALUE`;
  checkEditorTerminal(context, word === "-" ? "control" : "stdin", update);
  const ref = await readOneTarget(word, context, "bt bug export and bt bug import change several");
  const { session } = context;
  const [bug] = (await readBugsToChange([ref], context)).bugs;
  if (!bug) return;
  const sheet = { bug, columns: editableColumns(bug, await session.catalog()) };
  const document = {
    file: `bug-${bug.id}.txt`,
    start: sheetText(sheet),
    again: `bt bug edit ${bug.id}${trackerWords(input)}`,
    confirm: confirmationPrompt(input, context.io, session.settings),
    use: (text: string) => save(text, sheet, input, context),
  };
  await editDocument(document, context);
}

/** Fields that an update can change, without texts that an editor cannot keep. */
function editableColumns(bug: Bug, catalog: Catalog): ImportColumn[] {
  const names = [...DEFAULT_BUG_FIELDS, ...catalog.fields.filter(isSettable).map(({ api }) => api)];
  return importColumns(names, catalog).filter((column) => {
    const isSet = column.role === "set" && (column.update ?? column.custom) !== undefined;
    return isSet && (bug as JsonObject)[column.name] !== undefined && !CONTROL.test(columnText(column, bug));
  });
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Cs}]/u;

/** Sends what an edited document changes; returns why it has to be edited again. */
async function save(text: string, sheet: Sheet, input: EditInput, context: Context): Promise<BtError | undefined> {
  const { bug } = sheet;
  const { cells, comment, problems } = readSheet(text, sheet);
  const [first, ...others] = problems;
  if (first !== undefined) return withDetails(usageError(first), others);
  if (cells.length === 0 && comment === undefined) throw new BtError("no", "the document is unchanged; nothing sent");
  try {
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

/** What the cells change; an empty one clears its field. @throws BtError of kind usage for a value that a field cannot have */
function readBody(cells: readonly ColumnCell[], bug: Bug, context: Context): Promise<JsonObject> {
  const { send } = context.session;
  const isMoved = cells.some(({ column }) => column.name === "status");
  const isLeftOut = ({ column, cell }: ColumnCell) => isMoved && cell === "" && CLEARED_BY_STATUS.has(column.name);
  const given = cells.filter((cell) => !isLeftOut(cell));
  return withCatalog(context.session, async (catalog) => {
    const typed = { "assigned-to": cells.map(({ cell }) => String(cell)) };
    const values = { send, reading: await readValueContext(typed, context, catalog) };
    const at = { catalog, values, withProduct: enterableProductLoader(send) };
    const { body, cleared, kept } = await readChanges(given, bug, at);
    if (kept.length > 0) throw usageError(`${kept[0]} cannot be empty`);
    return { ...body, ...cleared };
  });
}

/** Fields that a tracker clears when a bug is reopened. */
const CLEARED_BY_STATUS: ReadonlySet<string> = new Set(["resolution", "dupe_of"]);
