import { editableFields } from "../../../api/write/editable-fields.ts";
import { BtError, type ErrorKind, isKind, usageError, withDetails } from "../../../errors.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { shellWord, trackerWords } from "../../shared/flags.ts";
import { confirmationPrompt } from "../../shared/prompts.ts";
import { readBugsToChange, readOneTarget } from "../../shared/targets.ts";
import { checkEditorTerminal, editDocument } from "../../shared/text/editor.ts";
import { commentBody } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { EditInput } from "../write/flags.ts";
import { readBodyOfFields } from "../write/update-body.ts";
import { type Cell, markedSheet, type Problem, readSheet, type Sheet, sheetText, withoutProblems } from "./sheet.ts";
import { updateFlagsOf } from "./update-flags.ts";

/** `bt bug edit`: opens a bug in the editor, and sends what was changed. */
export async function editBug(input: EditInput, context: Context): Promise<void> {
  const [word = ""] = input.args;
  const update = `bt bug update takes the fields as flags: bt bug update ${shellWord(word)} --priority VALUE`;
  checkEditorTerminal(context, word === "-" ? "control" : "stdin", update);
  const ref = await readOneTarget(word, context, "bt bug export and bt bug import change several");
  const { session } = context;
  const [bug] = (await readBugsToChange({ refs: [ref] }, context)).bugs;
  if (!bug) return;
  const fields = editableFields(bug, await session.catalog());
  const document = {
    file: `bug-${bug.id}.txt`,
    start: sheetText({ bug, fields }),
    again: `bt bug edit ${bug.id}${trackerWords(input)}`,
    confirm: confirmationPrompt(input, context.io, session.settings),
    use: (text: string) => save(withoutProblems(text), { bug, fields }, input, context),
  };
  await editDocument(document, context);
}

/** Sends what an edited document changes; returns the document if it has to be edited again. */
async function save(text: string, sheet: Sheet, input: EditInput, context: Context) {
  const { bug } = sheet;
  const { cells, comment, problems } = readSheet(text, sheet);
  const [first, ...others] = problems.map(({ line, message }) => `line ${line}: ${message}`);
  if (first !== undefined) return { text: markedSheet(text, problems), error: withDetails(usageError(first), others) };
  if (cells.length === 0 && comment === undefined) throw new BtError("no", "the document is unchanged; nothing sent");
  try {
    const fields = await readBodyOfFields(updateFlagsOf(cells, bug), [bug], context);
    const body = { ...fields, ...commentBody(comment) };
    const isNothing = Object.keys(body).length === 0;
    await changeBugs([isNothing ? { bug, why: "it has these values" } : { bug, body }], input, context);
    return undefined;
  } catch (error) {
    if (!isKind(error, "usage") && !(isKind(error, ...MENDED) && error.facts.changed === "nothing")) throw error;
    return { text: markedSheet(text, [problemOf(error, cells)]), error };
  }
}

/** Kinds of errors that another value may avoid. */
const MENDED: readonly ErrorKind[] = ["refused", "missing", "auth"];

/** An error as the problem of the line that it is about, as far as it tells. */
function problemOf({ message, facts }: BtError, cells: readonly Cell[]): Problem {
  const { value = facts.login, hint, details = [] } = facts;
  const named = cells.find(({ field }) => field.name === facts.field);
  const like = value === undefined ? undefined : cells.find(({ text }) => text.includes(value));
  const { line } = named ?? like ?? cells[0] ?? { line: 1 };
  const words = [message, ...details].join("; ");
  return { line, message: hint === undefined ? words : `${words} (${hint})` };
}
