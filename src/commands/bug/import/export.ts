import { open } from "node:fs/promises";
import { basename, extname } from "node:path";
import { ATTACHMENTS_OF_BUGS, type BugWithThread, readPartsOfBugs, withThreads } from "../../../api/bugs.ts";
import { isSettable } from "../../../api/catalog/catalog.ts";
import { inChunks } from "../../../api/lists.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { BtError, usageError } from "../../../errors.ts";
import { openProgress } from "../../../session/note.ts";
import { type BugColumn, neededFields } from "../../../view/bug-columns.ts";
import type { Listing } from "../../../view/column.ts";
import { bugFileListing } from "../../../view/listing.ts";
import { countText, plain } from "../../../view/text.ts";
import type { BugFileFormat } from "../../../view/view.ts";
import { type Bug, DEFAULT_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { Attachment } from "../../../wire/resources.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { chooseBugColumns, showPages, wireColumns } from "../../shared/output/print.ts";
import { checkReplaceable, type WholeFile, writeWhole } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { ExportInput } from "../flags.ts";

/** `bt bug export`: writes matching bugs as a file for `bt bug import`, page by page. */
export async function exportBugs(input: ExportInput, context: Context): Promise<void> {
  const { io, output, session } = context;
  const file = input.output === "-" ? undefined : input.output;
  const format = bugFileFormat(input, file);
  const target = file === undefined ? undefined : { file, isForced: input.force };
  if (target) await checkReplaceable(target);
  const criteria = await readCriteria(input, context);
  const columns = await exportedColumns(context);
  const found = session.searches.pages(criteria, { include: neededFields(columns), ...criteria.page });
  const hasThreads = format === "ndjson";
  const view = { ...output.view, ...(target && { terminal: false }) };
  const list = bugFileListing<BugWithAll>(format, hasThreads ? [...columns, ...THREAD_COLUMNS] : columns, view);
  const pages = hasThreads ? withThreadsAndFiles(found, context) : found;
  if (target === undefined) return void (await showPages(context, pages, list));
  const count = await writeBugFile(target, pages, list, context);
  await io.out(io.terminal.stdout ? `wrote ${plain(target.file)} (${countText(count, "bug")})\n` : `${target.file}\n`);
}

/** Writes the pages to a file; returns the number of bugs. */
async function writeBugFile(
  target: WholeFile,
  pages: AsyncIterable<readonly BugWithAll[]>,
  list: Listing<BugWithAll>,
  context: Context,
): Promise<number> {
  let count = 0;
  await writeWhole(target, context, async (part) => {
    const handle = await open(part, "wx");
    const write = (text: string) => handle.writeFile(context.io.hide(text));
    try {
      await write(list.head([]));
      for await (const page of withProgress(pages, context)) {
        await write(list.page(page));
        count += page.length;
      }
      await write(list.tail());
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  return count;
}

/** A bug with everything that is written as JSON. */
type BugWithAll = BugWithThread & { readonly attachments?: readonly Attachment[]; readonly tracker?: string };

/**
 * Format of a file of bugs by the flags, else by its name; CSV if neither says.
 * @throws BtError of kind usage for a name of another format
 */
function bugFileFormat({ format }: ExportInput, file = ""): BugFileFormat {
  const extension = extname(file).toLowerCase();
  const known = format ?? FORMATS_BY_EXTENSION[extension];
  if (known) return known;
  throw usageError(`the formats are csv, tsv and ndjson, not ${extension.slice(1)}`, "--format names one");
}

const FORMATS_BY_EXTENSION: Readonly<Record<string, BugFileFormat>> = {
  "": "csv",
  ".csv": "csv",
  ".tsv": "tsv",
  ".jsonl": "ndjson",
  ".ndjson": "ndjson",
};

/** The chosen columns, else the columns that can be set, and the columns that identify a bug and its state. */
async function exportedColumns(context: Context): Promise<readonly BugColumn[]> {
  const { session, output } = context;
  if (output.fields) return chooseBugColumns(context);
  const settable = (await session.catalog()).fields.filter(isSettable).map(({ api }) => api);
  return chooseBugColumns(context, [...EXPORTED_FIELDS, ...settable]);
}

const SETTABLE: ReadonlySet<string> = new Set(
  [...CREATE_BUG.parameters, ...UPDATE_BUG.parameters].map(({ name }) => name),
);
const IDENTIFYING: readonly string[] = ["id", "creator", "creation_time", "last_change_time"];
const EXPORTED_FIELDS = DEFAULT_BUG_FIELDS.filter((name) => SETTABLE.has(name) || IDENTIFYING.includes(name));

const THREAD_COLUMNS = wireColumns<BugWithAll>(["tracker", "comments", "history", "attachments"]);

/** Bugs with their tracker's name, comments, history and attachment metadata, few at a time. */
async function* withThreadsAndFiles(
  pages: AsyncIterable<readonly Bug[]>,
  context: Context,
): AsyncGenerator<readonly BugWithAll[]> {
  const { address, send } = context.session;
  const tracker = trackerName(address);
  for await (const page of withThreads(smallPages(pages), { comments: true, history: true }, send)) {
    const ids = page.map(({ id }) => String(id));
    const attachments = await readPartsOfBugs(ids, ATTACHMENTS_OF_BUGS, send);
    yield page.map((bug) => ({ ...bug, tracker, attachments: attachments.get(String(bug.id)) ?? [] }));
  }
}

/** Name of a tracker in texts: its address without the scheme, or the name of its file. */
function trackerName(address: string): string {
  if (/^https?:/.test(address)) return address.replace(/^https?:\/\//, "");
  return basename(address.replace(/^local:(?=.)/, "")).replace(/:$/, ""); // "demo:" is demo, "local:/a/team.db" is team.db
}

async function* smallPages(pages: AsyncIterable<readonly Bug[]>): AsyncGenerator<Bug[]> {
  for await (const page of pages) yield* inChunks(page, BUGS_AT_A_TIME);
}

/** Number of bugs whose comments are in memory at a time. */
const BUGS_AT_A_TIME = 50;

/** Passes pages on, and shows the number of bugs that were written. */
async function* withProgress<Page extends readonly unknown[]>(pages: AsyncIterable<Page>, { io }: Context) {
  const progress = openProgress(io);
  let count = 0;
  try {
    for await (const page of pages) {
      if (io.signal.aborted) throw new BtError("local", "interrupted");
      yield page;
      count += page.length;
      await progress.show(`${countText(count, "bug")} written`);
    }
  } finally {
    await progress.clear();
  }
}
