import type { Catalog, CatalogField } from "../catalog.ts";
import type { DateContext } from "./dates.ts";

/** A condition built of leaves. An empty `all` is true of every bug, an empty `any` of none. */
export type QueryTree<Leaf> = Leaf | Group<Leaf> | Opposite<Leaf>;

type Group<Leaf> = { readonly kind: "all" | "any"; readonly of: readonly QueryTree<Leaf>[] };
type Opposite<Leaf> = { readonly kind: "not"; readonly of: QueryTree<Leaf> };
type Kinded = { readonly kind: string };

/**
 * How a field is compared. `=` and the word lists take several values (any of them; `all` all of them), the others one;
 * `:` is the natural comparison of the field, `any` and `all` look for whole words, `matches` is the full-text search.
 */
export type Comparison =
  | ":"
  | "="
  | "~"
  | "=~"
  | "^="
  | "$="
  | ">"
  | ">="
  | "<"
  | "<="
  | "empty"
  | "any"
  | "all"
  | "matches";

/** One and the same change of a field; without any part: it ever changed. `since` is included, `before` is not. */
export type ChangeParts = {
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly since?: string;
  readonly before?: string;
};

/** One and the same flag: `name` is `review`, or `review?` with a status. */
type FlagParts = { readonly name: string; readonly requestee?: string; readonly setter?: string };

/** A leaf as typed: names and values are still words. `at` is the column where it stands in the text, from 1. */
export type Term = { readonly at?: number } & (
  | {
      readonly kind: "test";
      readonly field: string;
      readonly op: Comparison;
      readonly values: readonly string[];
      readonly after?: string; // the lower end of the range that this is the upper end of
    }
  | { readonly kind: "is"; readonly state: string }
  | ({ readonly kind: "change"; readonly field: string } & ChangeParts)
  | ({ readonly kind: "flag" } & FlagParts)
);

/**
 * A leaf whose names and values are checked and in the form of the wire: the tracker's spelling, `%user%`, UTC moments
 * `2026-10-03T00:00:00Z` (only `>=` and `<`), days `2026-10-03`, 1 and 0 for yes and no.
 */
export type Condition =
  | {
      readonly kind: "test";
      readonly field: CatalogField;
      readonly op: Exclude<Comparison, ":">;
      readonly values: readonly string[];
    }
  | ({ readonly kind: "change"; readonly field: CatalogField } & ChangeParts)
  | ({ readonly kind: "flag" } & FlagParts);

/** What was asked, as typed. */
export type TypedQuery = QueryTree<Term>;

/** What was asked, ready to be sent or evaluated. */
export type Query = QueryTree<Condition>;

/** Both of several trees: nested `all`s become one, a single one stays itself. */
export function allOf<Leaf extends Kinded>(trees: readonly QueryTree<Leaf>[]): QueryTree<Leaf> {
  return join("all", trees);
}

/** Any of several trees: nested `any`s become one, a single one stays itself. */
export function anyOf<Leaf extends Kinded>(trees: readonly QueryTree<Leaf>[]): QueryTree<Leaf> {
  return join("any", trees);
}

/** The opposite of a tree; twice is the tree itself. */
export function notOf<Leaf extends Kinded>(tree: QueryTree<Leaf>): QueryTree<Leaf> {
  return isNot(tree) ? tree.of : { kind: "not", of: tree };
}

/** The same tree with every leaf replaced by what `leaf` makes of it. */
export function mapLeaves<From extends Kinded, To extends Kinded>(
  tree: QueryTree<From>,
  leaf: (leaf: From) => QueryTree<To>,
): QueryTree<To> {
  if (isNot(tree)) return notOf(mapLeaves(tree.of, leaf));
  if (isGroup(tree)) {
    return join(
      tree.kind,
      tree.of.map((one) => mapLeaves(one, leaf)),
    );
  }
  return leaf(tree);
}

/** All leaves of a tree, in the order in which they stand. */
export function leavesOf<Leaf extends Kinded>(tree: QueryTree<Leaf>): readonly Leaf[] {
  if (isNot(tree)) return leavesOf(tree.of);
  return isGroup(tree) ? tree.of.flatMap((one) => leavesOf(one)) : [tree];
}

/** Whether a tree is a group of trees. */
export function isGroup<Leaf extends Kinded>(tree: QueryTree<Leaf>): tree is Group<Leaf> {
  return tree.kind === "all" || tree.kind === "any";
}

/** Whether a tree is the opposite of another. */
export function isNot<Leaf extends Kinded>(tree: QueryTree<Leaf>): tree is Opposite<Leaf> {
  return tree.kind === "not";
}

/** Whether a tree is true of every bug because it says nothing. */
export function isEverything<Leaf extends Kinded>(tree: QueryTree<Leaf>): boolean {
  return isGroup(tree) && tree.kind === "all" && tree.of.length === 0;
}

function join<Leaf extends Kinded>(kind: "all" | "any", trees: readonly QueryTree<Leaf>[]): QueryTree<Leaf> {
  const of = trees.flatMap((tree) => (isGroup(tree) && tree.kind === kind ? tree.of : [tree]));
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind, of };
}

/**
 * What words are read against. `nobody` are the logins that mean "not assigned to anybody", where they are known; `me` the
 * asker's own, for the places where a tracker knows no pronoun.
 */
export type QueryContext = DateContext & {
  readonly catalog: Catalog;
  readonly nobody?: readonly string[] | undefined;
  readonly me?: string | undefined;
  readonly isForeignClock?: boolean; // the server's clock shows another zone than this one, and which is not known
};
