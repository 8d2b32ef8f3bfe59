import type { Catalog, CatalogField } from "../catalog/catalog.ts";
import type { DateContext } from "./dates.ts";

/** Boolean tree of leaves. An empty `all` matches every bug, an empty `any` none. */
export type Tree<One> = One | Group<One> | Opposite<One>;

type Group<One> = { readonly kind: "all" | "any"; readonly of: readonly Tree<One>[] };
type Opposite<One> = { readonly kind: "not"; readonly of: Tree<One> };
type Kinded = { readonly kind: string };

/** Operators; `:` is the field's natural one, `..` a range. `=` takes several alternatives. */
export type TypedOp = Op | ":" | ".." | "..<";

/** Operators of resolved tests. */
export type Op = "=" | "~" | "=~" | "^=" | "$=" | ">" | ">=" | "<" | "<=" | "empty";

/** Parts of a change; without any: it ever changed. `since` is inclusive, `before` exclusive. */
export type ChangeParts = { readonly [Part in (typeof CHANGE_PARTS)[number]]?: string | undefined };
export const CHANGE_PARTS = ["from", "to", "by", "since", "before"] as const;

/** Parts of one flag: `name` is `review`, or `review?` with a status. */
export type FlagTerm = {
  readonly kind: "flag";
  readonly name: string;
  readonly requestee?: string | undefined;
  readonly setter?: string | undefined;
};

/** A leaf as typed. `at` is its column in the text, from 1. */
export type Term = { readonly at?: number | undefined } & (
  | { readonly kind: "test"; readonly field: string; readonly op: TypedOp; readonly values: readonly string[] }
  | { readonly kind: "is"; readonly state: string }
  | ({ readonly kind: "change"; readonly field: string } & ChangeParts)
  | FlagTerm
);

/** A comparison in wire form: legal values, `%user%`, UTC (only `>=` and `<`), 1 for yes. */
export type Test = {
  readonly kind: "test";
  readonly field: CatalogField;
  readonly op: Op;
  readonly values: readonly string[];
};
export type Change = { readonly kind: "change"; readonly field: CatalogField } & ChangeParts;

/** A leaf with checked names and values. */
export type Leaf = Test | Change | FlagTerm;
export type Query = Tree<Leaf>;

/** What resolving needs. `nobody` are logins that mean "unassigned"; `me` is the own login. */
export type QueryContext = DateContext & {
  readonly catalog: Catalog;
  readonly nobody?: readonly string[] | undefined;
  readonly me?: string | undefined;
};

export const EVERY_BUG = { kind: "all", of: [] } as const;
export const NO_BUG = { kind: "any", of: [] } as const;

/** AND of trees. */
export function allOf<One extends Kinded>(trees: readonly Tree<One>[]): Tree<One> {
  return join("all", trees);
}

/** OR of trees. */
export function anyOf<One extends Kinded>(trees: readonly Tree<One>[]): Tree<One> {
  return join("any", trees);
}

/** AND or OR of trees, flattened; "every bug" and "no bug" drop out or decide. */
function join<One extends Kinded>(kind: "all" | "any", trees: readonly Tree<One>[]): Tree<One> {
  const of = trees.flatMap((tree) => (isGroup(tree) && tree.kind === kind ? tree.of : [tree]));
  const deciding = kind === "all" ? NO_BUG : EVERY_BUG;
  if (of.some((tree) => isGroup(tree) && tree.of.length === 0)) return deciding;
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind, of };
}

/** Negation. */
export function notOf<One extends Kinded>(tree: Tree<One>): Tree<One> {
  if (isNot(tree)) return tree.of;
  if (isGroup(tree) && tree.of.length === 0) return tree.kind === "all" ? NO_BUG : EVERY_BUG;
  return { kind: "not", of: tree };
}

/** The tree with every leaf replaced. */
export function mapLeaves<From extends Kinded, To extends Kinded>(
  tree: Tree<From>,
  replace: (leaf: From) => Tree<To>,
): Tree<To> {
  if (isNot(tree)) return notOf(mapLeaves(tree.of, replace));
  if (isGroup(tree))
    return join(
      tree.kind,
      tree.of.map((one) => mapLeaves(one, replace)),
    );
  return replace(tree);
}

/** All leaves in order. */
export function leavesOf<One extends Kinded>(tree: Tree<One>): readonly One[] {
  if (isNot(tree)) return leavesOf(tree.of);
  return isGroup(tree) ? tree.of.flatMap((one) => leavesOf(one)) : [tree];
}

/** True if a tree holds where its leaves do or do not. */
export function isMet(tree: Query, meets: (leaf: Leaf) => boolean): boolean {
  if (isNot(tree)) return !isMet(tree.of, meets);
  if (!isGroup(tree)) return meets(tree);
  return tree.kind === "all" ? tree.of.every((one) => isMet(one, meets)) : tree.of.some((one) => isMet(one, meets));
}

/** True for the tree that matches every bug. */
export function isEveryBug(tree: Tree<Kinded>): boolean {
  return isGroup(tree) && tree.kind === "all" && tree.of.length === 0;
}

/** The parts of a conjunction; any other tree is its own only part. */
export function conjunctsOf<One extends Kinded>(tree: Tree<One>): readonly Tree<One>[] {
  return isGroup(tree) && tree.kind === "all" ? tree.of : [tree];
}

export function isGroup<One extends Kinded>(tree: Tree<One>): tree is Group<One> {
  return tree.kind === "all" || tree.kind === "any";
}

export function isNot<One extends Kinded>(tree: Tree<One>): tree is Opposite<One> {
  return tree.kind === "not";
}
