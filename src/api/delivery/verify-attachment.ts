import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Attachment, Comment } from "../../wire/resources.ts";
import { GET_ATTACHMENTS, GET_BUG_ATTACHMENTS } from "../operations/attachments.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readAttachments, readBugAttachments, unexpectedShapeError } from "../response/response-objects.ts";
import { likeness } from "../write/likeness.ts";
import { flagChangeText } from "../write/preview.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import { conflictingFields, pendingFields, rewrittenFields, writeState } from "../write/write-state.ts";
import { readCommentsSince } from "./verify-comment.ts";
import {
  bestMatches,
  type FindMatchesBefore,
  isRequester,
  judgeMatches,
  type SentWrite,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/** True if a response has the id of a new attachment for each bug of the request. */
export function isCreatedResponse(response: Json, request: Request): boolean {
  const ids = createdIds(response);
  return ids.length === writeTargets(request).length && ids.every((id) => Number.isSafeInteger(id) && id > 0);
}

/** Ids of new attachments in a response, which has them as `ids`, or as the names of `attachments`. */
export function createdIds(response: Json): number[] {
  if (!isObject(response)) return [];
  const { ids, attachments } = response;
  if (Array.isArray(ids)) return ids.map(Number);
  return isObject(attachments) ? Object.keys(attachments).map(Number) : [];
}

/** Verifies a new attachment of one bug by creator, name, size and summary among those made since it was sent. */
export const verifyAttachmentCreate: VerifyWrite = async (sent, context) => {
  if (writeTargets(sent.request).length > 1) return { status: "unverifiable" };
  const attachments = await readSimilarAttachments(sent.request, context.send);
  const claimed = new Set(context.confirmed().flatMap(({ response }) => createdIds(response)));
  const found = attachments.filter(
    ({ id, creator }) => isRequester(context, creator) !== false && !claimed.has(id) && !sent.alike?.includes(id),
  );
  const differences = (attachment: Attachment) => attachmentDifferences(sent.request, attachment);
  return judgeMatches(bestMatches(found, differences), sent, {
    toResponse: ({ id }) => ({ ids: [id] }),
    describe: (one) => {
      const degree = differences(one).length === 0 ? "the same" : "a similar";
      return `attachment ${one.id} of ${one.creation_time} has ${degree} name, size and summary`;
    },
    differences,
  });
};

/** Values of an attachment that the tracker stored differently, as sentences. */
function attachmentDifferences(request: Request, stored: Attachment): string[] {
  const { file_name, summary, is_private } = requestBody(request);
  const differences: string[] = [];
  const changed = (name: string, now: unknown) =>
    differences.push(`${name} of attachment ${stored.id} is stored as ${JSON.stringify(now)}`);
  if (stored.file_name !== storedName(String(file_name))) changed("file_name", stored.file_name);
  if (likeness(String(summary).trim(), stored.summary) !== "same") changed("summary", stored.summary);
  if (Boolean(stored.is_private) !== Boolean(is_private)) changed("is_private", Boolean(stored.is_private));
  return differences;
}

/** Ids of attachments of the bug that already look like the new one. */
export const matchingAttachmentsBefore: FindMatchesBefore = async (sent, send) =>
  (await readSimilarAttachments(sent.request, send)).map(({ id }) => id);

/**
 * Attachments of the request's bug with its size, where the tracker returns sizes, and with its name and summary, as far as
 * trackers store these.
 * @throws BtError of kind reply if an attachment has no name or summary
 */
async function readSimilarAttachments(request: Request, send: SendRequest): Promise<Attachment[]> {
  const [bug = ""] = writeTargets(request);
  const response = await send(requestFor(GET_BUG_ATTACHMENTS, { id: bug, exclude_fields: "data" }));
  const attachments = readBugAttachments(response).get(bug);
  const isNamed = ({ file_name, summary }: Partial<Attachment>) => file_name !== undefined && summary !== undefined;
  if (!attachments?.every(isNamed)) throw unexpectedShapeError(`attachments of bug ${bug} with their names`);
  const sent = requestBody(request);
  const size = sentSize(request);
  return attachments.filter(
    (attachment) =>
      (attachment.size ?? size) === size &&
      likeness(storedName(String(sent["file_name"])), attachment.file_name) !== "other" &&
      likeness(String(sent["summary"]).trim(), attachment.summary) !== "other",
  );
}

/** Size of the file of a request (bytes); in the body it is base64, four characters for three bytes. */
function sentSize({ file, ...request }: Request): number {
  if (file !== undefined) return file.size;
  const base64 = String(requestBody(request)["data"] ?? "").replace(/=+$/, "");
  return Math.floor((base64.length * 3) / 4);
}

/** @see Bugzilla/Attachment.pm of Bugzilla, `_check_filename` */
function storedName(name: string): string {
  const clean = name.replace(/\p{Cc}/gu, " ").trim();
  return clean.replace(/^.*[/\\]/, "").slice(-255);
}

/** Verifies an update of attachments: by its comment if it has one, else by the current values. */
export const verifyAttachmentUpdate: VerifyWrite = async (sent, context) => {
  const { comment, ids: _, ...body } = requestBody(sent.request);
  if (typeof comment === "string") return verifyComment(sent, context);
  const now = await readCurrentAttachments(writeTargets(sent.request), context.send);
  const earlier = (object: JsonObject) => sent.before?.find(({ id }) => id === object["id"]);
  const rewritten = now.map((object) => {
    const before = earlier(object);
    if (writeState(body, { before, now: object }) === "requested") return [];
    return before && rewrittenFields(body, { before, now: object }, `attachment ${String(object["id"])}`);
  });
  if (rewritten.every((one) => one !== undefined))
    return { status: "applied", response: reconstructResponse(now, sent), details: rewritten.flat() };
  const details = now.flatMap((object) =>
    conflictingFields(body, { before: earlier(object) ?? object, now: object }).map(
      (detail) => `attachment ${String(object["id"])}: ${detail}`,
    ),
  );
  return { status: "not-found", details };
};

async function readCurrentAttachments(ids: string[], send: SendRequest): Promise<JsonObject[]> {
  const response = await send(requestFor(GET_ATTACHMENTS, { attachment_ids: ids, exclude_fields: "data" }));
  const found = readAttachments(response);
  const missing = ids.find((id) => !found.some((attachment) => String(attachment.id) === id));
  if (missing !== undefined) throw unexpectedShapeError(`attachment ${missing}`);
  return found as unknown as JsonObject[];
}

/** Reconstructed response of an update. */
function reconstructResponse(attachments: JsonObject[], { request, before = [] }: SentWrite): Json {
  const { comment: _comment, ids: _ids, ...body } = requestBody(request);
  return {
    attachments: attachments.map((now) => {
      const earlier = before.find(({ id }) => id === now["id"]);
      const changes = pendingFields(body, earlier).map(([name]) => {
        return [
          name === "flags" ? "flagtypes.name" : name,
          { removed: changeText(earlier?.[name]), added: changeText(now[name]) },
        ] as const;
      });
      return {
        id: now["id"] ?? 0,
        last_change_time: now["last_change_time"] ?? "",
        changes: Object.fromEntries(changes.filter(([, { removed, added }]) => removed !== added)),
      };
    }),
  };
}

function changeText(value: Json | undefined): string {
  if (Array.isArray(value))
    return value
      .filter(isObject)
      .map((flag) => flagChangeText(String(flag["name"]), flag))
      .join(", ");
  return typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
}

/** Every attachment of an update gets the same comment, in one transaction, so the first one is evidence for all. */
async function verifyComment(sent: SentWrite, context: VerifyContext): Promise<Verification> {
  const now = await readCurrentAttachments(writeTargets(sent.request), context.send);
  const found = (await readRecentComments(sent, context.send)).filter(
    ({ id, creator }) => isRequester(context, creator) !== false && !sent.alike?.includes(id),
  );
  return judgeMatches(found, sent, {
    toResponse: () => reconstructResponse(now, sent),
    describe: ({ id, time }) => `comment ${id} of ${time} has the same text`,
  });
}

/** Ids of recent comments on the same attachment with the same text. */
export const commentsBeforeAttachmentUpdate: FindMatchesBefore = async (sent, send) => {
  const { comment } = requestBody(sent.request);
  return typeof comment === "string" ? (await readRecentComments(sent, send)).map(({ id }) => id) : [];
};

/** Recent comments on the first attachment of an update; trackers put a sentence of their own before the text. */
async function readRecentComments(sent: SentWrite, send: SendRequest): Promise<Comment[]> {
  const wanted = String(requestBody(sent.request)["comment"]).replace(/\r\n?/g, "\n").trim();
  const [id = ""] = writeTargets(sent.request);
  const [attachment] = await readCurrentAttachments([id], send);
  const comments = await readCommentsSince(String(attachment?.["bug_id"]), sent.since, send);
  return comments.filter((comment) => {
    const text = comment.text.replace(/\r\n?/g, "\n").trimEnd();
    return String(comment.attachment_id) === id && (text === wanted || text.endsWith(`\n\n${wanted}`));
  });
}
