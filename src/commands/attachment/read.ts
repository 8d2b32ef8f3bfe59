import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BatchOutcome, type BatchPlan, foundThings, requestAll, requestEach } from "../../api/batch.ts";
import { ATTACHMENTS_OF_BUGS, requestParts } from "../../api/bugs.ts";
import { collectPages } from "../../api/lists.ts";
import { GET_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readAttachments } from "../../api/response/response-objects.ts";
import { BtError, fileError, isKind, usageError } from "../../errors.ts";
import { note } from "../../session/note.ts";
import { ATTACHMENT_COLUMNS, attachmentCard, attachmentColumns } from "../../view/attachments.ts";
import { plain, sizeText } from "../../view/text.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { Json } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Attachment } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import { isForCards, mapPages, showCards, showList, showReceived } from "../shared/output/print.ts";
import { printFound, readTargets, readTargetsToShow, reportOutcomes } from "../shared/targets.ts";
import { checkReplaceable, type WholeFile, writeWhole } from "../shared/text.ts";
import type { Context } from "../verb.ts";

/** `bt attachment list`: the attachments of bugs in few requests; reports bugs not found. */
export async function listAttachments(input: { args: string[]; fromText?: boolean }, context: Context): Promise<void> {
  const refs = await readTargetsToShow(input, context);
  const batches = requestParts(refs, ATTACHMENTS_OF_BUGS, context.session.send);
  await printFound(batches, (lists) => {
    const pages = mapPages(lists, (attachmentsOfBugs) => attachmentsOfBugs.flat());
    return showAttachmentList(pages, context);
  });
}

async function showAttachmentList(pages: AsyncIterable<readonly Attachment[]>, context: Context): Promise<void> {
  if (!isForCards(context)) return showAttachmentRows(pages, context);
  const attachments = await collectPages(pages);
  await showList(context, { columns: attachmentColumns(attachments, context.output.view), pages: [attachments] });
  if (attachments.length === 0) await note(context.io, "no attachments");
}

/** Prints attachments for programs: in JSON as received, else a line for each. */
async function showAttachmentRows(pages: AsyncIterable<readonly Attachment[]>, context: Context): Promise<void> {
  const names = ATTACHMENT_COLUMNS.map(({ name }) => name);
  await showReceived(context, pages, ATTACHMENT_COLUMNS, names);
}

/** `bt attachment get`: attachments by id, as cards on a terminal. */
export async function getAttachments(input: SharedInput, context: Context): Promise<void> {
  const batches = requestEach(parseAttachmentIds(input.args), ATTACHMENT_PLAN, context.session.send);
  const show = async (pages: AsyncIterable<readonly Attachment[]>) => {
    if (!isForCards(context)) return showAttachmentRows(pages, context);
    const attachments = await collectPages(pages);
    const cards = attachments.map((attachment) => attachmentCard(attachment, context.output.view));
    await showCards(context, cards);
  };
  await printFound(batches, show, "attachments");
}

/** Reads attachments by id, without their data: each, or its error. */
export function readAttachmentsById(ids: readonly string[], { session }: Context): Promise<BatchOutcome<Attachment>[]> {
  return requestAll(ids, ATTACHMENT_PLAN, session.send);
}

const ATTACHMENT_PLAN: BatchPlan<Attachment> = {
  name: "attachment",
  codes: errorCodes("bug_access_denied", "auth_failure"), // the latter for a private attachment
  request: (ids) => requestFor(GET_ATTACHMENTS, { attachment_ids: ids, exclude_fields: "data" }),
  read: (response) => readAttachments(response).map((attachment) => [String(attachment.id), attachment]),
};

/**
 * Distinct ids of attachments on the command line, which may be separated by commas.
 * @throws BtError of kind usage for a word that is no id
 */
export function parseAttachmentIds(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => arg.split(",")).map((word) => word.trim());
  const invalid = words.find((word) => !/^[1-9][0-9]{0,9}$/.test(word));
  if (invalid === undefined) return [...new Set(words)];
  throw usageError(`${JSON.stringify(invalid)} is not an attachment id`, "bt attachment list BUG shows the ids");
}

type DownloadInput = {
  args: string[];
  readonly bug: readonly string[];
  readonly output?: string | undefined;
  readonly force: boolean;
};

/**
 * `bt attachment download`: writes or prints each content when all of it has been received, so that no incomplete content is
 * left behind.
 */
export async function downloadAttachments(input: DownloadInput, context: Context): Promise<void> {
  const { args, bug: bugs, force: isForced } = input;
  const isByBug = bugs.length > 0;
  if (args.length > 0 === isByBug)
    throw usageError("expected either attachments or --bug", "--bug saves all attachments of a bug");
  const output = input.output ?? (isByBug || context.io.terminal.stdout ? "." : "-");
  const outcomes = isByBug
    ? await readAttachmentsOfBugs([...bugs], context)
    : await readAttachmentsById(parseAttachmentIds(args), context);
  const attachments = foundThings(outcomes);
  if (output === "-" || attachments.length === 0) reportOutcomes(outcomes, "downloaded", "attachments");
  if (attachments.length === 0) throw new BtError("no", "no attachments");
  if (output === "-") return printContents(attachments, context);
  if (isByBug) await createFolder(output);
  const files = await chooseFiles(attachments, output);
  for (const file of files.values()) await checkReplaceable({ file, isForced });
  const results: BatchOutcome<Attachment>[] = [];
  for (const outcome of outcomes) {
    if ("error" in outcome) {
      results.push(outcome);
      continue;
    }
    const file = files.get(outcome.thing.id) ?? "";
    results.push(await saveContent(outcome.thing, { file, isForced }, context));
  }
  reportOutcomes(results, "downloaded", "attachments");
}

/** The attachments of bugs, each once; the error of a bug has the name "bug 12". */
async function readAttachmentsOfBugs(bugs: string[], context: Context): Promise<BatchOutcome<Attachment>[]> {
  const refs = await readTargets(bugs, context);
  const outcomes: BatchOutcome<Attachment>[] = [];
  const found = new Map<number, Attachment>();
  for await (const batch of requestParts(refs, ATTACHMENTS_OF_BUGS, context.session.send)) {
    for (const outcome of batch) {
      if ("error" in outcome) outcomes.push({ ...outcome, ref: `bug ${outcome.ref}` });
      else for (const attachment of outcome.thing) found.set(attachment.id, attachment);
    }
  }
  for (const thing of found.values()) outcomes.push({ ref: String(thing.id), thing });
  return outcomes;
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw fileError("write", folder, error);
  });
}

/** The file of each attachment, by id: the given one for a single attachment, else one in a folder. */
async function chooseFiles(attachments: Attachment[], output: string): Promise<ReadonlyMap<number, string>> {
  const isFolder = await stat(output).then(
    (stats) => stats.isDirectory(),
    () => /[/\\]$/.test(output), // a folder, though missing
  );
  if (!isFolder && attachments.length > 1)
    throw usageError(
      `--output ${output} is one file, but there are ${attachments.length} attachments`,
      "use an existing folder, or -",
    );
  if (!isFolder) return new Map(attachments.map(({ id }) => [id, output]));
  const names = attachments.map(({ id, file_name }) => [id, savedName(file_name, id)] as const);
  const distinct = new Set(names.map(([, name]) => name.toLowerCase())); // as some file systems compare names
  return new Map(names.map(([id, name]) => [id, join(output, distinct.size < names.length ? `${id}-${name}` : name)]));
}

/** Saves the content of an attachment; returns the error of one that cannot be read. */
async function saveContent(
  attachment: Attachment,
  target: WholeFile,
  context: Context,
): Promise<BatchOutcome<Attachment>> {
  const ref = String(attachment.id);
  const { io } = context;
  try {
    const content = await readContent(attachment, context);
    await writeWhole(target, context, (temporary) => writeFile(temporary, content, { flag: "wx" }));
    const text = `wrote ${plain(target.file)} (${sizeText(content.length)}) of bug ${attachment.bug_id}`;
    await io.out(`${io.terminal.stdout ? text : target.file}\n`);
    return { ref, thing: attachment };
  } catch (error) {
    if (!isKind(error, "missing", "refused", "auth", "reply")) throw error;
    return { ref, error };
  }
}

async function printContents(attachments: Attachment[], context: Context): Promise<void> {
  const contents: Buffer[] = [];
  for (const attachment of attachments) contents.push(await readContent(attachment, context));
  for (const content of contents) await context.io.outBytes(content);
}

/** Reads the content of an attachment. @throws BtError if it is incomplete, deleted or hidden */
async function readContent({ id, size }: Attachment, { session }: Context): Promise<Buffer> {
  const request = requestFor(GET_ATTACHMENTS, { attachment_id: id, include_fields: "id,data" });
  const content = Buffer.from(base64In(await session.send(request), id), "base64");
  if (size === undefined || content.length === size) return content;
  throw new BtError("reply", `attachment ${id} is incomplete: received ${content.length} of ${size} bytes`, {
    hint: "try again; --verbose shows the requests",
  });
}

/** The content in a response. @throws BtError of kind missing if it was deleted or is hidden */
function base64In(response: Json, id: number): string {
  const attachments = isObject(response) ? response["attachments"] : undefined;
  const attachment = isObject(attachments) ? attachments[String(id)] : undefined;
  const data = isObject(attachment) ? attachment["data"] : undefined;
  if (typeof data === "string") return data;
  if (data === null) throw new BtError("missing", `the content of attachment ${id} was deleted`);
  throw new BtError("missing", `attachment ${id} was not found, or is not visible to you`);
}

/**
 * Name of the file for an attachment: the last part of its file name, without control characters and without a leading
 * dot, tilde or dash.
 */
export function savedName(fileName: string | null | undefined, id: number): string {
  const lastPart = (fileName ?? "").split(/[/\\]/).at(-1) ?? "";
  const visible = lastPart.replace(/\p{C}/gu, "").trim();
  const isOnlySigns = /^[._~-]?\.*$/.test(visible);
  return isOnlySigns ? `attachment-${id}` : visible.replace(/^[.~-]/, "_");
}
