import type { Json, JsonObject } from "../../wire/exchange.ts";
import {
  EMPTY_COMMENT,
  emptyDraft,
  findBugId,
  flagDifference,
  makeWriteContext,
  type NewComment,
  requestedBugIds,
  type WriteContext,
  withBug,
} from "../bugs/draft.ts";
import { applyDraft, loadBug, logChange, setLastChangeTime } from "../bugs/stored-bug.ts";
import type { Bug } from "../fields.ts";
import { addRequesteesToCc, editFlags, loadFlags, presentAttachmentFlags, saveFlags } from "../flags/flags.ts";
import { type Call, isInGroup, requireInsider, requireLogin, type User } from "../http/call.ts";
import {
  type FieldSelection,
  firstTextValue,
  isTruthy,
  type ObjectChanges,
  pickFields,
  readFieldSelection,
  readWholeNumbers,
  refuseUnknownParameters,
  storeChangedColumns,
  textsInPathAndInput,
  textValues,
} from "../http/input.ts";
import { refuseReadOnlyProduct } from "../products/products.ts";
import { presentLogin } from "../users/users.ts";
import { asText, Fault, faults, oneLine, uniqueById } from "../values.ts";

/** Get Attachments by bug, and by `attachment_ids`; with `data` unless excluded. */
export function getAttachments(call: Call): Json {
  const bugs = call.path["id"] === undefined ? {} : getAttachmentsOfBugs(call);
  return { bugs, attachments: getAttachmentsById(call) };
}

function getAttachmentsOfBugs(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const present = (id: number) =>
    call.store.all<AttachmentRow>(OF_BUG, [id]).map((row) => presentAttachment(call, row, selection));
  return Object.fromEntries(requestedBugIds(call).map((id) => [String(id), present(id)]));
}

// Unknown ids are omitted, those of private attachments are an error.
function getAttachmentsById(call: Call): JsonObject {
  const selection = readFieldSelection(call.input);
  const ids = readWholeNumbers(textsInPathAndInput(call, "attachment_id", "attachment_ids"), "attachment_ids");
  const stored = ids.filter((id) => call.store.get("SELECT id FROM attachments WHERE id = ?", [id]));
  return Object.fromEntries(
    stored.map((id) => {
      const row = call.store.get<AttachmentRow>(BY_ID, [id]);
      if (!row) throw new Fault("auth_failure", `Sorry, you are not authorized to access attachment #${id}.`);
      return [String(id), presentAttachment(call, row, selection)];
    }),
  );
}

/** A stored attachment without its data; `size` in bytes. */
type AttachmentRow = {
  id: number;
  bug_id: number;
  creator_id: number;
  creator: string;
  last_change_time: string;
  file_name: string;
  summary: string;
  content_type: string;
  is_patch: number;
  is_obsolete: number;
  is_private: number;
};

/** JSON of an attachment; its data is read only if selected. */
function presentAttachment(call: Call, row: AttachmentRow, selection: FieldSelection): JsonObject {
  const { creator_id: _id, ...fields } = row;
  const sql = "SELECT data FROM attachments WHERE id = ?";
  const [data = ""] = selection.includes("data") ? call.store.values<string>(sql, [row.id]) : [];
  const flags = selection.includes("flags") ? presentAttachmentFlags(call, row.id) : [];
  return pickFields({ ...fields, creator: presentLogin(call, row.creator), flags, data }, selection);
}

const ATTACHMENTS = `
  SELECT visible_attachments.id, bug_id, creator_id, users.login AS creator, creation_time, last_change_time, file_name,
    summary, content_type, is_patch, is_obsolete, is_private, size
  FROM visible_attachments JOIN users ON users.id = creator_id`;
const OF_BUG = `${ATTACHMENTS} WHERE bug_id = ? ORDER BY visible_attachments.id`;
const BY_ID = `${ATTACHMENTS} WHERE visible_attachments.id = ?`;

/** Create Attachment: one file in base64 for one or several bugs. */
export function createAttachment(call: Call): Json {
  requireLogin(call);
  const ids = textValues(call.input, "ids");
  const bugIds = (ids.length > 0 ? ids : [call.path["id"] ?? ""]).map((id) => findBugId(call, id));
  const file = readNewAttachment(call);
  return { ids: bugIds.map((bugId) => insertAttachment(call, bugId, file)) };
}

/** The columns of a new attachment. */
function readNewAttachment(call: Call): Record<string, string | number> {
  const file = readFileData(call);
  const columns = Object.entries(ATTACHMENT_READERS).map(([name, read]) => [name, read(call, NEW_ATTACHMENT)]);
  return { ...file, ...Object.fromEntries(columns) };
}

const NEW_ATTACHMENT = { is_patch: 0, is_private: 0 };

/** The file in base64, and its size in bytes. */
function readFileData({ input, parameters }: Call) {
  const sent = firstTextValue(input, "data");
  if (sent === undefined) throw faults.parameterMissing("data");
  const data = Buffer.from(sent, "base64");
  const maxKilobytes = Number(parameters.maxattachmentsize);
  if (data.length === 0)
    throw new Fault(
      "zero_length_file",
      "The file you are trying to attach is empty, does not exist, or you don't have permission to read it.",
    );
  if (data.length > maxKilobytes * 1024)
    throw new Fault(
      "file_too_large",
      `The file you are trying to attach is ${Math.round(data.length / 1024)} kilobytes (KB) in size. Attachments cannot be more than ${maxKilobytes} KB. We recommend that you store your attachment elsewhere and then paste the URL to this file on the attachment creation page in the appropriate text field, which you can access by clicking the "paste text as attachment" link. Alternately, if your attachment is an image, you could convert it to a compressible format like JPG or PNG and try again.`,
    );
  return { data: data.toString("base64"), size: data.length };
}

function insertAttachment(call: Call, bugId: number, columns: ReturnType<typeof readNewAttachment>): number {
  const context = makeWriteContext(call, [bugId]);
  const bug = loadBug(call.store, bugId, context.customFields);
  refuseReadOnlyProduct(call, bug.product);
  const { id } = call.store.run(INSERT_ATTACHMENT, { ...columns, bugId, userId: context.user.id, now: call.now });
  const text = firstTextValue(call.input, "comment") ?? "";
  applyFlagsAndComment(context, bug, { id, is_private: Number(columns["is_private"]) }, text);
  return id;
}

const INSERT_ATTACHMENT = `
  INSERT INTO attachments (bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_patch,
    is_private, data, size)
  VALUES (@bugId, @userId, @now, @now, @file_name, @summary, @content_type, @is_patch, @is_private, @data, @size)`;

/** Edits flags; adds requestees and the comment `text` to the bug. Logs and returns all changes. */
function applyFlagsAndComment(
  context: WriteContext,
  bug: Bug,
  attachment: Pick<AttachmentRow, "id" | "is_private">,
  text: string,
  edits?: ObjectChanges, // absent: the attachment is new
) {
  const { call } = context;
  const before = loadFlags(call.store, bug.id, attachment.id);
  const after = editFlags(context, bug, before, "attachment");
  saveFlags(call, bug.id, attachment.id, before, after);
  const [removed, added] = flagDifference(before, after);
  const changes = { ...edits, ...(removed + added === "" ? {} : { "flagtypes.name": { removed, added } }) };
  for (const [name, { removed: was, added: is }] of Object.entries(changes))
    logChange(context, {
      bugId: bug.id,
      attachmentId: attachment.id,
      field: CHART_NAMES[name] ?? name,
      removed: was ?? "",
      added: is ?? "",
    });
  const draft = withBug(emptyDraft(bug), { cc: addRequesteesToCc(bug.cc, before, after) });
  const kind: NewComment["kind"] = edits ? "attachment_updated" : "attachment_created";
  const comment = { ...EMPTY_COMMENT, text, isPrivate: attachment.is_private === 1, kind, about: attachment.id };
  const hasComment = text !== "" || edits === undefined;
  applyDraft(context, hasComment ? { ...draft, comment } : draft);
  return changes;
}

/** Chart names of columns, in history. */
const CHART_NAMES: Readonly<Record<string, string>> = {
  is_patch: "attachments.ispatch",
  content_type: "attachments.mimetype",
  file_name: "attachments.filename",
  is_obsolete: "attachments.isobsolete",
  is_private: "attachments.isprivate",
  summary: "attachments.description",
};

const MIME_KINDS = ["application", "audio", "image", "message", "model", "multipart", "text", "video"];

const CONTENT_TYPE = new RegExp(`^(${MIME_KINDS.join("|")})/[\\w.+-]+(;\\s*charset=[\\w+-]+)?$`, "i");

/** The MIME type of a file, text for every patch. @throws Fault invalid_content_type */
function readContentType(sent: string, isPatch: boolean): string {
  const type = isPatch ? "text/plain" : oneLine(sent);
  if (!CONTENT_TYPE.test(type))
    throw new Fault(
      "invalid_content_type",
      `The content type ${type === "" ? "" : `${type} `}is invalid. Valid types must be of the form foo/bar where foo is one of ${MIME_KINDS.join(", ")} and bar must not contain any special characters (such as "=", "?", ...).`,
    );
  return type;
}

const MAX_FILE_NAME = 255;

/** Update Attachment: one change of one or several. */
export function updateAttachments(call: Call): Json {
  const user = requireLogin(call);
  const rows = uniqueById(findEditableAttachments(call, user));
  const otherParameters = ["ids", "comment", "flags", "login", "password"]; // login without password, or the reverse
  refuseUnknownParameters(call.input, "Attachment", [...Object.keys(ATTACHMENT_READERS), ...otherParameters]);
  return { attachments: rows.map((row) => updateAttachment(call, row)) };
}

/** @throws Fault other for an attachment that the requester may not see or edit */
function findEditableAttachments(call: Call, user: User): AttachmentRow[] {
  const ids = textValues(call.input, "ids");
  return (ids.length > 0 ? ids : [call.path["attachment_id"] ?? ""]).map((id) => {
    const row = /^\d+$/.test(id) ? call.store.get<AttachmentRow>(BY_ID, [Number(id)]) : undefined;
    if (!row) throw new Fault("other", `The attachment id ${id} is invalid.`);
    refuseReadOnlyProduct(call, loadBug(call.store, row.bug_id, []).product);
    if (row.creator_id !== user.id && !isInGroup(call.requester, "editbugs"))
      throw new Fault("other", `You are not authorized to edit attachment ${id}.`);
    return row;
  });
}

const ATTACHMENT_READERS = {
  is_patch: ({ input }: Call) => Number(isTruthy(input, "is_patch")),
  content_type: ({ input }: Call, row: Pick<AttachmentRow, "is_patch">) => {
    const isPatch = input["is_patch"] === undefined ? row.is_patch === 1 : isTruthy(input, "is_patch");
    return readContentType(firstTextValue(input, "content_type") ?? "", isPatch);
  },
  file_name: ({ input }: Call) => {
    const name = oneLine(firstTextValue(input, "file_name") ?? "").replace(/^.*[/\\]/, "");
    if (name === "") throw new Fault("file_not_specified", "You did not specify a file to attach.");
    return name.slice(-MAX_FILE_NAME);
  },
  is_obsolete: ({ input }: Call) => Number(isTruthy(input, "is_obsolete")),
  is_private: (call: Call, row: Pick<AttachmentRow, "is_private">) => {
    const isPrivate = Number(isTruthy(call.input, "is_private"));
    if (isPrivate !== row.is_private) requireInsider(call);
    return isPrivate;
  },
  summary: ({ input }: Call) => {
    const summary = asText(input["summary"], "summary").trim();
    if (summary !== "") return summary;
    throw new Fault("missing_attachment_description", "You must enter a description for the attachment.");
  },
};

/** Stores changes, flags and a comment. A comment alone leaves the time of the attachment. */
function updateAttachment(call: Call, before: AttachmentRow): JsonObject {
  const { store, input, now } = call;
  const { after, changes: edits } = storeChangedColumns(call, "attachments", before, ATTACHMENT_READERS);
  const { id, bug_id: bugId, is_private } = after;
  const context = makeWriteContext(call, [bugId]);
  const bug = loadBug(store, bugId, context.customFields);
  const text = asText(input["comment"], "comment").trim();
  const changes = applyFlagsAndComment(context, bug, { id, is_private }, text, edits);
  if (Object.keys(changes).length === 0) return { id, last_change_time: before.last_change_time, changes };
  store.run("UPDATE attachments SET last_change_time = ? WHERE id = ?", [now, id]);
  setLastChangeTime(store, bugId, now);
  return { id, last_change_time: now, changes };
}
