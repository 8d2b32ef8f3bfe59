import type { Json, JsonObject } from "../../wire/exchange.ts";
import { requestedBugIds } from "../bugs/find.ts";
import { type FlagRow, presentFlag, SELECT_FLAGS } from "../flags/present.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { textValues } from "../http/input.ts";
import { presentLogin } from "../users/present.ts";

/**
 * Routes of Get Attachment: by bug, and by `attachment_ids`; with `data` unless excluded.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#get-attachment
 */
export const attachmentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/attachment/{attachment_id}",
    mayTakeLong: true,
    handle: (call) => ({ bugs: {}, attachments: getAttachmentsById(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/attachment",
    mayTakeLong: true,
    handle: (call) => ({ bugs: getAttachmentsOfBugs(call), attachments: getAttachmentsById(call) }),
  },
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
      if (!row) throw new Fault(401, 304, `Sorry, you are not authorized to access attachment #${id}.`);
      return [String(id), presentAttachment(call, row, selection)];
    }),
  );
}

/** Ids of the attachments that a request names, as far as they exist. */
export function requestedAttachmentIds(call: Call): number[] {
  const part = call.path["attachment_id"];
  const ids = [...(part === undefined ? [] : [part]), ...textValues(call.input, "attachment_ids")];
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("attachment_ids");
  return ids.map(Number).filter((id) => call.store.get("SELECT id FROM attachments WHERE id = ?", [id]));
}

/** A stored attachment without its data; `size` in bytes. */
export type AttachmentRow = {
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
export function attachmentById({ store }: Call, id: number): AttachmentRow | undefined {
  return store.get<AttachmentRow>(BY_ID, [id]);
}

/** JSON of an attachment; its data is read only if selected. */
function presentAttachment(call: Call, row: AttachmentRow, selection: FieldSelection): JsonObject {
  const { creator_id: _id, ...fields } = row;
  const data: Json = selection.includes("data") ? attachmentData(call, row.id) : "";
  const flags = selection.includes("flags") ? attachmentFlags(call, row.id) : [];
  return pickFields({ ...fields, creator: presentLogin(call, row.creator), flags, data }, selection);
}

const ATTACHMENTS = `
  SELECT visible_attachments.id, bug_id, creator_id, users.login AS creator, creation_time, last_change_time, file_name,
    summary, content_type, is_patch, is_obsolete, is_private, size
  FROM visible_attachments JOIN users ON users.id = creator_id`;
const OF_BUG = `${ATTACHMENTS} WHERE bug_id = ? ORDER BY visible_attachments.id`;
const BY_ID = `${ATTACHMENTS} WHERE visible_attachments.id = ?`;

function attachmentData({ store }: Call, id: number): string {
  return store.get<{ data: string }>("SELECT data FROM attachments WHERE id = ?", [id])?.data ?? "";
}

function attachmentFlags(call: Call, id: number): JsonObject[] {
  return call.store
    .all<FlagRow>(`${SELECT_FLAGS} WHERE flags.attachment_id = ? ORDER BY flags.id`, [id])
    .map((row) => presentFlag(call, row));
}
