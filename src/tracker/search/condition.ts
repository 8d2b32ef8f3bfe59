/**
 * What a search asks for, as a tree. Every form that a request may use (plain parameters, rows, the old rows, changes,
 * people, quicksearch) is read into this one, and only this one is turned into SQL (compile.ts).
 */
export type Condition = Row | Group | { readonly kind: "not"; readonly part: Condition };

/** One comparison: a field under its chart name, an operator by its wire name, and what is looked for. */
export type Row = {
  readonly kind: "row";
  readonly field: string;
  readonly operator: string;
  readonly text: string;
  readonly items?: readonly string[]; // values that may hold commas; without them `anyexact` takes `text` apart
};

/** Conditions joined; AND_G wants one and the same change, comment or value to meet them all. */
export type Group = { readonly kind: "group"; readonly join: Join; readonly parts: readonly Condition[] };

/** How the parts of a group are joined, in the words of `j1` and `j_top`. */
export type Join = "AND" | "OR" | "AND_G";

/** One row. */
export function row(field: string, operator: string, text: string): Row {
  return { kind: "row", field, operator, text };
}

/** Conditions joined; a group of none asks for nothing. */
export function group(join: Join, parts: readonly Condition[]): Group {
  return { kind: "group", join, parts };
}

/** The condition turned round, when it is to be. */
export function turned(isNegated: boolean, part: Condition): Condition {
  return isNegated ? { kind: "not", part } : part;
}

/** All rows of a condition, wherever they stand. */
export function rowsOf(condition: Condition): readonly Row[] {
  if (condition.kind === "row") return [condition];
  return condition.kind === "not" ? rowsOf(condition.part) : condition.parts.flatMap(rowsOf);
}
