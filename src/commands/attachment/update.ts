import { foundThings } from "../../api/batch.ts";
import { UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readChangedItems } from "../../api/response/response-objects.ts";
import { checkNotEmpty } from "../../api/write/checks.ts";
import { targetFlags } from "../../api/write/flags.ts";
import { previewChanges } from "../../api/write/preview.ts";
import { overwrittenLines } from "../../api/write/read-back.ts";
import { stateBefore } from "../../api/write/write-state.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Attachment, Changes } from "../../wire/resources.ts";
import { recordedText } from "../shared/change/rows.ts";
import { changedThing, noteOverwritten, showChanged, showPlanned } from "../shared/change/written.ts";
import { reportOutcomes } from "../shared/targets.ts";
import type { Context } from "../verb.ts";
import { type AttachmentInput, checkAttachmentFlags, readAttachmentBody } from "./body.ts";
import { attachmentIds, readAttachmentsById } from "./get.ts";

/** `bt attachment update`: the same update of all given attachments in one request. */
export async function updateAttachments(input: AttachmentInput, context: Context): Promise<void> {
  const ids = attachmentIds(input.args);
  const body = await readAttachmentBody(UPDATE_ATTACHMENT, input, context);
  checkNotEmpty(body, "bt attachment update 33 --is-obsolete yes");
  const outcomes = await readAttachmentsById(ids, context);
  reportOutcomes(outcomes, { done: "changed", thing: "attachments" });
  const attachments = foundThings(outcomes);
  const flags = await readFlagChanges(attachments, body["flags"], context);
  await sendUpdate(attachments, { ...body, ...(flags === undefined ? {} : { flags }) }, input, context);
}

/** Flag changes, checked, by the ids of the flags that they mean. */
async function readFlagChanges(
  attachments: Attachment[],
  flags: Json | undefined,
  context: Context,
): Promise<Json | undefined> {
  if (!Array.isArray(flags)) return undefined;
  const flagsOf = (bug: number) =>
    attachments.filter(({ bug_id }) => bug_id === bug).flatMap((attachment) => attachment.flags ?? []);
  await checkAttachmentFlags(flags, new Map(attachments.map(({ bug_id }) => [bug_id, flagsOf(bug_id)])), context);
  return targetFlags(attachments, flags, "attachment");
}

async function sendUpdate(
  attachments: Attachment[],
  body: JsonObject,
  { dryRun }: AttachmentInput,
  context: Context,
): Promise<void> {
  const request = requestFor(UPDATE_ATTACHMENT, { ids: attachments.map(({ id }) => id), ...body });
  if (dryRun) {
    const { comment: _, ...fields } = body;
    const previews = attachments.map(({ id, ...attachment }) =>
      shownAttachment({ id, changes: previewChanges(attachment as JsonObject, fields) }, attachments, body, true),
    );
    return showPlanned([request], previews, context, { things: "attachments" });
  }
  const before = stateBefore(attachments, body);
  const journal = await context.session.writes.journal();
  const response = await journal.deliver("attachment update", { request, before });
  const changed = readChangedItems<ChangedAttachment>(response, "attachments");
  await showChanged(
    changed.map((one) => shownAttachment(one, attachments, body)),
    context,
  );
  await noteOverwritten(
    changed.flatMap(({ id, changes }) => {
      const read = attachments.find((one) => String(one.id) === String(id)) ?? {};
      return overwrittenLines(read as JsonObject, body, changes).map((line) => `attachment ${id}: ${line}`);
    }),
    context,
  );
}

type ChangedAttachment = { id: number | string; last_change_time?: string; changes: Changes };

function shownAttachment(changed: ChangedAttachment, read: Attachment[], { comment }: JsonObject, isPreview = false) {
  const { id } = changed;
  const title = read.find((one) => String(one.id) === String(id))?.summary;
  const extras = recordedText({ comment: comment as Json }, !isPreview);
  return changedThing({ ...changed, name: `attachment ${id}`, title, extras }, isPreview);
}
