import type { Bug } from "../../wire/bug-fields.ts";
import { type BugSearch, PLAIN_SEARCH, type SearchTools, type WantedBugs } from "./bug-search.ts";
import { type BugGroup, countUpTo, findBugGroups, matchingBugsOrNameError } from "./checked-search.ts";
import { readFirstBugs } from "./search.ts";

/** A search for bugs; without conditions of every bug, without an order newest first. */
export type Search = Pick<BugSearch, "query"> & Partial<BugSearch>;

/** The searches of a session: nothing else requests a list of bugs that match. A mirror has its own. */
export type Searches = {
  /**
   * Yields the bugs that match, page by page, each once, in the order of the search.
   * @throws BtError of kind usage for a name in the criteria that the tracker does not have, if no bug matches
   */
  readonly pages: (search: Search, wanted: WantedBugs) => AsyncIterable<readonly Bug[]>;
  /** The first bugs of a search, by one request where the tracker knows the order; names are not checked. */
  readonly first: (search: Search, wanted: WantedBugs) => Promise<readonly Bug[]>;
  /** Yields the bugs that match in groups that are equal in these fields; a group may come in several parts. */
  readonly groups: (search: Search, fields: readonly string[]) => AsyncIterable<readonly BugGroup[]>;
  /** Number of bugs that match, up to a maximum; undefined if many bugs would have to be read for it. */
  readonly count: (search: Search, most: number) => Promise<number | undefined>;
};

/** The searches of a tracker. */
export function createSearches(tools: () => SearchTools): Searches {
  const whole = (search: Search): BugSearch => ({ ...PLAIN_SEARCH, ...search });
  return {
    pages: (search, wanted) => matchingBugsOrNameError(whole(search), wanted, tools()),
    first: (search, wanted) => readFirstBugs(whole(search), wanted, tools()),
    groups: (search, fields) => bugGroups(whole(search), fields, tools()),
    count: (search, most) => countUpTo(most, whole(search), tools()),
  };
}

async function* bugGroups(
  search: BugSearch,
  fields: readonly string[],
  tools: SearchTools,
): AsyncGenerator<readonly BugGroup[]> {
  const groups = await findBugGroups(search, fields, tools);
  if (groups) return yield groups;
  for await (const page of matchingBugsOrNameError(search, { include: ["id", ...fields] }, tools))
    yield page.map((bug): BugGroup => ({ bug, count: 1 }));
}
