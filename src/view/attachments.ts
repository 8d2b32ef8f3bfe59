import type { Attachment } from "../wire/resources.ts";
import { type CardRow, cardBody, cardTitle } from "./card.ts";
import { type Column, filledColumns } from "./column.ts";
import { bugFlagText, columnMaker } from "./field-kinds.ts";
import { sizeText } from "./text.ts";
import { timeText } from "./times.ts";
import type { View } from "./view.ts";

type ShownAttachment = Partial<Attachment>; // unrequested members are absent

const column = columnMaker<ShownAttachment>();

export const ATTACHMENT_COLUMNS: readonly Column<ShownAttachment>[] = [
  column("id", "ID", "number"),
  column("bug_id", "Bug", "bug"),
  column("file_name", "File", "lines"),
  column("summary", "Summary", "lines"),
  column("content_type", "Type", "text", { cell: typeText, optional: 4 }),
  column("size", "Size", "number", { cell: ({ size }) => sizeText(size), optional: 3 }),
  markColumn("is_patch", "Patch"),
  markColumn("is_obsolete", "Obsolete"),
  { ...markColumn("is_private", "Private"), paint: () => "warn" },
  column("flags", "Flags", "flags", { isRare: true }),
  column("creator", "Who", "person", { optional: 1 }),
  column("creation_time", "When", "time", { optional: 2 }),
  column("last_change_time", "Changed", "time"),
];

function markColumn(name: "is_patch" | "is_obsolete" | "is_private", heading: string): Column<ShownAttachment> {
  return column(name, heading, "text", {
    cell: (attachment) => (attachment[name] ? heading.toLowerCase() : ""),
    isRare: true,
  });
}

/** Columns with a value for any of these attachments, and the bug if there are several. */
export function attachmentColumns(attachments: readonly ShownAttachment[], view: View): Column<ShownAttachment>[] {
  const bugs = new Set(attachments.map(({ bug_id }) => bug_id));
  const left = ["is_patch", "last_change_time", bugs.size < 2 ? "bug_id" : ""]; // the type says what is a patch
  return filledColumns(ATTACHMENT_COLUMNS, attachments, view).filter(({ name }) => !left.includes(name));
}

export function attachmentCard(attachment: ShownAttachment, view: View): string {
  const { id, bug_id, file_name, size, creator, creation_time, last_change_time } = attachment;
  const marks = (["is_obsolete", "is_private"] as const).filter((name) => attachment[name]);
  const rows: CardRow[] = [
    ["Bug", bug_id ? `#${bug_id}` : ""],
    ["File", file_name ?? "-"],
    ["Type", typeText(attachment)],
    ["Size", sizeText(size)],
    ["Marked", [{ text: marks.map((name) => name.slice("is_".length)).join(", "), role: "warn" }]],
    ["Flags", (attachment.flags ?? []).map((flag) => ({ text: `${bugFlagText(flag)} by ${flag.setter ?? "-"}` }))],
    ["Creator", [{ text: creator ?? "-" }, { text: timeText(creation_time, view), role: "quiet" }]],
    ["Changed", last_change_time === creation_time ? "" : timeText(last_change_time, view)],
  ];
  return `${cardTitle(`attachment ${id ?? ""}`, attachment.summary ?? "", view)}\n${cardBody(rows, view)}`;
}

function typeText({ content_type, is_patch }: ShownAttachment): string {
  return is_patch ? "patch" : (content_type ?? "");
}
