import { lstat, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BtError, usage } from "../errors.ts";
import { childEnv } from "../platform.ts";
import { utf8 } from "./targets.ts";
import type { Context, Draft } from "./verb.ts";

/** A text to edit: its name in messages, its initial content, and what the editor shows beside it. */
export type EditorText = { readonly name: string; readonly start: string; readonly beside?: BesideText };

/** Name of the edited file, and lines below the scissors, which are not sent. */
export type BesideText = { readonly file: string; readonly lines: readonly string[] };

/**
 * Opens the user's editor. The text is kept until it has been used.
 * @throws BtError if there is no terminal, or if the text was left empty or unchanged
 */
export async function editText({ name, start, beside }: EditorText, context: Context): Promise<string> {
  const { io, session } = context;
  if (!io.terminal.stdin || !io.terminal.stdout) throw usage("there is no terminal for the editor", "use --body-file");
  const named = [io.env["BT_EDITOR"], session.settings.editor, io.env["VISUAL"], io.env["EDITOR"]];
  const command = named.find(Boolean) ?? io.platform.editor;
  const file = join(await mkdtemp(join(tmpdir(), "bt-")), beside?.file ?? "text.txt");
  await writeFile(file, beside ? `${start}\n${notes(beside).join("\n")}\n` : start, { mode: 0o600 });
  const failure = await open(command, file, io).catch((error: BtError) => error);
  const draft = await draftIn(file);
  const written = beside ? aboveNotes(draft, notes(beside)) : draft;
  if (isUnwritten(written.toString(), start)) {
    await rm(dirname(file), { recursive: true, force: true });
    throw failure ?? unwritten(name, written.toString());
  }
  await writeFile(file, written).catch(() => undefined); // what is sent, if the command is repeated with it
  context.drafts.push(draftOf(file, beside));
  if (failure) throw failure;
  return utf8(written, "the edited text").replace(beside ? /^(?:[ \t]*\r?\n)+|\s+$/g : /\s+$/, "");
}

/** A comment or description can be sent from its file; other texts are edited again. */
function draftOf(file: string, beside: BesideText | undefined): Draft {
  return beside ? { file, flag: "body-file" } : { file };
}

/** First line that is not sent. @see https://git-scm.com/docs/git-commit (scissors) */
const SCISSORS = "# ------------------------ >8 ------------------------";

function notes({ lines }: BesideText): readonly string[] {
  return [SCISSORS, "# The line above and everything below it are not sent.", ...lines.map((line) => `# ${line}`)];
}

/** The bytes above the scissors; above the notes, if the scissors were deleted alone. */
function aboveNotes(draft: Buffer, [scissors = "", ...rest]: readonly string[]): Buffer {
  const text = draft.toString("latin1");
  const marks = [scissors, ...rest].map((line) => Buffer.from(line).toString("latin1"));
  const ends = marks.map((mark) => `\n${text}`.search(new RegExp(`\n${escaped(mark)}[ \\t\\r]*(?:\n|$)`)));
  const end = ends.find((at) => at >= 0);
  return end === undefined ? draft : draft.subarray(0, end);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Bytes of a draft. The editor may have deleted the file, or replaced it by a pipe. */
async function draftIn(file: string): Promise<Buffer> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats && !stats.isFile()) throw usage(`the editor left no regular file at ${file}`, "set BT_EDITOR or EDITOR");
  return readFile(file).catch(() => Buffer.alloc(0));
}

function isUnwritten(text: string, start: string): boolean {
  return text.trim() === "" || text.trim() === start.trim();
}

function unwritten(name: string, text: string): BtError {
  const how = text.trim() === "" ? "empty" : "unchanged";
  return new BtError("no", `the ${name} is ${how}; nothing sent`);
}

async function open(command: string, file: string, { env, platform }: Context["io"]): Promise<undefined> {
  const { spawn } = await import("node:child_process");
  const { program, args, options } = platform.shell.run(command, env, file);
  const child = spawn(program, args, { ...options, stdio: "inherit", env: childEnv(env) });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(editorFailed(command, error.message)));
    child.on("close", (code) =>
      code === 0 ? resolve(undefined) : reject(editorFailed(command, `exit status ${code}`)),
    );
  });
}

function editorFailed(command: string, why: string): BtError {
  return new BtError("local", `the editor ${command} failed: ${why}`, {
    hint: "set BT_EDITOR or EDITOR",
    changed: "nothing",
  });
}
