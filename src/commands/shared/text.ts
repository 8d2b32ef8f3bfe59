import { isUtf8 } from "node:buffer";
import type { StdioOptions } from "node:child_process";
import { link, mkdtemp, open as openFile, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readDate } from "../../api/query/dates.ts";
import { BtError, fileError, isKind, systemErrorCode, usageError } from "../../errors.ts";
import { childEnv, loadChildProcess, shellCommand, TERMINAL_FILE } from "../../platform.ts";
import { noteDate } from "../../session/note.ts";
import { errorText } from "../../view/messages.ts";
import { plain } from "../../view/text.ts";
import { timestamp } from "../../wire/time.ts";
import { type Context, deleteSavedTexts } from "../verb.ts";
import { hasProse, type ProseInput, shellWord } from "./flags.ts";
import { errorRecord } from "./output/error-record.ts";

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

/** A text to edit: its name in messages, its initial content, and what it is about, below the scissors. */
export type EditorText = { readonly name: string; readonly start: string; readonly about?: string | undefined };

/**
 * Opens the user's editor. The text is kept until it has been used.
 * @throws BtError if there is no terminal, or if the text was left empty or unchanged
 */
export async function editText({ name, start, about }: EditorText, context: Context): Promise<string> {
  checkEditorTerminal(context, "stdin", "use --body-file");
  const notes = [
    SCISSORS,
    "# The line above and everything below it are not sent.",
    ...(about ? [plain(`# ${about}`)] : []),
  ];
  const file = await createTextFile(`${name}.md`, `${start}\n${notes.join("\n")}\n`);
  const failure = await runEditor(editorCommand(context), file, context.io).catch((error: BtError) => error);
  const written = aboveNotes(await readSaved(file), notes);
  if (isUnwritten(written.toString(), start)) {
    await rm(dirname(file), { recursive: true, force: true });
    throw failure ?? unwrittenError(name, written.toString());
  }
  await writeFile(file, written).catch(() => undefined); // what is sent, if the command is repeated with it
  context.savedTexts.push({ file, flag: "body-file" });
  if (failure) throw failure;
  return decodeUtf8(written, "the edited text").replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "");
}

/** A document to edit; `use` throws what is wrong, or returns why it has to be opened again. */
export type EditedDocument = {
  readonly file: string; // its name
  readonly start: string;
  readonly again: string; // the command that opens it
  readonly confirm: ((message: string) => Promise<boolean>) | undefined; // whether to edit again
  readonly use: (text: string) => Promise<BtError | undefined>;
};

/**
 * Opens the user's editor on a document until it is used, then with the reason in its first lines. The text is kept until
 * then.
 * @throws BtError if it was left empty or unchanged, or the reason to open it again, if there was one
 */
export async function editDocument(document: EditedDocument, context: Context): Promise<void> {
  const { file: name, start, again, use, confirm } = document;
  const file = await createTextFile(name, start);
  let edited = await editAgain(file, start, context);
  if (edited.isSame) {
    await rm(dirname(file), { recursive: true, force: true });
    throw edited.failure ?? unwrittenError("document", edited.written.toString());
  }
  context.savedTexts.push({ file, sends: `BT_EDITOR=${shellWord(`cp ${shellWord(file)}`)} ${again}` });
  if (edited.failure) throw edited.failure;
  for (;;) {
    const text = decodeUtf8(edited.written, "the edited text").replace(/^(?:# error: .*\n)+/, "");
    const error = await use(text).catch((thrown: unknown) => {
      if (isKind(thrown, "no")) deleteSavedTexts(context); // nothing in it differs
      throw thrown;
    });
    if (error === undefined) return;
    const marked = `${errorMarks(error)}${text}`;
    await writeFile(file, marked);
    if (confirm === undefined) throw error;
    await context.io.err(errorText(errorRecord(error), context.output.view));
    if (!(await confirm("edit again?"))) throw new BtError(error.kind, "nothing sent");
    edited = await editAgain(file, marked, context);
    if (edited.failure || edited.isSame) throw edited.failure ?? error;
  }
}

/** An error as the first lines of a document. */
function errorMarks({ message, facts: { hint, details = [] } }: BtError): string {
  const lines = [hint === undefined ? message : `${message} (${hint})`, ...details];
  return lines.map((line) => `# error: ${plain(line)}\n`).join("");
}

async function editAgain(file: string, text: string, context: Context) {
  const failure = await runEditor(editorCommand(context), file, context.io).catch((error: BtError) => error);
  const written = await readSaved(file);
  return { written, failure, isSame: isUnwritten(written.toString(), text) };
}

/** @throws BtError of kind usage without a terminal for an editor: stdout, and stdin or the terminal of the process */
export function checkEditorTerminal({ io }: Context, source: "stdin" | "control", hint: string): void {
  if (io.terminal[source] && io.terminal.stdout) return;
  const lacks = io.terminal[source] ? "stdout is not one" : "stdin is not one";
  throw usageError(`there is no terminal for the editor: ${lacks}`, hint);
}

function editorCommand({ io, session }: Context): string {
  const named = [io.env["BT_EDITOR"], session.settings.editor, io.env["VISUAL"], io.env["EDITOR"]];
  return named.find(Boolean) ?? "vi";
}

async function createTextFile(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "bt-")), name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** First line that is not sent. @see https://git-scm.com/docs/git-commit (scissors) */
const SCISSORS = "# ------------------------ >8 ------------------------";

/** The bytes above the scissors; above the notes, if the scissors were deleted alone. */
function aboveNotes(bytes: Buffer, marks: string[]): Buffer {
  const lines = Buffer.concat([Buffer.from("\n"), bytes]);
  const ends = marks.map((mark) => lines.indexOf(`\n${mark}`));
  const end = ends.find((at) => at >= 0);
  return end === undefined ? bytes : bytes.subarray(0, end);
}

/** Bytes that the editor saved; it may have deleted the file. */
function readSaved(file: string): Promise<Buffer> {
  return readFile(file).catch(() => Buffer.alloc(0));
}

function isUnwritten(text: string, start: string): boolean {
  return text.trim() === "" || text.trim() === start.trim();
}

function unwrittenError(name: string, text: string): BtError {
  const how = text.trim() === "" ? "empty" : "unchanged";
  return new BtError("no", `the ${name} is ${how}; nothing sent`);
}

async function runEditor(command: string, file: string, { env, terminal }: Context["io"]): Promise<undefined> {
  const [program, args] = shellCommand(command, file);
  const keys = terminal.stdin ? undefined : await openFile(TERMINAL_FILE, "r");
  const stdio: StdioOptions = [keys?.fd ?? "inherit", "inherit", "inherit"];
  const { spawn } = await loadChildProcess();
  const child = spawn(program, args, { stdio, env: childEnv(env) });
  const ended = new Promise<undefined>((resolve, reject) => {
    child.on("error", (error) => reject(editorFailedError(command, error.message)));
    child.on("close", (code) =>
      code === 0 ? resolve(undefined) : reject(editorFailedError(command, `exit status ${code}`)),
    );
  });
  return ended.finally(() => keys?.close());
}

function editorFailedError(command: string, why: string): BtError {
  return new BtError("local", `the editor ${command} failed: ${why}`, {
    hint: "set BT_EDITOR or EDITOR",
  });
}

/**
 * Decoded UTF-8.
 * @throws BtError of kind usage with the first line that is not
 */
export function decodeUtf8(bytes: Uint8Array, source = "stdin"): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const bad = lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
  throw usageError(`${source} is not UTF-8 in line ${bad + 1}`);
}

/**
 * Bytes of a file given on the command line, or of stdin for `-`.
 * @throws BtError of kind local if the file cannot be read
 */
export async function readSourceBytes(source: string, { io }: Context): Promise<Buffer> {
  if (source === "-") return Buffer.from(await io.input());
  return readFile(source).catch((error) => {
    throw fileError("read", source, error);
  });
}

/** A file to write, and whether it may replace an existing one. */
export type WholeFile = { readonly file: string; readonly isForced: boolean };

/**
 * Writes a file beside its place and moves it there when it is complete, so that an incomplete one is never left behind.
 * `write` receives the name of the new file.
 * @throws BtError of kind guard if the file exists and may not be replaced, of kind local if it cannot be written
 */
export async function writeWhole(
  { file, isForced }: WholeFile,
  { io }: Context,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${io.pid}.part`);
  try {
    await write(part);
    await (isForced ? rename(part, file) : link(part, file));
  } catch (error) {
    const code = systemErrorCode(error);
    if (error instanceof BtError || code === "") throw error;
    throw code === "EEXIST" ? existsError(file) : fileError("write", file, error);
  } finally {
    await rm(part, { force: true });
  }
}

/** @throws BtError of kind guard if the file exists and may not be replaced, or is a device, a pipe or a directory */
export async function checkReplaceable({ file, isForced }: WholeFile): Promise<void> {
  const found = await stat(file).catch((error) => {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw isForced ? fileError("write", file, error) : existsError(file);
  });
  if (found === undefined) return;
  if (!isForced) throw existsError(file);
  if (found.isFile()) return;
  throw new BtError("guard", `${file} is not a regular file`, {
    hint: "--force replaces regular files only; -o - writes to stdout",
  });
}

function existsError(file: string): BtError {
  return new BtError("guard", `${file} exists`, {
    hint: "--force overwrites it; -o writes elsewhere",
  });
}
