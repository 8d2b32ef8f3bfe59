import type { Bug } from "../wire/bug-fields.ts";
import { columnOfBug, columnWithBug, stateColumn } from "./bug-columns.ts";
import { type Column, columnsNamed } from "./column.ts";
import { type View, viewSigns } from "./view.ts";

/** A similar bug, and the words that it shares, rarest first. */
export type SimilarRow = {
  readonly bug: Bug;
  readonly score: number; // 0 to 1
  readonly words: readonly string[];
  readonly isSameComponent: boolean;
};

const OWN: readonly Column<SimilarRow>[] = [
  { ...columnOfBug("id"), shrink: "never" },
  {
    name: "score",
    heading: "Match",
    value: ({ score }) => score,
    cell: ({ score }) => `${Math.round(score * 100)} %`,
    align: "right",
    shrink: "never",
  },
  { name: "shared_words", heading: "Shared words", value: ({ words }) => words },
  { name: "same_component", heading: "Same component", value: ({ isSameComponent }) => isSameComponent },
  {
    name: "reason",
    heading: "Reason",
    value: (row) => reasonsFor(row).join("; "),
    cell: (row, view) => reasonsFor(row).join(` ${viewSigns(view).dot} `),
  },
];

const BUG_NAMES = ["status", "resolution", "is_open", "product", "component", "dupe_of", "creation_time", "summary"];

export const SIMILAR_COLUMNS: readonly Column<SimilarRow>[] = [...OWN, ...BUG_NAMES.map(columnOfBug)];

/** Columns that are printed if none are chosen, except in JSON, which has all. */
export const SIMILAR_USUAL_COLUMNS = columnsNamed(
  SIMILAR_COLUMNS,
  "id",
  "score",
  "status",
  "resolution",
  "reason",
  "summary",
);

/** Columns of a table for a terminal of this width. */
export function similarTableColumns({ width }: View): Column<SimilarRow>[] {
  const state = width < MEDIUM ? [] : [columnWithBug(stateColumn())];
  return [
    ...columnsNamed(SIMILAR_COLUMNS, "id", "score"),
    ...state,
    ...columnsNamed(SIMILAR_COLUMNS, "reason", "summary"),
  ];
}

const MEDIUM = 56;

/** Reason why a bug is similar, such as `import, csv`, `same component`, `duplicate of #7`. */
function reasonsFor({ bug, words, isSameComponent }: SimilarRow): string[] {
  const reasons = [words.slice(0, MAX_WORDS).join(", ")];
  if (isSameComponent) reasons.push("same component");
  if (bug.dupe_of) reasons.push(`duplicate of #${bug.dupe_of}`);
  return reasons;
}

const MAX_WORDS = 4;
