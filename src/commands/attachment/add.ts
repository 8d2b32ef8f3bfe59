import { bugNumber } from "../../api/bug-numbers.ts";
import { isCreatedResponse } from "../../api/delivery/verify-attachment.ts";
import { CREATE_ATTACHMENT, UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { PARAMETERS } from "../../api/operations/tracker.ts";
import { isObject, unexpectedShape } from "../../api/response/response-objects.ts";
import { checkedText } from "../../api/write/limits.ts";
import { BtError, usage, withDetails } from "../../errors.ts";
import type { FlagValues } from "../../session/flags.ts";
import { sizeText } from "../../view/attachments.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { showPlan } from "../shared/changes.ts";
import { readLongText } from "../shared/input-text.ts";
import { showCreated } from "../shared/output.ts";
import { oneBug, reportOutcomes } from "../shared/targets.ts";
import { bodyFrom, readingOf } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";
import { checkContentType } from "./content-type.ts";
import { type AttachedFile, attachedFile } from "./file.ts";
import { checkAttachmentFlags } from "./flags.ts";
import { attachmentIds, attachmentsById } from "./get.ts";
import type { AttachmentAddInput } from "./input.ts";

/** `bt attachment add`: attaches one file to one bug, and then marks the attachments that it replaces as obsolete. */
export async function addAttachment(input: AttachmentAddInput, context: Context): Promise<void> {
  const [ref = "", source = ""] = input.args;
  if (source === "-" && (input.bodyFile === "-" || input.parameters.comment === "-")) {
    throw usage("stdin cannot be both the file and the comment");
  }
  const target = await oneBug(ref, context);
  const bug = await bugNumber(target, context.session.send);
  const comment = await readLongText({ name: "comment", typed: input.parameters.comment }, input, context);
  const file = await attachedFile(source, context);
  const body = await bodyOf(file, comment, input.parameters, context);
  await checkAttachmentFlags(body["flags"], new Map([[bug, []]]), context);
  const obsoletes = await replacedAttachments(bug, input, context);
  await checkSize(file, source, context);
  const create: Request = { ...requestFor(CREATE_ATTACHMENT, { ids: [bug], ...body }), file: file.part };
  const obsolete =
    obsoletes.length > 0 ? requestFor(UPDATE_ATTACHMENT, { ids: obsoletes, is_obsolete: true }) : undefined;
  if (input.dryRun) {
    await showPlan(create, [], context);
    return obsolete && showPlan(obsolete, [], context);
  }
  const writer = await context.session.writes.writer();
  const answer = await writer.deliver({ request: create }).catch((error) => rethrow(error, obsoletes));
  const id = createdId(answer, create);
  await showCreated(id, async () => `added attachment ${id} to bug ${target}`, context);
  if (obsolete) await writer.deliver({ request: obsolete }).catch((error) => rethrow(error, obsoletes, id));
}

async function bodyOf(
  file: AttachedFile,
  comment: string | undefined,
  values: FlagValues,
  context: Context,
): Promise<JsonObject> {
  const parameters = CREATE_ATTACHMENT.parameters.filter(({ name }) => name !== "comment");
  const given = bodyFrom(
    values,
    parameters,
    await readingOf(values, context, await context.session.metadata.catalog()),
  );
  const name = given["file_name"] ?? checkedText("file_name", file.name);
  const isPatch = given["is_patch"] === true || (file.isPatch && given["content_type"] === undefined);
  const type = String(given["content_type"] ?? file.type);
  checkContentType(type);
  return {
    ...given,
    file_name: name,
    summary: given["summary"] ?? name,
    content_type: isPatch ? "text/plain" : type,
    ...(isPatch ? { is_patch: true } : {}),
    ...(comment === undefined ? {} : { comment: checkedText("comment", comment) }),
  };
}

/** Ids of the attachments to mark as obsolete, which have to be on the same bug. */
async function replacedAttachments(
  bug: number,
  input: AttachmentAddInput,
  context: Context,
): Promise<readonly number[]> {
  if (input.obsoletes.length === 0) return [];
  const outcomes = await attachmentsById(attachmentIds(input.obsoletes), context);
  reportOutcomes(outcomes, { thing: "attachments", done: "changed" });
  const attachments = outcomes.flatMap((one) => ("thing" in one ? [one.thing] : []));
  const other = attachments.find(({ bug_id }) => bug_id !== bug);
  if (other) throw usage(`attachment ${other.id} is on bug ${other.bug_id}, not on bug ${bug}`);
  return attachments.map(({ id }) => id);
}

/** Refuses a file larger than the tracker's maximum. Small files are not worth the request. */
async function checkSize({ part: { size } }: AttachedFile, source: string, context: Context): Promise<void> {
  if (size <= ALWAYS_SMALL) return;
  const most = await sizeLimit(context);
  if (most === undefined || size <= most) return;
  const name = source === "-" ? "stdin" : source;
  throw usage(
    `${name} has ${sizeText(size)}; the tracker takes attachments of at most ${sizeText(most)}`,
    "compress it, or store it elsewhere and give its address in a comment",
  );
}

const ALWAYS_SMALL = 64 * 1024;

/** Maximum size of an attachment in bytes; undefined if not reported. */
async function sizeLimit({ session }: Context): Promise<number | undefined> {
  const answer = await session.send(requestFor(PARAMETERS)).catch((error) => {
    if (error instanceof BtError && ["missing", "refused", "auth", "reply"].includes(error.kind)) return null;
    throw error;
  });
  const parameters = isObject(answer) ? answer["parameters"] : undefined;
  const limits = isObject(parameters) ? parameters : {};
  const [kibibytes, mebibytes] = [Number(limits["maxattachmentsize"]), Number(limits["maxlocalattachment"])];
  const most = Math.max(kibibytes * 1024 || 0, mebibytes * 1024 * 1024 || 0);
  return most > 0 ? most : undefined;
}

function createdId(answer: Json, request: Request): number {
  const ids = isObject(answer) ? answer["ids"] : undefined;
  if (isCreatedResponse(answer, request) && Array.isArray(ids)) return Number(ids[0]);
  throw unexpectedShape("the id of the new attachment");
}

/** Adds to the error of a write what became of the attachments to be marked. */
function rethrow(error: unknown, obsoletes: readonly number[], added?: number): never {
  if (!(error instanceof BtError) || obsoletes.length === 0) throw error;
  const what = added === undefined ? "" : `attachment ${added} was added; `;
  const todo = `bt attachment update ${obsoletes.join(" ")} --is-obsolete yes`;
  const told = withDetails(error, [`${what}${obsoletes.join(", ")} not marked as obsolete: ${todo}`]);
  throw added === undefined ? told : new BtError(told.kind, told.message, { ...told.facts, changed: "some" });
}
