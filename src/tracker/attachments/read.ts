import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FLAGS, type FlagRow, shownFlag } from "../bugs/flags.ts";
import type { Call } from "../call.ts";
import { shownLogin } from "../people/shown.ts";
import { pick, type Selection } from "../selection.ts";

/** An attachment as it is stored, without its data. */
export type AttachmentRow = {
  readonly id: number;
  readonly bug_id: number;
  readonly creator_id: number;
  readonly creator: string;
  readonly creation_time: string;
  readonly last_change_time: string;
  readonly file_name: string;
  readonly summary: string;
  readonly content_type: string;
  readonly is_patch: number;
  readonly is_obsolete: number;
  readonly is_private: number;
  readonly size: number;
};

/** The attachments of a bug that the requester may see, in order. */
export function attachmentsOfBug({ store }: Call, bugId: number): readonly AttachmentRow[] {
  return store.all<AttachmentRow>(OF_BUG, [bugId]);
}

/** One attachment, if the requester may see it. */
export function attachmentById({ store }: Call, id: number): AttachmentRow | undefined {
  return store.get<AttachmentRow>(BY_ID, [id]);
}

/** An attachment as the interface shows it; its data, which may be long, is only read when it is wanted. */
export function shownAttachment(call: Call, row: AttachmentRow, selection: Selection): JsonObject {
  const { creator_id: _id, ...shown } = row;
  const data: Json = selection.wants("data") ? dataOf(call, row.id) : "";
  const flags = selection.wants("flags") ? flagsOf(call, row.id) : [];
  return pick({ ...shown, creator: shownLogin(call, row.creator), flags, data }, selection);
}

const ATTACHMENTS = `
  SELECT visible_attachments.id, bug_id, creator_id, users.login AS creator, creation_time, last_change_time, file_name,
    summary, content_type, is_patch, is_obsolete, is_private, size
  FROM visible_attachments JOIN users ON users.id = creator_id`;
const OF_BUG = `${ATTACHMENTS} WHERE bug_id = ? ORDER BY visible_attachments.id`;
const BY_ID = `${ATTACHMENTS} WHERE visible_attachments.id = ?`;

function dataOf({ store }: Call, id: number): string {
  return store.get<{ readonly data: string }>("SELECT data FROM attachments WHERE id = ?", [id])?.data ?? "";
}

function flagsOf(call: Call, id: number): readonly JsonObject[] {
  return call.store
    .all<FlagRow>(`${FLAGS} WHERE flags.attachment_id = ? ORDER BY flags.id`, [id])
    .map((row) => shownFlag(call, row));
}
