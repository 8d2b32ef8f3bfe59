import { type BatchOutcome, type BatchPlan, requestAll } from "../../api/batch.ts";
import { ATTACHMENTS_OF_BUGS, requestByNumber } from "../../api/bugs.ts";
import { collectPages } from "../../api/lists.ts";
import { GET_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readAttachments } from "../../api/response/response-objects.ts";
import { usageError } from "../../errors.ts";
import { note } from "../../session/note.ts";
import { ATTACHMENT_COLUMNS, attachmentCard, attachmentColumns } from "../../view/attachments.ts";
import { jsonListing } from "../../view/listing.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { Attachment } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import {
  chosenColumns,
  isForCards,
  mapPages,
  showCards,
  showList,
  showPages,
  wholeFormat,
} from "../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../shared/targets.ts";
import type { Context } from "../verb.ts";

/** `bt attachment list`: the attachments of bugs in few requests; reports bugs not found. */
export async function listAttachments(input: { args: string[]; fromText?: boolean }, context: Context): Promise<void> {
  const refs = await readTargetsOrText(input, context);
  const batches = requestByNumber(refs, ATTACHMENTS_OF_BUGS, context.session.send);
  const show = (lists: AsyncIterable<(readonly Attachment[])[]>) => showLists(lists, context);
  await printFound(batches, show, { identity: (list) => list[0]?.bug_id ?? list });
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
  const format = wholeFormat(context);
  const names = ATTACHMENT_COLUMNS.map(({ name }) => name);
  if (format) await showPages(context, pages, jsonListing<Attachment>(format, context.output.view, names));
  else await showList<Attachment>(context, { columns: chosenColumns(ATTACHMENT_COLUMNS, context), pages });
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
  await printFound(found(), show, { thing: "attachments" });
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
  read: (response) => readAttachments(response).map((thing) => ({ thing, names: [String(thing.id)] })),
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
