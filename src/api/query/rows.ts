import type { Tree } from "./tree.ts";

/** One row of the server's custom search: field, operator, and values that are sent as repeats. */
export type Row = {
  readonly kind: "row";
  readonly f: string;
  readonly o: string;
  readonly v: readonly string[];
};

/** Rows on one field that one and the same change must meet. */
type SameChange = { readonly kind: "same"; readonly rows: readonly Row[] };

/** A custom search before its rows are numbered. */
export type Chart = Tree<Row | SameChange>;

/** One name and value of a query string. */
export type Pair = readonly [name: string, value: string];

/**
 * The pairs of a custom search, its rows numbered from `f1` without a gap (a gap would lose a row on the server). An "any"
 * becomes a group: joining the top level by OR would take parameters such as creation_time and quicksearch into the OR.
 */
export function numberRows(chart: Chart): readonly Pair[] {
  return (chart.kind === "all" ? chart.of.flatMap((part) => slotsOf(part)) : slotsOf(chart)).flatMap((slot, index) =>
    slot.map(([letter, value]) => [`${letter}${index + 1}`, value] as const),
  );
}

/** What stands under one number: parts of `f`, `o`, `j`, `n` and `v`. */
type Slot = readonly (readonly [letter: string, value: string])[];

function slotsOf(chart: Chart, negation: Slot = []): readonly Slot[] {
  switch (chart.kind) {
    case "not":
      return slotsOf(chart.of, [["n", "1"]]);
    case "row":
      return [[["f", chart.f], ["o", chart.o], ...negation, ...chart.v.map((value) => ["v", value] as const)]];
    case "same":
      return group("AND_G", negation, chart.rows);
    case "all":
    case "any":
      return chart.of.length === 0 ? NO_BUG : group(chart.kind === "all" ? "AND" : "OR", negation, chart.of);
  }
}

/** An empty group would be dropped by the server and find every bug; no bug has a number below 0. */
const NO_BUG: readonly Slot[] = [
  [
    ["f", "bug_id"],
    ["o", "lessthan"],
    ["v", "0"],
  ],
];

function group(joint: string, negation: Slot, parts: readonly Chart[]): readonly Slot[] {
  return [[["f", "OP"], ["j", joint], ...negation], ...parts.flatMap((part) => slotsOf(part)), [["f", "CP"]]];
}
