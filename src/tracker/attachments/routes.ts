import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Bug, Person, SetFlag } from "../bug.ts";
import { applyDraft } from "../bugs/apply.ts";
import { type FieldChange, flagDifference } from "../bugs/diff.ts";
import { emptyDraft, makeWriteContext, type WriteContext, withBug } from "../bugs/draft.ts";
import { findBugId, requestedBugIds } from "../bugs/find.ts";
import { checkRequestee, readFlagEdits, withRequestees } from "../bugs/flags.ts";
import { logActivity, touchBug } from "../bugs/history.ts";
import { EMPTY_COMMENT } from "../bugs/new-comment.ts";
import { loadBug } from "../bugs/stored-bug.ts";
import { applyFlagEdit, type FlagTypeWithRights } from "../flags/rules.ts";
import { loadFlags, presentAttachmentFlags, saveFlags } from "../flags/stored-flags.ts";
import { flagTypesOfBug } from "../flags/types.ts";
import type { Call, Route, User } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, isFlagSet, textsInPathAndInput, textValues, trimmedText } from "../http/input.ts";
import { groupsOfUser, isInGroup, requireInsider, requireLogin } from "../http/requester.ts";
import { refuseReadOnlyProduct } from "../products/access.ts";
import { uniqueBy } from "../unique-by.ts";
import { type ColumnReaders, changeColumns, type ObjectChanges, refuseUnknownParameters } from "../update-objects.ts";
import { presentLogin } from "../users/present.ts";

/**
 * Routes of attachments. Get: by bug, and by `attachment_ids`; with `data` unless excluded. Create: one file in base64 for
 * one or several bugs. Update: one change of one or several.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#get-attachment
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#create-attachment
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#update-attachment
 */
export const attachmentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/attachment/{attachment_id}",
    handle: (call) => ({ bugs: {}, attachments: getAttachmentsById(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/attachment",
    handle: (call) => ({ bugs: getAttachmentsOfBugs(call), attachments: getAttachmentsById(call) }),
  },
  { method: "POST", path: "/bug/{id}/attachment", status: 201, handle: (call) => createAttachment(call) },
  { method: "PUT", path: "/bug/attachment/{attachment_id}", handle: (call) => updateAttachments(call) },
];

function getAttachmentsOfBugs(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const present = (id: number) => attachmentsOfBug(call, id).map((row) => presentAttachment(call, row, selection));
  return Object.fromEntries(requestedBugIds(call).map((id) => [String(id), present(id)]));
}

// Unknown ids are omitted, those of private attachments are an error.
function getAttachmentsById(call: Call): JsonObject {
  const selection = readFieldSelection(call.input);
  return Object.fromEntries(
    requestedAttachmentIds(call).map((id) => {
      const row = attachmentById(call, id);
      if (!row) throw new Fault("auth_failure", `Sorry, you are not authorized to access attachment #${id}.`);
      return [String(id), presentAttachment(call, row, selection)];
    }),
  );
}

/** Ids of the attachments that a request names, as far as they exist. */
function requestedAttachmentIds(call: Call): number[] {
  const ids = textsInPathAndInput(call, "attachment_id", "attachment_ids");
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("attachment_ids");
  return ids.map(Number).filter((id) => call.store.get("SELECT id FROM attachments WHERE id = ?", [id]));
}

/** A stored attachment without its data; `size` in bytes. */
type AttachmentRow = {
  id: number;
  bug_id: number;
  creator_id: number;
  creator: string;
  creation_time: string;
  last_change_time: string;
  file_name: string;
  summary: string;
  content_type: string;
  is_patch: number;
  is_obsolete: number;
  is_private: number;
  size: number;
};

/** Visible attachments of a bug, by id. */
function attachmentsOfBug({ store }: Call, bugId: number): readonly AttachmentRow[] {
  return store.all<AttachmentRow>(OF_BUG, [bugId]);
}

/** The attachment with this id; undefined if it is not visible. */
function attachmentById({ store }: Call, id: number): AttachmentRow | undefined {
  return store.get<AttachmentRow>(BY_ID, [id]);
}

/** JSON of an attachment; its data is read only if selected. */
function presentAttachment(call: Call, row: AttachmentRow, selection: FieldSelection): JsonObject {
  const { creator_id: _id, ...fields } = row;
  const data: Json = selection.includes("data") ? storedData(call, row.id) : "";
  const flags = selection.includes("flags") ? presentAttachmentFlags(call, row.id) : [];
  return pickFields({ ...fields, creator: presentLogin(call, row.creator), flags, data }, selection);
}

const ATTACHMENTS = `
  SELECT visible_attachments.id, bug_id, creator_id, users.login AS creator, creation_time, last_change_time, file_name,
    summary, content_type, is_patch, is_obsolete, is_private, size
  FROM visible_attachments JOIN users ON users.id = creator_id`;
const OF_BUG = `${ATTACHMENTS} WHERE bug_id = ? ORDER BY visible_attachments.id`;
const BY_ID = `${ATTACHMENTS} WHERE visible_attachments.id = ?`;

function storedData({ store }: Call, id: number): string {
  return store.get<{ data: string }>("SELECT data FROM attachments WHERE id = ?", [id])?.data ?? "";
}

function createAttachment(call: Call): Json {
  requireLogin(call);
  const ids = textValues(call.input, "ids");
  const bugs = (ids.length > 0 ? ids : [call.path["id"] ?? ""]).map((id) => findBugId(call, id));
  const file = readFile(call);
  return { ids: bugs.map((bugId) => insertAttachment(call, { bugId, file })) };
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
  const summary = trimmedText(call.input, "summary");
  const content_type = readContentType(firstTextValue(call.input, "content_type") ?? "", is_patch === 1);
  const file_name = readFileName(firstTextValue(call.input, "file_name") ?? "");
  if (file_name === "") throw new Fault("file_not_specified", "You did not specify a file to attach.");
  checkSummary(summary);
  return {
    file_name,
    summary,
    content_type,
    is_patch,
    is_private: readIsPrivate(call),
    data: data.toString("base64"),
    size: data.length,
  };
}

function readData(call: Call): Buffer {
  const data = Buffer.from(requiredParameter(call, "data"), "base64");
  const maxKilobytes = Number(call.parameters.maxattachmentsize);
  if (data.length === 0) {
    throw new Fault(
      "zero_length_file",
      "The file you are trying to attach is empty, does not exist, or you don't have permission to read it.",
    );
  }
  if (data.length > maxKilobytes * 1024) throw fileTooLargeFault(data.length, maxKilobytes);
  return data;
}

function fileTooLargeFault(bytes: number, maxKilobytes: number): Fault {
  return new Fault(
    "file_too_large",
    `The file you are trying to attach is ${Math.round(bytes / 1024)} kilobytes (KB) in size. Attachments cannot be more than ${maxKilobytes} KB. We recommend that you store your attachment elsewhere and then paste the URL to this file on the attachment creation page in the appropriate text field, which you can access by clicking the "paste text as attachment" link. Alternately, if your attachment is an image, you could convert it to a compressible format like JPG or PNG and try again.`,
  );
}

function requiredParameter(call: Call, name: string): string {
  const value = firstTextValue(call.input, name);
  if (value === undefined) throw faults.parameterMissing(name);
  return value;
}

function readIsPrivate(call: Call): number {
  const isPrivate = isFlagSet(call.input, "is_private");
  if (isPrivate) requireInsider(call);
  return isPrivate ? 1 : 0;
}

type NewAttachment = { bugId: number; file: File };

function insertAttachment(call: Call, { bugId, file }: NewAttachment): number {
  const { store, input, now } = call;
  const context = makeWriteContext(call, { input, bugIds: [bugId] });
  const bug = loadBug(store, bugId, context.customFields);
  refuseReadOnlyProduct(call, bug.product);
  const { id } = store.run(INSERT_ATTACHMENT, { ...file, bugId, userId: context.user.id, now });
  const isPrivate = file.is_private === 1;
  const flagged = editFlags(context, { id, isPrivate, bug });
  if (flagged.added !== "")
    logChange(context, bugId, { field: "flagtypes.name", removed: flagged.removed, added: flagged.added }, id);
  const text = firstTextValue(input, "comment") ?? "";
  const comment = { ...EMPTY_COMMENT, text, isPrivate, kind: "attachment_created", about: id } as const;
  applyDraft(context, { ...flagged.draft, comment });
  return id;
}

function logChange({ call, user }: WriteContext, bugId: number, change: FieldChange, attachmentId: number): void {
  logActivity(call.store, { bugId, userId: user.id, time: call.now, ...change, attachmentId });
}

const INSERT_ATTACHMENT = `
  INSERT INTO attachments (bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_patch,
    is_private, data, size)
  VALUES (@bugId, @userId, @now, @now, @file_name, @summary, @content_type, @is_patch, @is_private, @data, @size)`;

const MIME_KINDS = ["application", "audio", "image", "message", "model", "multipart", "text", "video"];

const CONTENT_TYPE = new RegExp(`^(${MIME_KINDS.join("|")})/[\\w.+-]+(;\\s*charset=[\\w+-]+)?$`, "i");

/**
 * The MIME type of a file, text for every patch.
 * @throws Fault invalid_content_type @see Bugzilla/Attachment.pm, _check_content_type
 */
function readContentType(sent: string, isPatch: boolean): string {
  const type = isPatch ? "text/plain" : cleanText(sent);
  if (!CONTENT_TYPE.test(type)) {
    throw new Fault(
      "invalid_content_type",
      `The content type ${type === "" ? "" : `${type} `}is invalid. Valid types must be of the form foo/bar where foo is one of ${MIME_KINDS.join(", ")} and bar must not contain any special characters (such as "=", "?", ...).`,
    );
  }
  return type;
}

const MAX_FILE_NAME = 255;

/** A file name without its path, cut from its beginning. @see Bugzilla/Attachment.pm, _check_filename */
function readFileName(sent: string): string {
  return cleanText(sent)
    .replace(/^.*[/\\]/, "")
    .slice(-MAX_FILE_NAME);
}

/** @see Bugzilla/Util.pm, clean_text */
function cleanText(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").trim();
}

/** Refuses an empty summary. @throws Fault missing_attachment_description */
function checkSummary(summary: string): void {
  if (summary === "")
    throw new Fault("missing_attachment_description", "You must enter a description for the attachment.");
}

function updateAttachments(call: Call): Json {
  const user = requireLogin(call);
  const rows = uniqueBy(editableAttachments(call, user), ({ id }) => id);
  // of credentials, also one without the other
  const others = ["ids", "comment", "flags", "login", "password"];
  refuseUnknownParameters(call.input, "Attachment", [...Object.keys(ATTACHMENT_READERS), ...others]);
  return { attachments: rows.map((row) => updateAttachment(call, row)) };
}

function editableAttachments(call: Call, user: User): AttachmentRow[] {
  const ids = textValues(call.input, "ids");
  return (ids.length > 0 ? ids : [call.path["attachment_id"] ?? ""]).map((id) => {
    const row = /^\d+$/.test(id) ? attachmentById(call, Number(id)) : undefined;
    if (!row) throw new Fault("other", `The attachment id ${id} is invalid.`);
    refuseReadOnlyProduct(call, loadBug(call.store, row.bug_id, []).product);
    if (row.creator_id !== user.id && !isInGroup(call.requester, "editbugs")) {
      throw new Fault("other", `You are not authorized to edit attachment ${id}.`);
    }
    return row;
  });
}

/** Columns that can be updated, with their chart names in history. */
const CHART_NAMES = {
  is_patch: "attachments.ispatch",
  content_type: "attachments.mimetype",
  file_name: "attachments.filename",
  is_obsolete: "attachments.isobsolete",
  is_private: "attachments.isprivate",
  summary: "attachments.description",
  "flagtypes.name": "flagtypes.name",
} as const;

const ATTACHMENT_READERS: ColumnReaders<AttachmentRow, Exclude<keyof typeof CHART_NAMES, "flagtypes.name">> = {
  is_patch: ({ input }) => Number(isFlagSet(input, "is_patch")),
  content_type: ({ input }, row) => {
    const isPatch = input["is_patch"] === undefined ? row.is_patch === 1 : isFlagSet(input, "is_patch");
    return readContentType(firstTextValue(input, "content_type") ?? "", isPatch);
  },
  file_name: ({ input }) => {
    const name = readFileName(firstTextValue(input, "file_name") ?? "");
    if (name === "") throw new Fault("other", "You must specify a filename for this attachment.");
    return name;
  },
  is_obsolete: ({ input }) => Number(isFlagSet(input, "is_obsolete")),
  is_private: (call, row) => {
    const isPrivate = Number(isFlagSet(call.input, "is_private"));
    if (isPrivate !== row.is_private) requireInsider(call);
    return isPrivate;
  },
  summary: ({ input }) => {
    const summary = trimmedText(input, "summary");
    checkSummary(summary);
    return summary;
  },
};

function updateAttachment(call: Call, before: AttachmentRow): JsonObject {
  const { store, input, now } = call;
  const { after, changes: columns } = changeColumns(call, before, ATTACHMENT_READERS);
  const { id, bug_id: bugId, is_private } = after;
  store.run(UPDATE_ATTACHMENT, { ...after });
  const context = makeWriteContext(call, { input, bugIds: [bugId] });
  const isPrivate = is_private === 1;
  const { draft, removed, added } = editFlags(context, {
    id,
    isPrivate,
    bug: loadBug(store, bugId, context.customFields),
  });
  const changes: ObjectChanges = {
    ...columns,
    ...(removed + added === "" ? {} : { "flagtypes.name": { removed, added } }),
  };
  for (const [name, change] of Object.entries(changes)) {
    const field = CHART_NAMES[name as keyof typeof CHART_NAMES];
    logChange(context, bugId, { field, removed: change.removed ?? "", added: change.added ?? "" }, id);
  }
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged) store.run("UPDATE attachments SET last_change_time = ? WHERE id = ?", [now, id]);
  const text = trimmedText(input, "comment");
  const comment = { ...EMPTY_COMMENT, text, isPrivate, kind: "attachment_updated", about: id } as const;
  applyDraft(context, text === "" ? draft : { ...draft, comment });
  if (isChanged) touchBug(store, bugId, now);
  return { id, last_change_time: isChanged ? now : before.last_change_time, changes };
}

const UPDATE_ATTACHMENT = `UPDATE attachments SET is_patch = @is_patch, content_type = @content_type, file_name = @file_name,
  is_obsolete = @is_obsolete, is_private = @is_private, summary = @summary WHERE id = @id`;

/** An attachment whose flags are edited, with its bug. */
type FlaggedAttachment = { readonly id: number; readonly isPrivate: boolean; readonly bug: Bug };

/**
 * Applies the `flags` of a request to an attachment. Returns what was removed and added, and the draft of the bug with the new
 * requestees in CC.
 * @see Bugzilla/Flag.pm, set_flag
 */
function editFlags({ call, user }: WriteContext, attachment: FlaggedAttachment) {
  const { bug, id } = attachment;
  const context = {
    types: flagTypesOfBug(call, bug, "attachment"),
    setter: user,
    checkRequestee: (person: Person, type: FlagTypeWithRights) => {
      checkRequestee(call, { person, type, bug });
      checkInsider(call, { person, type, attachment });
    },
  };
  const before = loadFlags(call.store, bug.id, id);
  const edits = readFlagEdits(call, call.input["flags"]);
  const after = edits.reduce<readonly SetFlag[]>((flags, edit) => applyFlagEdit(flags, edit, context), before);
  saveFlags(call, { bugId: bug.id, attachmentId: id, before, after });
  const [removed, added] = flagDifference(before, after);
  return { removed, added, draft: withBug(emptyDraft(bug), { cc: withRequestees(bug.cc, before, after) }) };
}

type Request = {
  person: Person;
  type: FlagTypeWithRights;
  attachment: FlaggedAttachment;
};

function checkInsider({ store, parameters }: Call, { person, type, attachment }: Request): void {
  if (!attachment.isPrivate) return;
  if (groupsOfUser(store, person.id).some(({ name }) => name === parameters.insidergroup)) return;
  throw new Fault(
    "other",
    `You asked ${person.login} for ${type.name} on bug ${attachment.bug.id}, attachment ${attachment.id}, but that attachment is restricted to users in the ${parameters.insidergroup} group, and the user you asked isn't in that group. Please choose someone else to ask, or make the attachment public.`,
  );
}
