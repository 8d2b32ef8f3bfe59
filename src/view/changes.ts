import type { Field } from "../wire/field.ts";
import type { Changes } from "../wire/history.ts";
import { differences } from "./difference.ts";
import { differenceRows, labelWidth } from "./difference-rows.ts";
import { palette } from "./palette.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";

/** Something that was asked to change: `name` is how a person would name it (`#12`, `core-security`). */
export type Changed = {
  readonly id: number;
  readonly name: string;
  readonly title?: string | undefined;
  readonly changes: Changes;
};

/** What a diff is made from; a preview says that nothing has been sent. */
export type ChangesCard = {
  readonly changed: readonly Changed[];
  readonly fields?: readonly Field[];
  readonly isPreview?: boolean;
};

/** What an update did, or would do, as a diff: per thing and field what left and what came; "unchanged" is said too. */
export function changesText({ changed, fields = [], isPreview }: ChangesCard, view: View): string {
  const paints = palette(view);
  const read = changed.map((thing) => ({ ...thing, rows: differences(listed(thing.changes), fields) }));
  const wide = labelWidth(read.flatMap(({ rows }) => rows));
  const words = isPreview ? { some: "would change", none: "would not change" } : { some: "", none: "unchanged" };
  return read
    .map(({ name, title, rows }, at) => {
      const word = rows.length > 0 ? words.some : words.none;
      const heading = [paints.title(plain(name)), plain(title ?? ""), paints.quiet(word)].filter(Boolean).join("  ");
      const gap = at > 0 && (rows.length > 0 || (read[at - 1]?.rows.length ?? 0) > 0) ? "\n" : "";
      return `${gap}${heading}\n${differenceRows(rows, wide, view)}`;
    })
    .join("");
}

function listed(changes: Changes) {
  return Object.entries(changes).map(([field_name, { removed, added }]) => ({ field_name, removed, added }));
}
