import { readDate } from "../../../api/query/dates.ts";
import { usageError } from "../../../errors.ts";
import { noteDate } from "../../../session/note.ts";
import { timestamp } from "../../../wire/time.ts";
import type { Context } from "../../verb.ts";
import { hasProse, type ProseInput } from "../flags.ts";
import { editText } from "./editor.ts";
import { decodeUtf8, readSourceBytes } from "./files.ts";

/**
 * A long text from the command line (`-` for stdin), a file, or the editor; undefined if none was requested.
 * @throws BtError of kind usage for more than one source
 */
export async function readLongText(
  { name, typed, start = "" }: { readonly name: string; readonly typed: string | undefined; readonly start?: string },
  { args, bodyFile: file, editor }: ProseInput,
  context: Context,
): Promise<string | undefined> {
  if ([typed !== undefined, file !== undefined, editor].filter(Boolean).length > 1)
    throw usageError(`more than one source for the ${name}`, `use one of --${name}, --body-file and --editor`);
  if (typed === "-" || file === "-") return readFromStdin(name, context);
  if (file !== undefined) return withoutFileMarks(await readSource(file, context));
  if (editor)
    return editText({ name, start, about: name === "comment" ? `bug ${args.join(", ")}` : undefined }, context);
  return typed;
}

/** The command line with `--editor` if it gives no comment and there is a terminal to write one. */
export function withEditorIfNone<Input extends ProseInput>(
  input: Input,
  comment: string | undefined,
  { io }: Context,
): Input {
  if (hasProse(input, comment) || !io.terminal.stdin || !io.terminal.stdout) return input;
  return { ...input, editor: true };
}

async function readFromStdin(name: string, context: Context): Promise<string> {
  const text = await readSource("-", context);
  if (text.trim() === "") throw usageError("no input on stdin", `the ${name} is read from stdin`);
  return withoutFileMarks(text);
}

/** Text without the byte order mark and the last line break of a file. */
function withoutFileMarks(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r?\n$/, "");
}

/** Text of a file given on the command line, or of stdin for `-`. */
export async function readSource(source: string, context: Context): Promise<string> {
  return decodeUtf8(await readSourceBytes(source, context), source === "-" ? "stdin" : source);
}

/** The moment (UTC) at which a typed period begins in the user's zone. */
export function readMoment(text: string, context: Context): string {
  const note = (sentence: string) => noteDate(context.io, sentence);
  return timestamp(readDate(text, { now: context.io.now(), zone: context.output.view.timeZone, note }).start);
}
