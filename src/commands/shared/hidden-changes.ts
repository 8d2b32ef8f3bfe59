import { isInsider } from "../../api/insider.ts";
import { negatedChanges, otherConjuncts } from "../../api/query/hidden-changes.ts";
import { allOf, type Query } from "../../api/query/tree.ts";
import { usage } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";

/** A query, and the way to search for bugs by another one, of which the ids are needed. */
type Searching = {
  readonly query: Query;
  readonly search: (query: Query) => AsyncIterable<readonly Bug[]>;
};

/**
 * Filter of the bugs that a server returns although they had one of the changes that the search excludes; undefined if the
 * login may see private comments, for whom it returns none of these.
 * @throws BtError of kind usage if the search is too complex to find them
 */
export async function unchangedFilter(
  { query, search }: Searching,
  session: Session,
): Promise<((bug: Bug) => boolean) | undefined> {
  const negated = negatedChanges(query);
  if (negated.length === 0 || (await session.rows.known()) === false || (await isInsider(session.ask)))
    return undefined;
  if (negated === "nested") throw usage(NESTED, 'combine it with the others by "and"');
  const changed = new Set<number>();
  for (const tree of negated) {
    for await (const bugs of search(allOf([...otherConjuncts(query), tree])))
      for (const { id } of bugs) changed.add(id);
  }
  return ({ id }) => !changed.has(id);
}

const NESTED = 'servers return too many bugs for "not" with this condition on changes inside "or" or another "not"';
