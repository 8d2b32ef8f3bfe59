import type { Bug } from "../wire/bug-fields.ts";
import { columnOfBug, columnWithBug, stateColumn } from "./bug-columns.ts";
import { type Column, columnsNamed } from "./column.ts";
import { columnMaker } from "./looks.ts";
import { viewSigns } from "./view.ts";

/** A similar bug, and the words that it shares, rarest first. */
export type SimilarRow = {
  readonly bug: Bug;
  readonly score: number; // 0 to 1
  readonly words: readonly string[];
  readonly isSameComponent: boolean;
};

const column = columnMaker<SimilarRow>();

const OWN: readonly Column<SimilarRow>[] = [
  { ...columnOfBug("id"), shrink: "never" },
  column("score", "Match", "number", { cell: ({ score }) => `${Math.round(score * 100)} %` }),
  { ...column("words", "Shared words"), name: "shared_words" },
  { ...column("isSameComponent", "Same component"), name: "same_component" },
  {
    name: "reason",
    heading: "Reason",
    value: (row) => reasonsFor(row).join("; "),
    cell: (row, view) => reasonsFor(row).join(` ${viewSigns(view).dot} `),
  },
];

const BUG_NAMES = ["status", "resolution", "is_open", "product", "component", "dupe_of", "creation_time", "summary"];

export const SIMILAR_COLUMNS: readonly Column<SimilarRow>[] = [...OWN, ...BUG_NAMES.map(columnOfBug)];

const USUAL_NAMES = ["id", "score", "status", "resolution", "reason", "summary"];

/** Columns that are printed if none are chosen, except in JSON, which has all. */
export const SIMILAR_USUAL_COLUMNS = columnsNamed(SIMILAR_COLUMNS, ...USUAL_NAMES);

export const SIMILAR_TABLE_COLUMNS: readonly Column<SimilarRow>[] = [
  ...columnsNamed(SIMILAR_COLUMNS, "id", "score"),
  { ...columnWithBug(stateColumn()), optional: 1 },
  ...columnsNamed(SIMILAR_COLUMNS, "reason", "summary"),
];

/** Reason why a bug is similar, such as `import, csv`, `same component`, `duplicate of #7`. */
function reasonsFor({ bug, words, isSameComponent }: SimilarRow): string[] {
  const reasons = [words.slice(0, MAX_WORDS).join(", ")];
  if (isSameComponent) reasons.push("same component");
  if (bug.dupe_of) reasons.push(`duplicate of #${bug.dupe_of}`);
  return reasons;
}

const MAX_WORDS = 4;
