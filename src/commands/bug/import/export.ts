import { type FileHandle, open } from "node:fs/promises";
import { basename, extname } from "node:path";
import { ATTACHMENTS_OF_BUGS, type BugWithThread, readPartsOfBugs, withThreads } from "../../../api/bugs/bug-parts.ts";
import { isSettable } from "../../../api/catalog/catalog.ts";
import { inChunks } from "../../../api/lists.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { BtError, fileError, usageError } from "../../../errors.ts";
import { note, openProgress } from "../../../session/note.ts";
import { BUG_COLUMNS, type BugColumn, findBugColumn, neededFields } from "../../../view/bug-columns.ts";
import { type BugFileForm, bugFileListing } from "../../../view/bug-file.ts";
import type { Listing } from "../../../view/column.ts";
import { countText, plain } from "../../../view/text.ts";
import type { BugFileFormat } from "../../../view/view.ts";
import { type Bug, DEFAULT_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { Attachment } from "../../../wire/resources.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { chooseSelection, noteHiddenHours, showPages, wireColumns } from "../../shared/output/print.ts";
import { checkReplaceable, writeWhole } from "../../shared/text/whole-file.ts";
import type { Context } from "../../verb.ts";
import type { ExportInput } from "./flags.ts";

/** `bt bug export`: writes the bugs that match as a file that `bt bug import` reads, page by page. */
export async function exportBugs(given: ExportInput, context: Context): Promise<void> {
  const file = outputFile(given);
  refuseFileAsTerm(given.args);
  const form = bugFileForm(given, file);
  checkExportFlags(given, form, file);
  const isForced = given.force;
  if (file !== undefined) await checkReplaceable({ file, isForced });
  const criteria = await readCriteria(given, context, "export");
  const columns = await exportedColumns(context);
  const found = context.session.searches.pages(criteria, { include: neededFields(columns), ...criteria.page });
  const hasThreads = form.format === "ndjson";
  const { view } = context.output;
  const shown = file === undefined ? view : { ...view, terminal: false };
  const list = bugFileListing<BugWithAll>(form, hasThreads ? [...columns, ...THREAD_COLUMNS] : columns, shown);
  const bugs = noteHiddenHours(found, context.output.fields, context);
  const pages = hasThreads ? withConversations(bugs, context) : bugs;
  if (file === undefined) await showPages(context, pages, list);
  else await saveToFile({ file, isForced }, { pages, list }, context);
  if (file !== undefined && mayOverwrite(columns.map(({ name }) => name))) await note(context.io, UNGUARDED);
}

/** True if an import updates bugs by these columns, and cannot notice that they were changed after the export. */
function mayOverwrite(names: string[]): boolean {
  return names.includes("id") && !names.includes("last_change_time") && names.some((name) => SET.has(name));
}

const UNGUARDED =
  "without last_change_time among --fields, bt bug import of this file overwrites what others change in the meantime";

/** A bug with everything that is written as JSON. */
type BugWithAll = BugWithThread & { readonly attachments?: readonly Attachment[]; readonly tracker?: string };

function outputFile({ output: file }: ExportInput): string | undefined {
  if (file === "") throw usageError("--output is empty", "use --output FILE, or - for stdout");
  return file === "-" ? undefined : file;
}

/** Rejects a last term that looks like the file to write to. */
function refuseFileAsTerm(terms: string[]): void {
  const last = terms.at(-1) ?? "";
  if (/^(?:\.{1,2}\/|~?\/)\S+$|^[^\s:=~<>"']+\.(?:csv|tsv|json|ndjson|jsonl|txt)$/i.test(last))
    throw usageError(`"${last}" looks like a file`, `use -o ${last}; for a word of the summary, quotes: '"${last}"'`);
}

function checkExportFlags({ force, raw }: ExportInput, { format }: BugFileForm, file: string | undefined): void {
  if (force && file === undefined) throw usageError("--force requires --output FILE");
  if (raw && format !== "csv") throw usageError("--raw requires --format csv", "other formats have exact texts");
}

/**
 * Form of a file of bugs by the flags, else by its name; CSV if neither says.
 * @throws BtError of kind usage for a name of another format
 */
function bugFileForm({ format, raw }: ExportInput, file = ""): BugFileForm {
  const extension = extname(file).toLowerCase();
  if (format === undefined && OTHER_FORMATS.has(extension)) {
    const name = basename(file, extname(file));
    const hint =
      extension === ".json"
        ? `for a JSON object per line: --format ndjson, or the name ${name}.jsonl`
        : `for CSV, which spreadsheets read: the name ${name}.csv`;
    throw usageError(`the formats are csv, tsv and ndjson, not ${extension.slice(1)}`, hint);
  }
  return { format: format ?? FORMATS_BY_NAME[extension] ?? "csv", isRaw: raw };
}

const OTHER_FORMATS: ReadonlySet<string> = new Set(
  ".json .xlsx .xls .ods .xml .html .md .yaml .yml .pdf .parquet .sqlite".split(" "),
);

const FORMATS_BY_NAME: Readonly<Record<string, BugFileFormat>> = {
  ".tsv": "tsv",
  ".tab": "tsv",
  ".jsonl": "ndjson",
  ".ndjson": "ndjson",
};

/** The chosen columns, else all that can be set, and those that identify a bug and its state. */
async function exportedColumns(context: Context): Promise<readonly BugColumn[]> {
  const { metadata } = context.session;
  const chosen = context.output.fields;
  const keys = chosen
    ? (await chooseSelection(chosen, context)).keys
    : [...EXPORTED, ...(await metadata.catalog()).fields.filter(isSettable).map(({ api }) => api)];
  const fields = keys.some((key) => !BUG_COLUMNS.includes(key)) ? await metadata.fields() : [];
  return keys.flatMap((key) => findBugColumn(key, fields, context.output.view) ?? []);
}

const SET: ReadonlySet<string> = new Set([...CREATE_BUG.parameters, ...UPDATE_BUG.parameters].map(({ name }) => name));
const IDENTIFYING: readonly string[] = ["id", "creator", "creation_time", "last_change_time"];
const EXPORTED = DEFAULT_BUG_FIELDS.filter((name) => SET.has(name) || IDENTIFYING.includes(name));

const THREAD_COLUMNS = wireColumns<BugWithAll>(["tracker", "comments", "history", "attachments"]);

/** Bugs with the name of their tracker, comments, history and attachments' metadata, few at a time. */
async function* withConversations(
  pages: AsyncIterable<readonly Bug[]>,
  context: Context,
): AsyncGenerator<readonly BugWithAll[]> {
  const options = { comments: true, history: true };
  const tracker = trackerName(context.session.address);
  for await (const page of withThreads(smallPages(pages), options, context.session.send)) {
    const ids = page.map(({ id }) => String(id));
    const attachments = await readPartsOfBugs(ids, ATTACHMENTS_OF_BUGS, context.session.send);
    yield page.map((bug) => ({ ...bug, tracker, attachments: attachments.get(String(bug.id)) ?? [] }));
  }
}

/** Name of a tracker in texts: its address without the scheme, or the name of its file. */
function trackerName(address: string): string {
  const place = address.replace(/^https?:\/\//, "");
  return place === address ? basename(address.replace(/^local:(?=.)/, "")).replace(/:$/, "") : place;
}

async function* smallPages(pages: AsyncIterable<readonly Bug[]>): AsyncGenerator<Bug[]> {
  for await (const page of pages) yield* inChunks(page, BUGS_AT_A_TIME);
}

/** Bugs whose comments are in memory at a time. */
const BUGS_AT_A_TIME = 50;

type Exported = { readonly pages: AsyncIterable<readonly BugWithAll[]>; list: Listing<BugWithAll> };

/** Writes the bugs to a file, which appears when it is complete. */
async function saveToFile(
  target: { file: string; isForced: boolean },
  exported: Exported,
  context: Context,
): Promise<void> {
  let count = 0;
  await writeWhole(target, context, async (part) => {
    const handle = await withFileError(open(part, "wx"), target.file);
    try {
      count = await writePages(handle, exported, { file: target.file, context });
      await withFileError(handle.sync(), target.file);
    } finally {
      await handle.close();
    }
  });
  const { io } = context;
  await io.out(io.terminal.stdout ? `wrote ${plain(target.file)} (${countText(count, "bug")})\n` : `${target.file}\n`);
}

async function writePages(
  handle: FileHandle,
  { pages, list }: Exported,
  { file, context: { io } }: { file: string; context: Context },
): Promise<number> {
  const write = (text: string) => withFileError(handle.writeFile(io.hide(text)), file);
  let count = 0;
  const progress = openProgress(io);
  await write(list.head([]));
  for await (const page of pages) {
    if (io.signal.aborted) throw new BtError("local", "interrupted", { changed: "nothing" });
    await write(list.page(page));
    count += page.length;
    await progress.show(`${countText(count, "bug")} written`);
  }
  await progress.clear();
  await write(list.tail());
  return count;
}

function withFileError<Result>(act: Promise<Result>, file: string): Promise<Result> {
  return act.catch((error) => {
    throw fileError("write", file, error);
  });
}
