import type { Json } from "../../wire/exchange.ts";
import { findBugId } from "../bugs/find.ts";
import { logActivity, touchBug } from "../bugs/history.ts";
import { loadBug } from "../bugs/load.ts";
import { presentCommentText } from "../comments/read.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue, isFlagSet, textValues } from "../http/input.ts";
import { queueCommentMails } from "../mail/queue.ts";
import { refuseReadOnlyProduct } from "../products/access.ts";
import { requireInsider } from "../users/requester.ts";
import type { User } from "../users/user.ts";
import { editAttachmentFlags, type FlaggedAttachment } from "./flags.ts";

/**
 * Route of Create Attachment: one file, in base64, for one or several bugs.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#create-attachment
 */
export const attachmentCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/bug/{id}/attachment", status: 201, handle: (call) => createAttachment(call) },
];

function createAttachment(call: Call): Json {
  const { user } = call.requester;
  if (!user) throw faults.loginRequired();
  const ids = textValues(call.input, "ids");
  const bugs = (ids.length > 0 ? ids : [call.path["id"] ?? ""]).map((id) => findBugId(call, id));
  const file = readFile(call);
  return { ids: bugs.map((bugId) => attach(call, { bugId, user, file })) };
}

type File = {
  file_name: string;
  summary: string;
  content_type: string;
  is_patch: number;
  is_private: number;
  data: string;
  size: number;
};

function readFile(call: Call): File {
  const data = readData(call);
  const is_patch = isFlagSet(call.input, "is_patch") ? 1 : 0;
  const summary = firstTextValue(call.input, "summary")?.trim() ?? "";
  const content_type = readContentType(firstTextValue(call.input, "content_type") ?? "", is_patch === 1);
  const file_name = readFileName(firstTextValue(call.input, "file_name") ?? "");
  if (file_name === "") throw new Fault(400, 603, "You did not specify a file to attach.");
  checkSummary(summary);
  return {
    file_name,
    summary,
    content_type,
    is_patch,
    is_private: readPrivacy(call),
    data: data.toString("base64"),
    size: data.length,
  };
}

function readData(call: Call): Buffer {
  const data = Buffer.from(required(call, "data"), "base64");
  const maxKilobytes = Number(call.parameters.maxattachmentsize);
  if (data.length === 0) {
    throw new Fault(
      400,
      606,
      "The file you are trying to attach is empty, does not exist, or you don't have permission to read it.",
    );
  }
  if (data.length > maxKilobytes * 1024) throw tooLarge(data.length, maxKilobytes);
  return data;
}

function tooLarge(bytes: number, maxKilobytes: number): Fault {
  return new Fault(
    400,
    600,
    `The file you are trying to attach is ${Math.round(bytes / 1024)} kilobytes (KB) in size. Attachments cannot be more than ${maxKilobytes} KB. We recommend that you store your attachment elsewhere and then paste the URL to this file on the attachment creation page in the appropriate text field, which you can access by clicking the "paste text as attachment" link. Alternately, if your attachment is an image, you could convert it to a compressible format like JPG or PNG and try again.`,
  );
}

function required(call: Call, name: string): string {
  const value = firstTextValue(call.input, name);
  if (value === undefined) throw faults.parameterMissing(name);
  return value;
}

function readPrivacy(call: Call): number {
  const isPrivate = isFlagSet(call.input, "is_private");
  if (isPrivate) requireInsider(call);
  return isPrivate ? 1 : 0;
}

type NewAttachment = { bugId: number; user: User; file: File };

function attach(call: Call, { bugId, user, file }: NewAttachment): number {
  const { store, input, now } = call;
  const bug = loadBug(store, bugId, []);
  refuseReadOnlyProduct(call, bug.product);
  const { id } = store.run(INSERT_ATTACHMENT, { ...file, bugId, userId: user.id, now });
  const text = firstTextValue(input, "comment") ?? "";
  store.run(INSERT_COMMENT, [bugId, user.id, now, text, file.is_private, id]);
  setFlags(call, user, { id, isPrivate: file.is_private === 1, bug });
  touchBug(store, bugId, now);
  const comment = presentCommentText({ kind: "attachment_created", text, about: id, file: file.summary });
  queueCommentMails(call, { bugId, text: comment, isPrivate: file.is_private === 1 });
  return id;
}

function setFlags(call: Call, user: User, attachment: FlaggedAttachment): void {
  const [removed, added] = editAttachmentFlags(call, user, attachment);
  if (added === "") return;
  const { id: attachmentId, bug } = attachment;
  const entry = { bugId: bug.id, userId: user.id, time: call.now, field: "flagtypes.name", removed, added };
  logActivity(call.store, { ...entry, attachmentId });
}

const INSERT_ATTACHMENT = `
  INSERT INTO attachments (bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_patch,
    is_private, data, size)
  VALUES (@bugId, @userId, @now, @now, @file_name, @summary, @content_type, @is_patch, @is_private, @data, @size)`;

const INSERT_COMMENT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, kind, about)
  VALUES (?, ?, ?, ?, ?, 'attachment_created', ?)`;

const KINDS = ["application", "audio", "image", "message", "model", "multipart", "text", "video"];

const CONTENT_TYPE = new RegExp(`^(${KINDS.join("|")})/[\\w.+-]+(;\\s*charset=[\\w+-]+)?$`, "i");

/** The MIME type of a file, text for every patch. @throws Fault 601 @see Bugzilla/Attachment.pm, _check_content_type */
export function readContentType(sent: string, isPatch: boolean): string {
  const type = isPatch ? "text/plain" : cleanText(sent);
  if (!CONTENT_TYPE.test(type)) {
    throw new Fault(
      400,
      601,
      `The content type ${type === "" ? "" : `${type} `}is invalid. Valid types must be of the form foo/bar where foo is one of ${KINDS.join(", ")} and bar must not contain any special characters (such as "=", "?", ...).`,
    );
  }
  return type;
}

const MAX_FILE_NAME = 255;

/** A file name without its path, cut from its beginning. @see Bugzilla/Attachment.pm, _check_filename */
export function readFileName(sent: string): string {
  return cleanText(sent)
    .replace(/^.*[/\\]/, "")
    .slice(-MAX_FILE_NAME);
}

/** @see Bugzilla/Util.pm, clean_text */
function cleanText(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").trim();
}

/** Refuses an empty summary. @throws Fault 604 */
export function checkSummary(summary: string): void {
  if (summary === "") throw new Fault(400, 604, "You must enter a description for the attachment.");
}
