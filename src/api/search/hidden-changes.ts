import { usageError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { isInsider } from "../facts/insider.ts";
import { allOf, conjunctsOf, isGroup, isNot, type Query, type ResolvedTerm } from "../query/tree.ts";
import type { SearchTools } from "./bug-search.ts";

/**
 * Filter of the bugs that a server returns although they had one of the changes that a query excludes, found by other
 * searches; undefined if the login may see private comments, for whom it returns none of these.
 * @throws BtError of kind usage if the search is too complex to find them
 */
export async function createUnchangedFilter(
  query: Query,
  search: (query: Query) => AsyncIterable<readonly Bug[]>,
  { send, rows }: SearchTools,
): Promise<((bug: Bug) => boolean) | undefined> {
  const negated = negatedChanges(query);
  if (negated.length === 0 || (await rows.known()) === false || (await isInsider(send))) return undefined;
  if (negated === "nested") throw usageError(NESTED, 'combine it with the others by "and"');
  const changed = new Set<number>();
  for (const tree of negated) {
    for await (const bugs of search(allOf([...otherConjuncts(query), tree])))
      for (const { id } of bugs) changed.add(id);
  }
  return ({ id }) => !changed.has(id);
}

const NESTED = 'servers return too many bugs for "not" with this condition on changes inside "or" or another "not"';

/**
 * Trees below "not" in a query for which a server returns too many bugs to accounts that may not see private comments and
 * attachments: it tests each change whether it is private, so that the opposite is met by any private one. The bugs that
 * meet one of the trees are not part of the result.
 * "nested" if such a condition is deeper in the query.
 * @see Bugzilla/Search.pm, _long_desc_changedbefore_after and _changed_security_check
 */
export function negatedChanges(query: Query): Query[] | "nested" {
  const found: Query[] = [];
  for (const one of conjunctsOf(query)) {
    if (!hasHidden(one, "odd")) continue;
    if (!isNot(one) || hasHidden(one.of, "odd")) return "nested";
    found.push(one.of);
  }
  return found;
}

/** The conjuncts of a query without those that `negatedChanges` finds. */
export function otherConjuncts(query: Query): Query[] {
  return conjunctsOf(query).filter((one) => !hasHidden(one, "odd"));
}

/** True if a tree has a condition on changes that may be private, below an odd or even number of "not". */
function hasHidden(query: Query, negations: "odd" | "even"): boolean {
  if (isNot(query)) return hasHidden(query.of, negations === "odd" ? "even" : "odd");
  if (isGroup(query)) return query.of.some((one) => hasHidden(one, negations));
  return negations === "even" && isHidden(query);
}

function isHidden(leaf: ResolvedTerm): boolean {
  if (leaf.kind !== "change") return false;
  const { chart } = leaf.field;
  return chart === "longdesc" ? leaf.by === undefined : /^(?:longdescs\.count$|flagtypes\.name$|attach)/.test(chart);
}
