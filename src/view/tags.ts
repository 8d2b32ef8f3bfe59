import type { Column } from "./column.ts";
import { palette } from "./palette.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";

/** The only column of a list of comment tags. */
export const TAG_COLUMNS: readonly Column<string>[] = [{ name: "tag", heading: "Tag", value: (tag) => tag }];

/** The tags that a comment has after an update, in one line. */
export function commentTagsText(commentId: number, tags: readonly string[], view: View): string {
  const { title, quiet } = palette(view);
  const shown = tags.length > 0 ? plain(tags.join(", ")) : quiet("no tags");
  return `${title(`comment ${commentId}`)}  ${shown}\n`;
}
