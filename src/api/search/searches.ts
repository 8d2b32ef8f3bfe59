import type { Bug } from "../../wire/bug-fields.ts";
import { collectPages } from "../lists.ts";
import type { ListReads } from "../operations/operation.ts";
import type { Search, SearchTools, WantedBugs } from "./search.ts";

/** A bug, and the number of bugs that are equal to it in some fields. */
export type BugGroup = { readonly bug: Bug; readonly count: number };

/** The searches of a session: nothing else requests bugs that match. A mirror has its own. */
export type Searches = {
  /**
   * Yields the bugs that match, page by page, each once, in the order of the search.
   * @throws BtError of kind usage for a name in the criteria that the tracker does not have
   */
  readonly pages: (search: Search, wanted: WantedBugs) => AsyncIterable<readonly Bug[]>;
  /** The first bugs, by one request if possible; it may find more, names are unchecked. */
  readonly first: (search: Search, wanted: WantedBugs) => Promise<readonly Bug[]>;
  /** Yields the bugs that match by groups of equal fields; a group may come in several parts. */
  readonly groups: (search: Search, fields: readonly string[]) => AsyncIterable<readonly BugGroup[]>;
  /** Number of bugs that match, up to a maximum; undefined if all have to be read for it. */
  readonly count: (search: Search, most: number) => Promise<number | undefined>;
};

/** The searches of a tracker. Their module is loaded with the first of them, since many commands do not search. */
export function createSearches(tools: SearchTools): Searches {
  const load = () => import("./search.ts");
  const pages: Searches["pages"] = async function* (search, wanted) {
    yield* (await load()).matchingBugs(search, wanted, tools);
  };
  return {
    pages,
    first: async (search, wanted) => (await load()).firstCandidates(search, wanted, tools),
    groups: async function* (search, fields) {
      for await (const page of pages({ ...search, order: undefined }, { include: fields }))
        yield page.map((bug) => ({ bug, count: 1 }));
    },
    count: async (search, most) => (await load()).countUpTo(most, search, tools),
  };
}

export function listReads(dialect: SearchTools["dialect"], searches: Searches): ListReads {
  return {
    areSupported: async () => (await dialect()).name === "bugzilla",
    visible: async (ids) => {
      const bugs = await readVisibleBugs(ids, ["id"], searches);
      return new Set(bugs.map(({ id }) => String(id)));
    },
  };
}

export async function readVisibleBugs(
  ids: Iterable<number | string>,
  include: readonly string[],
  { pages }: Searches,
): Promise<Bug[]> {
  const named = [...new Set(ids)].map(String);
  if (named.length === 0) return [];
  const { fieldTest } = await import("../query/families.ts");
  return collectPages(pages({ query: fieldTest("id", "=", ...named) }, { include, limit: named.length }));
}

/** Summaries by bug id, for optional headings; empty if they cannot be read. */
export async function readBugTitles(ids: number[], searches: Searches): Promise<ReadonlyMap<number, string>> {
  const bugs = await readVisibleBugs(ids, ["id", "summary"], searches).catch((): Bug[] => []);
  return new Map(bugs.map(({ id, summary }) => [id, summary ?? ""]));
}
