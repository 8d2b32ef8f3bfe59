import type { Field } from "../wire/field.ts";
import type { Change, Changes } from "../wire/history.ts";
import { cardTitle } from "./card.ts";
import { differences } from "./difference.ts";
import { differenceRows, labelWidth } from "./difference-rows.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";
import type { Piece } from "./wrap.ts";

/** Something that was asked to change: `name` is how a person would name it (`#12`, `core-security`). */
export type Changed = {
  readonly id: number;
  readonly name: string;
  readonly title?: string | undefined;
  readonly changes: Changes;
  readonly aside?: string | undefined; // what is recorded beside the fields, such as "comment"
  readonly missed?: string | undefined; // "unchanged, comment not added"
};

/** What a diff is made from; a preview says that nothing has been sent. */
export type ChangesCard = {
  readonly changed: readonly Changed[];
  readonly fields?: readonly Field[];
  readonly isPreview?: boolean;
};

/** What an update did, or would do, as a diff: per thing and field what left and what came; "unchanged" is said too. */
export function changesText({ changed, fields = [], isPreview = false }: ChangesCard, view: View): string {
  const read = changed.map((thing) => ({ ...thing, rows: differences(listed(thing.changes), fields, view) }));
  const wide = labelWidth(read.flatMap(({ rows }) => rows));
  const word = isPreview ? foretold : told;
  const texts = read.map(({ name, title, rows, aside, missed }) => {
    const about = titleOf(title, missed ?? word(rows.length > 0, aside));
    return cardTitle({ text: plain(name) }, about, view) + differenceRows(rows, wide, view);
  });
  const isApart = (at: number) => at > 0 && [read[at - 1], read[at]].some((one) => one && one.rows.length > 0);
  return texts.map((text, at) => (isApart(at) ? `\n${text}` : text)).join("");
}

function told(isChanged: boolean, aside: string | undefined): string {
  if (aside !== undefined) return `${aside} recorded`;
  return isChanged ? "" : "unchanged";
}

function foretold(isChanged: boolean, aside: string | undefined): string {
  if (aside !== undefined) return isChanged ? `would change, with ${aside}` : `would only record ${aside}`;
  return isChanged ? "would change" : "would not change";
}

function titleOf(title: string | undefined, word: string): Piece {
  if (!title) return { text: word, role: "quiet" };
  return { text: plain(word ? `${title} (${word})` : title) };
}

function listed(changes: Changes): readonly Change[] {
  return Object.entries(changes).map(([field_name, { removed, added }]) => ({
    ...{ field_name, removed: removed ?? "", added: added ?? "" },
  }));
}
