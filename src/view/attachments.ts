import type { Attachment } from "../wire/resources.ts";
import { bugFlagText, shownLogin } from "./bug-columns.ts";
import { type CardRow, cardRows, cardTitle } from "./card.ts";
import type { Column } from "./column.ts";
import { plain, sizeText } from "./text.ts";
import { shortRelativeTime, timeText } from "./times.ts";
import type { View } from "./view.ts";

type ShownAttachment = Partial<Attachment>; // unrequested members are absent

/** All columns of a list of attachments. */
export const ATTACHMENT_COLUMNS: readonly Column<ShownAttachment>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", shrink: "never" },
  {
    name: "bug_id",
    heading: "Bug",
    value: ({ bug_id }) => bug_id,
    cell: ({ bug_id }) => (bug_id === undefined ? "" : `#${bug_id}`),
    shrink: "never",
  },
  { name: "file_name", heading: "File", value: ({ file_name }) => file_name, shrink: "first" },
  { name: "summary", heading: "Summary", value: ({ summary }) => summary, shrink: "first" },
  {
    name: "content_type",
    heading: "Type",
    value: ({ content_type }) => content_type,
    cell: typeText,
    optional: 4,
  },
  {
    name: "size",
    heading: "Size",
    value: ({ size }) => size,
    cell: ({ size }) => (size === undefined ? "" : sizeText(size)),
    align: "right",
    optional: 3,
  },
  markColumn("is_patch", "Patch"),
  markColumn("is_obsolete", "Obsolete"),
  markColumn("is_private", "Private"),
  {
    name: "flags",
    heading: "Flags",
    value: ({ flags }) => flags,
    text: ({ flags }) => (flags ?? []).map(bugFlagText).join(","),
    cell: ({ flags }) => (flags ?? []).map(bugFlagText).join(", "),
  },
  {
    name: "creator",
    heading: "Who",
    value: ({ creator }) => creator,
    cell: ({ creator }, view) => shownLogin(creator, view),
    shrink: "first",
    optional: 1,
  },
  {
    name: "creation_time",
    heading: "When",
    value: ({ creation_time }) => creation_time,
    cell: ({ creation_time }, view) => shortRelativeTime(creation_time, view),
    paint: () => "quiet",
    optional: 2,
  },
  {
    name: "last_change_time",
    heading: "Changed",
    value: ({ last_change_time }) => last_change_time,
    cell: ({ last_change_time }, view) => shortRelativeTime(last_change_time, view),
    paint: () => "quiet",
  },
];

function markColumn(name: "is_patch" | "is_obsolete" | "is_private", heading: string): Column<ShownAttachment> {
  return {
    name,
    heading,
    value: (attachment) => attachment[name],
    cell: (attachment) => (attachment[name] ? heading.toLowerCase() : ""),
    ...(name === "is_private" ? { paint: () => "warn" as const } : {}),
  };
}

/** Columns for the terminal: those with a value for any of these attachments, and the bug if there are several. */
export function attachmentColumns(attachments: ShownAttachment[]): Column<ShownAttachment>[] {
  const bugs = new Set(attachments.map(({ bug_id }) => bug_id));
  const left = ["is_patch", "last_change_time"]; // the type says what is a patch
  if (bugs.size < 2) left.push("bug_id");
  for (const name of ["is_obsolete", "is_private"] as const)
    if (!attachments.some((attachment) => attachment[name])) left.push(name);
  if (!attachments.some(({ flags }) => (flags ?? []).length > 0)) left.push("flags");
  return ATTACHMENT_COLUMNS.filter(({ name }) => !left.includes(name));
}

export function attachmentCard(attachment: ShownAttachment, view: View): string {
  const { id, bug_id, file_name, size, creator, creation_time, last_change_time } = attachment;
  const marks = (["is_obsolete", "is_private"] as const).filter((name) => attachment[name]);
  const rows: CardRow[] = [
    { label: "Bug", facts: [{ text: bug_id === undefined ? "" : `#${bug_id}` }] },
    { label: "File", facts: [{ text: file_name ?? "-" }] },
    { label: "Type", facts: [{ text: typeText(attachment) }] },
    { label: "Size", facts: [{ text: size === undefined ? "" : sizeText(size) }] },
    { label: "Marked", facts: [{ text: marks.map((name) => name.slice("is_".length)).join(", "), role: "warn" }] },
    {
      label: "Flags",
      facts: (attachment.flags ?? []).map((flag) => ({ text: `${bugFlagText(flag)} by ${flag.setter ?? "-"}` })),
    },
    { label: "Creator", facts: [{ text: creator ?? "-" }, { text: timeText(creation_time, view), role: "quiet" }] },
    {
      label: "Changed",
      facts: [{ text: last_change_time === creation_time ? "" : timeText(last_change_time, view), role: "quiet" }],
    },
  ];
  const title = { text: plain(attachment.summary ?? "") };
  return `${cardTitle({ text: `attachment ${id ?? ""}` }, title, view)}\n${cardRows(rows, view)}`;
}

function typeText({ content_type = "", is_patch }: ShownAttachment): string {
  return is_patch ? "patch" : content_type;
}
