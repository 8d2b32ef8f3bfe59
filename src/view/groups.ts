import type { Group, Member } from "../wire/resources.ts";
import { type CardRow, cardRows, cardTitle } from "./card.ts";
import { type Column, filledColumns } from "./column.ts";
import { listing, listText } from "./listing.ts";
import { columnMaker } from "./looks.ts";
import { palette } from "./palette.ts";
import { MEMBER_COLUMNS } from "./people.ts";
import { plain, yesNoText } from "./text.ts";
import type { View } from "./view.ts";
import { wrap } from "./wrap.ts";

const column = columnMaker<Group>();

export const GROUP_COLUMNS: readonly Column<Group>[] = [
  column("id", "ID", "number", { optional: 4 }),
  column("name", "Name", "text", { shrink: "never" }),
  column("description", "Description", "lines"),
  column("is_active", "Active", "yes-no", {
    paint: ({ is_active }) => (is_active ? undefined : "quiet"),
    optional: 3,
    isRare: true,
  }),
  column("is_bug_group", "For bugs", "yes-no", {
    paint: ({ is_bug_group }) => (is_bug_group ? undefined : "quiet"),
    optional: 2,
    isRare: true,
  }),
  column("user_regexp", "Login pattern", "lines", { optional: 1, isRare: true }),
];

/** Members of a group under either name that servers use; undefined if not requested. */
export function returnedMembers({ membership, users }: Group): readonly Member[] | undefined {
  return membership ?? users;
}

/** Note on missing attributes, which trackers return to few users; undefined if none is missing. */
export function missingAttributesNote(groups: readonly Group[]): string | undefined {
  const lacksAny = ({ is_active, is_bug_group, user_regexp }: Group) =>
    [is_active, is_bug_group, user_regexp].includes(undefined);
  return groups.some(lacksAny) ? "only members of creategroups can see whether a group is active" : undefined;
}

export function groupCard(group: Group, view: View): string {
  const { quiet } = palette(view);
  const heading = cardTitle({ text: plain(group.name) }, { text: plain(group.description) }, view);
  const rows: CardRow[] = [
    ["ID", String(group.id)],
    ["Active", yesNoText(group.is_active) || NOT_AVAILABLE],
    ["For bugs", yesNoText(group.is_bug_group) || NOT_AVAILABLE],
    ["Login pattern", group.user_regexp ?? NOT_AVAILABLE],
    ["Icon", group.icon_url ?? ""],
  ];
  const members = returnedMembers(group);
  const table = members?.length
    ? listText(members, listing("table", filledColumns(MEMBER_COLUMNS, members, view), view))
    : quiet("no members\n");
  return `${heading}\n${cardRows(rows, view)}${members ? `\n${table}` : ""}${attributesNote([group], view)}`;
}

const NOT_AVAILABLE = "not available";

function attributesNote(groups: Group[], view: View): string {
  const text = missingAttributesNote(groups);
  if (!text) return "";
  const lines = wrap(`note: ${text}`, view.terminal ? view.width : Infinity);
  return `\n${lines.map(palette(view).quiet).join("\n")}\n`;
}
