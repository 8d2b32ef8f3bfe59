import type { Json } from "../../wire/exchange.ts";
import { logActivity, touchBug } from "../bugs/history.ts";
import { loadBug } from "../bugs/load.ts";
import { presentCommentText } from "../comments/read.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { firstTextValue, isFlagSet, textValues } from "../http/input.ts";
import { queueCommentMails } from "../mail/queue.ts";
import { refuseReadOnlyProduct } from "../products/access.ts";
import { isInGroup, requireInsider, requireLogin } from "../users/requester.ts";
import type { User } from "../users/user.ts";
import { checkSummary, readContentType, readFileName } from "./create.ts";
import { editAttachmentFlags } from "./flags.ts";
import { type AttachmentRow, attachmentById } from "./read.ts";

/**
 * Route of Update Attachment: the same change of one or several.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#update-attachment
 */
export const attachmentUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/bug/attachment/{attachment_id}", handle: (call) => updateAttachments(call) },
];

function updateAttachments(call: Call): Json {
  const user = requireLogin(call);
  const listed = textValues(call.input, "ids");
  const ids = listed.length > 0 ? listed : [call.path["attachment_id"] ?? ""];
  const rows = [...new Set(ids)].map((id) => editableAttachment(call, user, id));
  checkParameters(call);
  return { attachments: rows.map((row) => updateAttachment(call, user, row)) };
}

function editableAttachment(call: Call, user: User, id: string): AttachmentRow {
  const row = /^\d+$/.test(id) ? attachmentById(call, Number(id)) : undefined;
  if (!row) throw new Fault(400, 32000, `The attachment id ${id} is invalid.`);
  refuseReadOnlyProduct(call, loadBug(call.store, row.bug_id, []).product);
  if (row.creator_id !== user.id && !isInGroup(call.requester, "editbugs")) {
    throw new Fault(400, 32000, `You are not authorized to edit attachment ${id}.`);
  }
  return row;
}

function updateAttachment(call: Call, user: User, row: AttachmentRow): Json {
  const changes = requestedChanges(call, row);
  storeChanges(call, { row, user, changes });
  const [removed, added] = editAttachmentFlags(call, user, {
    id: row.id,
    isPrivate: row.is_private === 1,
    bug: loadBug(call.store, row.bug_id, []),
  });
  if (removed + added !== "") changes.push({ column: "flagtypes.name", field: "flagtypes.name", removed, added });
  logChanges(call, { row, user, changes });
  addComment(call, user, row);
  const last_change_time = changes.length === 0 ? row.last_change_time : call.now;
  const presented = changes.map((change) => [change.column, { removed: change.removed, added: change.added }]);
  return { id: row.id, last_change_time, changes: Object.fromEntries(presented) };
}

type Change = {
  column: Column | "flagtypes.name";
  field: string;
  removed: string;
  added: string;
};
type Column = keyof typeof COLUMNS;

// Columns that can be updated, with their chart names in history and their UPDATE. A patch sets the content type.
const COLUMNS = {
  is_patch: { field: "attachments.ispatch", set: "UPDATE attachments SET is_patch = ? WHERE id = ?" },
  content_type: { field: "attachments.mimetype", set: "UPDATE attachments SET content_type = ? WHERE id = ?" },
  file_name: { field: "attachments.filename", set: "UPDATE attachments SET file_name = ? WHERE id = ?" },
  is_obsolete: { field: "attachments.isobsolete", set: "UPDATE attachments SET is_obsolete = ? WHERE id = ?" },
  is_private: { field: "attachments.isprivate", set: "UPDATE attachments SET is_private = ? WHERE id = ?" },
  summary: { field: "attachments.description", set: "UPDATE attachments SET summary = ? WHERE id = ?" },
} as const;

const OTHER_PARAMETERS = new Set(["ids", "comment", "flags", "api_key", "Bugzilla_api_key", "token", "Bugzilla_token"]);

function checkParameters({ input }: Call): void {
  const unknown = Object.keys(input).find((name) => !(Object.hasOwn(COLUMNS, name) || OTHER_PARAMETERS.has(name)));
  if (unknown !== undefined) {
    throw new Fault(400, 67399, `The requested method 'Bugzilla::Attachment::set_${unknown}' was not found.`);
  }
}

function requestedChanges(call: Call, row: AttachmentRow): Change[] {
  const columns = (Object.keys(COLUMNS) as Column[]).filter((column) => call.input[column] !== undefined);
  return columns
    .map((column) => ({
      column,
      field: COLUMNS[column].field,
      removed: String(row[column]),
      added: newValue(call, column, row),
    }))
    .filter(({ removed, added }) => removed !== added);
}

function newValue(call: Call, column: Column, row: AttachmentRow): string {
  if (column === "file_name" || column === "summary" || column === "content_type") {
    return TEXTS[column](firstTextValue(call.input, column) ?? "", isPatchAfter(call, row));
  }
  const isSet = isFlagSet(call.input, column);
  if (column === "is_private" && isSet !== (row.is_private === 1)) requireInsider(call);
  return isSet ? "1" : "0";
}

const TEXTS = {
  content_type: readContentType,
  summary: (sent: string) => {
    const summary = sent.trim();
    checkSummary(summary);
    return summary;
  },
  file_name: (sent: string) => {
    const name = readFileName(sent);
    if (name === "") throw new Fault(400, 32000, "You must specify a filename for this attachment.");
    return name;
  },
} as const;

function isPatchAfter({ input }: Call, row: AttachmentRow): boolean {
  return input["is_patch"] === undefined ? row.is_patch === 1 : isFlagSet(input, "is_patch");
}

type AttachmentChange = { row: AttachmentRow; user: User; changes: Change[] };

function storeChanges({ store }: Call, { row, changes }: AttachmentChange): void {
  for (const { column, added } of changes) {
    if (column === "flagtypes.name") continue;
    store.run(COLUMNS[column].set, [column.startsWith("is_") ? Number(added) : added, row.id]);
  }
}

function logChanges({ store, now }: Call, { row, user, changes }: AttachmentChange): void {
  for (const { field, removed, added } of changes) {
    logActivity(store, { bugId: row.bug_id, userId: user.id, time: now, field, removed, added, attachmentId: row.id });
  }
  if (changes.length === 0) return;
  store.run("UPDATE attachments SET last_change_time = ? WHERE id = ?", [now, row.id]);
  touchBug(store, row.bug_id, now);
}

function addComment(call: Call, user: User, before: AttachmentRow): void {
  const { store, input, now } = call;
  const comment = firstTextValue(input, "comment")?.trim() ?? "";
  if (comment === "") return;
  const row = attachmentById(call, before.id) ?? before;
  store.run(INSERT_COMMENT, [row.bug_id, user.id, now, comment, row.is_private, row.id]);
  touchBug(store, row.bug_id, now);
  const text = presentCommentText({ kind: "attachment_updated", text: comment, about: row.id, file: row.summary });
  queueCommentMails(call, { bugId: row.bug_id, text, isPrivate: row.is_private === 1 });
}

const INSERT_COMMENT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, kind, about)
  VALUES (?, ?, ?, ?, ?, 'attachment_updated', ?)`;
