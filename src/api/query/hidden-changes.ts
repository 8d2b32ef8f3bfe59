import { conjunctsOf, isGroup, isNot, type Query, type ResolvedTerm } from "./tree.ts";

/**
 * Trees below "not" in a query for which a server returns too many bugs to accounts that may not see private comments and
 * attachments: it tests each change whether it is private, so that the opposite is met by any private one. The bugs that
 * meet one of the trees are not part of the result.
 * "nested" if such a condition is deeper in the query.
 * @see Bugzilla/Search.pm, _long_desc_changedbefore_after and _changed_security_check
 */
export function negatedChanges(query: Query): readonly Query[] | "nested" {
  const found: Query[] = [];
  for (const one of conjunctsOf(query)) {
    if (!hasHidden(one, "odd")) continue;
    if (!isNot(one) || hasHidden(one.of, "odd")) return "nested";
    found.push(one.of);
  }
  return found;
}

/** The conjuncts of a query without those that `negatedChanges` finds. */
export function otherConjuncts(query: Query): readonly Query[] {
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
