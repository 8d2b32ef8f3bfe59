import type { Catalog, CatalogField } from "../catalog/catalog.ts";
import type { DateContext } from "./dates.ts";

/** Boolean tree of leaves. An empty `all` matches every bug, an empty `any` none. */
export type QueryTree<Leaf> = Leaf | Group<Leaf> | Opposite<Leaf>;

type Group<Leaf> = { kind: "all" | "any"; of: QueryTree<Leaf>[] };
type Opposite<Leaf> = { kind: "not"; of: QueryTree<Leaf> };
type Kinded = { kind: string };

/**
 * Comparison operator. `=` and `any` take several values, of which any will do, `all` and `~` several that all have to
 * match, the others one; `:`
 * is the field's natural comparison, `any` and `all` match whole words, `matches` is full-text search.
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

/** Parts of one change of a field; without any: it ever changed. `since` is inclusive, `before` exclusive. */
export type ChangeParts = {
  from?: string;
  to?: string;
  by?: string;
  since?: string;
  before?: string;
};

/** Parts of one flag: `name` is `review`, or `review?` with a status. */
type FlagParts = { name: string; requestee?: string; setter?: string };

/** A leaf as typed. `at` is its column in the text, from 1. */
export type Term = { readonly at?: number } & (
  | {
      readonly kind: "test";
      readonly field: string;
      readonly op: Comparison;
      readonly values: readonly string[];
    }
  | { readonly kind: "is"; readonly state: string }
  | ({ readonly kind: "change"; readonly field: string } & ChangeParts)
  | ({ readonly kind: "flag" } & FlagParts)
);

/**
 * A leaf with validated names and values in wire form: the tracker's spelling, `%user%`, UTC moments
 * `2026-10-03T00:00:00Z` (only `>=` and `<`), days `2026-10-03`, 1 and 0 for booleans.
 */
export type ResolvedTerm =
  | {
      readonly kind: "test";
      readonly field: CatalogField;
      readonly op: Exclude<Comparison, ":">;
      readonly values: readonly string[];
    }
  | ({ readonly kind: "change"; readonly field: CatalogField } & ChangeParts)
  | ({ readonly kind: "flag" } & FlagParts);

/** A leaf about a change of a field. */
export type ResolvedChange = ResolvedTerm & { kind: "change" };

/** A query as it was typed, before its names and values are checked. */
export type UnresolvedQuery = QueryTree<Term>;

/** A resolved query, ready to compile or evaluate. */
export type Query = QueryTree<ResolvedTerm>;

/** Conjunction (AND) of the given trees; flattens nested ANDs. */
export function allOf<Leaf extends Kinded>(trees: readonly QueryTree<Leaf>[]): QueryTree<Leaf> {
  return joinTrees("all", trees);
}

/** Disjunction (OR) of the given trees; flattens nested ORs. */
export function anyOf<Leaf extends Kinded>(trees: QueryTree<Leaf>[]): QueryTree<Leaf> {
  return joinTrees("any", trees);
}

/** Negation of a tree; removes a double negation. */
export function notOf<Leaf extends Kinded>(tree: QueryTree<Leaf>): QueryTree<Leaf> {
  return isNot(tree) ? tree.of : { kind: "not", of: tree };
}

/** The tree with every leaf replaced. */
export function mapLeaves<From extends Kinded, To extends Kinded>(
  tree: QueryTree<From>,
  leaf: (leaf: From) => QueryTree<To>,
): QueryTree<To> {
  if (isNot(tree)) return notOf(mapLeaves(tree.of, leaf));
  if (isGroup(tree)) {
    return joinTrees(
      tree.kind,
      tree.of.map((one) => mapLeaves(one, leaf)),
    );
  }
  return leaf(tree);
}

/** All leaves in order. */
export function leavesOf<Leaf extends Kinded>(tree: QueryTree<Leaf>): Leaf[] {
  if (isNot(tree)) return leavesOf(tree.of);
  return isGroup(tree) ? tree.of.flatMap((one) => leavesOf(one)) : [tree];
}

/** The parts of a conjunction; any other tree is its own only part. */
export function conjunctsOf<Leaf extends Kinded>(tree: QueryTree<Leaf>): QueryTree<Leaf>[] {
  return isGroup(tree) && tree.kind === "all" ? tree.of : [tree];
}

/** True for an AND or OR. */
export function isGroup<Leaf extends Kinded>(tree: QueryTree<Leaf>): tree is Group<Leaf> {
  return tree.kind === "all" || tree.kind === "any";
}

/** True for a negation. */
export function isNot<Leaf extends Kinded>(tree: QueryTree<Leaf>): tree is Opposite<Leaf> {
  return tree.kind === "not";
}

/** True for the empty conjunction, which matches every bug. */
export function isEverything<Leaf extends Kinded>(tree: QueryTree<Leaf>): boolean {
  return isGroup(tree) && tree.kind === "all" && tree.of.length === 0;
}

function joinTrees<Leaf extends Kinded>(kind: "all" | "any", trees: readonly QueryTree<Leaf>[]): QueryTree<Leaf> {
  const of = trees.flatMap((tree) => (isGroup(tree) && tree.kind === kind ? tree.of : [tree]));
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind, of };
}

/**
 * Context for resolving a query. `nobody` are logins that mean "unassigned", if known; `me` is the own login, for
 * fields without pronouns.
 */
export type QueryContext = DateContext & {
  catalog: Catalog;
  nobody?: readonly string[] | undefined;
  me?: string | undefined;
};
