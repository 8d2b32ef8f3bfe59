import type { Json } from "../../wire/exchange.ts";
import { presentCommentText } from "../comments/read.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue, isFlagSet } from "../http/input.ts";
import { queueCommentMails } from "../mail/queue.ts";
import { isInGroup, requireInsider, type User } from "../users/requester.ts";
import { checkContentType } from "./create.ts";
import { type AttachmentRow, attachmentById } from "./read.ts";

/**
 * Route of Update Attachment.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#update-attachment
 */
export const attachmentUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/bug/attachment/{attachment_id}", handle: (call) => updateAttachment(call) },
];

function updateAttachment(call: Call): Json {
  const { user } = call.requester;
  if (!user) throw faults.loginRequired();
  const id = call.path["attachment_id"] ?? "";
  const row = /^\d+$/.test(id) ? attachmentById(call, Number(id)) : undefined;
  if (!row) throw new Fault(400, 32000, `The attachment id ${id} is invalid.`);
  if (row.creator_id !== user.id && !isInGroup(call.requester, "editbugs")) {
    throw new Fault(400, 32000, `You are not authorized to edit attachment ${id}.`);
  }
  checkParameters(call);
  const changes = changesOf(call, row);
  storeChanges(call, { row, user, changes });
  const last_change_time = changes.length === 0 ? row.last_change_time : call.now;
  const presented = changes.map(({ column, removed, added }) => [column, { removed, added }]);
  return { attachments: [{ id: row.id, last_change_time, changes: Object.fromEntries(presented) }] };
}

type Change = { readonly column: Column; readonly removed: string; readonly added: string };
type Column = keyof typeof COLUMNS;

// Columns that can be updated, with their chart names in history and their UPDATE.
const COLUMNS = {
  content_type: { field: "attachments.mimetype", set: "UPDATE attachments SET content_type = ? WHERE id = ?" },
  file_name: { field: "attachments.filename", set: "UPDATE attachments SET file_name = ? WHERE id = ?" },
  is_obsolete: { field: "attachments.isobsolete", set: "UPDATE attachments SET is_obsolete = ? WHERE id = ?" },
  is_patch: { field: "attachments.ispatch", set: "UPDATE attachments SET is_patch = ? WHERE id = ?" },
  is_private: { field: "attachments.isprivate", set: "UPDATE attachments SET is_private = ? WHERE id = ?" },
  summary: { field: "attachments.description", set: "UPDATE attachments SET summary = ? WHERE id = ?" },
} as const;

const OTHER_PARAMETERS = new Set([
  "ids",
  "comment",
  "flags",
  "bug_flags",
  "api_key",
  "Bugzilla_api_key",
  "token",
  "Bugzilla_token",
]);

function checkParameters({ input }: Call): void {
  const unknown = Object.keys(input).find((name) => !(Object.hasOwn(COLUMNS, name) || OTHER_PARAMETERS.has(name)));
  if (unknown !== undefined) {
    throw new Fault(400, 67399, `The requested method 'Bugzilla::Attachment::set_${unknown}' was not found.`);
  }
}

function changesOf(call: Call, row: AttachmentRow): readonly Change[] {
  const columns = (Object.keys(COLUMNS) as Column[]).filter((column) => call.input[column] !== undefined);
  return columns
    .map((column) => ({ column, removed: String(row[column]), added: newValue(call, column) }))
    .filter(({ removed, added }) => removed !== added);
}

function newValue(call: Call, column: Column): string {
  const { input } = call;
  if (column.startsWith("is_")) {
    if (column === "is_private") requireInsider(call);
    return isFlagSet(input, column) ? "1" : "0";
  }
  const value = firstTextValue(input, column)?.trim() ?? "";
  if (column === "content_type") checkContentType(value);
  return value;
}

type AttachmentChange = { readonly row: AttachmentRow; readonly user: User; readonly changes: readonly Change[] };

function storeChanges(call: Call, { row, user, changes }: AttachmentChange): void {
  const { store, input, now } = call;
  for (const { column, removed, added } of changes) {
    const { field, set } = COLUMNS[column];
    store.run(set, [column.startsWith("is_") ? Number(added) : added, row.id]);
    store.run(INSERT_ACTIVITY, [row.bug_id, user.id, now, field, removed, added, row.id]);
  }
  const comment = firstTextValue(input, "comment") ?? "";
  if (comment !== "") {
    store.run(INSERT_COMMENT, [row.bug_id, user.id, now, comment, row.is_private, row.id]);
    const text = presentCommentText({
      kind: "attachment_updated",
      text: comment,
      about: row.id,
      file: row.summary,
    });
    queueCommentMails(call, { bugId: row.bug_id, text, isPrivate: row.is_private === 1 });
  }
  if (changes.length > 0 || comment !== "") {
    store.run("UPDATE attachments SET last_change_time = ? WHERE id = ?", [now, row.id]);
    store.run("UPDATE bugs SET last_change_time = ? WHERE id = ?", [now, row.bug_id]);
  }
}

const INSERT_ACTIVITY = `
  INSERT INTO activity (bug_id, user_id, time, field, removed, added, attachment_id) VALUES (?, ?, ?, ?, ?, ?, ?)`;

const INSERT_COMMENT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, kind, about)
  VALUES (?, ?, ?, ?, ?, 'attachment_updated', ?)`;
