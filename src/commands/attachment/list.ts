import { requestByNumber } from "../../api/bugs/bug-numbers.ts";
import { ATTACHMENTS_OF_BUGS } from "../../api/bugs/bug-parts.ts";
import { collectPages } from "../../api/lists.ts";
import { note } from "../../session/note.ts";
import { ATTACHMENT_COLUMNS, attachmentColumns } from "../../view/attachments.ts";
import { jsonListing } from "../../view/listing.ts";
import type { Attachment } from "../../wire/resources.ts";
import { chosenColumns, isForCards, mapPages, showList, showPages, wholeFormat } from "../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../shared/targets.ts";
import type { Context } from "../verb.ts";

/** `bt attachment list`: the attachments of all given bugs in few requests; reports bugs not found. */
export async function listAttachments(input: { args: string[]; fromText?: boolean }, context: Context): Promise<void> {
  const { refs, lines } = await readTargetsOrText(input, context);
  const batches = requestByNumber(refs, ATTACHMENTS_OF_BUGS, context.session.send);
  const show = (pages: AsyncIterable<(readonly Attachment[])[]>) =>
    showAttachments(
      mapPages(pages, (lists) => lists.flat()),
      context,
    );
  await printFound(batches, show, { identity: (list) => list[0]?.bug_id ?? list, lines });
}

async function showAttachments(pages: AsyncIterable<readonly Attachment[]>, context: Context): Promise<void> {
  if (!isForCards(context)) return showAttachmentRows(pages, context);
  const attachments = await collectPages(pages);
  await showList(context, { columns: attachmentColumns(attachments, context.output.view), pages: [attachments] });
  if (attachments.length === 0) await note(context.io, "no attachments");
}

/** Prints attachments as a list, in JSON as received. */
export async function showAttachmentRows(pages: AsyncIterable<readonly Attachment[]>, context: Context): Promise<void> {
  const format = wholeFormat(context);
  const names = ATTACHMENT_COLUMNS.map(({ name }) => name);
  if (format) await showPages(context, pages, jsonListing<Attachment>(format, context.output.view, names));
  else await showList<Attachment>(context, { columns: chosenColumns(ATTACHMENT_COLUMNS, context), pages });
}
