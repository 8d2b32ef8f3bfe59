import { foundThings, requestAll } from "../../api/batch.ts";
import { bugPlan } from "../../api/bugs.ts";
import { checkPeople } from "../../api/names.ts";
import { UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import { type Operation, requestFor } from "../../api/operations/operation.ts";
import { readChangedItems } from "../../api/response/response-objects.ts";
import { overwrittenLines, previewChanges } from "../../api/write/changes.ts";
import { checkNotEmpty } from "../../api/write/checks.ts";
import { checkFlags, targetFlags } from "../../api/write/flags.ts";
import { checkedText } from "../../api/write/texts.ts";
import { stateBefore } from "../../api/write/write-state.ts";
import type { FlagValues } from "../../command-flag.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Attachment, Changes, Flag } from "../../wire/resources.ts";
import { changedThing, noteOverwritten, recordedText, showChanged, showPlanned } from "../shared/change/written.ts";
import type { ProseInput } from "../shared/flags.ts";
import { reportOutcomes } from "../shared/targets.ts";
import { readLongText } from "../shared/text/input-text.ts";
import { bodyFrom, readValueContext } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";
import { attachmentIds, readAttachmentsById } from "./get.ts";

/** `bt attachment update`: the same update of all given attachments in one request. */
export async function updateAttachments(input: AttachmentInput, context: Context): Promise<void> {
  const ids = attachmentIds(input.args);
  const body = await readAttachmentBody(UPDATE_ATTACHMENT, input, context);
  checkNotEmpty(body);
  const outcomes = await readAttachmentsById(ids, context);
  reportOutcomes(outcomes, { done: "changed", thing: "attachments" });
  const attachments = foundThings(outcomes);
  const flags = await readFlagChanges(attachments, body["flags"], context);
  await sendUpdate(attachments, { ...body, ...(flags === undefined ? {} : { flags }) }, input, context);
}

export type AttachmentInput = ProseInput & {
  readonly parameters: FlagValues & { readonly comment?: string | undefined };
  readonly dryRun: boolean;
};

/** Body of the flags and the comment of an operation on attachments, checked but for flag changes. */
export async function readAttachmentBody(
  { parameters }: Operation,
  input: AttachmentInput,
  context: Context,
): Promise<JsonObject> {
  const values = input.parameters;
  const comment = await readLongText({ name: "comment", typed: values.comment }, input, context);
  const catalog = await context.session.catalog();
  const reading = await readValueContext(values, context, catalog);
  const body = bodyFrom(
    values,
    parameters.filter(({ name }) => name !== "comment"),
    reading,
  );
  await checkPeople(body, catalog, context.session.send);
  return comment === undefined ? body : { ...body, comment: checkedText("comment", comment) };
}

/**
 * Checks flag changes against the flag types of each bug's attachments; `setOn` has flags already set.
 * @throws BtError of kind usage for an unknown flag
 */
export async function checkAttachmentFlags(
  flags: Json | undefined,
  setOn: ReadonlyMap<number, Flag[]>,
  { session }: Context,
): Promise<void> {
  if (flags === undefined) return;
  const bugs = [...setOn.keys()].map(String);
  for (const outcome of await requestAll(bugs, bugPlan(["product", "component"]), session.send)) {
    if ("error" in outcome) throw outcome.error;
    const set = setOn.get(outcome.thing.id) ?? [];
    await checkFlags(flags, { ...outcome.thing, flags: set, target: "attachment" }, session.send);
  }
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
    return showPlanned([request], previews, context, "attachments");
  }
  const before = stateBefore(attachments, body);
  const journal = await context.session.journal();
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
