import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BatchOutcome, type BatchPlan, foundThings, requestAll } from "../../api/batch.ts";
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
import { checkReplaceable, writeWhole } from "../shared/text.ts";
import type { Context } from "../verb.ts";

/** `bt attachment list`: the attachments of bugs in few requests; reports bugs not found. */
export async function listAttachments(input: { args: string[]; fromText?: boolean }, context: Context): Promise<void> {
  const refs = await readTargetsToShow(input, context);
  const batches = requestParts(refs, ATTACHMENTS_OF_BUGS, context.session.send);
  const show = (lists: AsyncIterable<(readonly Attachment[])[]>) => showLists(lists, context);
  await printFound(batches, show);
}

async function showLists(lists: AsyncIterable<(readonly Attachment[])[]>, context: Context): Promise<void> {
  const pages = mapPages(lists, (page) => page.flat());
  if (!isForCards(context)) return showAttachmentRows(pages, context);
  const attachments = await collectPages(pages);
  await showList(context, { columns: attachmentColumns(attachments, context.output.view), pages: [attachments] });
  if (attachments.length === 0) await note(context.io, "no attachments");
}

/** Prints attachments as a list, in JSON as received. */
async function showAttachmentRows(pages: AsyncIterable<readonly Attachment[]>, context: Context): Promise<void> {
  const names = ATTACHMENT_COLUMNS.map(({ name }) => name);
  await showReceived(context, pages, ATTACHMENT_COLUMNS, names);
}

/** `bt attachment get`: attachments by id, as cards on a terminal. */
export async function getAttachments(input: SharedInput, context: Context): Promise<void> {
  async function* found() {
    yield await readAttachmentsById(attachmentIds(input.args), context);
  }
  const show = async (pages: AsyncIterable<readonly Attachment[]>) => {
    if (!isForCards(context)) return showAttachmentRows(pages, context);
    const cards = (await collectPages(pages)).map((one) => attachmentCard(one, context.output.view));
    await showCards(context, cards);
  };
  await printFound(found(), show, "attachments");
}

/** Attachments by id, without their data, each or its error. */
export async function readAttachmentsById(
  ids: readonly string[],
  { session }: Context,
): Promise<BatchOutcome<Attachment>[]> {
  return requestAll(ids, BY_ID, session.send);
}

const BY_ID: BatchPlan<Attachment> = {
  name: "attachment",
  codes: errorCodes("bug_access_denied", "auth_failure"), // the latter for a private attachment
  request: (ids) => requestFor(GET_ATTACHMENTS, { attachment_ids: ids, exclude_fields: "data" }),
  read: (response) => readAttachments(response).map((attachment) => [String(attachment.id), attachment]),
};

/**
 * Distinct ids of attachments on the command line.
 * @throws BtError of kind usage for anything else
 */
export function attachmentIds(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => arg.split(",")).map((word) => word.trim());
  const bad = words.find((word) => !/^[1-9][0-9]{0,9}$/.test(word));
  if (bad === undefined) return [...new Set(words)];
  throw usageError(`${JSON.stringify(bad)} is not an attachment id`, "bt attachment list BUG shows the ids");
}

type DownloadInput = {
  args: string[];
  readonly bug: readonly string[];
  readonly output?: string | undefined;
  readonly force: boolean;
};

/**
 * `bt attachment download`: writes each file when all of it has been received, so that an incomplete one is neither left
 * behind nor printed.
 */
export async function downloadAttachments(input: DownloadInput, context: Context): Promise<void> {
  const { args, bug, force: isForced } = input;
  const areOfBugs = bug.length > 0;
  if (args.length > 0 === areOfBugs)
    throw usageError("expected either attachments or --bug", "--bug saves all attachments of a bug");
  const output = input.output ?? (areOfBugs || context.io.terminal.stdout ? "." : "-");
  const outcomes = areOfBugs
    ? await readAttachmentsOfBugs([...bug], context)
    : await readAttachmentsById(attachmentIds(args), context);
  const attachments = foundThings(outcomes);
  if (output === "-" || attachments.length === 0) reportOutcomes(outcomes, "downloaded", "attachments");
  if (attachments.length === 0) throw new BtError("no", "no attachments");
  if (output === "-") return printAttachments(attachments, context);
  if (areOfBugs)
    await mkdir(output, { recursive: true }).catch((error) => {
      throw fileError("write", output, error);
    });
  const files = await chooseFiles(attachments, output);
  for (const file of files.values()) await checkReplaceable({ file, isForced });
  const results: BatchOutcome<Attachment>[] = [];
  for (const outcome of outcomes)
    results.push("error" in outcome ? outcome : await saved(outcome.thing, files, isForced, context));
  reportOutcomes(results, "downloaded", "attachments");
}

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

/** The file of each attachment, by id: the given one for a single attachment, else one in a folder. */
async function chooseFiles(attachments: Attachment[], output: string): Promise<ReadonlyMap<number, string>> {
  const isFolder = await stat(output).then(
    (found) => found.isDirectory(),
    () => /[/\\]$/.test(output),
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

/** Saves an attachment; its error if it alone cannot be read. */
async function saved(
  thing: Attachment,
  files: ReadonlyMap<number, string>,
  isForced: boolean,
  context: Context,
): Promise<BatchOutcome<Attachment>> {
  const { id, bug_id } = thing;
  const [ref, file = ""] = [String(id), files.get(id)];
  const { io } = context;
  try {
    const data = await readData(thing, context);
    await writeWhole({ file, isForced }, context, (part) => writeFile(part, data, { flag: "wx" }));
    const text = `wrote ${plain(file)} (${sizeText(data.length)}) of bug ${bug_id}`;
    await io.out(`${io.terminal.stdout ? text : file}\n`);
    return { ref, thing };
  } catch (error) {
    if (!isKind(error, "missing", "refused", "auth", "reply")) throw error;
    return { ref, error };
  }
}

async function printAttachments(attachments: Attachment[], context: Context): Promise<void> {
  const all: Buffer[] = [];
  for (const attachment of attachments) all.push(await readData(attachment, context));
  for (const data of all) await context.io.outBytes(data);
}

/** @throws BtError if the data are incomplete */
async function readData({ id, size }: Attachment, { session }: Context): Promise<Buffer> {
  const request = requestFor(GET_ATTACHMENTS, { attachment_id: id, include_fields: "id,data" });
  const data = Buffer.from(dataInResponse(await session.send(request), id), "base64");
  if (size === undefined || data.length === size) return data;
  throw new BtError("reply", `attachment ${id} is incomplete: received ${data.length} of ${size} bytes`, {
    hint: "try again; --verbose shows the requests",
  });
}

function dataInResponse(response: Json, id: number): string {
  const attachments = isObject(response) ? response["attachments"] : undefined;
  const attachment = isObject(attachments) ? attachments[String(id)] : undefined;
  const data = isObject(attachment) ? attachment["data"] : undefined;
  if (typeof data === "string") return data;
  const what =
    data === null
      ? `the content of attachment ${id} was deleted`
      : `attachment ${id} was not found, or is not visible to you`;
  throw new BtError("missing", what);
}

/**
 * Name of the file for an attachment: the last part of its file name, without control characters and without a leading
 * dot, tilde or dash.
 */
export function savedName(fileName: string | null | undefined, id: number): string {
  const last = (fileName ?? "").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/\p{C}/gu, "")
    .trim()
    .replace(/^[.~-]/, "_");
  return ["", "_"].includes(clean.replaceAll(".", "")) ? `attachment-${id}` : clean;
}
