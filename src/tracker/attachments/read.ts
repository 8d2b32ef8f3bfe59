import type { Json, JsonObject } from "../../wire/exchange.ts";
import { requestedBugIds } from "../bugs/find.ts";
import { type FlagRow, presentFlag, SELECT_FLAGS } from "../flags/present.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { textValues } from "../http/input.ts";
import { presentLogin } from "../users/present.ts";

/** Attachments of bugs, and single ones by id; with their data unless that is excluded. */
export const attachmentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/attachment/{attachment_id}",
    mayTakeLong: true,
    handle: (call) => ({ bugs: {}, attachments: single(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/attachment",
    mayTakeLong: true,
    handle: (call) => ({ bugs: ofBugs(call), attachments: single(call) }),
  },
];

function ofBugs(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const shown = (id: number) => attachmentsOfBug(call, id).map((row) => presentAttachment(call, row, selection));
  return Object.fromEntries(requestedBugIds(call).map((id) => [String(id), shown(id)]));
}

// Ids that nothing has are left out, those of private attachments refused.
function single(call: Call): JsonObject {
  const part = call.path["attachment_id"];
  const ids = [...(part === undefined ? [] : [part]), ...textValues(call.input, "attachment_ids")];
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("attachment_ids");
  const selection = readFieldSelection(call.input);
  const known = ids.filter((id) => call.store.get("SELECT id FROM attachments WHERE id = ?", [Number(id)]));
  return Object.fromEntries(
    known.map((id) => {
      const row = attachmentById(call, Number(id));
      if (!row) throw new Fault(401, 304, `Sorry, you are not authorized to access attachment #${id}.`);
      return [id, presentAttachment(call, row, selection)];
    }),
  );
}

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
function attachmentsOfBug({ store }: Call, bugId: number): readonly AttachmentRow[] {
  return store.all<AttachmentRow>(OF_BUG, [bugId]);
}

/** One attachment, if the requester may see it. */
export function attachmentById({ store }: Call, id: number): AttachmentRow | undefined {
  return store.get<AttachmentRow>(BY_ID, [id]);
}

/** An attachment as the interface shows it; its data, which may be long, is only read when it is wanted. */
function presentAttachment(call: Call, row: AttachmentRow, selection: FieldSelection): JsonObject {
  const { creator_id: _id, ...shown } = row;
  const data: Json = selection.includes("data") ? dataOf(call, row.id) : "";
  const flags = selection.includes("flags") ? flagsOf(call, row.id) : [];
  return pickFields({ ...shown, creator: presentLogin(call, row.creator), flags, data }, selection);
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
    .all<FlagRow>(`${SELECT_FLAGS} WHERE flags.attachment_id = ? ORDER BY flags.id`, [id])
    .map((row) => presentFlag(call, row));
}
