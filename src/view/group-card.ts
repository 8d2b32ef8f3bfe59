import type { Group } from "../wire/resources.ts";
import { cardRows, cardTitle } from "./card.ts";
import { booleanText, memberColumns, missingAttributesNote, NOT_AVAILABLE, returnedMembers } from "./groups.ts";
import { listing, listText } from "./listing.ts";
import { palette } from "./palette.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";
import { wrap } from "./wrap.ts";

/** A group as a card, with its members if they were requested. */
export function groupCard(group: Group, view: View): string {
  const { quiet } = palette(view);
  const heading = cardTitle({ text: plain(group.name) }, { text: plain(group.description) }, view);
  const rows = cardRows(
    [
      { label: "ID", facts: [{ text: String(group.id) }] },
      { label: "Active", facts: [{ text: booleanText(group.is_active) }] },
      { label: "For bugs", facts: [{ text: booleanText(group.is_bug_group) }] },
      { label: "Login pattern", facts: [{ text: group.user_regexp ?? NOT_AVAILABLE }] },
      { label: "Icon", facts: [{ text: group.icon_url ?? "" }] },
    ],
    view,
  );
  const members = returnedMembers(group);
  const table = members?.length
    ? listText(members, listing("table", memberColumns(members), view))
    : quiet("no members\n");
  return `${heading}\n${rows}${members ? `\n${table}` : ""}${note([group], view)}`;
}

function note(groups: Group[], view: View): string {
  const text = missingAttributesNote(groups);
  if (!text) return "";
  const lines = wrap(`note: ${text}`, view.terminal ? view.width : Infinity);
  return `\n${lines.map(palette(view).quiet).join("\n")}\n`;
}
