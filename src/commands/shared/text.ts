import { isUtf8 } from "node:buffer";
import type { StdioOptions } from "node:child_process";
import { link, mkdtemp, open as openFile, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readDate } from "../../api/query/dates.ts";
import { BtError, fileError, isKind, systemErrorCode, usageError } from "../../errors.ts";
import { childEnv, TERMINAL_FILE } from "../../platform.ts";
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
  name: string,
  typed: string | undefined,
  { args, bodyFile: file, editor }: ProseInput,
  context: Context,
  start = "",
): Promise<string | undefined> {
  if ([typed !== undefined, file !== undefined, editor].filter(Boolean).length > 1)
    throw usageError(`more than one source for the ${name}`, `use one of --${name}, --body-file and --editor`);
  if (typed === "-" || file === "-") return readFromStdin(name, context);
  if (file !== undefined) return withoutFileMarks(await readSource(file, context));
  if (editor) return editText(name, start, args.length > 0 ? `${name} for ${args.join(", ")}` : undefined, context);
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

/**
 * Opens the user's editor on a text; `about` stands below it. The text is kept until it has been used.
 * @throws BtError if there is no terminal, or if the text was left empty or unchanged
 */
export async function editText(
  name: string,
  start: string,
  about: string | undefined,
  context: Context,
): Promise<string> {
  checkEditorTerminal(context, "stdin", "use --body-file");
  const notes = [SCISSORS, BELOW, ...(about ? [plain(`# ${about}`)] : [])].map((line) => `\n${line}`);
  const file = await createTemporaryFile(`${name}.md`, `${start}${notes.join("")}\n`);
  const { bytes, failure } = await runEditor(file, context);
  const lines = Buffer.concat([Buffer.from("\n"), bytes]);
  const end = notes.map((line) => lines.indexOf(line)).find((at) => at >= 0); // also if the scissors alone were deleted
  const written = bytes.subarray(0, end);
  await checkWritten(name, file, start, written.toString(), failure);
  await writeFile(file, written).catch(() => undefined); // what is sent, if the command is repeated with it
  context.savedTexts.push({ file, flag: "body-file" });
  if (failure) throw failure;
  return decodeUtf8(written, "the edited text").replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "");
}

/** First line that is not sent. @see https://git-scm.com/docs/git-commit (scissors) */
const SCISSORS = "# ------------------------ >8 ------------------------";
const BELOW = "# The line above and everything below it are not sent.";

/** A document to edit; `use` throws what is wrong, or returns why it has to be opened again. */
export type EditedDocument = {
  readonly name: string; // of its file
  readonly start: string;
  readonly again: string; // the command that opens it
  readonly confirm: ((message: string) => Promise<boolean>) | undefined; // whether to edit again
  readonly use: (text: string) => Promise<BtError | undefined>;
};

/**
 * Opens the user's editor on a document and passes the text to `use`. If `use` returns an error and
 * the user agrees, the text is opened again with the error in its first lines. The file is kept
 * until the text is used.
 * @throws BtError if the text was left empty or unchanged; the error of `use` if it was not mended
 */
export async function editDocument(document: EditedDocument, context: Context): Promise<void> {
  const { name, start, again, use, confirm } = document;
  const file = await createTemporaryFile(name, start);
  let { bytes, failure } = await runEditor(file, context);
  await checkWritten("document", file, start, bytes.toString(), failure);
  context.savedTexts.push({ file, sends: `BT_EDITOR=${shellWord(`cp ${shellWord(file)}`)} ${again}` });
  while (failure === undefined) {
    const text = decodeUtf8(bytes, "the edited text").replace(/^(?:# error: .*\n)+/, "");
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
    ({ bytes, failure } = await runEditor(file, context));
    if (isUnwritten(bytes.toString(), marked)) throw failure ?? error;
  }
  throw failure;
}

/** An error as the first lines of a document. */
function errorMarks({ message, facts: { hint, details = [] } }: BtError): string {
  const lines = [hint === undefined ? message : `${message} (${hint})`, ...details];
  return lines.map((line) => `# error: ${plain(line)}\n`).join("");
}

/** @throws BtError of kind usage without a terminal for an editor: stdout, and stdin or the terminal of the process */
export function checkEditorTerminal({ io }: Context, source: "stdin" | "control", hint: string): void {
  if (io.terminal[source] && io.terminal.stdout) return;
  throw usageError("there is no terminal for the editor", hint);
}

async function createTemporaryFile(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "bt-")), name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

function isUnwritten(text: string, start: string): boolean {
  return text.trim() === "" || text.trim() === start.trim();
}

/**
 * Deletes the file of a text that is empty or unchanged.
 * @throws for it the failure of the editor, or BtError of kind no
 */
async function checkWritten(
  name: string,
  file: string,
  start: string,
  text: string,
  failure: BtError | undefined,
): Promise<void> {
  if (!isUnwritten(text, start)) return;
  await rm(dirname(file), { recursive: true, force: true });
  throw failure ?? new BtError("no", `the ${name} is ${text.trim() === "" ? "empty" : "unchanged"}; nothing sent`);
}

/** Runs the editor; what it saved (it may have deleted the file), and why it failed. */
async function runEditor(file: string, { io, session }: Context): Promise<{ bytes: Buffer; failure?: BtError }> {
  const { env, terminal } = io;
  const command = [env["BT_EDITOR"], session.settings.editor, env["VISUAL"], env["EDITOR"]].find(Boolean) ?? "vi";
  const keys = terminal.stdin ? undefined : await openFile(TERMINAL_FILE, "r");
  const stdio: StdioOptions = [keys?.fd ?? "inherit", "inherit", "inherit"];
  const { spawn } = await import("node:child_process");
  const child = spawn("/bin/sh", ["-c", `${command} "$1"`, "bt", file], { stdio, env: childEnv(env) });
  const why = await new Promise<string>((resolve) => {
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (code) => resolve(code === 0 ? "" : `exit status ${code}`));
  });
  await keys?.close();
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  if (why === "") return { bytes };
  const hint = "set BT_EDITOR or EDITOR";
  return { bytes, failure: new BtError("local", `the editor ${command} failed: ${why}`, { hint }) };
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
